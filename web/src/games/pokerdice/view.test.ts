import { expect, test } from "vitest";
import type { GameStates, Told, ViewShown } from "../../protocol.ts";
import {
  ALL_CARDS as ALL, BEGINNING, CHOOSING, FULL_HOUSE, JOKER, OVER, PAIR, RETHROWING, THREE, THROWING, TWO_PAIRS, UNKNOWN,
} from "./constants.ts";
import {
  activeOf, cardsIn, diceOf, gainsIn, isOpen, judgedIn, offers, pairOf, picked, placeOf, progressOf, ranking, rethrownIn, rethrowsLeft, roundOf, roundsOf, sealedCards, seatsShown, slidesIn,
  slotOf, stageOf, stripOf, takenIn,
} from "./view.ts";

type State = GameStates["pokerdice"];
const none = () => Array.from({ length: 10 }, () => 0);
const only = (card: number, number = 1) => none().map((_, at) => (at === card ? number : 0));
const NOTHING_SHOWN = [-1, -1, -1, -1, -1];
const REVEAL: Told<"pokerdice">[] = [
  ["stopped", 2, 0, 0],
  ["revealed", -1, 55332, 0],
  ["lost", 2, FULL_HOUSE, 0],
  ["scored", 0, TWO_PAIRS, 3],
  ["captured", 2, THREE, 1],
];

/** Three at a table, seen by seat 0, in round 4: seat 2 has thrown 5 5 3 3 2 and all choose. */
function view(changed: Partial<State> = {}, more: Partial<ViewShown<"pokerdice">> = {}): ViewShown<"pokerdice"> {
  return {
    seat: 0, turn: 0b111, choices: [2, 3, 7], choice_texts: [], question: ["card", {}], points: [4, 9, 6], places: [], facts: { met: 0b1011 },
    state: {
      n_seats: 3, phase: CHOOSING, round: 4, ending: 0, winners: 0, step: 9, variant: 0, equal_turns: 0, first_active: 0, active: 2, dice: [5, 5, 3, 3, 2], thrown: [5, 5, 3, 3, 2],
      again: 0, rethrows: 0, hand: [0b1000_1100, ALL, ALL], second: [0, 0, 0], choice: [-1, UNKNOWN, UNKNOWN], shown: NOTHING_SHOWN,
      scored: [only(JOKER), none(), none()], lost: [none(), none(), none()], captured: [none(), only(PAIR, 2), none()], score: [4, 9, 6], ...changed,
    },
    ...more,
  };
}

/** The table while seat 2 may throw again; seat 0 has sealed two pairs. */
const rethrowing = (changed: Partial<State> = {}) =>
  view({ phase: RETHROWING, shown: [-1, -1, FULL_HOUSE, -1, -1], choice: [TWO_PAIRS, UNKNOWN, -1], hand: [0b1000_1100, ALL, ALL ^ (1 << FULL_HOUSE)], ...changed });

/** After the reveal, when the rules already count the next round and name the next player. */
const revealed = (changed: Partial<State> = {}) =>
  view({ phase: THROWING, round: 5, active: 0, again: 31, shown: [TWO_PAIRS, THREE, FULL_HOUSE, -1, -1], choice: [-1, -1, -1], ...changed }, { facts: {}, choices: [] });

const given = (seen: ViewShown<"pokerdice">, sealed: number | null = null) => ({
  view: seen,
  choices: seen.choices.map((value) => ({ value, label: "", key: "", values: {} })),
  seal: sealed === null ? null : { choice: sealed, id: "1", state: "kept" as const },
});

test("a round goes from the throw over cards and rethrows to the reveal", () => {
  expect(stageOf(view({ phase: BEGINNING }).state)).toBe("throw");
  expect(stageOf(view().state)).toBe("choose");
  expect(stageOf(rethrowing().state)).toBe("rethrow");
  expect(stageOf(rethrowing({ phase: THROWING, rethrows: 1, again: 0b10000 }).state)).toBe("throw");
  expect(stageOf(revealed().state)).toBe("reveal");
  expect(stageOf(revealed({ phase: OVER }).state)).toBe("reveal");
});

test("cards lie open only when everybody's do", () => {
  expect(isOpen(revealed({ shown: [TWO_PAIRS, THREE, -1, -1, -1] }).state)).toBe(false);
  expect(isOpen(revealed().state)).toBe(true);
});

test("round and active player are those of the dice that lie", () => {
  expect(roundOf(view().state)).toBe(4);
  expect(roundOf(revealed().state)).toBe(4);
  expect(roundOf(revealed({ phase: OVER, round: 10 }).state)).toBe(10);
  expect(activeOf(view().state, [])).toBe(2);
  expect(activeOf(revealed().state, REVEAL)).toBe(2);
});

test("how many rounds there are and how many rethrows are left is what the view says", () => {
  expect(roundsOf(view({}, { facts: { rounds: 9 } }))).toBe(9);
  expect(roundsOf(view())).toBeNull();
  expect(rethrowsLeft(view({}, { facts: { left: 1 } }))).toBe(1);
});

test("a choice is a card, or two in the double game", () => {
  const double = view({ variant: 1 }).state;

  expect(cardsIn(view().state, 7)).toEqual([7]);
  expect(cardsIn(double, 37)).toEqual([3, 7]);
  expect(cardsIn(double, 7)).toEqual([0, 7]);
  expect(cardsIn(double, -1)).toEqual([]);
  expect(cardsIn(double, UNKNOWN)).toEqual([]);
  expect(pairOf(7, 3, [36, 37])).toBe(37);
  expect(pairOf(7, 3, [36])).toBeNull();
});

test("cards say what became of them, and which of those in hand are met now", () => {
  const all = offers(given(view()));

  expect(all.map((offer) => offer.state)).toEqual(["scored", "out", "hand", "hand", "out", "out", "out", "hand", "out", "out"]);
  expect(all.filter((offer) => offer.isMet).map((offer) => offer.card)).toEqual([TWO_PAIRS]);
  expect(all.filter((offer) => offer.canChoose).map((offer) => offer.card)).toEqual([2, 3, 7]);
});

test("nothing is said to be met where the view does not say it", () => {
  expect(offers(given(view({}, { facts: {} }))).some((offer) => offer.isMet)).toBe(false);
});

test("your own seal lies on its card while others still choose, and while the dice are thrown again", () => {
  expect(sealedCards(given(view(), FULL_HOUSE))).toEqual([FULL_HOUSE]);
  expect(sealedCards(given(rethrowing()))).toEqual([TWO_PAIRS]);
  expect(offers(given(rethrowing())).find((offer) => offer.seals > 0)?.card).toBe(TWO_PAIRS);
});

test("a rethrow that is on its way seals no card", () => {
  const mine = rethrowing({ active: 0, choice: [-1, UNKNOWN, UNKNOWN], shown: [FULL_HOUSE, -1, -1, -1, -1], hand: [0b1100, ALL, ALL] });

  expect(sealedCards(given(mine, 0b00011))).toEqual([]);
  expect(offers(given(mine)).at(FULL_HOUSE)?.state).toBe("open");
});

test("in the double game the second tap seals a pair, and each further one moves the older seal", () => {
  const allowed = [3, 7, 33, 37];

  expect(picked([], 3, allowed)).toEqual({ picks: [3], pair: null });
  expect(picked([3], 7, allowed)).toEqual({ picks: [3, 7], pair: 37 });
  expect(picked([3, 7], 0, allowed)).toEqual({ picks: [7, 0], pair: 7 });
  expect(picked([3], 3, allowed)).toEqual({ picks: [3, 3], pair: 33 });
  expect(picked([7], 7, allowed)).toEqual({ picks: [7], pair: null });
});

test("dice lie on two shelves, each in the order of their places", () => {
  expect(slotOf(0b10010, 0)).toEqual({ isFree: false, slot: 0, beside: 3 });
  expect(slotOf(0b10010, 3)).toEqual({ isFree: false, slot: 2, beside: 3 });
  expect(slotOf(0b10010, 4)).toEqual({ isFree: true, slot: 1, beside: 2 });
  expect(diceOf(view().state, 0b10000).map((die) => die.isFree)).toEqual([false, false, false, false, true]);
  expect(diceOf(view({ dice: [0, 0, 0, 0, 0] }).state, 0).every((die) => die.face === null)).toBe(true);
});

test("the dice of the last rethrow are told with it", () => {
  expect(rethrownIn([["rethrown", 2, 2, 0b11000], ["thrown", 2, 55331, 0]])).toBe(0b11000);
  expect(rethrownIn([["thrown", 2, 55332, 0]])).toBeNull();
});

test("what became of each card stands by its owner, also when another takes it", () => {
  const judged = judgedIn(REVEAL);

  expect(judged.get(0)).toEqual([{ card: TWO_PAIRS, kind: "scored", points: 3 }]);
  expect(judged.get(1)).toEqual([{ card: THREE, kind: "captured", points: 0 }]);
  expect(judged.get(2)).toEqual([{ card: FULL_HOUSE, kind: "lost", points: 0 }]);
  expect(takenIn(REVEAL)).toBe(1);
});

test("cards of others are backs until the reveal, but for the active player's", () => {
  expect(placeOf(rethrowing(), 1, []).lies).toBe("back");
  expect(placeOf(rethrowing(), 2, [])).toMatchObject({ lies: "open", cards: [FULL_HOUSE], isActive: true, judged: [] });
  expect(placeOf(rethrowing(), 0, []).lies).toBe("known");
  expect(placeOf(revealed(), 1, REVEAL)).toMatchObject({ lies: "open", cards: [THREE], order: 2, isActive: false });
});

test("seats look the same whoever has chosen", () => {
  const before = [1, 2].map((seat) => placeOf(view(), seat, []));

  expect([1, 2].map((seat) => placeOf(view({}, { turn: 0b010 }), seat, []))).toEqual(before);
});

test("rivals sit round a person, and everybody round a screen for all", () => {
  expect(seatsShown(view(), "play")).toEqual([1, 2]);
  expect(seatsShown(view(), "replay")).toEqual([0, 1, 2]);
  expect(seatsShown(view({}, { seat: -1 }), "tv")).toEqual([0, 1, 2]);
});

test("the strip of ten has a cell a card: scored, gone, or still to come", () => {
  const strip = stripOf(view().state, 0);

  expect(strip).toHaveLength(1);
  expect(strip[0]).toEqual(["scored", "out", "hand", "hand", "out", "out", "out", "hand", "out", "out"]);
  expect(stripOf(rethrowing().state, 2)[0]?.every((cell) => cell === "hand")).toBe(true);
});

test("in the double game there are two of each", () => {
  const state = view({ variant: 1, hand: [ALL, ALL, ALL], second: [ALL ^ 1, ALL, ALL] }).state;

  expect(stripOf(state, 0).map((row) => row[JOKER])).toEqual(["scored", "hand"]);
  expect(progressOf(state, 0)).toEqual({ all: 20, played: 1, met: 1, taken: 0 });
});

test("cards played, met and taken are counted", () => {
  expect(progressOf(view().state, 0)).toEqual({ all: 10, played: 7, met: 1, taken: 0 });
  expect(progressOf(view().state, 1)).toEqual({ all: 10, played: 0, met: 0, taken: 2 });
  expect(ranking(view())).toEqual([1, 2, 0]);
});

test("cards leave for their owner's strip, for the active player, or for nowhere", () => {
  const told: Told<"pokerdice">[] = [["lost", 1, PAIR, 0], ["scored", 2, FULL_HOUSE, 5], ["captured", 1, THREE, 0], ["captured", 1, PAIR, 0]];

  expect(slidesIn(told)).toEqual([
    { owner: 1, at: 0, kind: "lost", to: 1 },
    { owner: 2, at: 0, kind: "scored", to: 2 },
    { owner: 0, at: 0, kind: "captured", to: 1 },
    { owner: 0, at: 1, kind: "captured", to: 1 },
  ]);
  expect([...gainsIn(told)]).toEqual([[2, 5], [1, 2]]);
});
