/** What the end of a game says, worked out from its last view. */
import { GAMES, type TableShown, type ViewShown } from "../protocol.ts";
import { seatsOf } from "../seats.ts";

export interface EndShown {
  winners: number[];
  /** Under `GAME.ending` or `web.over`: why it is over; empty if there is nothing to say. */
  why: string;
  /** Those behind the winners who are closest, and what they have. */
  behind: { seats: number[]; points: number } | null;
}

export function endOf(table: TableShown, view: ViewShown | null): EndShown {
  if (view === null || view.turn !== 0) return { winners: [], why: `web.over.${table.ending}`, behind: null };
  const winners = seatsOf(view.state.winners, table.seats.length);
  const ending = GAMES[table.game].endings[view.state.ending] ?? "";
  return { winners, why: `${table.game}.ending.${ending}`, behind: behind(winners, view.points) };
}

function behind(winners: number[], points: number[]): EndShown["behind"] {
  const others = points.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  if (others.length === 0) return null;
  const most = Math.max(...others.map((seat) => points[seat] ?? 0));
  return { seats: others.filter((seat) => points[seat] === most), points: most };
}
