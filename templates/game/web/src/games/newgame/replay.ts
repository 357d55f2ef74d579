import type { LookBack } from "../contract.ts";

/** New Game, looked back at: the throw and the reveal. */
export default { stages: [0, 1, 1] } satisfies LookBack;
