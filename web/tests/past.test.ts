/** What the end and the replay draw: rounds and stages, points by round, where lines and badges lie. */
import { expect, test } from "vitest";
import { columnsShown, endings, pointsByRound, ticksOf } from "../src/chart.ts";
import type { LookBack } from "../src/games/contract.ts";
import poch from "../src/games/poch/replay.ts";
import pok from "../src/games/pok/replay.ts";
import pokerdice from "../src/games/pokerdice/replay.ts";
import pokopop from "../src/games/pokopop/replay.ts";
import type { ReplayStep, TableShown, ViewShown } from "../src/protocol.ts";
import { endOf, leftSeat, titleOf } from "../src/screens/end.ts";
import { notedIn, seatOf, shownOf, timeToRead } from "../src/screens/replay.ts";
import { speak } from "../src/texts.svelte.ts";
import { done, labelled, roundAfter, roundAt, roundBefore, roundsOf, stageAt } from "../src/timeline.ts";
import fair from "./fair.json" with { type: "json" };

const stages: Record<string, LookBack["stages"]> = { pok: pok.stages, poch: poch.stages, pokerdice: pokerdice.stages, pokopop: pokopop.stages };
const games = (fair as unknown as { game: string; steps: ReplayStep[] }[]).map((one) => ({ ...one, rounds: roundsOf(one.steps, stages[one.game]) }));

/** Steps of a game by round, phase and points. */
function steps(...cells: [round: number, phase: number, ...points: number[]][]): ReplayStep[] {
  return cells.map(([round, phase, ...points]) => ({ view: { points, state: { round, phase } } }) as unknown as ReplayStep);
}
const short = steps([1, 0, 0, 0], [1, 1, 0, 0], [2, 0, 1, 0], [2, 1, 1, 0], [2, 2, 2, 0]);

test("what ends a round is still part of it", () => {
  expect(roundsOf(short)).toEqual([
    { number: 1, first: 1, last: 2, stages: [{ stage: 0, first: 1, last: 1 }, { stage: 1, first: 2, last: 2 }] },
    { number: 2, first: 3, last: 4, stages: [{ stage: 0, first: 3, last: 3 }, { stage: 1, first: 4, last: 4 }] },
  ]);
});

test.each(games)("the rounds of $game cover every action once, and stages only go on", ({ steps, rounds }) => {
  expect(rounds.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at))).toEqual(
    steps.slice(1).map((_, at) => at + 1),
  );
  for (const round of rounds) {
    expect([round.stages[0]?.first, round.stages.at(-1)?.last]).toEqual([round.first, round.last]);
    round.stages.forEach((stage, at) => expect(stage.stage).toBeGreaterThan(round.stages[at - 1]?.stage ?? -1));
  }
});

test("one goes to the next round and the one before, and never past the ends", () => {
  const rounds = roundsOf(short);
  expect([0, 1, 2, 3, 4].map((at) => roundAfter(rounds, at))).toEqual([1, 3, 3, 4, 4]);
  expect([0, 1, 2, 3, 4].map((at) => roundBefore(rounds, at))).toEqual([0, 0, 1, 1, 3]);
  expect([0, 2, 3, 9].map((at) => roundAt(rounds, at)?.number)).toEqual([1, 1, 2, 2]);
  expect([0, 1, 2, 4].map((at) => stageAt(rounds, at))).toEqual([0, 0, 1, 1]);
});

test("a stretch fills as one comes along", () => {
  expect([0, 3, 4, 6, 9].map((at) => done({ first: 3, last: 6 }, at))).toEqual([0, 0.25, 0.5, 1, 1]);
});

test("labels never run into each other, nor out at the end", () => {
  const rounds = roundsOf(steps(...Array.from({ length: 41 }, (_, at): [number, number, number] => [Math.floor(at / 2) + 1, at % 2, 0])));
  expect(labelled(rounds, 2000, 60).length).toBe(20);
  expect(labelled(rounds, 328, 26).map((round) => round.number)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
  expect(labelled(rounds, 328, 60).map((round) => round.number)).toEqual([1, 6, 11, 16]);
});

test("points are those at the end of each round; a short game also shows the beginning", () => {
  expect(pointsByRound(short, roundsOf(short))).toEqual({ rounds: [0, 1, 2], values: [[0, 1, 2], [0, 0, 0]] });
});

test.each(games)("the last points of the chart of $game are those of the last step", ({ steps, rounds }) => {
  const points = pointsByRound(steps, rounds);
  expect(points.values.map((line) => line.at(-1))).toEqual(steps.at(-1)?.view.points);
  expect(points.rounds.length).toBeGreaterThan(1);
});

test("the scale has few round numbers that span all values", () => {
  expect(ticksOf([0, 3, 5])).toEqual([0, 1, 2, 3, 4, 5]);
  expect(ticksOf([-3, 12])).toEqual([-5, 0, 5, 10, 15]);
  expect(ticksOf([84, 131])).toEqual([0, 50, 100, 150]);
  expect(ticksOf([0, 0])).toEqual([0, 1]);
});

test("columns have numbers as far as there is room, and always the last", () => {
  expect(columnsShown(9, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(columnsShown(20, 8)).toEqual([0, 5, 10, 15, 19]);
  expect(columnsShown(22, 8)).toEqual([0, 5, 10, 15, 21]);
  expect(columnsShown(12, 8)).toEqual([0, 2, 4, 6, 8, 11]);
});

test("badges of a tie stand side by side, and others never on top of each other", () => {
  expect(endings([100, 0, 100, 50], 26, 144)).toEqual([
    { seat: 1, column: 0, y: 0 },
    { seat: 3, column: 0, y: 50 },
    { seat: 0, column: 0, y: 100 },
    { seat: 2, column: 1, y: 100 },
  ]);
  const close = endings([140, 125, 144, 144, 144, 144], 26, 144);
  for (const one of close) {
    expect(one.y).toBeLessThanOrEqual(144);
    for (const other of close) {
      if (one !== other) expect(one.column !== other.column || Math.abs(one.y - other.y) >= 26).toBe(true);
    }
  }
});

const table = { game: "pok", ending: "played", seats: [{}, {}, {}] } as unknown as TableShown;
const over = (winners: number, points: number[], places: number[], ending: number): ViewShown =>
  ({ turn: 0, points, places, state: { winners, ending } }) as unknown as ViewShown;

test("a win of the bot that has finished in one's seat is the bot's", async () => {
  await speak("en");
  const [ada, ben, cleo] = table.seats;
  const left = { ...table, seats: [ada, { ...ben, standby: true }, cleo] } as TableShown;
  const names = ["Ada", "Ben", "Cleo"];
  const won = endOf(left, over(0b010, [4, 5, 4], [2, 1, 2], 1));

  expect(leftSeat(table, [1])).toBe(-1);
  expect(leftSeat(left, [0])).toBe(-1);
  expect(leftSeat(left, [0, 1])).toBe(-1); // of several on one device each is called by name
  expect(titleOf(won, { names, you: 1 }, leftSeat(table, [1]))).toBe("You win");
  expect(titleOf(won, { names, you: -1 }, leftSeat(left, [1]))).toBe("The bot in your seat wins");
  expect(titleOf(won, { names, you: 0 }, leftSeat(left, [0]))).toBe("Ben wins");
});

test("the end says who won, why, and who came next", () => {
  const end = endOf(table, over(0b010, [4, 5, 4], [2, 1, 2], 1));
  expect(end).toMatchObject({ winners: [1], why: "pok.ending.five", behind: { seats: [0, 2], points: 4 } });
  expect(end.places.map(({ seat, place }) => [seat, place])).toEqual([[1, 1], [0, 2], [2, 2]]);
  expect(endOf(table, over(0b111, [5, 5, 5], [1, 1, 1], 1)).behind).toBeNull();
});

test("a game that was not played to its end has no winner, but a reason", () => {
  const on = { ...over(0, [1, 2, 3], [], 0), turn: 7 };
  expect(endOf({ ...table, ending: "voted" }, on)).toEqual({ winners: [], why: "web.over.voted", behind: null, places: [] });
  expect(endOf({ ...table, ending: "left" }, null).why).toBe("web.over.left");
});

test("what chance did is drawn from the words of the record", () => {
  expect(pok.drawn(["roll", "O", "-", "SSS"])).toEqual([{ piece: "die-1-O" }, { piece: "die-2-blank" }, { piece: "die-3-S" }]);
  expect(pokerdice.drawn(["roll", "1", "6"])).toEqual([{ piece: "pip-1" }, { piece: "pip-6" }]);
  expect(pokerdice.drawn(["first", "p2"])).toEqual([]);
  expect(pokopop.drawn(["deal", "3", "1x2", "5@4"])).toEqual([{ letters: "3" }, { letters: "1×2" }, { letters: "5★" }]);
  expect(poch.drawn(["deal", "p1", "7cTdAs"])).toEqual([
    { letters: "7", suit: "c" },
    { letters: "10", suit: "d" },
    { letters: "A", suit: "s" },
  ]);
});

test("eyes, notes and the time to read a step", () => {
  expect(["p1", "p4", "p5", "all", "p0", "px"].map((eyes) => seatOf(eyes, 4))).toEqual([0, 3, null, null, null, null]);
  expect(notedIn("t standby p3")).toEqual({ what: "standby", seat: 2 });
  expect(notedIn("p3 pass")).toBeNull();
  expect(timeToRead([])).toBeLessThan(timeToRead(["Ada passes."]));
  expect(timeToRead(["x".repeat(500)])).toBeLessThan(5_000);
  expect(shownOf({ choices: [1], choice_texts: [["x", {}]], question: ["x", {}] } as unknown as ViewShown)).toEqual({ choices: [], choice_texts: [], question: null });
});

test("dice that go again are meant by what they show, since nobody numbers their places", () => {
  const meant = pokerdice.meant(["rethrow", { dice: "2 5" }], { dice: [4, 3, 3, 5, 6] });

  expect(meant).toEqual({ values: { dice: "" }, pieces: [{ piece: "pip-3" }, { piece: "pip-6" }], words: "3, 6" });
  expect(pokerdice.meant(["card", { card: 2 }], { dice: [4, 3, 3, 5, 6] })).toBeNull();
});
