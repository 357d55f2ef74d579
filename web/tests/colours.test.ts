/**
 * Pieces that mean different things look different to everybody: colours as people see them whose eyes lack one kind of
 * cones, simulated with the matrices of Machado, Oliveira and Fernandes (2009), and how far apart they are in CIELAB.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Three = [number, number, number];
const SIGHT: Record<string, [Three, Three, Three]> = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
/** Colours that are told apart, and by how much at least; suits have four shapes besides, one of them hollow. */
const APART: [names: string[], least: number][] = [
  [["disc", "square", "tri"], 18],
  [["inlay-disc", "inlay-square", "inlay-tri"], 18],
  [["suit-h", "suit-s", "suit-d", "suit-c"], 16],
  [["ivory", "brass"], 30],
  [["poko", "wait"], 30],
  [["brass-2", "plate"], 30],
  [["seat-1-line", "seat-2-line"], 30], // the two whose lines have no dashes in the chart
];
const SEATS = 8;

const css = readFileSync(new URL("../src/theme/tokens.css", import.meta.url), "utf8");
const tokens = (text: string) => Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9A-F]{6})/gi)].map((found) => [found[1], found[2]])) as Record<string, string>;
const day = tokens(css.slice(0, css.indexOf("@media")));
const night = { ...day, ...tokens(css.slice(css.indexOf(':root[data-theme="dark"] {'), css.indexOf(':root[data-theme="dark"] [data-game'))) };

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const times = (rows: Three[], values: Three) => rows.map((row) => row.reduce((sum, one, at) => sum + one * (values[at] ?? 0), 0)) as Three;

function lab(colour: string, sight: Three[]): Three {
  const light = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255)) as Three;
  const seen = times(sight, light).map((part) => Math.min(1, Math.max(0, part))) as Three;
  const [x, y, z] = times([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]], seen);
  const root = (value: number) => (value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116);
  const [a, b, c] = [root(x / 0.95047), root(y), root(z / 1.08883)];
  return [116 * b - 16, 500 * (a - b), 200 * (b - c)];
}

function nearest(colours: string[], sight: Three[]): number {
  const places = colours.map((colour) => lab(colour, sight));
  const gaps = places.flatMap((one, at) => places.slice(at + 1).map((other) => Math.hypot(...one.map((part, which) => part - (other[which] ?? 0)))));
  return Math.min(...gaps);
}

for (const [theme, colours] of Object.entries({ day, night })) {
  test.each(APART)(`by ${theme}, %j are at least %d apart in every sight`, (names, least) => {
    for (const [kind, sight] of Object.entries(SIGHT)) {
      expect(nearest(names.map((name) => colours[name] as string), sight), kind).toBeGreaterThanOrEqual(least);
    }
  });
}

test("equal colours would be found, and so would red and green of one lightness", () => {
  expect(nearest(["#C4261F", "#C4261F"], SIGHT["usual"] as Three[])).toBe(0);
  expect(nearest(["#C4261F", "#5C6A1B"], SIGHT["protanopia"] as Three[])).toBeLessThan(nearest(["#C4261F", "#5C6A1B"], SIGHT["usual"] as Three[]) / 2);
});

test("a seat, whose tint alone tells little, has an edge of its own and a letter", () => {
  const pieces = readFileSync(new URL("../src/theme/pieces.svg", import.meta.url), "utf8");
  const edges = Array.from({ length: SEATS }, (_, seat) => pieces.match(new RegExp(`<symbol id="edge-${seat + 1}"[^>]*>(.*?)</symbol>`, "s"))?.[1]);
  expect(new Set(edges).size).toBe(SEATS);
  expect(edges).not.toContain(undefined);
});
