import { expect, test } from "vitest";
import { chancesOf, changesOf, margin, notable, optionsShown, points, progressOf, sumsOf } from "../src/look.ts";

const option = (words: string, often: number) => ({ words, said: ["pick", {}] as [string, object], often, worth: 0.3, error: 0 });
const readability = { word: "hidden" as const, bits: 0, mixed: 0, guessed: 0, expected: 0 };
const seat = { luck: 0.124, luck_error: 0, choices: -0.031, choices_error: 0.004, meeting: 0.1, readability, best: [1], worst: [0, 9] };
const choice = { step: 1, action: 2, seat: 0, chosen: 2, options: [option("a", 0.2), option("b", 0.78), option("c", 0.02)], cost: 0.05, error: 0, merit: 0 };
const steps = [{ action: 1, chances: [0.5, 0.25, 0.25], errors: [0, 0, 0], luck: [0.1667, -0.0833, -0.0833], choices: [0, 0, 0], meeting: [0, 0, 0] }];

test("parts of a win are shown in whole points, and doubt is never rounded away", () => {
  expect(points(0.124)).toBe(12);
  expect(Object.is(points(-0.001), 0)).toBe(true);
  expect([margin(0), margin(0.0004), margin(0.024)]).toEqual([0, 1, 2]);
  expect(sumsOf({ seats: [seat] as never }, 0)).toEqual({ luck: 12, choices: -3 });
  expect(sumsOf({ seats: [seat] as never }, 1)).toBeNull();
});

test("a curve begins with an equal part for everybody", () => {
  expect(chancesOf({ players: ["a", "b", "c"], steps })).toEqual({ rounds: [0, 1], values: [[33, 50], [33, 25], [33, 25]] });
  expect(changesOf({ steps }, 1)).toEqual([{ action: 1, luck: -0.0833, choices: 0, meeting: 0 }]);
});

test("what a master mixes comes first, and what was chosen is always shown", () => {
  expect(optionsShown(choice as never).map(({ words, isChosen }) => [words, isChosen])).toEqual([["b", false], ["a", false], ["c", true]]);
});

test("choices worth a second look are found by their numbers", () => {
  const analysis = { seats: [seat], choices: [choice, { ...choice, action: 4 }] } as never;
  expect(notable(analysis, 0, "worst").map(({ action }) => action)).toEqual([2]);
  expect(notable(analysis, 0, "best").map(({ action }) => action)).toEqual([4]);
});

test("how far it is goes from nothing to all", () => {
  expect(progressOf({ status: "waiting", done: 0, total: 0 })).toBe(0);
  expect(progressOf({ status: "working", done: 3, total: 4 })).toBe(0.75);
  expect(progressOf({ status: "done", done: 0, total: 0 })).toBe(1);
});
