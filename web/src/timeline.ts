/** The way through a game: its rounds, and the stages within each, from the views of a replay. */
import type { LookBack } from "./games/contract.ts";
import type { ReplayStep } from "./protocol.ts";

/** A run of actions of one stage; both ends belong to it. The first action of a game has the number 1. */
export interface Stretch {
  stage: number;
  first: number;
  last: number;
}

export interface Round extends Omit<Stretch, "stage"> {
  number: number;
  stages: Stretch[];
}

type Step = Pick<ReplayStep, "view">;

/**
 * The rounds of a game. An action belongs to the round and the phase in which it was taken, so what ends a round is still
 * part of it. `stages` says to which stage a phase belongs; within a round stages only go on.
 */
export function roundsOf(steps: readonly Step[], stages: LookBack["stages"] = {}): Round[] {
  const rounds: Round[] = [];
  for (let action = 1; action < steps.length; action++) {
    const before = (steps[action - 1] as Step).view.state;
    const round = rounds.at(-1);
    if (round === undefined || round.number !== before.round) {
      const stage = stages[before.phase] ?? before.phase;
      rounds.push({ number: before.round, first: action, last: action, stages: [{ stage, first: action, last: action }] });
    } else extend(round, action, stages[before.phase] ?? before.phase);
  }
  return rounds;
}

function extend(round: Round, action: number, stage: number): void {
  const latest = round.stages.at(-1) as Stretch;
  round.last = action;
  if (stage > latest.stage) round.stages.push({ stage, first: action, last: action });
  else latest.last = action;
}

/** The round that a step belongs to; the beginning belongs to the first. */
export function roundAt(rounds: readonly Round[], at: number): Round | undefined {
  return rounds.find((round) => at <= round.last) ?? rounds.at(-1);
}

/** The stage that a step belongs to. */
export function stageAt(rounds: readonly Round[], at: number): number {
  return roundAt(rounds, at)?.stages.find((stage) => at <= stage.last)?.stage ?? 0;
}

/** The first step of the next round; the end if there is none. */
export function roundAfter(rounds: readonly Round[], at: number): number {
  return rounds.find((round) => round.first > at)?.first ?? rounds.at(-1)?.last ?? 0;
}

/** The first step of this round, or if one is there, of the one before; at last the beginning. */
export function roundBefore(rounds: readonly Round[], at: number): number {
  return rounds.findLast((round) => round.first < at)?.first ?? 0;
}

/** How much of a stretch has been passed, from 0 to 1. */
export function done({ first, last }: Pick<Stretch, "first" | "last">, at: number): number {
  return Math.min(1, Math.max(0, (at - first + 1) / (last - first + 1)));
}

/** The rounds that get a label, if each takes so many px: no two run into each other, and none beyond the end. */
export function labelled(rounds: readonly Round[], width: number, label: number): Round[] {
  const perStep = width / Math.max(1, rounds.at(-1)?.last ?? 1);
  const start = (round: Round) => (round.first - 1) * perStep;
  const fits = (some: readonly Round[]) =>
    some.every((round, at) => ((some[at + 1] ? start(some[at + 1] as Round) : width) - start(round)) >= label);
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => fits(rounds.filter((_, at) => at % size === 0))) ?? 1000;
  return rounds.filter((_, at) => at % every === 0);
}
