/** What a screen shows of an evening, worked out from what the server says of the table. */
import { GAMES, type EveningShown, type GameName, type TableShown } from "./protocol.ts";

/** Whether there is more to show than the end of one game says by itself. */
export function hasStory(table: TableShown): table is TableShown & { evening: EveningShown } {
  const evening = table.evening;
  return evening !== null && (evening.games > (table.status === "over" ? 1 : 0) || evening.resting.length > 0);
}

/** What a game would change about the people at your table: bots it needs, people who sit out. */
export function change(table: TableShown, own: readonly number[], game: GameName): { bots: number; out: number } {
  const { least, most } = GAMES[game].seats;
  const playing = table.seats.filter((seat, at) => seat.bot === null && !seat.free && (!seat.standby || own.includes(at)));
  const people = playing.length + (table.evening?.resting.length ?? 0);
  const here = table.seats.filter((seat) => seat.bot !== null).length;
  const needed = least - people;
  return { bots: needed > here ? needed : 0, out: Math.max(0, people - most) };
}
