/** One device for several people: who gets it next. */
import { expect, test } from "vitest";
import type { SeatShown, ViewShown } from "../src/protocol.ts";
import { dueHere, hasSameStep, nameSize, nextHere, pleats } from "../src/screens/passing.ts";
import type { Seal, Seen } from "../src/table.svelte.ts";

const place = (standby = false): SeatShown => ({ name: "Ada", bot: null, free: false, ready: true, standby, votes: false, newcomer: false, claim: null });
const KEPT: Seal = { choice: 1, id: "a", state: "kept" };

function seen(viewer: number, turn: number, seal: Seal | null = null): Seen {
  const view = { seat: viewer, turn, choices: turn > 0 ? [0, 1] : [] } as unknown as ViewShown;
  return { viewer, n: 1, view, deadline: null, callAt: null, told: [], since: [], setting: [], timeouts: [], seal, steps: 0, lesson: null };
}
const here = (...all: Seen[]) => new Map(all.map((one) => [one.viewer, one]));

test("the first who has not sealed gets the device, and nobody once all have", () => {
  const places = [place(), place(), place()];
  const all = here(seen(2, 0b111), seen(0, 0b111, KEPT));

  expect(dueHere(all, places)).toEqual([0, 2]);
  expect(nextHere(all, [0, 2])).toBe(2);
  expect(nextHere(here(seen(0, 1, KEPT)), [0])).toBeNull();
});

test("who is not on turn, or away, doesn't get it", () => {
  expect(dueHere(here(seen(0, 0b10), seen(1, 0b10)), [place(), place()])).toEqual([1]);
  expect(dueHere(here(seen(0, 1), seen(1, 0b11)), [place(true), place()])).toEqual([1]);
  expect(dueHere(here(seen(0, -1)), [place()])).toEqual([]);
});

test("viewers have been told of the same steps, whatever is sealed", () => {
  const at = (step: number): Seen => ({ ...seen(0, 1), view: { state: { step } } as unknown as ViewShown });

  expect(hasSameStep(at(3), at(3))).toBe(true);
  expect(hasSameStep(at(3), at(2))).toBe(false);
  expect(hasSameStep(at(3), null)).toBe(false);
});

test("a long name is written smaller, in one line of the disc", () => {
  expect(nameSize("Ben")).toBe(0.23);
  expect(nameSize("Maximilian Otto")).toBe(0.09);
});

test("half of the pleats are dark", () => {
  expect(pleats(12).match(/Z/g)).toHaveLength(12);
});
