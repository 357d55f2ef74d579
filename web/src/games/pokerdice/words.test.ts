import { beforeAll, expect, test } from "vitest";
import { speak } from "../../texts.svelte.ts";
import type { Offer, Place } from "./view.ts";
import { cardFoot, cardNames, cardSentence, dieSentence, ownLabel, ownVerdict, placeSentence, story } from "./words.ts";

const NOBODY = { names: ["Ada", "Ben", "Cleo"], you: -1 };
const HAND: Offer = { card: 7, points: 5, held: 1, state: "hand", scored: 0, canChoose: true, isMet: false, seals: 0 };
const PLACE: Place = { seat: 1, points: 9, isActive: false, lies: "back", cards: [], judged: [], order: 1 };

beforeAll(() => speak("en"));

test("a card says what the dice must show, what it brings, and whether it is met", () => {
  expect(cardSentence(HAND)).toBe("Full house, three of one face, two of another, 5 points");
  expect(cardSentence({ ...HAND, isMet: true, held: 2 })).toBe("Full house, three of one face, two of another, 5 points, two left, met now");
  expect(cardSentence({ ...HAND, state: "out", held: 0 })).toContain("out");
});

test("the foot of a card has its points, or what became of it", () => {
  expect(cardFoot(HAND)).toBe("5 pts");
  expect(cardFoot({ ...HAND, points: 1 })).toBe("1 pt");
  expect(cardFoot({ ...HAND, isMet: true })).toBe("met now");
  expect(cardFoot({ ...HAND, state: "scored", scored: 2 })).toBe("scored 10");
});

test("a die says on which shelf it lies", () => {
  expect(dieSentence({ place: 0, face: 5, isFree: false })).toBe("Die 1: 5, held");
  expect(dieSentence({ place: 4, face: 2, isFree: true })).toBe("Die 5: 2, thrown again");
});

test("a seat tells no more than lies there", () => {
  expect(placeSentence(PLACE, "Ben", false)).toBe("Ben: 9 points");
  expect(placeSentence({ ...PLACE, isActive: true, lies: "open", cards: [7] }, "Ben", true)).toBe("Ben: 9 points, throws, Full house, on standby");
  const judged = [{ card: 7, kind: "captured" as const, points: 0 }];
  expect(placeSentence({ ...PLACE, lies: "open", cards: [7], judged }, "Ben", false)).toBe("Ben: 9 points, Full house, Missed");
});

test("what becomes of your own card is said", () => {
  expect(ownVerdict({ card: 7, kind: "scored", points: 5 }, "Cleo", false)).toBe("Met: 5 points");
  expect(ownVerdict({ card: 7, kind: "captured", points: 0 }, "Cleo", false)).toBe("Missed: Cleo takes it.");
  expect(ownVerdict({ card: 7, kind: "lost", points: 0 }, "Cleo", false)).toBe("Missed: out of the game.");
  expect(ownVerdict({ card: 7, kind: "scored", points: 5 }, "Cleo", true)).toBe("You score 5 points.");
  expect(ownVerdict({ card: 7, kind: "captured", points: 0 }, "Cleo", true)).toBe("Cleo takes your card.");
  expect(ownVerdict({ card: 7, kind: "lost", points: 0 }, "Cleo", true)).toBe("Your card is out.");
  expect(cardNames([0, 7])).toBe("Joker + Full house");
});

test("on a shared screen a card has its owner's name", () => {
  expect(ownLabel(1, null)).toBe("Your card, turned up");
  expect(ownLabel(1, "Ada")).toBe("Turned up: Ada");
});

test("a reveal is at most two sentences", () => {
  expect(story([], 2, 0, NOBODY)).toBe("Nobody meets a card.");
  expect(story([0], 2, 1, NOBODY)).toBe("Ada meets their card. Cleo takes a card.");
  expect(story([0, 1], 2, 2, NOBODY)).toBe("Ada and Ben meet their cards. Cleo takes 2 cards.");
});

test("a reveal speaks to the one who reads it", () => {
  expect(story([0], 2, 1, { ...NOBODY, you: 0 })).toBe("You meet your card. Cleo takes a card.");
  expect(story([0, 1], 2, 2, { ...NOBODY, you: 1 })).toBe("You and Ada meet your cards. Cleo takes 2 cards.");
  expect(story([], 2, 2, { ...NOBODY, you: 2 })).toBe("Nobody meets a card. You take 2 cards.");
});
