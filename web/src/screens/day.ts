/** What the position of the day says of its choices: whole points of a hundred for a win. */
import { points } from "../look.ts";
import type { ProblemShown } from "../protocol.ts";
import { text } from "../texts.svelte.ts";

const FEW = 6; // choices that are listed: the best ones, and the one that was made

/** What is said of a choice. */
export function verdict(found: Pick<ProblemShown, "best" | "choices">, chosen: number): string {
  if (found.best.includes(chosen)) return text(found.best.length === 1 ? "web.day.one" : "web.day.mixed");
  const worth = (choice: number) => found.choices.find((one) => one.choice === choice)?.worth ?? 0;
  return text("web.day.wrong", { number: Math.max(1, points(worth(found.best[0] ?? chosen) - worth(chosen))) });
}

/** The choices that are listed, those that are worth most first. */
export function listed(found: Pick<ProblemShown, "choices">, chosen: number): ProblemShown["choices"] {
  const ranked = [...found.choices].sort((one, other) => other.worth - one.worth);
  return ranked.filter((one, at) => at < FEW || one.choice === chosen);
}
