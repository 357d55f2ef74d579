/** Your finished games: as the server tells them, and as this device has kept them for when there is no server. */
import type { Points } from "./chart.ts";
import { NOBODY } from "./catalogue.ts";
import type { GameName, PlayedPage, PlayedShown, SumShown, TableShown, ViewShown } from "./protocol.ts";

export type Sort = "new" | "old" | "best";
/** What is looked for. */
export interface Wish {
  game: GameName | "";
  find: string;
  sort: Sort;
}

export const PAGE = 20; // games at a time
const KEPT = "pokade.games";
const MOST = 100;

/** How a game went for the player. */
export type Result = "won" | "shared" | "drawn" | "place" | "unfinished" | "left";

export function resultOf({ left, place, seat, winners, names }: PlayedShown): Result {
  if (place === null) return "unfinished";
  if (left) return "left";
  if (!winners.includes(seat)) return "place";
  if (winners.length === names.length) return "drawn";
  return winners.length > 1 ? "shared" : "won";
}

/** Who else played: the names of people, and how many bots. */
export function opponents({ names, bots, seat }: PlayedShown): { people: string[]; bots: number } {
  const others = names.filter((_, at) => at !== seat && !bots[at]);
  return { people: others, bots: bots.filter(Boolean).length };
}

/** A page of games that this device knows, found and sorted as the server would. */
export function pageOf(games: readonly PlayedShown[], { game, find, sort }: Wish, first: number, most = PAGE): PlayedPage {
  const letters = find.trim().toLocaleLowerCase();
  const wanted = games.filter(
    (one) => (game === "" || game === one.game) && one.names.some((name) => name.toLocaleLowerCase().includes(letters)),
  );
  wanted.sort((one, other) => (sort === "old" ? one.ended_at - other.ended_at : other.ended_at - one.ended_at));
  if (sort === "best") wanted.sort((one, other) => (one.place ?? Infinity) - (other.place ?? Infinity) || other.names.length - one.names.length || 0);
  return { all: games.length, found: wanted.length, sums: sumsOf(games), games: wanted.slice(first, first + most) };
}

function sumsOf(games: readonly PlayedShown[]): SumShown[] {
  const counted = games.filter((one) => one.place !== null && !one.left);
  const names = [...new Set(counted.map((one) => one.game))].sort();
  return names.map((game) => {
    const some = counted.filter((one) => one.game === game);
    const won = some.filter((one) => ["won", "shared"].includes(resultOf(one))).length;
    return { game, played: some.length, won, place: some.reduce((sum, one) => sum + (one.place ?? 0), 0) / some.length };
  });
}

/** The game that has just ended, as the server would tell it; null for a game that is not yours. */
export function playedOf(table: TableShown, own: readonly number[], view: ViewShown, points: Points, now: number): PlayedShown | null {
  const seat = own[0];
  if (seat === undefined || table.lesson) return null;
  const winners = view.turn === 0 ? table.seats.flatMap((_, at) => ((view.state.winners >>> at) & 1 ? [at] : [])) : [];
  return {
    id: table.id,
    code: table.code,
    game: table.game,
    names: table.seats.map(({ name }) => name),
    bots: table.seats.map(({ bot }) => bot !== null),
    seat,
    ended_at: now,
    points: view.points,
    winners,
    place: view.places[seat] ?? null,
    left: table.seats[seat]?.standby ?? false,
    curve: points.rounds.map((_, at) => points.values.map((line) => line[at] ?? 0)),
  };
}

/** The games that this device has kept, newest first. */
export function keptGames(): PlayedShown[] {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]") as PlayedShown[];
  } catch {
    return [];
  }
}

/** The seat that this device's player had in a game that it has kept; NOBODY if it knows of none. */
export function seatHad(id: string): number {
  return keptGames().find((game) => game.id === id)?.seat ?? NOBODY;
}

/** Keep games on this device, as they are told now; the oldest go. */
export function keepGames(games: readonly PlayedShown[]): void {
  const ids = new Set(games.map(({ id }) => id));
  const all = [...games, ...keptGames().filter(({ id }) => !ids.has(id))].sort((one, other) => other.ended_at - one.ended_at);
  try {
    localStorage.setItem(KEPT, JSON.stringify(all.slice(0, MOST)));
  } catch {
    // Without storage there is nothing to show without the server.
  }
}

/** Keep a game that this device does not know yet. */
export function keepNew(game: PlayedShown): void {
  if (!keptGames().some(({ id }) => id === game.id)) keepGames([game]);
}
