/** The house over HTTP: coming in and finding tables. What is played goes through the live table (live/table.svelte.ts). */
import type { GameName, HouseShown, Listed, NewTable, Person, TableShown, Ticket } from "./protocol.ts";
import { language } from "./texts.svelte.ts";

/** The house said no, or couldn't be reached (`line/lost`). The code has a sentence in the catalogue. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Which build of the client this is: the house writes it into the page; null in development. */
export function build(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? null;
}

/** The address of a table for friends: where this page comes from, unless that leads nowhere but to this machine. */
export function tableAddress(code: string): string {
  const given = document.querySelector<HTMLMetaElement>('meta[name="address"]')?.content;
  return new URL(`/t/${code}`, given ?? location.origin).href;
}

/** Come in as a guest; the cookie that comes back says who one is. */
export function enter(name: string): Promise<Person> {
  return asked("POST", "/api/guest", { name, language: language() });
}

/** Who one is, or null for a newcomer. */
export async function whoAmI(): Promise<Person | null> {
  try {
    return await asked("GET", "/api/me");
  } catch (error) {
    if (error instanceof Refusal && error.code === "person/unknown") return null;
    throw error;
  }
}

/** Take another name. */
export function rename(name: string): Promise<Person> {
  return asked("PATCH", "/api/me", { name, language: language() });
}

/** Open a table and sit down as its host. */
export function openTable(wanted: NewTable): Promise<TableShown> {
  return asked("POST", "/api/tables", wanted);
}

/** A table against bots, not yet begun: the page adds its salt to the draws first. */
export function quickTable(game: GameName): Promise<TableShown> {
  return asked("POST", `/api/quick/${game}`, { start: false });
}

/** A guided first game: a table with given dice and rivals that has begun. */
export function lessonTable(game: GameName): Promise<TableShown> {
  return asked("POST", `/api/lesson/${game}`);
}

/** A ticket with which another device takes one's seats, once. */
export function handOver(): Promise<Ticket> {
  return asked("POST", "/api/handover");
}

/** Be on this device the person who made the ticket. */
export function takeOver(ticket: string): Promise<Person> {
  return asked("POST", `/api/handover/${encodeURIComponent(ticket)}`);
}

/** What is played here, and how: games, options, clocks, bots, phrases. Asked once. */
export function theHouse(): Promise<HouseShown> {
  return (told ??= asked<HouseShown>("GET", "/api/house").catch((error: unknown) => {
    told = null;
    throw error;
  }));
}
let told: Promise<HouseShown> | null = null;

/** Tables that anyone may join or watch. */
export function openTables(): Promise<Listed[]> {
  return asked("GET", "/api/tables");
}

/** Where one sits or sat. */
export function myTables(): Promise<Listed[]> {
  return asked("GET", "/api/mine");
}

/** The table behind a join code. */
export function tableByCode(code: string): Promise<Listed> {
  return asked("GET", `/api/join/${encodeURIComponent(code)}`);
}

/** The record of a table, as text. */
export async function recordOf(table: string): Promise<string> {
  return (await sent("GET", `/api/tables/${encodeURIComponent(table)}/record`)).text();
}

/** The id of a table that an address names by its code or by its id. */
export async function idOf(word: string): Promise<string> {
  return word.length <= LONGEST_CODE ? (await tableByCode(word)).id : word;
}
const LONGEST_CODE = 8; // codes have five signs, ids sixteen

let ahead = 0; // seconds that this device's clock is ahead of the house's

/** The house's time, in seconds since 1970: deadlines are in it, and phones' clocks are wrong. */
export function now(): number {
  return Date.now() / 1000 - ahead;
}

function compareClocks(answer: Response): void {
  const date = Date.parse(answer.headers.get("date") ?? "");
  // The header has whole seconds: a difference below two says nothing.
  const difference = (Date.now() - date) / 1000 - 0.5;
  if (!Number.isNaN(date)) ahead = Math.abs(difference) < 2 ? 0 : difference;
}

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await sent(method, path, body)).json() as Promise<T>;
}

async function sent(method: string, path: string, body?: unknown): Promise<Response> {
  const json = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(path, { method, ...json });
  } catch {
    throw new Refusal("line/lost", 0, "the house can't be reached");
  }
  compareClocks(answer);
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => ({}))) as { code?: string; text?: string };
  throw new Refusal(said.code ?? "house/bug", answer.status, said.text ?? answer.statusText);
}
