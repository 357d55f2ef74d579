import { beforeEach, expect, test } from "vitest";
import { dayBefore, dayOf, found, keepDay, keptDays, streak } from "./day.ts";

const RIGHT = { choice: 1, isRight: true };
const WRONG = { choice: 2, isRight: false };

beforeEach(() => {
  const kept = new Map<string, string>();
  Object.assign(globalThis, { localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) } });
});

test("a day is written as people here have it", () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
  expect(dayBefore("2026-03-01")).toBe("2026-02-28");
  expect(dayBefore("2024-03-01")).toBe("2024-02-29");
});

test("a streak goes on until a day is left out, and today is not over yet", () => {
  const days = { "2026-11-14": RIGHT, "2026-11-16": WRONG, "2026-11-17": RIGHT };

  expect(streak(days, "2026-11-17")).toBe(2);
  expect(streak(days, "2026-11-18")).toBe(2);
  expect(streak(days, "2026-11-19")).toBe(0);
});

test("the first choice of a day stands", () => {
  keepDay("2026-11-18", WRONG);
  keepDay("2026-11-18", RIGHT);

  expect(keptDays()).toEqual({ "2026-11-18": WRONG });
  expect(found({ ...keptDays(), "2026-11-19": RIGHT })).toEqual({ found: 1, played: 2 });
});
