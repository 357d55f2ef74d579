/**
 * Your part in fair draws (docs/fairness.md), before a game: a salt for each of your seats, and the commitment as it was
 * when you sat down. The end is checked against *that* commitment, not against what the server says later.
 */
import type { TableShown } from "./protocol.ts";
import { randomHex } from "./random.ts";
import type { LiveTable } from "./table.svelte.ts";

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

/** Add salt for the player’s seats here, once each, while the table is still open. */
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
  // The first commitment counts: a server that shows another one later is found out.
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
