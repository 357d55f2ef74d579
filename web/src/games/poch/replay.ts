import type { DrawnPiece, LookBack } from "../contract.ts";

/** Poch, looked back at: collecting, bidding, playing out; hands of cards. */
export default {
  stages: [0, 0, 1, 2, 2, 2],
  stageWords: "play.poch.stages",
  drawn: ([verb, , hand = ""]) => (verb === "deal" ? (hand.match(/../g) ?? []).map(card) : []),
} satisfies LookBack;

function card(word: string): DrawnPiece {
  const [rank = "", suit = ""] = word;
  return { letters: rank === "T" ? "10" : rank, suit };
}
