/** The games' own parts, found by their folders. */
import type { Component } from "svelte";
import { GAMES, type GameName } from "../protocol.ts";
import type { LookBack, TablePart } from "./contract.ts";
import Plain from "./Plain.svelte";

type Loads<T> = Record<string, () => Promise<T>>;
const TABLES = import.meta.glob("./*/Table.svelte", { import: "default" }) as Loads<TablePart>;
const DOORS = import.meta.glob("./*/Door.svelte", { import: "default", eager: true }) as Record<string, Component>;
const RULES = import.meta.glob("./*/Rules.svelte", { import: "default" }) as Loads<Component>;
const LOOKS_BACK = import.meta.glob("./*/replay.ts", { import: "default" }) as Loads<LookBack>;

/** All games, in the order of the server. */
export const GAME_NAMES = Object.keys(GAMES) as GameName[];

export function isGame(name: string): name is GameName {
  return Object.hasOwn(GAMES, name);
}

/** The table of a game; the plain one for a game that has none of its own. */
export async function tablePart(game: GameName): Promise<TablePart> {
  return (await TABLES[`./${game}/Table.svelte`]?.()) ?? (Plain as TablePart);
}

/** The picture of a game on the home screen. */
export function door(game: GameName): Component | null {
  return DOORS[`./${game}/Door.svelte`] ?? null;
}

/** The drawn examples of a game's rules. */
export async function rulesPart(game: GameName): Promise<Component | null> {
  return (await RULES[`./${game}/Rules.svelte`]?.()) ?? null;
}

/** How a game is looked back at. */
export async function lookBack(game: GameName): Promise<LookBack> {
  return (await LOOKS_BACK[`./${game}/replay.ts`]?.()) ?? { stages: {} };
}
