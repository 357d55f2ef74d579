/** How long a choice may take, in seconds; 0 is no clock. */
import type { TableShown } from "./protocol.ts";

export const CLOCKS: Record<TableShown["clock"], number> = { none: 0, "20s": 20, "45s": 45, "2min": 120, "1day": 86_400 };
export const NOTICE = 20; // seconds that a call of time leaves everybody

/** How long the ring of a table's clock is now. */
export function clockLength(table: Pick<TableShown, "clock" | "called">): number {
  return table.called === null ? CLOCKS[table.clock] : NOTICE;
}
