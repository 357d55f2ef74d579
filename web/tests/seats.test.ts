import { expect, test } from "vitest";
import type { SeatShown } from "../src/protocol.ts";
import { isAloneWithBots } from "../src/seats.ts";

const seat = (bot: string | null) => ({ bot }) as SeatShown;

test("one is alone with bots on one seat, and with nobody else", () => {
  expect(isAloneWithBots([seat(null), seat("casual"), seat("casual")], [0])).toBe(true);
  expect(isAloneWithBots([seat(null), seat(null), seat("casual")], [0])).toBe(false);
  expect(isAloneWithBots([seat(null), seat(null), seat("casual")], [0, 1])).toBe(false); // a phone that goes round
  expect(isAloneWithBots([seat("casual"), seat("casual")], [])).toBe(false);
});
