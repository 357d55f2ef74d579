import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test, vi } from "vitest";
import { eventSentence, fill, lookUp, numberShown, people, type Table } from "../src/catalogue.ts";
import { GAMES } from "../src/protocol.ts";
import { type Language, speak, timeOfDay } from "../src/texts.svelte.ts";

interface Case {
  language: string;
  said: string;
  game?: keyof typeof GAMES;
  told?: [string, number, number, number];
  you?: number;
  people?: string[];
  key?: string;
  values?: Record<string, number>;
}
type Kinds = Record<string, readonly [string, string, string]>;

const golden = readFileSync(new URL("golden.json", import.meta.url), "utf8");
const { names, cases } = JSON.parse(golden) as { names: string[]; cases: Case[] };
const catalogues: Record<string, Table> = {};
for (const language of ["en", "de", "fr", "es"]) {
  const file = new URL(`../../src/pokade/texts/${language}.toml`, import.meta.url);
  catalogues[language] = parse(readFileSync(file, "utf8")) as Table;
}

function said(given: Case): string {
  const catalogue = catalogues[given.language] as Table;
  if (given.told && given.game) {
    const kinds = (GAMES[given.game].events as Kinds)[given.told[0]] as Kinds[string];
    return eventSentence(catalogue, given.game, given.told, kinds, names, given.you);
  }
  if (given.people) return people(catalogue, given.people);
  const values = Object.entries(given.values ?? {}).map(([name, value]) => [name, numberShown(value)]);
  const key = given.key as string;
  return fill(catalogue, key.split(".")[0] as string, String(lookUp(catalogue, key)), Object.fromEntries(values));
}

test("the client says exactly what the server says", () => {
  const wrong = cases.filter((given) => said(given) !== given.said).map((given) => [given.said, said(given)]);
  expect(wrong).toEqual([]);
  expect(cases.length).toBeGreaterThan(500);
});

test("a text that is missing is an error, not an empty label", () => {
  expect(() => lookUp(catalogues["en"] as Table, "web.nothing")).toThrow("web.nothing");
});

test("times of day are written as on one's own device, in the language that is spoken", async () => {
  const at = new Date(2026, 4, 7, 21, 3).getTime() / 1000;
  const written = async (language: Language, ...own: string[]) => {
    vi.stubGlobal("navigator", { languages: own });
    await speak(language);
    return timeOfDay(at).replace(/\s/g, " ");
  };

  expect(await written("en", "en-GB", "en")).toBe("21:03");
  expect(await written("en", "en-US")).toBe("9:03 PM");
  expect(await written("de", "en-US", "de-AT")).toBe("21:03");
  expect(await written("en", "de-DE")).toBe("9:03 PM");
  vi.unstubAllGlobals();
});
