import { expect, test } from "vitest";
import { clockLength } from "../src/clocks.ts";
import { askingAt, isAgreed, newsOf, openSeats } from "../src/newcomers.ts";
import type { SeatShown, TableShown } from "../src/protocol.ts";

const BOT: Partial<SeatShown> = { bot: "casual" };

function table(seats: Partial<SeatShown>[], more: Partial<TableShown> = {}): TableShown {
  const empty = { bot: null, free: false, ready: true, standby: false, votes: false, newcomer: false, claim: null };
  const places = seats.map((seat, at) => ({ ...empty, name: "ABCDEFGH"[at] ?? "", ...seat }));
  return { game: "poch", clock: "none", lesson: false, called: null, callers: [], paused: false, paused_by: null, seats: places, ...more } as unknown as TableShown;
}

const asks = (agreed: number, wanted: number): Partial<SeatShown> => ({ ...BOT, claim: { name: "Zoe", agreed, wanted, by: [] } });

test("who asks is in from the next round once all have agreed who have to", () => {
  const [one] = askingAt(table([{}, BOT, asks(1, 2)]));

  expect(one).toEqual({ seat: 2, name: "Zoe", bot: "C", agreed: 1, wanted: 2, by: [] });
  expect(one && isAgreed(one)).toBe(false);
  expect(askingAt(table([{}, asks(0, 0)])).map(isAgreed)).toEqual([true]);
});

test("a bot's seat can be asked for as long as nobody has, and not in a guided game", () => {
  expect(openSeats(table([{}, BOT, asks(0, 1)]))).toEqual([{ seat: 1, name: "B" }]);
  expect(openSeats(table([{}, BOT], { lesson: true }))).toEqual([]);
});

test("each change at the table is told once", () => {
  const told = (before: TableShown, after: TableShown) => newsOf(before, after).map(({ key, seat }) => [key, seat]);
  const quiet = table([{}, {}, BOT]);
  const asked = table([{}, {}, asks(0, 2)]);
  const agreed = table([{}, {}, asks(2, 2)]);
  const come = table([{}, {}, { name: "Zoe", newcomer: true }]);

  expect(told(quiet, asked)).toEqual([["web.claim.asks", 2]]);
  expect(told(asked, table([{}, {}, asks(1, 2)]))).toEqual([]);
  expect(told(asked, agreed)).toEqual([["web.claim.they.poch", 2]]);
  expect(told(quiet, agreed)).toEqual([["web.claim.they.poch", 2]]);
  expect(told(agreed, come)).toEqual([["web.claim.came", 2]]);
  expect(told(come, come)).toEqual([]);
  expect(told(quiet, { ...quiet, called: 1 })).toEqual([["web.time.called", 1]]);
  expect(told({ ...quiet, called: 1 }, quiet)).toEqual([["web.time.taken_back", 1]]);
  expect(newsOf({ ...quiet, called: 1 }, quiet, true)).toEqual([]); // with the step it is over
  const voted = table([{}, { votes: true }, BOT]);
  expect(told(quiet, voted)).toEqual([["web.vote.wants", 1]]);
  expect(told(voted, quiet)).toEqual([["web.vote.taken_back", 1]]);
  expect(told(quiet, { ...quiet, paused: true, paused_by: 0 })).toEqual([["web.table.paused_by", 0]]);
});

test("the ring is as long as the table's clock, or as the notice of a call of time", () => {
  expect(clockLength(table([]))).toBe(0);
  expect(clockLength(table([], { clock: "45s" }))).toBe(45);
  expect(clockLength(table([], { called: 1 }))).toBe(20);
});
