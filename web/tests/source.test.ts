/** The source itself: every text comes from the catalogue, and every key that is asked for is there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { parse as parseSvelte } from "svelte/compiler";
import { expect, test } from "vitest";
import { ALONE, ofThePage } from "../plugins.ts";
import { lookUp, type Table } from "../src/catalogue.ts";

const SOURCE = new URL("../src", import.meta.url).pathname;
const files = (readdirSync(SOURCE, { recursive: true }) as string[]).filter((name) => /\.(svelte|ts)$/.test(name));
const catalogue = parse(readFileSync(new URL("../../src/pokade/texts/en.toml", import.meta.url), "utf8")) as Record<string, Record<string, unknown>>;
const page = ofThePage(catalogue) as Table;
const english: Table = { ...page, web: { ...(page["web"] as Table), [ALONE]: catalogue["web"]?.[ALONE] as Table } };
const SPOKEN = ["aria-label", "title", "alt", "placeholder", "aria-description"];

interface Node {
  type?: string;
  name?: string;
  data?: string;
}

/** The texts of a component that people would see or hear: between tags, and in attributes that are spoken. */
function literals(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(literals);
  if (tree === null || typeof tree !== "object") return [];
  const node = tree as Node;
  if (node.type === "Text") return /\p{L}{2}/u.test(node.data ?? "") ? [node.data as string] : [];
  if (node.type === "StyleDirective" || (node.type === "Attribute" && !SPOKEN.includes(node.name ?? ""))) return [];
  return Object.values(tree).flatMap(literals);
}

function literalsOf(name: string): string[] {
  const { fragment } = parseSvelte(readFileSync(join(SOURCE, name), "utf8"), { modern: true });
  return literals(fragment).map((found) => `${name}: ${found.trim()}`);
}

test("no component holds words of its own", () => {
  expect(files.filter((name) => name.endsWith(".svelte")).flatMap(literalsOf)).toEqual([]);
});

test("words between tags and in labels would be found", () => {
  const { fragment } = parseSvelte('<p class="big" title="Hello">Some words {1}</p>', { modern: true });
  expect(literals(fragment)).toEqual(["Hello", "Some words "]);
});

test("every key that the source asks for is in the catalogue", () => {
  const asked = files.flatMap((name) => {
    const source = readFileSync(join(SOURCE, name), "utf8");
    return [...source.matchAll(/\b(?:text|filled|words|entry)\(\s*"([\w./-]+)"/g)].map((found) => found[1] as string);
  });
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((key) => lookUp(english, key, false) === undefined)).toEqual([]);
});

test("no number of the rules is typed by hand: phases and unknown cells have the names that were made from the rules", () => {
  const typed = files.filter((name) => !/(protocol|constants|\.test)\.ts$/.test(name)).flatMap((name) => {
    const source = readFileSync(join(SOURCE, name), "utf8");
    return [...source.matchAll(/phase\s*(?:[!=]==|[<>]=?)\s*\d.*|-99\b.*/g)].map((found) => `${name}: ${found[0]}`);
  });
  expect(typed).toEqual([]);
});

test("what only commands say is no part of the page", () => {
  expect(() => lookUp(english, "serve.open")).toThrow("serve.open");
  expect(() => lookUp(english, "play.save.ask")).toThrow("play.save.ask");
});
