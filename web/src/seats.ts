/** People at a table: what stands on their badges, and in which order a player sees them. */
import type { SeatShown } from "./protocol.ts";

/** One letter each; two where two people share the first (Be, Bo). */
export function initials(names: readonly string[]): string[] {
  const first = names.map((name) => letters(name, 1));
  return names.map((name, seat) => {
    const isShared = first.some((letter, other) => other !== seat && letter !== "" && letter === first[seat]);
    return isShared ? letters(name, 2) : (first[seat] as string);
  });
}

function letters(name: string, count: number): string {
  const [head = "", ...rest] = [...name.trim()];
  return head.toLocaleUpperCase() + rest.slice(0, count - 1).join("").toLocaleLowerCase();
}

/** The seats in the order in which they sit, from your left neighbour on; a watcher sees them from seat 0. */
export function around(viewer: number, seats: number): number[] {
  const others = Array.from({ length: seats }, (_, at) => (Math.max(viewer, -1) + 1 + at) % seats);
  return others.filter((seat) => seat !== viewer);
}

/** Whether the player sits here alone, with bots at all other seats: then the table has the player’s own pace. */
export function isAloneWithBots(seats: readonly SeatShown[], own: readonly number[]): boolean {
  return own.length === 1 && seats.every((seat, at) => own.includes(at) || seat.bot !== null);
}

/** Whether the choice of a seat is due, by the bit set `turn` of a view. */
export function isDue(turn: number, seat: number): boolean {
  return turn > 0 && seat >= 0 && ((turn >>> seat) & 1) === 1;
}

/** The seats of a bit set. */
export function seatsOf(set: number, seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => seat).filter((seat) => (set >>> seat) & 1);
}

/** The player of a seat: a person, a bot, or a stand-in bot for a person who is away. */
export function isPlayedByBot(seat: SeatShown): boolean {
  return seat.bot !== null || seat.standby;
}
