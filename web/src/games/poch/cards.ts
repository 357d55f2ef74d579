/** Thirty-two cards: a card is rank × 4 + suit, a set of cards is a bit set. */
export const RANKS = 8;
export const SUITS = 4;
export const RANK_SIGNS = ["7", "8", "9", "10", "J", "Q", "K", "A"] as const;
export const SUIT_LETTERS = ["c", "d", "h", "s"] as const;

const CARDS = RANKS * SUITS;
const FAN = [1, 3, 0, 2]; // diamonds, spades, clubs, hearts: neighbours differ in tone

export function card(rank: number, suit: number): number {
  return rank * SUITS + suit;
}

export function rankOf(which: number): number {
  return Math.floor(which / SUITS);
}

export function suitOf(which: number): number {
  return which % SUITS;
}

/** The members of a set, ascending; none of a set that one may not see. */
export function cardsIn(set: number): number[] {
  if (set === -99) return [];
  return Array.from({ length: CARDS }, (_, which) => which).filter((which) => has(set, which));
}

export function has(set: number, which: number): boolean {
  return ((set >>> which) & 1) === 1;
}

/** A hand as one holds it: by suit, the high cards first, or the low ones where suits are played upwards. */
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
