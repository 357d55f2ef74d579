/** What happened, in words: the events that the rules told, as sentences of the catalogue. */
import { eventSentence, people as inARow } from "./catalogue.ts";
import { GAMES, type GameName, type Told } from "./protocol.ts";
import { entry, has, text, type Table, type Values } from "./texts.svelte.ts";

type Kinds = readonly [string, string, string];

/** One event as a sentence, with people's names in seat order. */
export function sentence(game: GameName, told: Told, names: string[]): string {
  const kinds = (GAMES[game].events as Record<string, Kinds>)[told[0]];
  return kinds === undefined ? "" : eventSentence(entry("") as Table, game, told, kinds, names);
}

/** All that a step told, one sentence an event. */
export function sentences(game: GameName, told: readonly Told[], names: string[]): string[] {
  return told.map((event) => sentence(game, event, names));
}

/** Names in a row: "Ada, Ben and Cleo", or "4 players". */
export function people(names: string[]): string {
  return inARow(entry("") as Table, names);
}

/** What went wrong, for people; the code is stable, so unknown ones get a sentence of their own. */
export function problem(code: string, values: Values = {}): string {
  const key = [`error.${code}`, `web.error.${code}`].find(has);
  return key === undefined ? text("web.error.unknown", { code }) : text(key, values);
}
