import { expect, test } from "vitest";
import type { GameStates, Told, ViewShown } from "../../protocol.ts";
import { CHOOSING, DEALING, FACE_DOWN, FINAL_CHOOSING, FIVE, FLIPPING, ONE, OVER, PILING, POKO, TWO, WAIT } from "./constants.ts";
import {
  before, cellsOf, creatureOf, gainsOf, isFinal, lastShown, leftOver, minusOf, movementIn, offers, pileTaker, poppers, ranking, roundOf, seatsShown, stageOf, takerIn, waiters,
} from "./view.ts";

const UNKNOWN = -99;
type Heard = Told<"pokopop">[];
const CLASH: Heard = [["clashed", 0b1001, 0, 2], ["minus", 0, 0, 0], ["minus", 3, 0, 0]];

/** Four at a table, seen by seat 0: seat 2 has taken a 2, the 5 on the second Poko is played for. */
function view(changed: Partial<GameStates["pokopop"]> = {}, more: Partial<ViewShown<"pokopop">> = {}): ViewShown<"pokopop"> {
  return {
    seat: 0,
    turn: 0b1011,
    choices: [0, 1],
    choice_texts: [["wait", {}], ["poko", {}]],
    question: ["choose", { poko: 2, card: FIVE }],
    points: [5, 7, 2, 4],
    places: [],
    facts: { pokos: 4 },
    state: {
      n_seats: 4, phase: CHOOSING, round: 2, ending: 0, winners: 0, step: 9, memory: 0, max_waits: 12, effects: 0, deck: 18,
      unseen: [], n_dealt: 3, row: [-1, FIVE, ONE, FACE_DOWN, -1], taken: [TWO, -1, -1, -1, -1], takers: [2, -1, -1, -1, -1], poko: 1, inside: 0b1011, waits: 0,
      choice: [-1, UNKNOWN, -1, UNKNOWN], shown: [WAIT, WAIT, POKO, WAIT, -1], face_up: [], face_down: [0, 0, 0, 0, 0], pile: [], pile_size: 3, pile_top: ONE,
      aside: 0, taker: -1, drawn: [],
      ...changed,
    },
    ...more,
  };
}
const clashed = (changed: Partial<GameStates["pokopop"]> = {}) => view({ phase: FLIPPING, shown: [POKO, WAIT, -1, POKO, -1], ...changed }, { turn: -1, choices: [] });

test("the stage is read off the phase and the last reveal", () => {
  expect(stageOf(view().state)).toBe("choose");
  expect(stageOf(view({ phase: DEALING, n_dealt: 0, round: 1 }).state)).toBe("deal");
  expect(stageOf(clashed().state)).toBe("clash");
  expect(stageOf(clashed({ phase: DEALING, n_dealt: 0, round: 3 }).state)).toBe("clash");
  expect(stageOf(view({ phase: FLIPPING }).state)).toBe("turning");
  expect(stageOf(view({ phase: DEALING, n_dealt: 0, round: 3 }).state)).toBe("between");
  expect(stageOf(clashed({ phase: FINAL_CHOOSING }).state)).toBe("final");
  expect(stageOf(view({ phase: PILING }).state)).toBe("ended");
  expect(stageOf(clashed({ phase: OVER }).state)).toBe("clash");
});

test("a round that is over is still the round you look at", () => {
  expect(roundOf(view().state)).toBe(2);
  expect(roundOf(clashed({ phase: DEALING, n_dealt: 0, round: 3 }).state)).toBe(2);
  expect(roundOf(view({ phase: DEALING, n_dealt: 0, round: 1 }).state)).toBe(1);
});

test("it is about the last pile from the last choice on", () => {
  expect([CHOOSING, FLIPPING, FINAL_CHOOSING, PILING, OVER].map((phase) => isFinal(view({ phase }).state))).toEqual([false, false, true, true, true]);
});

test("a Poko shows its card, or who has it", () => {
  expect(cellsOf(view())).toEqual([
    { place: 0, kind: null, taken: TWO, taker: 2, isNow: false },
    { place: 1, kind: FIVE, taken: null, taker: null, isNow: true },
    { place: 2, kind: ONE, taken: null, taker: null, isNow: false },
    { place: 3, kind: FACE_DOWN, taken: null, taker: null, isNow: false },
  ]);
});

test("a creature that took a card sleeps, and the others stay calm, whatever they have sealed", () => {
  const moods = [0, 1, 2, 3].map((seat) => creatureOf(view(), seat).mood);
  const sealed = view({ choice: [POKO, UNKNOWN, -1, UNKNOWN] });

  expect(moods).toEqual(["calm", "calm", "wait", "calm"]);
  expect(creatureOf(view(), 2)).toMatchObject({ isOut: true, took: TWO, points: 2 });
  expect(creatureOf(view(), 1)).toMatchObject({ isOut: false, took: null, chosen: null });
  expect([0, 1, 2, 3].map((seat) => creatureOf(sealed, seat).mood)).toEqual(moods);
});

test("before the first deal nobody is out", () => {
  const start = view({ phase: DEALING, n_dealt: 0, round: 1, inside: 0, takers: [-1, -1, -1, -1, -1], shown: [-1, -1, -1, -1, -1] });

  expect([0, 1, 2, 3].map((seat) => creatureOf(start, seat).isOut)).toEqual([false, false, false, false]);
});

test("those who clash say ouch, and the one who waited peeks", () => {
  expect(poppers(clashed().state)).toEqual([0, 3]);
  expect(waiters(clashed().state)).toEqual([1]);
  expect([0, 1, 2, 3].map((seat) => creatureOf(clashed(), seat).mood)).toEqual(["ouch", "peek", "wait", "ouch"]);
});

test("the last one in is glad of the last card", () => {
  const last = view({ phase: DEALING, n_dealt: 0, round: 3, inside: 0, takers: [2, 0, 3, 1, -1], taken: [TWO, FIVE, ONE, FIVE, -1], shown: [-1, WAIT, -1, POKO, -1] });

  expect([0, 1, 2, 3].map((seat) => creatureOf(last, seat).mood)).toEqual(["wait", "pop", "wait", "wait"]);
});

test("a −1 lands on each who clashed, but not on those who were spared", () => {
  expect([...minusOf(clashed().state, CLASH)]).toEqual([[0, 1], [3, 1]]);
  expect([...minusOf(clashed().state, [["clashed", 0b1001, 0, 2], ["minus", 0, 0, 0], ["spared", 3, 0, 0]])]).toEqual([[0, 1]]);
  expect([...minusOf(clashed({ phase: OVER }).state, [["shared_pile", 0b1001, 4, 0]])]).toEqual([[0, 4], [3, 4]]);
});

test("what is left over lies in the row, and is remembered until the last card is turned up", () => {
  const gone = clashed({ phase: DEALING, n_dealt: 0, row: [-1, -1, -1, -1, -1] }).state;
  const turned: Heard = [["flipped", -1, TWO, 0], ["left_over", -1, 3, 6]];

  expect(leftOver(clashed().state, CLASH, [])).toEqual([FIVE, ONE, FACE_DOWN]);
  expect(leftOver(gone, turned, [FIVE, ONE, FACE_DOWN])).toEqual([FIVE, ONE, TWO]);
  expect(leftOver(gone, turned, [])).toEqual([TWO]);
  expect(leftOver(gone, [], [FIVE, ONE, FACE_DOWN])).toEqual([]);
});

test("while all duck the table stands as before, but for what is shown", () => {
  const old = view();
  const seen = before(clashed({}), { ...old, points: [9, 9, 9, 9] });

  expect(stageOf(seen.state)).toBe("choose");
  expect(seen.points).toEqual([9, 9, 9, 9]);
  expect(seen.state.shown).toEqual([POKO, WAIT, -1, POKO, -1]);
});

test("what is told says what moves", () => {
  const state = view().state;

  expect(movementIn([["took", 2, TWO, 1]], state)).toBe("reveal");
  expect(movementIn([["all_waited", -1, 1, 0]], state)).toBe("reveal");
  expect(movementIn(CLASH, state)).toBe("clash");
  expect(movementIn([["flipped", -1, FIVE, 0], ["took", 2, FIVE, 4]], state)).toBe("flip");
  expect(movementIn([["dealt", -1, 2, 0]], state)).toBe("deal");
  expect(movementIn([], state)).toBe("");
  expect(movementIn([], view({ phase: PILING }).state)).toBe("reveal");
  expect(takerIn([["took", 2, TWO, 1]])).toEqual({ seat: 2, kind: TWO, place: 0 });
  expect(takerIn(CLASH)).toBeNull();
});

test("Poko! comes before Wait!, and one of them wears the seal", () => {
  const choices = [{ value: WAIT, label: "Wait!", key: "wait", values: {} }, { value: POKO, label: "Poko!", key: "poko", values: {} }];

  expect(offers({ choices, seal: { choice: WAIT, id: "1", state: "kept" } })).toEqual([
    { value: POKO, label: "Poko!", isSealed: false },
    { value: WAIT, label: "Wait!", isSealed: true },
  ]);
  expect(offers({ choices: [], seal: null })).toEqual([]);
});

test("rivals sit around from the left neighbour on; for all eyes everybody", () => {
  expect(seatsShown(view(), "play")).toEqual([1, 2, 3]);
  expect(seatsShown(view(), "replay")).toEqual([0, 1, 2, 3]);
});

test("the ranking and the last reveal are those of the view", () => {
  expect(ranking(view()).map(({ seat }) => seat)).toEqual([1, 0, 3, 2]);
  expect(lastShown(clashed().state)).toEqual([{ seat: 0, shown: POKO }, { seat: 1, shown: WAIT }, { seat: 3, shown: POKO }]);
});

test("who takes the last pile at once jumps for it first; after the deck was turned up only the pile moves", () => {
  const told: Told<"pokopop">[] = [["took_pile", 1, 6, 0]];
  const over = view({ phase: OVER }).state;

  expect(movementIn(told, over, view({ phase: FINAL_CHOOSING }).state)).toBe("reveal");
  expect(movementIn(told, over, view({ phase: PILING }).state)).toBe("pile");
  expect(pileTaker(told)).toBe(1);
  expect(pileTaker([])).toBeNull();
});

test("points that have come or gone are counted between two views", () => {
  const before = view();
  const after = { ...before, points: before.points.map((points, seat) => (seat === 1 ? points + 5 : points - 1)) };

  expect(gainsOf(before, after)).toEqual(before.points.map((_, seat) => (seat === 1 ? 5 : -1)));
});
