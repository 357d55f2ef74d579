/** What people say at a table, in words. */
import type { Line } from "./protocol.ts";
import { has, text } from "./texts.svelte.ts";

/** A preset phrase in the reader's language, or the line as it was typed. */
export function lineWords(line: Line): string {
  const key = `phrase.${line.phrase ?? ""}`;
  return line.phrase && has(key) ? text(key) : (line.text ?? line.phrase ?? "");
}
