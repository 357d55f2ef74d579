import type { LookBack } from "../contract.ts";
import { CHOOSING, DEALING, FINAL_CHOOSING, FLIPPING, OVER, PILING } from "./constants.ts";

/** Poko Pop!, looked back at: the deal, the jumps, and what is left over. */
export default {
  stages: { [DEALING]: 0, [CHOOSING]: 1, [FLIPPING]: 2, [FINAL_CHOOSING]: 1, [PILING]: 2, [OVER]: 2 },
  drawn: ([, ...cards]) => cards.map((card) => ({ letters: card.replace("x", "×").replace(/@\d/, "★") })),
} satisfies LookBack;
