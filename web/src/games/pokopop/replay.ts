import type { LookBack } from "../contract.ts";

/** Poko Pop!, looked back at: the deal, the jumps, and what is left over. */
export default {
  stages: [0, 1, 2, 1, 2, 2],
  drawn: ([, ...cards]) => cards.map((card) => ({ letters: card.replace("x", "×").replace(/@\d/, "★") })),
} satisfies LookBack;
