/** The small part of Markdown in which the short rules are written: headings, lists, paragraphs, bold words. */

export interface Run {
  text: string;
  isBold: boolean;
}
export type Block =
  | { kind: "heading"; runs: Run[] }
  | { kind: "paragraph"; runs: Run[] }
  | { kind: "list"; isNumbered: boolean; items: Run[][] };

const ITEM = /^(?:-|\d+\.) /;

/** What a text is made of, block by block. */
export function blocks(markdown: string): Block[] {
  return markdown
    .trim()
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(block);
}

function block(part: string): Block {
  if (part.startsWith("#")) return { kind: "heading", runs: runs(part.replace(/^#+ /, "")) };
  if (!ITEM.test(part)) return { kind: "paragraph", runs: runs(part) };
  const items = part.split(/\n(?=(?:-|\d+\.) )/).map((item) => runs(item.replace(ITEM, "")));
  return { kind: "list", isNumbered: /^\d/.test(part), items };
}

function runs(words: string): Run[] {
  const pieces = words.replace(/\s*\n\s*/g, " ").split("**");
  return pieces.map((text, at) => ({ text, isBold: at % 2 === 1 })).filter(({ text }) => text !== "");
}
