/**
 * Every sentence that people read. The catalogues are those of the Python package (src/pokade/texts), one chunk a
 * language, and the slots mean the same as there; tests/texts.test.ts compares the answers of both.
 */
import { LANGUAGES } from "./protocol.ts";
import type { Table } from "./catalogue.ts";
import { type Shown, fill, lookUp, numberShown } from "./catalogue.ts";

export type { Entry, Table } from "./catalogue.ts";
export { LANGUAGES };
export type Language = (typeof LANGUAGES)[number];
/** What each language calls itself: known before its catalogue is loaded. */
export const NAMES_OF_LANGUAGES: Record<Language, string> = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };
export type Values = Record<string, string | number>;

const CATALOGUES: Record<Language, () => Promise<{ default: Table }>> = {
  en: () => import("../../src/pokade/texts/en.toml"),
  de: () => import("../../src/pokade/texts/de.toml"),
  fr: () => import("../../src/pokade/texts/fr.toml"),
  es: () => import("../../src/pokade/texts/es.toml"),
};
const RULES: Record<Language, () => Promise<{ default: Record<string, string> & { alone: Table } }>> = {
  en: () => import("../../src/pokade/texts/en.toml?rules"),
  de: () => import("../../src/pokade/texts/de.toml?rules"),
  fr: () => import("../../src/pokade/texts/fr.toml?rules"),
  es: () => import("../../src/pokade/texts/es.toml?rules"),
};

let spoken = $state.raw<{ language: Language; catalogue: Table }>({ language: "en", catalogue: {} });

let isAlone = false; // what is said without a server has been asked for, and comes along with every language

/** Switch all texts at once; what stands on the screen changes in place. */
export async function speak(language: Language): Promise<void> {
  const catalogue = (await CATALOGUES[language]()).default;
  spoken = { language, catalogue: isAlone ? await withAlone(language, catalogue) : catalogue };
}

/** Bring what is said where a page plays, or could play, without a server: under `web.alone`, in the language that is spoken. */
export async function speakAlone(): Promise<void> {
  isAlone = true;
  await speak(spoken.language);
}

async function withAlone(language: Language, catalogue: Table): Promise<Table> {
  const { alone } = (await RULES[language]()).default;
  return { ...catalogue, web: { ...(catalogue["web"] as Table), alone } };
}

/** The language that is spoken now. */
export function language(): Language {
  return spoken.language;
}

/** The text under a dotted key, filled in. Used in markup it follows the language by itself. */
export function text(key: string, values: Values = {}): string {
  const shown: Record<string, Shown> = {};
  for (const [name, value] of Object.entries(values)) {
    shown[name] = typeof value === "number" ? numberShown(value) : { words: value, number: 1 };
  }
  return filled(key, shown);
}

/** Like `text`, for values that are shown otherwise than they are counted. */
export function filled(key: string, values: Record<string, Shown>): string {
  return fill(spoken.catalogue, key.split(".", 1)[0] as string, String(entry(key)), values);
}

/** What stands under a dotted key: a text, a list of words or a table. */
export function entry(key: string) {
  return lookUp(spoken.catalogue, key);
}

/** Whether there is something under a key: for texts that only some games have. */
export function has(key: string): boolean {
  return lookUp(spoken.catalogue, key, false) !== undefined;
}

/** The words of a list, as the suits of a game are one. */
export function words(key: string): string[] {
  return entry(key) as string[];
}

/** The short rules of a game as HTML, which the build has made of them; loaded when asked for. */
export async function shortRules(game: string, wanted: Language = spoken.language): Promise<string> {
  return (await RULES[wanted]()).default[game] ?? "";
}

let format: { language: Language; numbers: Intl.NumberFormat } | null = null; // dear to make, and a reveal has many numbers

/** A number the way the language writes it. */
export function number(value: number): string {
  if (format?.language !== spoken.language) format = { language: spoken.language, numbers: new Intl.NumberFormat(spoken.language) };
  return format.numbers.format(value).replace("-", "−");
}

/** How this device writes times and dates, in the language that is spoken: 9:03 AM or 09:03 is not a matter of the language alone. */
function locale(): string {
  const own = typeof navigator === "undefined" ? [] : navigator.languages;
  return own.find((tag) => tag.toLowerCase().split("-", 1)[0] === spoken.language) ?? spoken.language;
}

/** The time of day the way people write it here, in whole minutes and never too early. */
export function timeOfDay(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(new Date(minutes * 60_000));
}

/** A moment the way people write it here: the date, and the time of day if it is today. */
export function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(locale(), isToday ? { timeStyle: "short" } : { dateStyle: "medium" }).format(date);
}
