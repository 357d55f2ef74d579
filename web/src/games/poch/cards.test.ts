import { expect, test } from "vitest";
import { card, cardsIn, fanned, has, rankOf, rows, suitOf } from "./cards.ts";

const SEVEN_OF_CLUBS = card(0, 0);
const ACE_OF_SPADES = card(7, 3);

test("a set has its members, the ace of spades on the sign bit too", () => {
  const set = 2 ** SEVEN_OF_CLUBS + 2 ** ACE_OF_SPADES;

  expect(cardsIn(set)).toEqual([SEVEN_OF_CLUBS, ACE_OF_SPADES]);
  expect(has(set, card(6, 3))).toBe(false);
});

test("a hand that the viewer may not see has no cards", () => {
  expect(cardsIn(-99)).toEqual([]);
});

test("a fan goes by suit, high cards first, low ones where suits are played upwards", () => {
  const hand = [card(1, 1), card(6, 1), card(0, 3), card(7, 3), card(3, 2)];
  const signs = (cards: number[]) => cards.map((which) => `${rankOf(which)}${"cdhs"[suitOf(which)]}`).join(" ");

  expect(signs(fanned(hand, 0))).toBe("6d 1d 7s 0s 3h");
  expect(signs(fanned(hand, -1))).toBe("6d 1d 7s 0s 3h");
  expect(signs(fanned(hand, 1))).toBe("1d 6d 0s 7s 3h");
});

test.each([
  [0, []],
  [4, [4]],
  [8, [8]],
  [11, [6, 5]],
  [16, [8, 8]],
])("%i cards lie in rows of %j", (count, lengths) => {
  const hand = Array.from({ length: count }, (_, which) => which);

  expect(rows(hand).map((row) => row.length)).toEqual(lengths);
  expect(rows(hand).flat()).toEqual(hand);
});
