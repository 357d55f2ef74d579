/** A finished game looked back at, as the page shows it: whole points of a hundred for a win, and never more digits than are known. */
import type { Points } from "./chart.ts";
import type { Analysed, AnalysisShown, ChoiceJudged, OptionJudged } from "./protocol.ts";

export const WHOLE_WIN = 100; // points
const WHOLE = WHOLE_WIN;
const MENTIONED = 0.05; // what a master mixes less often is not worth a word
const KEPT = "pokade.looks";
const MOST = 200;

/** What luck and choices gave somebody in a game, in whole points. */
export interface Sums {
  luck: number;
  choices: number;
}

/** A part of a win in whole points. */
export function points(part: number): number {
  return Math.round(WHOLE * part) + 0; // there is no −0
}

/** How far off a number of points may be: 0 where it is exact, else at least one. */
export function margin(error: number): number {
  return error === 0 ? 0 : Math.max(1, points(error));
}

export function sumsOf(analysis: Pick<AnalysisShown, "seats">, seat: number): Sums | null {
  const own = analysis.seats[seat];
  return own === undefined ? null : { luck: points(own.luck), choices: points(own.choices) };
}

/** Everybody's chance in percent: at the beginning, and after each step. */
export function chancesOf({ players, steps }: Pick<AnalysisShown, "players" | "steps">): Points {
  const start = WHOLE / players.length;
  return {
    rounds: [0, ...steps.map((step) => step.action)],
    values: players.map((_, seat) => [Math.round(start), ...steps.map((step) => points(step.chances[seat] ?? 0))]),
  };
}

/** What changed somebody's chance at a step, in parts of a win. */
export interface Change {
  action: number;
  luck: number;
  choices: number;
  meeting: number;
}

export function changesOf({ steps }: Pick<AnalysisShown, "steps">, seat: number): Change[] {
  const of = (parts: readonly number[]) => parts[seat] ?? 0;
  return steps.map(({ action, luck, choices, meeting }) => ({ action, luck: of(luck), choices: of(choices), meeting: of(meeting) }));
}

/** The options of a choice that are worth showing: what a master mixes, and what was chosen; the likeliest first. */
export function optionsShown({ options, chosen }: Pick<ChoiceJudged, "options" | "chosen">): (OptionJudged & { isChosen: boolean })[] {
  return options
    .map((option, at) => ({ ...option, isChosen: at === chosen }))
    .filter((option) => option.isChosen || option.often >= MENTIONED)
    .sort((one, other) => other.often - one.often);
}

/** The choices of somebody that cost most, or were best. */
export function notable(analysis: Pick<AnalysisShown, "seats" | "choices">, seat: number, which: "best" | "worst"): ChoiceJudged[] {
  return (analysis.seats[seat]?.[which] ?? []).flatMap((at) => analysis.choices[at] ?? []);
}

/** How far an analysis is, from 0 to 1. */
export function progressOf({ status, done, total }: Pick<Analysed, "status" | "done" | "total">): number {
  return status === "done" ? 1 : total === 0 ? 0 : done / total;
}

/** What this device knows of games that were looked back at, by table. */
export function keptSums(): Record<string, Sums> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Record<string, Sums>;
  } catch {
    return {};
  }
}

/** Keep what a game came to; the oldest go. */
export function keepSums(table: string, sums: Sums): void {
  const { [table]: _, ...others } = keptSums();
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries([...Object.entries(others), [table, sums]].slice(-MOST))));
  } catch {
    // Without storage it is asked for again.
  }
}
