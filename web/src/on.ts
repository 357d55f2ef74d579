/** Your games that are on, remembered by the browser: the home screen shows them before the server has answered. */
import type { Listed, TableShown } from "./protocol.ts";

/** What the home screen says of a table at which you sit. */
export type Sat = Pick<Listed, "id" | "code" | "game" | "status" | "names">;

const KEY = "pokade.on";

/** The tables that wait for you, those that are on first. */
export function waiting(tables: readonly Sat[]): Sat[] {
  const rank = { on: 0, open: 1, over: 2 } as const;
  return tables.filter(({ status }) => status !== "over").sort((a, b) => rank[a.status] - rank[b.status]);
}

/** What was remembered when the page was last here. */
export function remembered(): Sat[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as Sat[]) : [];
  } catch {
    return []; // storage is blocked, or holds something else
  }
}

/** Remember what the server has said. */
export function remember(tables: readonly Sat[]): void {
  const kept = waiting(tables).map(({ id, code, game, status, names }) => ({ id, code, game, status, names }));
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing asks the server.
  }
}

/** The player sits at a table: it goes to the front, or is forgotten once it is over or the player has no seat there. */
export function sitAt(table: TableShown, isSeated: boolean): void {
  const others = remembered().filter(({ id }) => id !== table.id);
  const { id, code, game, status } = table;
  remember(isSeated ? [{ id, code, game, status, names: table.seats.map(({ name }) => name) }, ...others] : others);
}
