import type { LookBack } from "../contract.ts";

/** POK, looked back at: the throw and the reveal; three wooden dice. */
export default {
  stages: [0, 1, 1],
  drawn: ([, ...dice]) => dice.map((die, at) => ({ piece: `die-${at + 1}-${die === "-" ? "blank" : die.charAt(0)}` })),
} satisfies LookBack;
