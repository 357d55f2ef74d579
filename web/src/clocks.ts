/** How long a choice may take. */
import { CLOCKS, NOTICE, type TableShown } from "./protocol.ts";

/** How long the ring of a table's clock is now. */
export function clockLength(table: Pick<TableShown, "clock" | "called">): number {
  return table.called === null ? CLOCKS[table.clock] : NOTICE;
}
