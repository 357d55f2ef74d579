import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { laid, momentOf, type Place, sceneOf } from "../src/games/wins.ts";
import { GAMES, type GameName } from "../src/protocol.ts";
import { placesOf } from "../src/screens/end.ts";

const PIECES = readFileSync(new URL("../src/theme/pieces.svg", import.meta.url), "utf8");
const TOKENS = readFileSync(new URL("../src/theme/tokens.css", import.meta.url), "utf8");
const GAME_NAMES = Object.keys(GAMES) as GameName[];

test.each(GAME_NAMES)("a win at %s is laid out of pieces that there are, for one to three winners", (game) => {
  const scene = sceneOf(game);
  for (const winners of [[1], [0, 2], [0, 1, 2], [0, 1, 2, 3, 4]]) {
    const pieces = laid(scene, winners, 5);

    expect(pieces.filter(({ piece }) => piece === "rosette").map(({ seat }) => seat)).toEqual(winners.slice(0, 3));
    for (const { piece, fill } of pieces) {
      if (piece !== "rosette") expect(PIECES).toContain(`<symbol id="${piece}"`);
      if (fill !== "") expect(TOKENS).toContain(`${fill.slice(4, -1)}:`);
    }
  }
});

test.each(GAME_NAMES)("a win at %s stays inside its square, and is told within two seconds", (game) => {
  const pieces = laid(sceneOf(game), [0], 5);
  const ends = ({ place: [x, y, width] }: { place: Place }) => [x - width / 2, y - width / 2, x + width / 2, y + width / 2];

  expect(Math.min(...pieces.flatMap(ends))).toBeGreaterThanOrEqual(-5);
  expect(Math.max(...pieces.flatMap(ends))).toBeLessThanOrEqual(210);
  expect(Math.max(...pieces.map(({ after }) => after))).toBeLessThan(1_400);
  expect(momentOf(pieces)).toBeGreaterThan(300);
});

test("those who lost have their place and how near it was; equal points share a place", () => {
  expect(placesOf([1], { points: [3, 5, 3, 1], places: [2, 1, 2, 4] })).toEqual([
    { seat: 1, place: 1, points: 5, gap: 2 },
    { seat: 0, place: 2, points: 3, gap: 2 },
    { seat: 2, place: 2, points: 3, gap: 2 },
    { seat: 3, place: 4, points: 1, gap: 4 },
  ]);
});

test("who wins among equals is first, and the other is level", () => {
  expect(placesOf([1], { points: [7, 7], places: [2, 1] })).toEqual([
    { seat: 1, place: 1, points: 7, gap: 0 },
    { seat: 0, place: 2, points: 7, gap: 0 },
  ]);
});

test("a game without a scene of its own has its rosettes", () => {
  expect(laid(sceneOf("another" as GameName), [2, 0], 3).map(({ piece, seat }) => [piece, seat])).toEqual([["rosette", 2], ["rosette", 0]]);
});
