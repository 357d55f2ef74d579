/** The big screen: what it shows, and when it goes on to the next game. */
import { expect, test } from "vitest";
import { shownOf, stays } from "../src/screens/tv.ts";

test("a pause is a screen of its own", () => {
  expect(shownOf({ status: "open", paused: false })).toBe("lobby");
  expect(shownOf({ status: "on", paused: false })).toBe("game");
  expect(shownOf({ status: "on", paused: true })).toBe("paused");
  expect(shownOf({ status: "over", paused: true })).toBe("over");
});

test("the end has its time before the lobby of the next game, counted from the end and not from the rematch", () => {
  expect(stays(1_000, 1_000, "open")).toBe(12_000);
  expect(stays(9_000, 1_000, null)).toBe(4_000);
  expect(stays(60_000, 1_000, "open")).toBe(0);
});

test("a next game that has begun is shown at once, and so is one of a table that ended before anybody looked", () => {
  expect(stays(1_000, 1_000, "on")).toBe(0);
  expect(stays(1_000, null, "open")).toBe(0);
});
