/** The small Markdown of the short rules. */
import { expect, test } from "vitest";
import { type Run, blocks } from "../src/prose.ts";

const plain = (text: string): Run => ({ text, as: null });
const bold = (text: string): Run => ({ text, as: "b" });

test("a text becomes headings, paragraphs and lists with bold words", () => {
  const found = blocks("Be the first\nto hand over **five**.\n\n## A round\n\n1. Three dice\n   are thrown.\n2. All show.\n\n- One");

  expect(found).toEqual([
    { kind: "paragraph", runs: [plain("Be the first to hand over "), bold("five"), plain(".")] },
    { kind: "heading", runs: [plain("A round")] },
    {
      kind: "list",
      isNumbered: true,
      items: [
        { runs: [plain("Three dice are thrown.")], under: [] },
        { runs: [plain("All show.")], under: [] },
      ],
    },
    { kind: "list", isNumbered: false, items: [{ runs: [plain("One")], under: [] }] },
  ]);
});

test("an item may have a list of its own", () => {
  expect(blocks("1. All choose.\n   - **One** jumps\n     alone.\n   - All wait.")).toEqual([
    {
      kind: "list",
      isNumbered: true,
      items: [{ runs: [plain("All choose.")], under: [[bold("One"), plain(" jumps alone.")], [plain("All wait.")]] }],
    },
  ]);
});

test("a table has a head and rows, and words may be slanted", () => {
  expect(blocks("| Card | Points |\n| --- | --- |\n| *Joker* | 1 |")).toEqual([
    { kind: "table", head: [[plain("Card")], [plain("Points")]], rows: [[[{ text: "Joker", as: "em" }], [plain("1")]]] },
  ]);
});
