/**
 * One's own part in fair draws (docs/fairness.md): a salt for each of one's seats before the start, the commitment as it was
 * when one sat down, and after the end every draw worked out anew. The end is checked against *that* commitment, not against
 * what the house says later.
 */
import { bytesOf, hex, hmac, joined, randomHex, sha256, utf8 } from "./digest.ts";
import type { DrawShown, TableShown, Verified } from "./protocol.ts";
import type { LiveTable } from "./table.svelte.ts";

const SCHEME = "pokade/1";
const SPAN = 1n << 256n; // a digest is a number below it
const KEPT = "pokade.commitments";
const MOST = 60; // tables
const SALT_BYTES = 8;
const salted = new Set<string>();

/** What this browser knew before a game: the commitment, and the salts that it has added. */
export interface Kept {
  commitment: string;
  salts: string[];
}
type Row = [table: string, commitment: string, salts?: string[]];

/** Add salt for the seats one has here, once each, while the table is still open. */
export function addSalt(live: LiveTable, table: TableShown): void {
  for (const seat of live.seats) {
    const key = `${table.id} ${seat}`;
    if (salted.has(key)) continue;
    salted.add(key);
    const salt = randomHex(SALT_BYTES);
    keep(table, salt);
    live.say({ do: "salt", seat, salt });
  }
}

/** What this browser saw before the game; null if it wasn't there then. */
export function keptOf(table: string): Kept | null {
  const row = read().find(([id]) => id === table);
  return row === undefined ? null : { commitment: row[1], salts: row[2] ?? [] };
}

/** The commitment that this browser saw before the game; null if it wasn't there then. */
export function seenCommitment(table: string): string | null {
  return keptOf(table)?.commitment ?? null;
}

function keep(table: TableShown, salt: string): void {
  const known = read();
  // The first commitment counts: a house that shows another one later is found out.
  const [, commitment, salts = []] = known.find(([id]) => id === table.id) ?? [table.id, table.commitment];
  const others = known.filter(([id]) => id !== table.id);
  try {
    localStorage.setItem(KEPT, JSON.stringify([...others, [table.id, commitment, [...salts, salt]]].slice(-MOST)));
  } catch {
    // Without storage there is nothing to compare with later, and the page says so.
  }
}

function read(): Row[] {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]") as Row[];
  } catch {
    return [];
  }
}

/** Texts in a row, each behind its length in bytes, so that no two rows look the same. */
export function encoded(...parts: string[]): Uint8Array {
  return joined(...parts.map(utf8).flatMap((raw) => [utf8(`${raw.length}:`), raw, utf8(",")]));
}

/** What a house that has this seed must have shown before anybody sat. */
export function commitmentOf(seed: string, table: string): string {
  return hex(sha256(encoded(SCHEME, "commitment", table, seed)));
}

/** The key of all draws of a game. */
export function keyOf(seed: string, table: string, salts: readonly string[]): Uint8Array {
  return hmac(bytesOf(seed), encoded(SCHEME, "key", table, ...salts));
}

/** A draw: which of so many tickets it is. Numbers beyond the last whole multiple are passed over. */
export function ticketOf(key: Uint8Array, table: string, label: string, counter: number, tickets: bigint): bigint {
  const limit = SPAN - (SPAN % tickets);
  for (let attempt = 0; ; attempt++) {
    const text = encoded(SCHEME, "draw", table, String(counter), label, String(attempt));
    const number = BigInt(`0x${hex(hmac(key, text))}`);
    if (number < limit) return number % tickets;
  }
}

/** A draw as the house lists it, and the ticket that this page has worked out. */
export interface DrawChecked extends DrawShown {
  computed: number;
  isRight: boolean;
}

/** Why a game is not fair: the seed, the commitment one saw, a gap in the draws, a draw, or what the house found itself. */
export type Fault = "seed" | "seen" | "gap" | "draw" | "house";

export interface Checked {
  /** `unknown`: the seed was never revealed, or there is no proof at all. */
  verdict: "fair" | "unfair" | "unknown";
  fault: Fault | null;
  /** The action of the record at which it went wrong; 0 for the proof itself. */
  action: number;
  commitment: string;
  /** Whether it is the one that this browser saw; null if it saw none. */
  isSeen: boolean | null;
  /** Whether a salt of this browser is among the salts; null if it added none. */
  hasOwnSalt: boolean | null;
  draws: DrawChecked[];
}

/**
 * Work out every draw anew. `chances` are the actions in which something was thrown or dealt: each must have draws, and
 * nothing else may. What is on a ticket (which face, which card) is the rules' and so the house's word.
 */
export function check(game: string, told: Verified, chances: readonly number[], kept: Kept | null): Checked {
  const isSeen = kept === null ? null : kept.commitment === told.commitment;
  const hasOwnSalt = kept === null || kept.salts.length === 0 ? null : kept.salts.some((salt) => told.salts.includes(salt));
  const known = { commitment: told.commitment, isSeen, hasOwnSalt };
  if (!/^[0-9a-f]{64}$/.test(told.seed)) return { ...known, verdict: "unknown", fault: null, action: 0, draws: [] };
  const key = keyOf(told.seed, told.table, told.salts);
  const draws = told.draws.map((draw, counter): DrawChecked => {
    const computed = Number(ticketOf(key, told.table, game, counter, BigInt(Math.max(1, draw.tickets))));
    return { ...draw, computed, isRight: computed === draw.ticket && draw.number === counter };
  });
  const fault = faultIn(told, draws, chances, isSeen);
  return { ...known, verdict: fault === null ? "fair" : "unfair", fault: fault?.[0] ?? null, action: fault?.[1] ?? 0, draws };
}

function faultIn(told: Verified, draws: DrawChecked[], chances: readonly number[], isSeen: boolean | null): [Fault, number] | null {
  if (commitmentOf(told.seed, told.table) !== told.commitment) return ["seed", 0];
  if (isSeen === false) return ["seen", 0];
  const wrong = draws.find((draw) => !draw.isRight);
  if (wrong !== undefined) return ["draw", wrong.action];
  if (!told.fair) return ["house", told.action];
  const drawn = new Set(draws.map((draw) => draw.action));
  const gap = chances.find((action) => !drawn.has(action)) ?? [...drawn].find((action) => !chances.includes(action));
  return gap === undefined ? null : ["gap", gap];
}
