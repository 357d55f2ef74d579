import type { DrawnPiece, LookBack } from "../contract.ts";
import { BEGINNING, BIDDING, DEALING, NAMING, OVER, STARTING } from "./constants.ts";

/** Poch, looked back at: collecting, bidding, playing out; hands of cards. */
export default {
  stages: { [BEGINNING]: 0, [DEALING]: 0, [BIDDING]: 1, [STARTING]: 2, [NAMING]: 2, [OVER]: 2 },
  stageWords: "play.poch.stages",
  drawn: ([verb, , hand = ""]) => (verb === "deal" ? (hand.match(/../g) ?? []).map(card) : []),
} satisfies LookBack;

function card(word: string): DrawnPiece {
  const [rank = "", suit = ""] = word;
  return { letters: rank === "T" ? "10" : rank, suit };
}
