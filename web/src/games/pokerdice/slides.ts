/** Cards that leave their places at a reveal: met ones to the strip of their owner, missed ones face down to the active player. */
import { paced } from "../../pace.ts";
import type { Slide } from "./view.ts";

const LASTS = 400; // ms
const APART = 40; // ms between two cards
const DROP = 72; // px that a lost card falls

/** Let cards slide in `layer`, between places that are marked within `root`. */
export function slide(root: HTMLElement, layer: HTMLElement, slides: readonly Slide[]): void {
  const paths = slides.map((each) => ({ each, from: shown(root, `[data-card="${each.owner}/${each.at}"]`), to: goal(root, each) }));
  const boxes = paths.map(({ from, to }) => [from?.getBoundingClientRect(), to?.getBoundingClientRect()] as const);
  paths.forEach(({ each, from }, at) => {
    const [start, end] = boxes[at] ?? [];
    if (from && start) move(layer.appendChild(copied(from, start, each)), path(each, start, end), at * APART);
  });
}

/** Take away whatever still slides. */
export function clear(layer: HTMLElement | undefined): void {
  layer?.replaceChildren();
}

function goal(root: HTMLElement, { kind, to }: Slide): Element | null {
  const strip = kind === "scored" ? shown(root, `[data-strip="${to}"]`) : null;
  return strip ?? shown(root, `[data-points="${to}"]`);
}

/** The first of the places that is drawn. */
function shown(root: HTMLElement, wanted: string): Element | null {
  return [...root.querySelectorAll(wanted)].find((found) => found.getClientRects().length > 0) ?? null;
}

function copied(from: Element, { x, y, width, height }: DOMRect, { kind, owner }: Slide): HTMLElement {
  const card = document.createElement("span");
  card.className = `slide ${kind}`;
  card.style.cssText = `left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px; --card: ${Math.min(width, height * 0.75)}px; --mini: ${width * 0.24}px`;
  if (kind === "captured") card.innerHTML = `<svg viewBox="0 0 100 142"><use href="#back-${(owner % 8) + 1}"></use></svg>`;
  else card.append(...[...from.querySelectorAll(".goal")].map((picture) => picture.cloneNode(true)));
  return card;
}

function path({ kind }: Slide, from: DOMRect, to: DOMRect | undefined): Keyframe[] {
  if (kind === "lost" || to === undefined) return [{ transform: "none", opacity: 1 }, { transform: `translateY(${DROP}px) rotate(8deg)`, opacity: 0 }];
  const [x, y] = [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
  return [
    { transform: "none", opacity: 1 },
    { transform: `translate(${x * 0.8}px, ${y * 0.8}px) scale(.5)`, opacity: 1, offset: 0.8 },
    { transform: `translate(${x}px, ${y}px) scale(.3)`, opacity: 0 },
  ];
}

function move(card: HTMLElement, keyframes: Keyframe[], delay: number): void {
  const moved = card.animate(keyframes, { delay: paced(delay), duration: paced(LASTS), easing: "cubic-bezier(.4, 0, .6, 1)", fill: "both" });
  moved.onfinish = () => card.remove();
}
