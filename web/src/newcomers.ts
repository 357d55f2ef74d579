/** People who come to a game that is on, and what else happens at a table beside the game, worked out from what the server says. */
import type { GameName, TableShown } from "./protocol.ts";
import type { Values } from "./texts.svelte.ts";

/** Somebody asks for a bot's seat. */
export interface Asking {
  seat: number;
  name: string;
  bot: string;
  agreed: number;
  wanted: number;
  /** The first seats of all who have agreed. */
  by: number[];
}

/** Everybody who asks for a seat, in the order of the seats. */
export function askingAt(table: TableShown): Asking[] {
  return table.seats.flatMap(({ claim, name: bot }, seat) => (claim === null ? [] : [{ seat, bot, ...claim }]));
}

/** Whether everybody has agreed who has to: then the newcomer only waits for the next round. */
export function isAgreed(asking: Asking): boolean {
  return asking.agreed >= asking.wanted;
}

/** Tells one request from the next. */
export function keyOf({ seat, name }: Asking): string {
  return `${seat} ${name}`;
}

/** The seats of bots that nobody has asked for yet. */
export function openSeats(table: TableShown): { seat: number; name: string }[] {
  return table.seats.flatMap(({ bot, claim, name }, seat) => (bot === null || claim !== null || table.lesson ? [] : [{ seat, name }]));
}

/** Something that is worth a word: a key of the catalogue and its values, and the seat that it is about. */
export interface News {
  key: string;
  values: Values;
  seat: number;
}

/** What has happened at a table besides its game. */
export function newsOf(before: TableShown, after: TableShown, isStep = false): News[] {
  return [...newRequests(before, after), ...arrivals(before, after), ...halts(before, after, isStep), ...changedVotes(before, after)];
}

/** The people at the table, and those of them who want to end the game. */
export function votesAt(table: TableShown): { voters: number[]; voted: number; all: number } {
  const playing = table.seats.flatMap((seat, at) => (seat.bot === null && !seat.standby && !seat.free ? [at] : []));
  const voters = playing.filter((at) => table.seats[at]?.votes);
  return { voters, voted: voters.length, all: playing.length };
}

function changedVotes(before: TableShown, after: TableShown): News[] {
  return after.seats.flatMap(({ votes, name }, seat) => {
    const key = votes ? "web.vote.wants" : "web.vote.taken_back";
    return votes === before.seats[seat]?.votes ? [] : [{ key, values: { name, who: name }, seat }];
  });
}

function newRequests(before: TableShown, after: TableShown): News[] {
  const known = new Map(askingAt(before).map((asking) => [keyOf(asking), isAgreed(asking)]));
  return askingAt(after).flatMap((asking) => {
    const { seat, name, bot } = asking;
    const wasAgreed = known.get(keyOf(asking));
    if (wasAgreed === undefined && !isAgreed(asking)) return [{ key: "web.claim.asks", values: { name, bot }, seat }];
    return !wasAgreed && isAgreed(asking) ? [{ key: soonKey(after.game, "they"), values: { name }, seat }] : [];
  });
}

/** Says from when somebody is in: each game has its own word for what comes next. */
export function soonKey(game: GameName, who: "you" | "they"): string {
  return `web.claim.${who}.${game}`;
}

function arrivals(before: TableShown, after: TableShown): News[] {
  return after.seats.flatMap(({ newcomer, name }, seat) =>
    newcomer && before.seats[seat]?.newcomer === false ? [{ key: "web.claim.came", values: { name }, seat }] : [],
  );
}

function halts(before: TableShown, after: TableShown, isStep: boolean): News[] {
  const by = (key: string, seat: number) => ({ key, values: { name: after.seats[seat]?.name ?? "" }, seat });
  const called = after.called !== null && before.called === null ? [by("web.time.called", after.called)] : [];
  if (after.called === null && before.called !== null && !isStep) called.push(by("web.time.taken_back", before.called));
  const isPaused = after.paused && !before.paused;
  return isPaused && after.paused_by !== null ? [...called, by("web.table.paused_by", after.paused_by)] : called;
}
