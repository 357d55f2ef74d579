import { beforeEach, expect, test } from "vitest";
import { LANGUAGES, speak } from "../../texts.svelte.ts";
import type { Die, Hand, Verdict } from "./view.ts";
import { dieLabel, dieSentence, givers, handSentence, judged, leftOver, story, unaskedWords } from "./words.ts";

const NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil"];
const ada = { you: 0, names: NAMES };
const nobody = { you: -1, names: NAMES };
const TWO: Verdict = { kind: "met", met: [{ symbol: 0, number: 2 }, { symbol: 2, number: 1 }] };
const ONE: Verdict = { kind: "met", met: [{ symbol: 1, number: 1 }] };
const ABSENT: Verdict = { kind: "absent", met: [] };
const die = (changed: Partial<Die>): Die => ({ place: 1, symbol: 0, state: "asks", shown: 0, ...changed });
const hand = (changed: Partial<Hand>): Hand => ({
  seat: 1, isOpen: false, symbol: null, pinned: null, gives: false, order: -1, points: 3, goal: 5, held: null, ...changed,
});

beforeEach(() => speak("en"));

test("a reveal is told in two short sentences", () => {
  expect(story(TWO, 0b01011, ada)).toBe("Two discs and one triangle, both met. You, Ben and Dora hand one over.");
  expect(story(ONE, 0b00001, nobody)).toBe("One square was asked for and one was shown. Ada hands it over.");
  expect(story(ABSENT, 0b10000, ada)).toBe("No die is met. Emil hands over what no die asks for.");
});

test("one who hands over alone is told so", () => {
  expect(givers(ONE, 0b00001, ada)).toBe("You hand it over.");
  expect(givers(ABSENT, 0b00001, ada)).toBe("You hand over what no die asks for.");
  expect(givers(TWO, 0, ada)).toBe("Nobody hands anything over.");
});

test("four or more people are a number", () => {
  expect(givers(TWO, 0b11101, ada)).toBe("You and 3 others hand one over.");
  expect(givers(TWO, 0b11101, nobody)).toBe("4 players hand one over.");
});

test("where nothing is met, the server's own sentence says why", () => {
  expect(story({ kind: "nothing_met", met: [] }, 0, ada)).toBe("No die is met: all take their counters back.");
  expect(judged({ kind: "nothing_met", met: [] })).toBe("No die is met.");
  expect(judged(TWO)).toBe("Two discs, one triangle: met.");
});

test("without the server's words for it, a reveal is only who handed over", () => {
  expect(story(null, 0b00110, ada)).toBe("Ben and Cleo hand one over.");
});

test("every story fits two lines of a phone in every language", async () => {
  for (const language of LANGUAGES) {
    await speak(language);
    for (const verdict of [ONE, TWO, ABSENT]) expect(story(verdict, 0b01011, ada).length, language).toBeLessThanOrEqual(90);
  }
});

test("a die says what it asks for, and then what was shown", () => {
  expect(dieLabel(die({}))).toBe("exactly 2");
  expect(dieLabel(die({ symbol: null, state: "blank" }))).toBe("blank");
  expect(dieLabel(die({ state: "missed", shown: 1 }))).toBe("1 disc");
  expect(dieLabel(die({ state: "met", shown: 2 }))).toBe("2 discs");
});

test("dice and hands are sentences for those who listen", () => {
  expect(dieSentence(die({}))).toBe("Die of twos: two discs");
  expect(dieSentence(die({ state: "met", shown: 2 }))).toBe("Die of twos: two discs; met");
  expect(dieSentence(die({ state: "missed", shown: 0 }))).toBe("Die of twos: two discs; not met, with 0 discs");
  expect(handSentence(hand({}), "Ben", false)).toBe("Ben: a closed fist; 3 of five handed over");
  expect(handSentence(hand({ isOpen: true, symbol: 2, gives: true }), "Ben", true)).toBe(
    "Ben shows one triangle and hands it over; 3 of five handed over; on standby",
  );
  expect(handSentence(hand({ held: [2, 0, 1] }), "Ben", false)).toContain("left: 2 discs, 0 squares and 1 triangle");
});

test("what no die asks for is one sentence, whatever it is", () => {
  expect(unaskedWords([1])).toBe("No die asks for squares.");
  expect(unaskedWords([0, 2])).toBe("No die asks for discs or triangles.");
  expect(unaskedWords([])).toBe("Each symbol is on a die.");
  expect(leftOver(0)).toBe("none left");
});
