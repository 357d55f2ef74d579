/** Thirty-two cards, named by rank and suit as the rules count them; a set of cards is a bit set. */
import { CARDS, NAMES, NOTHING, RANKS, UNKNOWN } from "./constants.ts";

const RANK_LETTERS = [...new Set(NAMES.map((name) => name.charAt(0)))];
export const SUIT_LETTERS = [...new Set(NAMES.map((name) => name.charAt(1)))];
const RANK_OF = NAMES.map((name) => RANK_LETTERS.indexOf(name.charAt(0)));
const SUIT_OF = NAMES.map((name) => SUIT_LETTERS.indexOf(name.charAt(1)));
const CARD_OF = RANK_LETTERS.map((rank) => SUIT_LETTERS.map((suit) => (NAMES as readonly string[]).indexOf(rank + suit)));
/** By rank, what stands on a card. */
export const RANK_SIGNS = RANK_LETTERS.map((letter) => (letter === "T" ? "10" : letter));

const FAN = ["d", "s", "c", "h"].map((letter) => SUIT_LETTERS.indexOf(letter)); // neighbours differ in tone

export function card(rank: number, suit: number): number {
  return CARD_OF[rank]?.[suit] ?? NOTHING;
}

export function rankOf(which: number): number {
  return RANK_OF[which] ?? 0;
}

export function suitOf(which: number): number {
  return SUIT_OF[which] ?? 0;
}

/** The members of a set, ascending; none of a set that the viewer may not see. */
export function cardsIn(set: number): number[] {
  if (set === UNKNOWN) return [];
  return Array.from({ length: CARDS }, (_, which) => which).filter((which) => has(set, which));
}

export function has(set: number, which: number): boolean {
  return ((set >>> which) & 1) === 1;
}

/** A hand as people hold it: by suit, the high cards first, or the low ones where suits are played upwards. */
export function fanned(cards: readonly number[], direction: number): number[] {
  const way = direction === 1 ? 1 : -1;
  return [...cards].sort(
    (one, other) => FAN.indexOf(suitOf(one)) - FAN.indexOf(suitOf(other)) || way * (rankOf(one) - rankOf(other)),
  );
}

/** A hand in rows of at most eight, the first at least as long as the last. */
export function rows(cards: readonly number[]): number[][] {
  const count = Math.ceil(cards.length / RANKS);
  const each = Math.ceil(cards.length / Math.max(count, 1));
  return Array.from({ length: count }, (_, row) => cards.slice(row * each, (row + 1) * each));
}
