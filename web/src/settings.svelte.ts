/** What a person has set on this device, kept in the browser and the same in every tab. */
import { isHere } from "./here.svelte.ts";
import { LANGUAGES, type Language, speak, speakAlone } from "./texts.svelte.ts";

export interface Settings {
  language: Language;
  theme: "auto" | "light" | "dark";
  sound: boolean;
  /** Of the sounds, from 10 to 100. */
  volume: number;
  vibration: boolean;
  /** How long reveals and bots' answers take where the player is alone with bots. */
  pace: "brisk" | "usual" | "slow";
  motion: "auto" | "less";
  /** The hand that holds the device, or the mouse: what is pressed lies on its side. */
  hand: "right" | "left";
  pieces: "usual" | "large";
  /** Hide what others say. */
  mute: boolean;
  /** How well the bots of a one-tap game play. */
  bots: "novice" | "casual" | "strong" | "master";
}

const KEY = "pokade.settings";
const START: Settings = {
  language: preferred(),
  theme: "auto",
  sound: false,
  volume: 50,
  vibration: false,
  pace: "usual",
  motion: "auto",
  hand: "right",
  pieces: "usual",
  mute: false,
  bots: "casual",
};
const kept = $state<Settings>({ ...START, ...read() });

/** The settings, to be read; change them with `set`. */
export const settings: Readonly<Settings> = kept;

/** Change a setting here and now. */
export async function set<K extends keyof Settings>(name: K, value: Settings[K]): Promise<void> {
  kept[name] = value;
  write();
  await applied();
}

/** Make the page as it is set: once before the first paint, then after every change. */
export async function applied(): Promise<void> {
  const root = document.documentElement;
  root.dataset["motion"] = kept.motion;
  root.dataset["hand"] = kept.hand;
  root.dataset["pieces"] = kept.pieces;
  if (kept.theme === "auto") delete root.dataset["theme"];
  else root.dataset["theme"] = kept.theme;
  await speak(kept.language);
  if (isHere) await speakAlone();
  root.lang = kept.language;
}

/** Whether things should cross-fade instead of move. */
export function isStill(): boolean {
  return kept.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Follow what another tab sets. */
export function follow(): void {
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    Object.assign(kept, START, read());
    void applied();
  });
}

function preferred(): Language {
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages;
  const known = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => LANGUAGES.includes(tag as Language));
  return (known as Language | undefined) ?? "en";
}

function read(): Partial<Settings> {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
    if (found.language !== undefined && !LANGUAGES.includes(found.language)) delete found.language;
    return found;
  } catch {
    return {}; // storage is blocked, or holds something else
  }
}

function write(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still plays; it only forgets.
  }
}
