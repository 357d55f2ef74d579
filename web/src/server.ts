/** The server over HTTP: guests, finding tables, records. The game itself goes through the table (table.svelte.ts). */
import { asked as fetched } from "./here.svelte.ts";
import type { Analysed, GameName, Listed, NewTable, Person, PlayedPage, ProblemShown, Replay, ServerShown, TableShown, Ticket, Verified } from "./protocol.ts";
import { noteReach } from "./reach.svelte.ts";
import { language } from "./texts.svelte.ts";

/** The server said no, or couldn't be reached (`line/lost`). The code has a sentence in the catalogue. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Which build of the client this is: the server writes it into the page; null in development. */
export function build(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? null;
}

/** The address of a table for friends: where this page comes from, unless that leads nowhere but to this machine. */
export function tableAddress(code: string): string {
  return publicAddress(`/t/${code}`);
}

/** A path of this page, as an address that friends can open too. */
export function publicAddress(path: string): string {
  const given = document.querySelector<HTMLMetaElement>('meta[name="address"]')?.content;
  return new URL(path, given ?? location.origin).href;
}

/** Come in as a guest; the cookie that comes back is the guest’s identity. */
export function enter(name: string): Promise<Person> {
  return asked("POST", "/api/guest", { name, language: language() });
}

/** The guest of this browser, or null for a newcomer. */
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
  return asked<TableShown>("POST", "/api/tables", wanted).then(remembered);
}

/** A table against bots, not yet begun: the page adds its salt to the draws first. */
export function quickTable(game: GameName, level: "novice" | "casual" | "strong" | "master"): Promise<TableShown> {
  return asked<TableShown>("POST", `/api/quick/${game}`, { start: false, level }).then(remembered);
}

/** A guided first game: a table with given dice and rivals that has begun. */
export function lessonTable(game: GameName): Promise<TableShown> {
  return asked<TableShown>("POST", `/api/lesson/${game}`).then(remembered);
}

/** A ticket with which another device takes the guest’s seats, once. */
export function handOver(): Promise<Ticket> {
  return asked("POST", "/api/handover");
}

/** Become, on this device, the person who made the ticket. */
export function takeOver(ticket: string): Promise<Person> {
  return asked("POST", `/api/handover/${encodeURIComponent(ticket)}`);
}

/** What is played here, and how: games, options, clocks, bots, phrases. Asked once. */
export function theServer(): Promise<ServerShown> {
  return (told ??= asked<ServerShown>("GET", "/api/server").catch((error: unknown) => {
    told = null;
    throw error;
  }));
}
let told: Promise<ServerShown> | null = null;

/** Tables that anyone may join or watch. */
export function openTables(): Promise<Listed[]> {
  return asked("GET", "/api/tables");
}

/** Where you sit or sat. */
export function myTables(): Promise<Listed[]> {
  return asked("GET", "/api/mine");
}

/** A page of your finished games that match what you look for. */
export function playedGames(wish: { game: string; find: string; sort: string }, first: number, most: number): Promise<PlayedPage> {
  return asked("GET", `/api/played?${new URLSearchParams({ ...wish, first: String(first), most: String(most) })}`);
}

/** The table behind a join code. */
export function tableByCode(code: string): Promise<Listed> {
  return asked("GET", `/api/join/${encodeURIComponent(code)}`);
}

/** The record of a table, as text. */
export async function recordOf(table: string): Promise<string> {
  return (await sent("GET", `/api/tables/${encodeURIComponent(table)}/record`)).text();
}

/** What everybody may know of a table besides its game. */
export function tableOf(table: string): Promise<TableShown> {
  return asked("GET", `/api/tables/${encodeURIComponent(table)}`);
}

/** A finished game to look back at: a table of this server, or a record file of yours. */
export type Source = { table: string } | { record: string };

const MOST_STEPS = 1000; // in one answer

/** A whole game, step by step, through somebody's eyes: `all`, `public`, `p1` … */
export async function replayOf(source: Source, eyes: string): Promise<Replay> {
  const part = (first: number) => lookedAt<Replay>(source, "replay", { eyes, first: String(first), most: String(MOST_STEPS) });
  const whole = await part(0);
  for (let next = MOST_STEPS; next <= whole.actions; next += MOST_STEPS) whole.steps.push(...(await part(next)).steps);
  return whole;
}

/** Where the result of a finished game lies as a picture, with words in the language that is spoken. */
export function pictureOf(table: string, shape: "wide" | "square"): string {
  return `/api/tables/${encodeURIComponent(table)}/picture?${new URLSearchParams({ shape, language: language() })}`;
}

/** What lies at an address, as a file with a name. */
export async function fileOf(address: string, name: string): Promise<File> {
  const found = await (await sent("GET", address)).blob();
  return new File([found], name, { type: found.type });
}

/** What the server finds when it checks the draws of a game, with all that is needed to check them on this device. */
export function verified(source: Source): Promise<Verified> {
  return lookedAt(source, "verify", {});
}

const SOON = 1_000; // ms until a judge without a place is asked again, then twice as long …
const LATE = 8_000; // … up to this

/** A judge has few places for one address, and people who play in one room look back at the same moment: ask it again. */
async function lookedAt<T>(source: Source, what: string, wanted: Record<string, string>, wait = SOON): Promise<T> {
  try {
    return await judged<T>(source, what, wanted);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "judge/busy" || wait > LATE) throw error;
    await new Promise((done) => setTimeout(done, wait * (0.5 + Math.random())));
    return lookedAt<T>(source, what, wanted, 2 * wait);
  }
}

function judged<T>(source: Source, what: string, wanted: Record<string, string>): Promise<T> {
  if ("table" in source) return asked("GET", `/api/tables/${encodeURIComponent(source.table)}/${what}?${new URLSearchParams(wanted)}`);
  return sent("POST", `/api/${what}?${new URLSearchParams({ ...wanted, language: language() })}`, new Blob([source.record])).then((answer) => answer.json() as Promise<T>);
}

/** The position of a day: of the game whose turn it is. */
export function problemOf(date: string): Promise<ProblemShown> {
  return asked("GET", `/api/problem?${new URLSearchParams({ date })}`);
}

const LOOK_AGAIN = 1_000; // ms between two questions about an analysis that is being made

/** The analysis of a finished game, once it is made; until then `heard` hears how far it is, unless nobody wants it any more. */
export async function analysisOf(table: string, heard: (state: Analysed) => void, isGone: () => boolean): Promise<Analysed> {
  for (;;) {
    const state = await asked<Analysed>("GET", `/api/tables/${encodeURIComponent(table)}/analysis`);
    if (state.status === "done" || isGone()) return state;
    heard(state);
    await new Promise((done) => setTimeout(done, LOOK_AGAIN));
  }
}

/** The id of a table that an address names by its code or by its id; that of your own new table is known. */
export async function idOf(word: string): Promise<string> {
  if (word.length > LONGEST_CODE) return word;
  return ids.get(word) ?? (await tableByCode(word)).id;
}
const LONGEST_CODE = 8; // codes have five signs, ids sixteen
const ids = new Map<string, string>();

function remembered(table: TableShown): TableShown {
  ids.set(table.code, table.id);
  return table;
}

let began: number | null = null; // the server's time when this page's own steady clock stood at 0, once the server has told it
let guessed = 0; // seconds that this device's time of day is ahead of the server's, until then

/**
 * The server's time, in seconds since 1970: deadlines are in it. It is counted by a clock that nobody sets, since phones'
 * clocks are wrong, and are put right in the middle of a game.
 */
export function now(): number {
  return began === null ? Date.now() / 1000 - guessed : began + performance.now() / 1000;
}

/** The server has said what time it is. */
export function setTime(seconds: number): void {
  began = seconds - performance.now() / 1000;
}

/** A moment of the server's time, as the clock of this device has it: for times of day that people read. */
export function here(seconds: number): number {
  return Date.now() / 1000 + seconds - now();
}

function compareClocks(answer: Response): void {
  const date = Date.parse(answer.headers.get("date") ?? "");
  // The header has whole seconds: a difference below two says nothing.
  const difference = (Date.now() - date) / 1000 - 0.5;
  if (!Number.isNaN(date)) guessed = Math.abs(difference) < 2 ? 0 : difference;
}

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await sent(method, path, body)).json() as Promise<T>;
}

async function sent(method: string, path: string, body?: unknown): Promise<Response> {
  const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const given = body === undefined ? {} : body instanceof Blob ? { body } : json;
  let answer: Response;
  try {
    answer = await fetched(path, { method, ...given });
  } catch {
    noteReach(false);
    throw new Refusal("line/lost", 0, "the server can't be reached");
  }
  noteReach(true);
  compareClocks(answer);
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => ({}))) as { code?: string; text?: string };
  throw new Refusal(said.code ?? "server/bug", answer.status, said.text ?? answer.statusText);
}
