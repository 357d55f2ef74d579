/** Cards, sets and bids in the language that is spoken. */
import { language, text, words } from "../../texts.svelte.ts";
import { rankOf, suitOf } from "./cards.ts";
import type { BestSet, Cells, Said } from "./view.ts";

export function suitWord(suit: number): string {
  return words("poch.suit")[suit] ?? "";
}

export function cardWord(which: number): string {
  return text("web.poch.card", { rank: words("poch.rank")[rankOf(which)] ?? "", suit: suitWord(suitOf(which)) });
}

/** Several cards in a row. */
export function cardWords(cards: readonly number[]): string {
  return listed(cards.map(cardWord));
}

const LISTS = new Map<string, Intl.ListFormat>();

/** "ace, king and queen". */
export function listed(all: readonly string[]): string {
  const spoken = language();
  const list = LISTS.get(spoken) ?? new Intl.ListFormat(spoken, { type: "conjunction" });
  LISTS.set(spoken, list);
  return list.format(all);
}

const SETS = ["", "single", "pair", "three", "four"];

/** "pair of kings". */
export function setWords({ rank, size }: BestSet): string {
  const list = size === 1 ? "poch.rank" : "poch.rank_in_set";
  return text(`web.poch.${SETS[size] ?? "four"}`, { rank: words(list)[rank] ?? "" });
}

/** "raises to 4". */
export function saidWords({ what, number }: Said): string {
  return text(`web.poch.said_${what}`, { number });
}

/** "You raise to 4". */
export function ownSaid({ what, number }: Said): string {
  return text(`web.poch.said_${what}_you`, { number });
}

/** The same where there is little room. */
export function shortSaid({ what, number }: Said): string {
  return text(`web.poch.short_${what}`, { number });
}

/** A seat as a sentence: "Ben: 88 counters, 8 cards, passes." */
export function seatWords(name: string, cells: Cells, seat: number, state: string): string {
  const counters = text("web.poch.counters", { number: cells.counters[seat] ?? 0 });
  const cards = text("web.poch.cards", { number: cells.hand_size[seat] ?? 0 });
  return `${name}: ${[counters, cards, state].filter((part) => part !== "").join(", ")}.`;
}
