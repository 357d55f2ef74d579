import { expect, test } from "vitest";
import { change, hasStory } from "../src/evening.ts";
import type { EveningShown, SeatShown, TableShown } from "../src/protocol.ts";

const PERSON: Partial<SeatShown> = { bot: null, free: false, standby: false };
const BOT: Partial<SeatShown> = { ...PERSON, bot: "casual" };

function table(seats: Partial<SeatShown>[], evening: Partial<EveningShown> | null, status = "over"): TableShown {
  return { status, seats, evening: evening && { games: 1, rows: [], resting: [], ...evening } } as unknown as TableShown;
}

test("one game is no evening yet, and before the second one it is", () => {
  expect(hasStory(table([], null))).toBe(false);
  expect(hasStory(table([], { games: 1 }))).toBe(false);
  expect(hasStory(table([], { games: 1 }, "open"))).toBe(true);
  expect(hasStory(table([], { games: 2 }))).toBe(true);
  expect(hasStory(table([], { games: 0, resting: ["Ben"] }, "open"))).toBe(true);
});

test("a game says which bots it needs beyond those that are here, and how many sit out", () => {
  const two = table([PERSON, PERSON], null);
  expect(change(two, [0], "pok")).toEqual({ bots: 1, out: 0 });
  expect(change(two, [0], "poch")).toEqual({ bots: 0, out: 0 });
  expect(change(table([PERSON, PERSON, BOT], null), [0], "pok")).toEqual({ bots: 0, out: 0 });
  expect(change(table(Array(5).fill(PERSON), { resting: ["Fay", "Gus"] }), [0], "pokerdice")).toEqual({ bots: 0, out: 2 });
});

test("whoever has left does not count, but for oneself", () => {
  const away = { ...PERSON, standby: true };
  expect(change(table([PERSON, away], null), [0], "pok").bots).toBe(2);
  expect(change(table([away, PERSON], null), [0], "pok").bots).toBe(1);
});
