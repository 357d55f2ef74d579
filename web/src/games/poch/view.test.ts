import { expect, test } from "vitest";
import type { Choice } from "../contract.ts";
import { card } from "./cards.ts";
import game from "./game.json";
import {
  type Cells,
  actingIn,
  bestSet,
  collected,
  dealOf,
  fanOf,
  leftOver,
  offered,
  saidBy,
  setIn,
  sides,
  speakers,
  stageOf,
  track,
  type View,
} from "./view.ts";

const steps = game as unknown as { told: [string, number, number, number][]; cells: Cells }[];
const after = (event: string, from = 0) => steps.slice(from).find(({ told }) => told.some(([name]) => name === event))!.cells;
const bidding = after("raised");
const endOfTheDeal = after("out");

test("the stages are collecting while cards are dealt, bidding, and playing out to the end of the deal", () => {
  expect(stageOf(after("dealt"))).toBe(0);
  expect(stageOf(after("trumps"))).toBe(1);
  expect(stageOf(after("took_bank"))).toBe(2);
  expect(stageOf(after("named"))).toBe(2);
  expect(stageOf(endOfTheDeal)).toBe(2);
});

test("the deal that lies there is counted, not the next one", () => {
  expect(endOfTheDeal.round).toBe(2);
  expect(dealOf(endOfTheDeal)).toBe(1);
  expect(dealOf(after("dealt", steps.findIndex(({ cells }) => cells === endOfTheDeal)))).toBe(2);
});

test("one passes, opens, raises or holds", () => {
  const cells = { ...bidding, dealer: 3, n_seats: 4, said: [0, 3, 5, 1], paid: [0, 2, 4, 4] };

  expect(speakers(cells)).toEqual([0, 1, 2, 3]);
  expect([0, 1, 2, 3].map((seat) => saidBy(cells, seat, 1))).toEqual([
    { what: "pass", number: 0 },
    { what: "open", number: 2 },
    { what: "raise", number: 4 },
    { what: "hold", number: 4 },
  ]);
  expect(saidBy({ ...cells, said: [-1, -1, -1, -1] }, 1, undefined)).toBeNull();
});

test("nobody acts while cards are dealt", () => {
  expect(actingIn(after("dealt"))).toBe(-1);
  expect(actingIn(bidding)).toBe(2);
});

test("others' hands are not there", () => {
  expect(fanOf(bidding.hand[0], 0)).toHaveLength(10);
  expect(fanOf(bidding.hand[1], 0)).toBeNull();
  expect(fanOf(bidding.hand[-1], 0)).toBeNull();
});

test("the best set is what the view says, and a single card is not lifted", () => {
  const hand = [card(6, 1), card(6, 3), card(7, 0)];
  const view = (facts: Record<string, number>) => ({ facts }) as unknown as View;

  expect(bestSet(view({}))).toBeNull();
  expect(setIn(hand, bestSet(view({ set_rank: 6, set_size: 2 })))).toEqual([card(6, 1), card(6, 3)]);
  expect(setIn(hand, bestSet(view({ set_rank: 7, set_size: 1 })))).toEqual([]);
});

test("the track shows who has played each card, and what is in your own hand", () => {
  const cells = after("named");
  const spades = track(cells, 0)[0]!;

  expect(spades.suit).toBe(3);
  expect(spades.cells.map(({ player }) => player)).toEqual([1, 0, 2, 1, 1, 0, 0, 2]);
  expect(spades.cells.some(({ isOwn }) => isOwn)).toBe(false);
  expect(track(cells, 0).flatMap((row) => row.cells).filter(({ isOwn }) => isOwn)).toHaveLength(cells.hand_size[0]!);
  expect(track(cells, -1).flatMap((row) => row.cells).some(({ isOwn }) => isOwn)).toBe(false);
});

test("collected plates stand with their owners, the others are left over, and the pocher is neither", () => {
  const cells = after("collected");

  expect(collected(cells)).toEqual([
    { seat: 2, plates: [0, 1, 3] },
    { seat: 0, plates: [2, 4] },
    { seat: 1, plates: [5] },
  ]);
  expect(leftOver(cells)).toEqual([{ plate: 6, number: 3 }]);
});

test("who collected what is still known when cards have been shown and played", () => {
  expect(collected(endOfTheDeal)).toEqual(collected(after("collected")));
});

test("the pad offers what the view lists, and nothing else", () => {
  const choice = (value: number, key: string): Choice => ({ value, key, label: key, values: {} });

  expect(offered([choice(0, "pass"), choice(1, "hold"), choice(6, "bid"), choice(7, "bid")])).toMatchObject({
    pass: { value: 0 },
    hold: { value: 1 },
    bids: [{ value: 6 }, { value: 7 }],
  });
  expect(offered([choice(0, "pass"), choice(2, "open")])).toMatchObject({ hold: null, bids: [{ value: 2 }] });
  expect(offered([choice(0, "pass")]).bids).toEqual([]);
});

test("seats go clockwise around the board from your left neighbour", () => {
  expect(sides([1, 2, 3])).toEqual([[2, 1], [3]]);
  expect(sides([1])).toEqual([[1], []]);
  expect(sides([0, 1, 2, 3])).toEqual([
    [1, 0],
    [2, 3],
  ]);
});
