/** What happened, in words: the events that the rules told, as sentences of the catalogue. */
import { NOBODY, type Shown, eventSentence, fillWe, numberShown, people as inARow, seatsShown } from "./catalogue.ts";
import { GAMES, type GameName, type Told } from "./protocol.ts";
import { entry, filled, has, text, type Table, type Values } from "./texts.svelte.ts";

type Kinds = readonly [string, string, string];

/** Who reads a sentence: the names by seat, and the seat that is "you"; NOBODY where several people look at the screen. */
export interface Reader {
  names: readonly string[];
  you: number;
}

/** One event as a sentence: with people's names, and as "you" for the person it is about. */
export function sentence(game: GameName, told: Told, { names, you }: Reader): string {
  const kinds = (GAMES[game].events as Record<string, Kinds>)[told[0]];
  return kinds === undefined ? "" : eventSentence(entry("") as Table, game, told, kinds, names, you);
}

/** All that a step told, one sentence an event. */
export function sentences(game: GameName, told: readonly Told[], reader: Reader): string[] {
  return told.map((event) => sentence(game, event, reader));
}

/**
 * A text about people, who are `{who}` in it (`{name}` where it is always one). To a reader whom it is about it says "you": by
 * `KEY_you` if it is about nobody else, else by `KEY_we`, where `{others}` are the others.
 */
export function about(key: string, seats: readonly number[], { names, you }: Reader, values: Values = {}): string {
  const catalogue = entry("") as Table;
  const { who, others } = seatsShown(catalogue, seats, names, you);
  const shown: Record<string, Shown> = { who, name: who, others };
  for (const [name, value] of Object.entries(values)) {
    shown[name] = typeof value === "number" ? numberShown(value) : { words: value, number: 1 };
  }
  if (!seats.includes(you)) return filled(key, shown);
  if (seats.length === 1) return filled(`${key}_you`, shown);
  return fillWe(catalogue, key.split(".", 1)[0] as string, String(entry(`${key}_we`)), shown);
}

/** The names as they stand beside badges: your own is "You". */
export function labels({ names, you }: Reader): string[] {
  return names.map((name, seat) => (seat === you ? text("web.you") : name));
}

/** A word as it stands at a beginning. */
export function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase() + word.slice(1);
}

/** Names in a row: "Ada, Ben and Cleo", or "4 players". */
export function people(names: readonly string[]): string {
  return inARow(entry("") as Table, names);
}

export { NOBODY };

/** What went wrong, for people; the code is stable, so unknown ones get a sentence of their own. */
export function problem(code: string, values: Values = {}): string {
  const key = [`error.${code}`, `web.error.${code}`].find(has);
  return key === undefined ? text("web.error.unknown", { code }) : text(key, values);
}
