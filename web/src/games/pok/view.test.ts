import { expect, test } from "vitest";
import type { GameStates, Told, ViewShown } from "../../protocol.ts";
import { BLANK, CHOOSING, OVER, THROWING } from "./constants.ts";
import { diceOf, handOf, isOpen, lastShown, offers, race, revealKey, roundOf, seatsShown, unasked, verdictOf } from "./view.ts";

const UNKNOWN = -99;
const MET: Told<"pok">[] = [
  ["shown", 0b011, 0, 0],
  ["shown", 0b100, 2, 0],
  ["met", 0b100, 2, 1],
  ["met", 0b011, 0, 2],
  ["handed_over", 0b111, 3, 0],
];

/** Three at a table, seen by seat 0: a triangle and two discs are asked for, and nothing has been shown yet. */
function view(changed: Partial<GameStates["pok"]> = {}, more: Partial<ViewShown<"pok">> = {}): ViewShown<"pok"> {
  const nobody = [UNKNOWN, UNKNOWN, UNKNOWN];
  return {
    seat: 0,
    turn: 0b111,
    choices: [0, 2],
    choice_texts: [["pick", { symbol: 0 }], ["pick", { symbol: 2 }]],
    question: ["pick", {}],
    points: [2, 1, 1],
    places: [],
    facts: { goal: 5, unasked: 0b010 },
    state: {
      n_seats: 3, phase: CHOOSING, round: 4, ending: 0, winners: 0, step: 9, memory: 0, max_rounds: 200,
      n_dice: 3, dice: [2, 0, BLANK], counters: [[2, 0, 2], nobody, nobody], left: [4, 5, 5, 0, 0, 0, 0],
      choice: [-1, UNKNOWN, UNKNOWN], shown: [-1, -1, -1, -1, -1, -1, -1], showing: [0, 0, 0], shown_dice: [BLANK, BLANK, BLANK], gone: 0,
      ...changed,
    },
    ...more,
  };
}

/** The same after all have shown: seats 0 and 1 discs, seat 2 a triangle. */
function revealed(changed: Partial<GameStates["pok"]> = {}): ViewShown<"pok"> {
  const shown = [0, 0, 2, -1, -1, -1, -1];
  const state = { phase: THROWING, round: 5, n_dice: 0, shown, showing: [0b011, 0, 0b100], shown_dice: [2, 0, BLANK], gone: 0b111 };
  return view({ ...state, ...changed }, { turn: -1, choices: [], facts: {}, question: null });
}

test("a fist is closed for everybody from the throw on", () => {
  expect(isOpen(view().state)).toBe(false);
  expect(isOpen(view({ shown: [0, 0, 2] }).state)).toBe(false);
  expect(isOpen(revealed().state)).toBe(true);
  expect(isOpen(revealed({ phase: OVER, n_dice: 3 }).state)).toBe(true);
});

test("before the first throw nothing is open and no die lies", () => {
  const start = view({ phase: THROWING, n_dice: 0, dice: [BLANK, BLANK, BLANK] });

  expect(isOpen(start.state)).toBe(false);
  expect(diceOf(start.state, []).map((die) => die.state)).toEqual(["waits", "waits", "waits"]);
});

test("the round is that of the dice that lie", () => {
  expect(roundOf(view().state)).toBe(4);
  expect(roundOf(revealed().state)).toBe(4);
  expect(roundOf(revealed({ phase: OVER, n_dice: 3, round: 4 }).state)).toBe(4);
});

test("dice ask, or are blank", () => {
  expect(diceOf(view().state, [])).toEqual([
    { place: 0, symbol: 2, state: "asks", shown: 0 },
    { place: 1, symbol: 0, state: "asks", shown: 0 },
    { place: 2, symbol: null, state: "blank", shown: 0 },
  ]);
});

test("a die is met when the server has told so, and says how many were shown", () => {
  expect(diceOf(revealed().state, MET)).toEqual([
    { place: 0, symbol: 2, state: "met", shown: 1 },
    { place: 1, symbol: 0, state: "met", shown: 2 },
    { place: 2, symbol: null, state: "blank", shown: 0 },
  ]);
  expect(diceOf(revealed({ shown_dice: [0, 0, BLANK] }).state, MET).map((die) => die.state)).toEqual(["missed", "met", "blank"]);
});

test("a rival's fist holds nothing that this viewer knows", () => {
  expect(handOf(view(), 1)).toMatchObject({ isOpen: false, symbol: null, pinned: null, held: null });
});

test("your own choice is pinned to your own fist, from the tap on", () => {
  expect(handOf(view(), 0, 2).pinned).toBe(2);
  expect(handOf(view({ choice: [1, UNKNOWN, UNKNOWN] }), 0).pinned).toBe(1);
});

test("a hand that hands over knows its place in seat order", () => {
  const hands = [0, 1, 2].map((seat) => handOf(revealed({ gone: 0b101 }), seat));

  expect(hands.map((hand) => hand.gives)).toEqual([true, false, true]);
  expect(hands.map((hand) => hand.order)).toEqual([0, -1, 1]);
  expect(hands.map((hand) => hand.symbol)).toEqual([0, 0, 2]);
});

test("nobody gives any more once the next dice lie", () => {
  expect(handOf(view({ shown: [0, 0, 2], gone: 0b111 }), 0).gives).toBe(false);
});

test("a counter of which none is left can't be chosen", () => {
  const choices = [0, 2].map((value) => ({ value, label: "", key: "pick", values: {} }));
  const found = offers({ view: view(), choices, seal: { choice: 2, id: "a", state: "pending" } });

  expect(found.map((offer) => offer.left)).toEqual([2, 0, 2]);
  expect(found.map((offer) => offer.canChoose)).toEqual([true, false, true]);
  expect(found.map((offer) => offer.isSealed)).toEqual([false, false, true]);
});

test("a player sees their rivals, a screen for all shows everybody", () => {
  expect(seatsShown(view(), "play")).toEqual([1, 2]);
  expect(seatsShown(view(), "tv")).toEqual([0, 1, 2]);
  expect(seatsShown(view({}, { seat: -1 }), "play")).toEqual([0, 1, 2]);
});

test("what no die asks for comes in the view, or is left out", () => {
  expect(unasked(view())).toEqual([1]);
  expect(unasked(revealed())).toBeNull();
});

test("in the race nobody changes places while the hands lie open", () => {
  const points = [3, 3, 1];
  const open = { ...revealed({ gone: 0b001 }), points };

  expect(race(open).map(({ seat }) => seat)).toEqual([1, 0, 2]);
  expect(race({ ...view({ gone: 0b001 }), points }).map(({ seat }) => seat)).toEqual([0, 1, 2]);
});

test("the last reveal is there once there was one", () => {
  expect(lastShown(view().state)).toBeNull();
  expect(lastShown(revealed().state)).toEqual([0, 0, 2]);
});

test("a reveal is told from another by what was shown", () => {
  expect(revealKey(revealed().state)).toBe(revealKey(view({ ...revealed().state, phase: CHOOSING, n_dice: 3 }).state));
  expect(revealKey(revealed().state)).not.toBe(revealKey(revealed({ gone: 0b001 }).state));
});

test("a verdict names the dice that were met, largest first", () => {
  expect(verdictOf(MET)).toEqual({ kind: "met", met: [{ symbol: 0, number: 2 }, { symbol: 2, number: 1 }] });
  expect(verdictOf([["shown", 7, 0, 0], ["nothing_met", 0, 0, 0]])).toEqual({ kind: "nothing_met", met: [] });
  expect(verdictOf([["thrown", 0, 1, 2]])).toBeNull();
});
