import type { LookBack } from "../contract.ts";

/** Pokerdice, looked back at: the throw, the cards, and what is thrown again. */
export default {
  stages: [0, 0, 1, 2, 2],
  drawn: ([verb, ...dice]) => (verb === "roll" ? dice.map((face) => ({ piece: `pip-${face}` })) : []),
} satisfies LookBack;
