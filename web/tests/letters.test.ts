/** Letters grow with what a person has set in the browser: their sizes are in rem. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = new URL("../src", import.meta.url).pathname;
const files = (readdirSync(SOURCE, { recursive: true }) as string[]).filter((name) => /\.(svelte|css)$/.test(name));
const SIZE = /(?<![\w-])(?:font|font-size|line-height|--name|--label|--small|--number):[^;{}]*\dpx[^;{}]*|style:font-size="[^"]*px"/g;
const BY_THE_SCREEN = "var(--px)"; // across the room it is the screen that counts
/** Letters that are part of a drawing: they grow with it. */
const DRAWN = ["Badge", "ClockRing", "Rosette", "Chart", "Board", "Card", "Door", "ScoreCard", "pokopop/Rules"];

function isDrawn(name: string, source: string): boolean {
  return /<text|role="timer"/.test(source) && DRAWN.some((one) => name.endsWith(`/${one}.svelte`));
}

function inPixels(source: string): string[] {
  return [...source.matchAll(SIZE)].map((found) => found[0]).filter((size) => !size.includes(BY_THE_SCREEN));
}

test("no letters have a size in pixels", () => {
  const found = files.flatMap((name) => {
    const source = readFileSync(join(SOURCE, name), "utf8");
    return isDrawn(name, source) ? [] : inPixels(source).map((size) => `${name}: ${size}`);
  });
  expect(found).toEqual([]);
});

test("a size in pixels would be found", () => {
  expect(inPixels("b { font: 700 14px/20px var(--sans); } i { --name: max(12px, 2 * var(--u)); }")).toHaveLength(2);
  expect(inPixels('<b style:font-size="{size}px">')).toHaveLength(1);
});
