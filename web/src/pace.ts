/** How fast a table moves: brisk or slow by as much as the server's pauses there. */
import { PACES } from "./protocol.ts";
import { isStill } from "./settings.svelte.ts";

type Pace = keyof typeof PACES;
let factor: number = PACES.usual;

/** Move at a table's pace until what this answers is called; in styles it is `--pace`, by which times of movements are multiplied. */
export function keepPace(pace: Pace): () => void {
  factor = PACES[pace];
  document.documentElement.style.setProperty("--pace", String(factor));
  return () => void (pace === "usual" || keepPace("usual"));
}

/** How long something takes at this pace that usually takes so many milliseconds; what only fades always takes the same time. */
export function paced(ms: number): number {
  return isStill() ? ms : ms * factor;
}
