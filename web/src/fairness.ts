/**
 * One's own part in fair draws: a salt for each of one's seats before the start, and the commitment as it was when one sat
 * down. The end is checked against *that* commitment, not against what the house says later.
 */
import { randomHex } from "./digest.ts";
import type { TableShown } from "./protocol.ts";
import type { LiveTable } from "./table.svelte.ts";

const KEPT = "pokade.commitments";
const MOST = 60; // tables
const SALT_BYTES = 8;
const salted = new Set<string>();

/** Add salt for the seats one has here, once each, while the table is still open. */
export function addSalt(live: LiveTable, table: TableShown): void {
  keep(table);
  for (const seat of live.seats) {
    const key = `${table.id} ${seat}`;
    if (salted.has(key)) continue;
    salted.add(key);
    live.say({ do: "salt", seat, salt: randomHex(SALT_BYTES) });
  }
}

/** The commitment that this browser saw before the game; null if it wasn't there then. */
export function seenCommitment(table: string): string | null {
  return read().find(([id]) => id === table)?.[1] ?? null;
}

function keep(table: TableShown): void {
  const known = read();
  if (known.some(([id]) => id === table.id)) return;
  try {
    localStorage.setItem(KEPT, JSON.stringify([...known, [table.id, table.commitment]].slice(-MOST)));
  } catch {
    // Without storage there is nothing to compare with later, and the page says so.
  }
}

function read(): [string, string][] {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]") as [string, string][];
  } catch {
    return [];
  }
}
