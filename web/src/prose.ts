/** The small part of Markdown in which the short rules are written: headings, lists, tables, paragraphs, marked words. */

export interface Run {
  text: string;
  /** How it is marked: **b** or *em*. */
  as: "b" | "em" | null;
}
export interface Item {
  runs: Run[];
  /** A list within the item. */
  under: Run[][];
}
export type Block =
  | { kind: "heading"; runs: Run[] }
  | { kind: "paragraph"; runs: Run[] }
  | { kind: "list"; isNumbered: boolean; items: Item[] }
  | { kind: "table"; head: Run[][]; rows: Run[][][] };

const ITEM = /^(?:-|\d+\.) /;
const MARKED = /\*\*(.+?)\*\*|\*(.+?)\*/;

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
  if (part.startsWith("|")) return table(part);
  if (!ITEM.test(part)) return { kind: "paragraph", runs: runs(part) };
  return { kind: "list", isNumbered: /^\d/.test(part), items: part.split(/\n(?=(?:-|\d+\.) )/).map(item) };
}

function item(words: string): Item {
  const [first = "", ...under] = words.replace(ITEM, "").split(/\n\s+- /);
  return { runs: runs(first), under: under.map(runs) };
}

function table(part: string): Block {
  const [head = [], , ...rows] = part.split("\n").map((row) => row.split("|").slice(1, -1).map((cell) => runs(cell.trim())));
  return { kind: "table", head, rows };
}

function runs(words: string): Run[] {
  const pieces = words.replace(/\s*\n\s*/g, " ").split(MARKED); // plain, bold, slanted, plain, …
  return pieces
    .map((text, at): Run => ({ text: text ?? "", as: at % 3 === 1 ? "b" : at % 3 === 2 ? "em" : null }))
    .filter(({ text }) => text !== "");
}
