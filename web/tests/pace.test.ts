import { readFileSync, readdirSync } from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";

const root = { style: { setProperty: vi.fn() } };
let isLess = false;

beforeEach(() => {
  vi.resetModules();
  isLess = false;
  vi.stubGlobal("document", { documentElement: root, querySelector: () => null });
  vi.stubGlobal("matchMedia", () => ({ matches: isLess }));
});

test("brisk shortens and slow lengthens what moves, until the table is left", async () => {
  const { keepPace, paced } = await import("../src/pace.ts");
  expect(paced(1000)).toBe(1000);

  keepPace("brisk");
  expect(paced(1000)).toBe(600);
  const leave = keepPace("slow");
  expect(paced(1000)).toBe(1600);
  expect(root.style.setProperty).toHaveBeenLastCalledWith("--pace", "1.6");
  leave();

  expect(paced(1000)).toBe(1000);
  expect(root.style.setProperty).toHaveBeenLastCalledWith("--pace", "1");
});

test("with less motion the pace changes nothing", async () => {
  const { keepPace, paced } = await import("../src/pace.ts");
  keepPace("slow");

  isLess = true;

  expect(paced(120)).toBe(120);
});

test("whatever moves at a table moves at its pace; what fades instead always takes the same time", () => {
  const games = new URL("../src/games/", import.meta.url);
  const files = readdirSync(games, { recursive: true, encoding: "utf-8" }).filter((name) => name.endsWith(".svelte"));
  const times = files.flatMap((name) => readFileSync(new URL(name, games), "utf-8").match(/^.*\banimation(-delay)?:.*\d+ms.*$/gm) ?? []);
  const unpaced = times.filter((line) => !line.includes('[data-play="fade') && /\d+ms(?![^;]*var\(--pace\))/.test(line));

  expect(times.length).toBeGreaterThan(20);
  expect(unpaced).toEqual([]);
});

test("creatures duck into themselves, not onto the names below them", () => {
  const creature = readFileSync(new URL("../src/games/pokopop/CreaturePiece.svelte", import.meta.url), "utf-8");

  expect(creature).toContain("@keyframes duck");
  expect(creature).not.toMatch(/translateY\((?!-)/);
});

test("what is for wide screens is for letters of a usual size: with large ones it is laid out as on a phone", () => {
  const source = new URL("../src/", import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: "utf-8" }).filter((name) => /\.(svelte|css)$/.test(name));
  const queries = files.flatMap((name) => readFileSync(new URL(name, source), "utf-8").match(/@media[^{]*min-width: (1024|600)px\)[^{]*/g) ?? []);
  const desktop = queries.flatMap((query) => query.split(",")).filter((query) => query.includes("min-width: 1024px"));

  expect(desktop.length).toBeGreaterThan(20);
  expect(desktop.filter((query) => !/63em/.test(query))).toEqual([]);
});
