import { beforeAll, expect, test } from "vitest";
import type { SeatShown, TableShown } from "../src/protocol.ts";
import { callShown, chosenShown, votesShown } from "../src/screens/beside.ts";
import { speak } from "../src/texts.svelte.ts";

const BOT: Partial<SeatShown> = { bot: "casual" };

function table(seats: Partial<SeatShown>[], callers: number[] = []): TableShown {
  const empty = { bot: null, free: false, ready: true, standby: false, votes: false, newcomer: false, claim: null };
  const places = seats.map((seat, at) => ({ ...empty, name: NAMES[at] ?? "", ...seat }));
  return { game: "pok", clock: "none", called: callers[0] ?? null, callers, seats: places } as unknown as TableShown;
}

const NAMES = ["Ada", "Ben", "Cleo", "Dora"];
const looker = (own: number[], more = {}) => ({ own, reader: { names: NAMES, you: own.length === 1 ? (own[0] ?? -1) : -1 }, isSeated: own.length > 0, isHost: false, hasToChoose: false, ...more });

beforeAll(() => speak("en"));

test("everybody sees who wants to end the game, and how many do", () => {
  const voted = table([{ votes: true }, {}, {}, BOT]);

  expect(votesShown(table([{}, {}, BOT]), looker([0]))).toBeNull();
  expect(votesShown(voted, looker([1]))).toMatchObject({ words: "Ada wants to end the game. 1 of 3 so far.", part: "may" });
  expect(votesShown(voted, looker([0]))).toMatchObject({ words: "You want to end the game. 1 of 3 so far.", part: "own" });
  expect(votesShown(voted, looker([]))).toMatchObject({ part: "sees" });
  const both = table([{ votes: true }, { votes: true }, {}, { standby: true, votes: true }]);
  expect(votesShown(both, looker([1]))).toMatchObject({ words: "You and Ada want to end the game. 2 of 3 so far.", part: "own" });
  expect(votesShown(both, looker([2]))).toMatchObject({ words: "Ada and Ben want to end the game. 2 of 3 so far." });
});

test("everybody sees who has called time and how many want it; who still has to choose is not asked to join", () => {
  const called = table([{}, {}, {}], [1]);

  expect(callShown(table([{}, {}]), looker([0]))).toBeNull();
  expect(callShown(called, looker([1]))).toMatchObject({ part: "own" });
  expect(callShown(called, looker([0]))).toMatchObject({ words: "Ben has called time: 20 seconds, then the house chooses.", part: "may" });
  expect(callShown(called, looker([0], { hasToChoose: true }))).toMatchObject({ part: "sees" });
  expect(callShown(table([{}, {}, {}], [1, 0]), looker([2]))?.words).toContain("2 of 3 want it.");
});

test("a table that shows who has chosen says so", () => {
  expect(chosenShown([], looker([0]))).toBeNull();
  expect(chosenShown([1, 2], looker([0]))).toMatchObject({ words: "Ben and Cleo have chosen.", part: "sees" });
  expect(chosenShown([0, 2], looker([0]))).toMatchObject({ words: "You and Cleo have chosen." });
});
