/** What a big screen shows, and when it goes on to the next game. */
import { type Points, pointsByRound } from "../chart.ts";
import { lookBack } from "../games/index.ts";
import * as server from "../server.ts";
import type { TableShown } from "../protocol.ts";
import { roundsOf } from "../timeline.ts";

export type Shown = "lobby" | "game" | "paused" | "over";

const ROOM = 12_000; // ms for the end of a game, before the lobby of the next one is shown

export function shownOf(table: Pick<TableShown, "status" | "paused">): Shown {
  if (table.status === "open") return "lobby";
  if (table.status === "over") return "over";
  return table.paused ? "paused" : "game";
}

/**
 * How long the end stays, in ms, once there is a next game: not at all if that one has begun, or if nobody has seen the
 * game end here, else what is left of the time that an end has.
 */
export function stays(now: number, endedAt: number | null, next: TableShown["status"] | null): number {
  if ((next !== null && next !== "open") || endedAt === null) return 0;
  return Math.max(0, endedAt + ROOM - now);
}

/** Points by round of a game that is over; null where there is nothing to draw. */
export async function courseOf({ id, game }: Pick<TableShown, "id" | "game">): Promise<Points | null> {
  const [replay, look] = await Promise.all([server.replayOf({ table: id }, "all"), lookBack(game)]);
  const points = pointsByRound(replay.steps, roundsOf(replay.steps, look.stages));
  return points.values.some((line) => line.some((value) => value !== line[0])) ? points : null;
}
