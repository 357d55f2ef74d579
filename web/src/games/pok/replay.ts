import type { LookBack } from "../contract.ts";
import { CHOOSING, OVER, THROWING } from "./constants.ts";

/** POK, looked back at: the throw and the reveal; three wooden dice. */
export default {
  stages: { [THROWING]: 0, [CHOOSING]: 1, [OVER]: 1 },
  drawn: ([, ...dice]) => dice.map((die, at) => ({ piece: `die-${at + 1}-${die === "-" ? "blank" : die.charAt(0)}` })),
} satisfies LookBack;
