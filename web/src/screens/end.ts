/** What the end of a game says, worked out from its last view. */
import { GAMES, type TableShown, type ViewShown } from "../protocol.ts";
import { seatsOf } from "../seats.ts";
import { NOBODY, type Reader, about } from "../sentences.ts";
import { text } from "../texts.svelte.ts";

export interface EndShown {
  winners: number[];
  /** Under `GAME.ending` or `web.over`: why it is over; empty if there is nothing to say. */
  why: string;
  /** The players closest behind the winners, and their points. */
  behind: { seats: number[]; points: number } | null;
  /** Everybody, the winners first; empty where there is nothing to count. */
  places: Placed[];
}

/** How somebody came out. */
export interface Placed {
  seat: number;
  /** From 1; equal points share one. */
  place: number;
  points: number;
  /** What is missing to the winners, or, for a winner, what the best of the others lack. */
  gap: number;
}

export function endOf(table: TableShown, view: ViewShown | null): EndShown {
  if (view === null || view.turn !== 0) return { winners: [], why: `web.over.${table.ending}`, behind: null, places: [] };
  const winners = seatsOf(view.state.winners, table.seats.length);
  const ending = GAMES[table.game].endings[view.state.ending] ?? "";
  return { winners, why: `${table.game}.ending.${ending}`, behind: behind(winners, view.points), places: placesOf(winners, view) };
}

/** Your only seat here, if a bot has played it to the end: its win is not yours. NOBODY if there is none. */
export function leftSeat(table: TableShown, own: readonly number[]): number {
  const seat = own.length === 1 ? (own[0] ?? NOBODY) : NOBODY;
  return table.seats[seat]?.standby ? seat : NOBODY;
}

/** Who has won, as the reader is told; `left` is the seat that a bot has played for them to the end. */
export function titleOf({ winners }: EndShown, reader: Reader, left = NOBODY): string {
  if (winners.length === 0) return text("web.over.none");
  return winners.length === 1 && winners[0] === left ? text("web.over.wins_bot") : about("web.over.wins", winners, reader);
}

/** Everybody in the order of their places, as the view says them. */
export function placesOf(winners: readonly number[], { points, places }: Pick<ViewShown, "points" | "places">): Placed[] {
  const others = points.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  const most = (seats: readonly number[]) => Math.max(...seats.map((seat) => points[seat] ?? 0));
  const placed = (place: number, seat: number): Placed => {
    const counted = points[seat] ?? 0;
    const ahead = others.length === 0 ? 0 : counted - most(others);
    return { seat, place, points: counted, gap: winners.includes(seat) ? ahead : most(winners) - counted };
  };
  return places.map(placed).sort((one, other) => one.place - other.place || one.seat - other.seat);
}

function behind(winners: number[], points: number[]): EndShown["behind"] {
  const others = points.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  if (others.length === 0) return null;
  const most = Math.max(...others.map((seat) => points[seat] ?? 0));
  return { seats: others.filter((seat) => points[seat] === most), points: most };
}
