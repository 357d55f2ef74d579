/** What a replay shows, worked out from what the server sends: the client has no rules. */
import type { Replay, TableShown, ViewShown } from "../protocol.ts";

const LEAST = 1_100; // ms that a step stands
const PER_LETTER = 32;
const MOST = 4_200;
const LONGEST_MOVE = 2_400;

/** How long a step stands at speed 1: as long as it takes to read what it tells. */
export function timeToRead(sentences: readonly string[]): number {
  const letters = sentences.slice(-2).reduce((sum, sentence) => sum + sentence.length, 0);
  return Math.min(MOST, LEAST + letters * PER_LETTER);
}

/** A view to look at: nothing can be chosen in it. */
export function shownOf(view: ViewShown): ViewShown {
  return { ...view, choices: [], choice_texts: [], question: null };
}

/** Where a replay opens: at a step, at the last reveal, or at the beginning. */
export function startOf(replay: Pick<Replay, "actions" | "steps">, at: number | "last" | null): number {
  if (at !== "last") return Math.min(at ?? 0, replay.actions);
  return Math.max(0, replay.steps.findLastIndex((step) => step.told.length > 0));
}

/** The seat behind eyes such as "p2"; null for all others, and beyond the table. */
export function seatOf(eyes: string, seats: number): number | null {
  const found = /^p([1-8])$/.exec(eyes);
  const seat = found === null ? -1 : Number(found[1]) - 1;
  return seat >= 0 && seat < seats ? seat : null;
}

/** A note of the table in a record, such as "t timeout p3". */
export function notedIn(action: string): { what: string; seat: number } | null {
  const found = /^t (timeout|standby|return|resign) p([1-8])/.exec(action);
  return found === null ? null : { what: found[1] as string, seat: Number(found[2]) - 1 };
}

/** The table that a game was played at; a record knows only the names. */
export function tableFrom(replay: Replay, known: TableShown | null): TableShown {
  const seats = replay.names.map((name, seat) => ({
    name,
    bot: known?.seats[seat]?.bot ?? null,
    free: false,
    ready: true,
    standby: false,
    votes: false,
    newcomer: false,
    claim: null,
  }));
  const { game, options, commitment } = replay;
  const nothing = { id: "", code: "", clock: "none", listed: false, tells: false, lesson: false, host: null, ending: "played", seed: "", rematch: "", evening: null } as const;
  const still = { paused: false, paused_by: null, pause_ends: null, pace: "usual", called: null } as const;
  return { ...(known ?? nothing), ...still, callers: [], status: "over", game, options, commitment, seats };
}

/** Let everything that moves in a part of the page move faster, for as long as a step may move. */
export function hasten(part: Element, speed: number): void {
  const end = performance.now() + LONGEST_MOVE / speed;
  const frame = () => {
    for (const moving of part.getAnimations({ subtree: true })) moving.playbackRate = speed;
    if (performance.now() < end) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
