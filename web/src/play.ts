/** Ways to a table: one tap against bots, or by a code. */
import * as server from "./server.ts";
import { notify } from "./announce.svelte.ts";
import { beSomebody, callMe, lookUpMe } from "./me.svelte.ts";
import type { GameName } from "./protocol.ts";
import { go } from "./routes.ts";
import { problem } from "./sentences.ts";
import { settings } from "./settings.svelte.ts";
import type { LiveTable } from "./table.svelte.ts";

/** Play against bots at once. */
export async function playNow(game: GameName): Promise<void> {
  await trying(async () => {
    await beSomebody();
    const table = await server.quickTable(game, settings.bots);
    startAtOnce(table.id);
    go(`/t/${table.code}`);
  });
}

/** Sit down at a table under a name. A watcher first becomes a guest, and the connection is opened again. */
export async function beSeated(live: LiveTable, name: string, seat: number | null = null): Promise<void> {
  const isNew = (await lookUpMe()) === null;
  if (!(await trying(async () => void (await callMe(name))))) return;
  if (isNew) live.reconnect();
  live.say({ do: "sit", name, seat });
}

/** Do something with the server; what it refuses is said, unless the screen shows by itself that there is no line. */
export async function trying(what: () => Promise<void>, { isLineShown = false } = {}): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (error) {
    if (!(error instanceof server.Refusal)) throw error;
    if (!isLineShown || error.code !== "line/lost") notify(problem(error.code));
    return false;
  }
}

/** Go on to the table of a rematch, ready: it begins when the last one is. */
export function goOn(table: string): void {
  sessionStorage.setItem(READY, table);
  go(`/t/${table}`);
}

/** Whether the player has come to a table for a rematch; says so once. */
export function isToBeReady(table: string): boolean {
  return isNoted(READY, table);
}

const READY = "pokade.ready";
const BEGINS = "pokade.begins"; // in the tab's own storage: a page that must load itself again on the way still knows it

function startAtOnce(table: string): void {
  sessionStorage.setItem(BEGINS, table);
}

/** Whether a table was opened with one tap, so that it is to begin by itself; says so once. */
export function isToBegin(table: string): boolean {
  return isNoted(BEGINS, table);
}

/** The same before anything is known of it, however often it is asked. */
export function isAboutToBegin(table: string): boolean {
  return sessionStorage.getItem(BEGINS) === table;
}

function isNoted(key: string, table: string): boolean {
  if (sessionStorage.getItem(key) !== table) return false;
  sessionStorage.removeItem(key);
  return true;
}
