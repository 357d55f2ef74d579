/** How long a choice may take, in seconds; 0 is no clock. */
import type { TableShown } from "./protocol.ts";

export const CLOCKS: Record<TableShown["clock"], number> = { none: 0, "20s": 20, "45s": 45, "2min": 120, "1day": 86_400 };
