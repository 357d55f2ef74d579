import { beforeEach, expect, test } from "vitest";
import type { GameStates } from "../../protocol.ts";
import { LANGUAGES, speak } from "../../texts.svelte.ts";
import type { Creature } from "./view.ts";
import { bare, cardName, cardSign, cellSentence, clashWords, hintOf, seatSentence, stateWord, toldWords } from "./words.ts";

const NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil"];
const nobody = { names: NAMES, you: -1 };
const [DEALING, CHOOSING, FLIPPING, FINAL_CHOOSING] = [0, 1, 2, 3];
const state = (changed: Partial<GameStates["pokopop"]> = {}) =>
  ({ n_seats: 5, phase: CHOOSING, round: 2, n_dealt: 4, poko: 2, row: [-1, -1, 5, 0, 11], shown: [-1, -1, -1, -1, -1], ...changed }) as GameStates["pokopop"];
const creature = (changed: Partial<Creature> = {}): Creature => ({
  seat: 1, mood: "calm", isOut: false, took: null, shown: null, chosen: null, points: 7, ...changed,
});

beforeEach(() => speak("en"));

test("the line says what is played for", () => {
  expect(hintOf(state())).toBe("Third Poko: 5 points for a lone jump.");
  expect(hintOf(state({ poko: 3 }))).toBe("Fourth Poko: 1 point for a lone jump.");
  expect(hintOf(state({ poko: 0, row: [1, 5, 5, 5, 11] }))).toBe("First Poko: a 1 with ×2 for a lone jump.");
  expect(hintOf(state({ phase: FINAL_CHOOSING }))).toBe("A lone jump takes them all. Together: −1 per card.");
  expect(hintOf(state({ phase: DEALING, n_dealt: 0 }))).toBe("");
});

test("a card has a sign and a name", () => {
  expect([0, 1, 5, 7, 11].map(cardSign)).toEqual(["1", "1×2", "5", "5", "?"]);
  expect(cardName(7)).toBe("a 5 with icon 2");
  expect(cardName(11)).toBe("a hidden card");
});

test("a clash is told in three short sentences", () => {
  const two = state({ phase: FLIPPING, shown: [1, 1, -1, 0, -1] });
  const four = state({ phase: FLIPPING, shown: [1, 1, 1, 1, 0] });

  expect(clashWords(two, [], [], nobody)).toBe("Ada and Ben both jumped: −1 each. Dora waited. The round is over.");
  expect(clashWords(four, [], [], nobody)).toBe("4 players jumped together: −1 each. The round is over.");
  expect(clashWords(two, [], [], { names: NAMES, you: 1 })).toBe("You and Ada both jumped: −1 each. Dora waited. The round is over.");
  expect(clashWords(two, [], [], { names: NAMES, you: 3 })).toBe("Ada and Ben both jumped: −1 each. You waited. The round is over.");
});

test("one who jumps alone is no clash", () => {
  expect(clashWords(state({ shown: [1, 0, -1, 0, -1] }), [], [], { names: NAMES, you: 0 })).toBe("");
});

test("a player who gets away with a clash is told so in the server's words", () => {
  const told = clashWords(
    state({ phase: FLIPPING, shown: [1, 1, -1, 0, -1] }),
    [["clashed", 3, 0, 3], ["minus", 0, 0, 0], ["spared", 1, 0, 0]],
    ["Ouch!", "Ada takes a card.", "Ben gets away with it."],
    nobody,
  );

  expect(told).toBe("Ouch! Ben gets away with it.");
});

test("seats and Pokos are sentences for those who listen", () => {
  expect(seatSentence(creature(), "Ben", state(), false)).toBe("Ben, 7 points, still in");
  expect(seatSentence(creature({ took: 2, isOut: true }), "Ben", state(), true)).toBe("Ben, 7 points, out, took a 2, on standby");
  expect(cellSentence({ place: 2, kind: 5, taken: null, taker: null, isNow: true }, nobody)).toBe("Poko 3, played for now: a 5");
  expect(cellSentence({ place: 0, kind: null, taken: 2, taker: 2, isNow: false }, nobody)).toBe("Poko 1: taken by Cleo");
  expect(cellSentence({ place: 0, kind: null, taken: 2, taker: 2, isNow: false }, { names: NAMES, you: 2 })).toBe("Poko 1: taken by you");
  expect(stateWord(creature({ took: 2 }), state(), false)).toBe("out, took 2");
});

test("the line on the table leaves out what is drawn", () => {
  expect(toldWords([["flipped", -1, 5, 0], ["took", 1, 5, 5], ["left_over", -1, 1, 3]], ["A 5.", "Ben takes it.", "It goes to the pile."])).toBe("A 5. Ben takes it.");
});

test("a sealed choice is named without its marks", () => {
  expect(["Wait!", "¡Espera!", "Attends\u202f!", "Poko !"].map(bare)).toEqual(["Wait", "Espera", "Attends", "Poko"]);
});

test.each(LANGUAGES)("everything can be said in %s", async (language) => {
  await speak(language);
  const said = [
    hintOf(state()), hintOf(state({ phase: FLIPPING })), clashWords(state({ phase: FLIPPING, shown: [1, 1, 1, 0, -1] }), [], [], nobody),
    seatSentence(creature({ took: 1 }), "Ben", state(), true), stateWord(creature(), state(), false),
    cellSentence({ place: 0, kind: null, taken: null, taker: null, isNow: false }, nobody),
  ];

  for (const sentence of said) expect(sentence).toMatch(/^[^{}]+$/u);
  expect(said[2]?.length).toBeLessThanOrEqual(90);
});
