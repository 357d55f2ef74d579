/** The short rules as the build makes them: HTML that fits under the heading that the page gives them. */
import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { htmlOf } from "../plugins.ts";
import { LANGUAGES } from "../src/protocol.ts";

test("headings are one step lower, since the page has one above them", () => {
  expect(htmlOf("Be the first\nto hand over **five**.\n\n## A round")).toBe("<p>Be the first\nto hand over <strong>five</strong>.</p>\n<h3>A round</h3>\n");
});

test("an item may have a list of its own", () => {
  expect(htmlOf("1. All choose.\n   - One jumps\n     alone.\n   - All wait.").replace(/\n/g, "")).toBe(
    "<ol><li>All choose.<ul><li>One jumpsalone.</li><li>All wait.</li></ul></li></ol>",
  );
});

test("a table says which cells are its head", () => {
  const html = htmlOf("| Card | Points |\n| --- | --- |\n| *Joker* | 1 |").replace(/\n/g, "");

  expect(html).toContain('<th scope="col">Card</th><th scope="col">Points</th>');
  expect(html).toContain("<td><em>Joker</em></td><td>1</td>");
});

test.each(LANGUAGES)("nothing of the marks is left in the rules in %s", (language) => {
  const all = parse(readFileSync(new URL(`../../src/pokade/texts/${language}.toml`, import.meta.url), "utf8")) as Record<string, { short_rules?: string }>;
  const rules = Object.values(all).flatMap(({ short_rules: text }) => (text === undefined ? [] : [htmlOf(text)]));

  expect(rules.length).toBeGreaterThan(3);
  expect(rules.filter((html) => /\*|^#|\|/m.test(html))).toEqual([]);
});
