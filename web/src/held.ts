/**
 * Movements wait until all parts of a table are drawn, so that they begin together. A rule of the style sheet that stops them
 * would make the browser work out the style of every piece again, twice in each reveal; here only what moves is touched.
 */
const PLACES = ".table, .sheet, .rail";
const held = new Set<Animation>();

/** Let whatever has begun to move stand where it is. This works out the styles of what was just drawn. */
export function hold(): void {
  for (const one of document.getAnimations()) {
    if (held.has(one) || one.playState !== "running" || !isOfTable(one)) continue;
    one.pause();
    held.add(one);
  }
}

/** Let it all move, from the same frame on. */
export function release(): void {
  for (const one of held) if (one.playState === "paused") one.play();
  held.clear();
}

/** Movements of the style sheet; what flies over the table has been measured, and begins by itself. */
function isOfTable(one: Animation): boolean {
  const target = one instanceof CSSAnimation ? (one.effect as KeyframeEffect | null)?.target : null;
  return target?.closest(PLACES) != null;
}
