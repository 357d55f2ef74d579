import type { LookBack } from "../contract.ts";
import { BEGINNING, CHOOSING, OVER, RETHROWING, THROWING } from "./constants.ts";

/** Pokerdice, looked back at: the throw, the cards, and what is thrown again. */
export default {
  stages: { [BEGINNING]: 0, [THROWING]: 0, [CHOOSING]: 1, [RETHROWING]: 2, [OVER]: 2 },
  drawn: ([verb, ...dice]) => (verb === "roll" ? dice.map((face) => ({ piece: `pip-${face}` })) : []),
} satisfies LookBack;
