/** One device for several people: whose turn it is to look at it. */
import type { SeatShown } from "../protocol.ts";
import { isDue } from "../seats.ts";
import type { Seen } from "../table.svelte.ts";

/** The seats on this device that have something to choose now. */
export function dueHere(seen: ReadonlyMap<number, Seen>, places: readonly SeatShown[]): number[] {
  return [...seen.values()]
    .filter(({ viewer, view }) => view !== null && view.choices.length > 0 && isDue(view.turn, viewer))
    .map(({ viewer }) => viewer)
    .filter((seat) => places[seat]?.standby === false)
    .sort((a, b) => a - b);
}

/** The seat that gets the device next: the first without a sealed choice; null if all have one. */
export function nextHere(seen: ReadonlyMap<number, Seen>, due: readonly number[]): number | null {
  return due.find((seat) => seen.get(seat)?.seal === null) ?? null;
}

/** Whether two viewers have been told of the same steps. */
export function hasSameStep(one: Seen | null, other: Seen | null): boolean {
  return one?.view != null && other?.view != null && one.view.state.step === other.view.state.step;
}

/** How large a name is written on the disc of the curtain, as a part of the disc: one line, whatever its length. */
export function nameSize(name: string): number {
  return Math.min(0.23, Math.max(0.09, 1.33 / Math.max(1, [...name].length)));
}

/** The darker half of the pleats of a curtain, as one path around the middle of a square from -100 to 100. */
export function pleats(count: number): string {
  const step = (2 * Math.PI) / (2 * count);
  const point = (at: number) => `${(142 * Math.sin(at * step)).toFixed(2)} ${(-142 * Math.cos(at * step)).toFixed(2)}`;
  return Array.from({ length: count }, (_, at) => `M0 0L${point(2 * at)}L${point(2 * at + 1)}Z`).join("");
}
