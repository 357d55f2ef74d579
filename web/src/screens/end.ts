/** What the end of a game says, worked out from its last view. */
import { GAMES, type TableShown, type ViewShown } from "../protocol.ts";
import { seatsOf } from "../seats.ts";

export interface EndShown {
  winners: number[];
  /** Under `GAME.ending` or `web.over`: why it is over; empty if there is nothing to say. */
  why: string;
  /** Those behind the winners who are closest, and what they have. */
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
  return { winners, why: `${table.game}.ending.${ending}`, behind: behind(winners, view.points), places: placesOf(winners, view.points) };
}

/** As in src/pokade/server/picture.py. */
export function placesOf(winners: readonly number[], points: readonly number[]): Placed[] {
  const others = points.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  const most = (seats: readonly number[]) => Math.max(...seats.map((seat) => points[seat] ?? 0));
  const best = winners.length > 0 ? most(winners) : most(others);
  const placed = (seat: number): Placed => {
    const counted = points[seat] ?? 0;
    if (winners.includes(seat)) return { seat, place: 1, points: counted, gap: others.length === 0 ? 0 : counted - most(others) };
    const above = winners.length + others.filter((other) => (points[other] ?? 0) > counted).length;
    return { seat, place: above + 1, points: counted, gap: best - counted };
  };
  return [...winners, ...others.sort((one, other) => (points[other] ?? 0) - (points[one] ?? 0) || one - other)].map(placed);
}

function behind(winners: number[], points: number[]): EndShown["behind"] {
  const others = points.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  if (others.length === 0) return null;
  const most = Math.max(...others.map((seat) => points[seat] ?? 0));
  return { seats: others.filter((seat) => points[seat] === most), points: most };
}
