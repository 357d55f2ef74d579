/**
 * After a game every draw is worked out once more (docs/fairness.md). Loaded when it is wanted. The hashes are a library's:
 * over plain http there is no `crypto.subtle`, and checking must work there too.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DrawShown, Verified } from "./protocol.ts";
import type { Kept } from "./salt.ts";

const SCHEME = "pokade/1";
const SPAN = 1n << 256n; // a digest is a number below it

/** Texts in a row, each behind its length in bytes, so that no two rows look the same. */
export function encoded(...parts: string[]): Uint8Array {
  return concatBytes(...parts.map(utf8ToBytes).flatMap((raw) => [utf8ToBytes(`${raw.length}:`), raw, utf8ToBytes(",")]));
}

/** The commitment that a server with this seed must have shown before anybody sat down. */
export function commitmentOf(seed: string, table: string): string {
  return bytesToHex(sha256(encoded(SCHEME, "commitment", table, seed)));
}

/** The key of all draws of a game. */
export function keyOf(seed: string, table: string, salts: readonly string[]): Uint8Array {
  return hmac(sha256, hexToBytes(seed), encoded(SCHEME, "key", table, ...salts));
}

/** A draw: which of so many tickets it is. Numbers beyond the last whole multiple are passed over. */
export function ticketOf(key: Uint8Array, table: string, label: string, counter: number, tickets: bigint): bigint {
  const limit = SPAN - (SPAN % tickets);
  for (let attempt = 0; ; attempt++) {
    const text = encoded(SCHEME, "draw", table, String(counter), label, String(attempt));
    const number = BigInt(`0x${bytesToHex(hmac(sha256, key, text))}`);
    if (number < limit) return number % tickets;
  }
}

/** A draw as the server lists it, and the ticket that this page has worked out. */
export interface DrawChecked extends DrawShown {
  computed: number;
  isRight: boolean;
}

/** Why a game is not fair: the seed, the commitment you saw, a gap in the draws, a draw, or what the server found itself. */
export type Fault = "seed" | "seen" | "gap" | "draw" | "server";

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
 * Work out every draw again. `chances` are the actions in which something was thrown or dealt: each must have draws, and
 * nothing else may. What is on a ticket (which face, which card) is the rules' and so the server's word.
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
  if (!told.fair) return ["server", told.action];
  const drawn = new Set(draws.map((draw) => draw.action));
  const gap = chances.find((action) => !drawn.has(action)) ?? [...drawn].find((action) => !chances.includes(action));
  return gap === undefined ? null : ["gap", gap];
}
