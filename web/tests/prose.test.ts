/** The small Markdown of the short rules. */
import { expect, test } from "vitest";
import { blocks } from "../src/prose.ts";

test("a text becomes headings, paragraphs and lists with bold words", () => {
  const found = blocks("Be the first\nto hand over **five**.\n\n## A round\n\n1. Three dice\n   are thrown.\n2. All show.\n\n- One");

  expect(found).toEqual([
    { kind: "paragraph", runs: [{ text: "Be the first to hand over ", isBold: false }, { text: "five", isBold: true }, { text: ".", isBold: false }] },
    { kind: "heading", runs: [{ text: "A round", isBold: false }] },
    { kind: "list", isNumbered: true, items: [[{ text: "Three dice are thrown.", isBold: false }], [{ text: "All show.", isBold: false }]] },
    { kind: "list", isNumbered: false, items: [[{ text: "One", isBold: false }]] },
  ]);
});
