import { describe, expect, test } from "vitest";
import { card } from "./cards.ts";
import game from "./game.json";
import { type Told, beats, before, closedSuit, headline, openEnd, saying, shownSets, turnedUp } from "./told.ts";
import { type Cells, dealOf } from "./view.ts";

const steps = game as unknown as { told: Told[]; cells: Cells }[];
const step = (event: string) => steps.find(({ told }) => told.some(([name]) => name === event))!;
const DRAWN = ["counters", "plates", "bank", "trumps", "said", "paid", "direction", "played_by", "hand", "hand_size"] as const;
// Cards are dealt and the table is cleared without a word to all, so these change without an event.
const WITH_THE_DEAL = ["hand", "hand_size", "said", "paid", "direction", "played_by", "trumps"];
const drawn = (cells: Cells, isDeal: boolean) =>
  Object.fromEntries(DRAWN.filter((name) => !isDeal || !WITH_THE_DEAL.includes(name)).map((name) => [name, cells[name]]));
const length = (told: Told[], isStill = false) => beats(told, 3, isStill).reduce((sum, { lead, hold }) => sum + lead + hold, 0);

describe("taking back what a step told", () => {
  test.each(steps.slice(1).map(({ told, cells }, at) => [at + 1, told[0]?.[0] ?? "nothing", told, cells] as const))(
    "step %i (%s) goes back to the step before it",
    (at, _, told, cells) => {
      const last = steps[at - 1]!.cells;
      const isDeal = cells.dealing_to !== last.dealing_to;

      expect(drawn(before(cells, told, 0, last.hand), isDeal)).toEqual(drawn(last, isDeal));
    },
  );

  test("changes nothing of the view itself", () => {
    const { told, cells } = step("out");
    const kept = structuredClone(cells);

    before(cells, told, 0);

    expect(cells).toEqual(kept);
    expect(before(cells, told, told.length)).toEqual(cells);
  });

  test("stops in the middle: the cards that have not been played yet are in their hands", () => {
    const { told, cells } = step("started");
    const half = before(cells, told, 4);

    expect(half.played_by.filter((player) => player >= 0)).toHaveLength(3);
    expect(half.hand_size.reduce((sum, size) => sum + size, 0)).toBe(32 - 3);
  });

  test("of a deal's last step is still the same deal", () => {
    const { told, cells } = step("out");

    expect(dealOf(before(cells, told, 0))).toBe(1);
    expect(dealOf(cells)).toBe(1);
  });
});

describe("movements", () => {
  test("sets are shown together, after a beat", () => {
    const found = beats(step("showed").told, 3, false);

    expect(found.map(({ to }) => to)).toEqual([1, 3, 4, 5]);
    expect(found[1]).toMatchObject({ lead: 480, stage: 1 });
  });

  test("cards are played one by one, and words without a movement wait for nothing", () => {
    const { told } = step("started");
    const found = beats(told, 3, false);

    expect(found.map(({ to }) => to)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(found.every(({ hold }) => hold === 220)).toBe(true);
  });

  test("a bid slides into the bank, and no more than eight counters are drawn", () => {
    expect(beats([["raised", 2, 30, 0]], 3, false)).toMatchObject([
      { lead: 240, flights: [{ from: { seat: 2 }, to: "bank", count: 8 }] },
    ]);
  });

  test("the winner gets the bank and then the plate", () => {
    const last = beats(step("took_bank").told, 3, false).at(-1)!;

    expect(last.flights.map(({ from, to }) => [from, to])).toEqual([
      ["bank", { seat: 1 }],
      [{ plate: 7 }, { seat: 1 }],
    ]);
    expect(last.flights[1]!.delay).toBeGreaterThanOrEqual(last.flights[0]!.ms);
  });

  test("all that is collected moves in one go, plate after plate", () => {
    const found = beats(step("collected").told, 3, false).filter(({ flights }) => flights.some(({ from }) => typeof from === "object" && "plate" in from));

    expect(found).toHaveLength(1);
    expect(found[0]!.flights.map(({ delay }) => delay)).toEqual(found[0]!.flights.map((_, order) => 90 * order));
  });

  test("antes of any number of seats are few enough to draw", () => {
    for (let seats = 2; seats <= 8; seats++) {
      const flights = beats([["antes", -1, 8, 0]], seats, false)[0]!.flights;
      expect(flights.length).toBeLessThanOrEqual(32);
      expect(new Set(flights.map(({ from }) => JSON.stringify(from))).size).toBe(seats);
    }
  });

  test("with less motion nothing flies, a run of cards is one fade, and the order stays", () => {
    const { told } = step("out");
    const found = beats(told, 3, true);

    expect(found.every(({ lead, flights }) => lead === 0 && flights.length === 0)).toBe(true);
    expect(found.map(({ to }) => to)).toEqual([9, 16, 17, 19]);
  });

  test("a story is told within the time that the server gives it", () => {
    const looks: Partial<Record<Told[0], number>> = {
      trumps: 500, antes: 350, collected: 150, nobody_bid: 2000, unseen: 2000, showed: 800, took_bank: 2000, played: 250, out: 1500, paid: 300,
    };
    for (const { told } of steps) {
      const given = told.reduce((sum, [event]) => sum + (looks[event] ?? 0), 0);
      if (given > 0) expect(length(told)).toBeLessThanOrEqual(Math.min(8000, given));
    }
  });
});

test("cards that are left over lie there until they are paid for", () => {
  const { told, cells } = step("out");
  const played = told.flatMap(([event, , rank, suit]) => (event === "played" ? [card(rank, suit)] : []));
  const left = [0, 1, 2, 3, 4, 5, 6, 7].find((one) => !played.includes(one))!;
  const held = cells.hand.map((_, seat) => (seat === 1 ? 1 << left : 0));
  const paid = told.findIndex(([event]) => event === "paid");

  expect(before(cells, told, paid, held).hand).toEqual(held);
  expect(before(cells, told, told.length, held).hand).toEqual(cells.hand);
});

test("the sentence of a step is the one that says what it was about", () => {
  expect(step("took_bank").told[headline(step("took_bank").told)]![0]).toBe("took_bank");
  expect(step("out").told[headline(step("out").told)]![0]).toBe("out");
  expect(step("trumps").told[headline(step("trumps").told)]![0]).toBe("trumps");
  expect(headline([])).toBe(-1);
});

test("while cards are played the sentence stays with the suit that was named", () => {
  const { told } = step("named");

  expect(saying(told, 0)).toBe(0);
  expect(saying(told, 6)).toBe(0);
});

test("compared sets are turned up, all cards of them and nothing else", () => {
  const { told, cells } = step("showed");

  expect([...turnedUp(cells, told, 0).keys()]).toEqual([]);
  expect(shownSets(told, told.length)).toEqual(new Map([[1, 0], [2, 6]]));
  expect(turnedUp(cells, told, told.length).get(1)).toEqual([0, 1, 2, 3].map((suit) => card(0, suit)));
});

test("cards that collect are turned up with their plate", () => {
  const { told, cells } = step("collected");

  expect(turnedUp(cells, told, told.length).get(1)).toEqual([0, 1, 2].map((rank) => card(rank, cells.trumps)));
  expect(turnedUp(cells, told, 2).get(2)).toContain(card(7, cells.trumps));
  expect(turnedUp(cells, told, 1).size).toBe(0);
});

test("the open end is the card that was played last", () => {
  const { told } = step("started");

  expect(openEnd(told, 1)).toBe(-1);
  expect(openEnd(told, 3)).toBe(card(1, 1));
  expect(closedSuit(told)).toBe(1);
});
