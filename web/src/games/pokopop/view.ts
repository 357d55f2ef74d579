/** What the table of Poko Pop! draws, read off a view and what was told. No words, and no rules. */
import type { GameStates, Told, ViewShown } from "../../protocol.ts";
import { around, seatsOf } from "../../seats.ts";
import type { TableProps } from "../contract.ts";
import { CHOOSING, DEALING, FINAL_CHOOSING, FLIPPING, NOTHING, OVER, PILING, POKO, WAIT } from "./constants.ts";

type State = GameStates["pokopop"];
type Heard = readonly Told<"pokopop">[];

/**
 * deal: nothing lies yet. choose, final: jump or wait. clash: several have jumped. turning: the last card is about to be
 * turned up. between: a round is over. ended: the last pile is decided.
 */
export type Stage = "deal" | "choose" | "final" | "clash" | "turning" | "between" | "ended";
export type Mood = "calm" | "pop" | "wait" | "peek" | "ouch";

/** A Poko with its card. */
export interface Cell {
  place: number;
  /** The card that lies there. */
  kind: number | null;
  /** The card that went from it, and who has it. */
  taken: number | null;
  taker: number | null;
  isNow: boolean;
}

/** Somebody at the table. */
export interface Creature {
  seat: number;
  mood: Mood;
  isOut: boolean;
  /** The card of this round. */
  took: number | null;
  /** What lay open at the last reveal; null for a seat that took no part. */
  shown: number | null;
  /** What this viewer knows to be sealed. */
  chosen: number | null;
  points: number;
}

/** Poko! or Wait! */
export interface Offer {
  value: number;
  label: string;
  isSealed: boolean;
}

/** Where the game stands, as far as the eye is concerned. */
export function stageOf(state: State): Stage {
  const isClash = poppers(state).length > 1;
  switch (state.phase) {
    case CHOOSING:
      return "choose";
    case FINAL_CHOOSING:
      return "final";
    case FLIPPING:
      return isClash ? "clash" : "turning";
    case DEALING:
      return isBetween(state) ? (isClash ? "clash" : "between") : "deal";
    default:
      return isClash ? "clash" : "ended";
  }
}

function isBetween(state: State): boolean {
  return state.phase === DEALING && state.n_dealt === 0 && state.round > 1;
}

/** Whether it is about the last pile. */
export function isFinal(state: State): boolean {
  return state.phase === FINAL_CHOOSING || isDecided(state);
}

/** Whether the last pile is decided. */
export function isDecided(state: State): boolean {
  return state.phase === PILING || state.phase === OVER;
}

/** The round on the screen: after its end the rules already count the next one. */
export function roundOf(state: State): number {
  return state.round - Number(isBetween(state));
}

/** While all duck and jump the table stands as it stood before, but for what is shown. */
export function before(view: ViewShown<"pokopop">, old: ViewShown<"pokopop">): ViewShown<"pokopop"> {
  return { ...view, points: old.points, state: { ...old.state, shown: view.state.shown } };
}

/** Who has jumped at the last reveal. */
export function poppers(state: State): number[] {
  return seatsWith(state, POKO);
}

/** Who has waited at the last reveal. */
export function waiters(state: State): number[] {
  return seatsWith(state, WAIT);
}

function seatsWith(state: State, choice: number): number[] {
  return state.shown.slice(0, state.n_seats).flatMap((shown, seat) => (shown === choice ? [seat] : []));
}

/** The Pokos of this round. */
export function cellsOf({ state, facts }: ViewShown<"pokopop">): Cell[] {
  const isPlayed = state.phase === CHOOSING || state.phase === FLIPPING;
  return Array.from({ length: facts["pokos"] ?? 0 }, (_, place) => ({
    place,
    kind: known(state.row[place]),
    taken: known(state.taken[place]),
    taker: known(state.takers[place]),
    isNow: isPlayed && place === state.poko,
  }));
}

function known(cell: number | undefined): number | null {
  return cell === undefined || cell < 0 ? null : cell;
}

/** Who sits around: the rivals, or everybody for a viewer without a seat. */
export function seatsShown(view: ViewShown<"pokopop">, mode: TableProps["mode"]): number[] {
  return around(mode === "play" || mode === "learn" ? view.seat : NOTHING, view.state.n_seats);
}

/** Somebody, with a mood. */
export function creatureOf(view: ViewShown<"pokopop">, seat: number): Creature {
  const { state, points } = view;
  const place = state.takers.indexOf(seat);
  const isOut = !isFinal(state) && stageOf(state) !== "deal" && ((state.inside >>> seat) & 1) === 0;
  return {
    seat,
    isOut,
    mood: moodOf(state, seat, isOut),
    took: place < 0 || isFinal(state) ? null : known(state.taken[place]),
    shown: known(state.shown[seat]),
    chosen: known(state.choice[seat]),
    points: points[seat] ?? 0,
  };
}

function moodOf(state: State, seat: number, isOut: boolean): Mood {
  const stage = stageOf(state);
  if (stage === "clash" && state.shown[seat] === POKO) return "ouch";
  if (stage === "choose" || stage === "deal" || stage === "final") return isOut ? "wait" : "calm";
  if (stage === "between" && state.takers[state.n_seats - 1] === seat) return "pop";
  if (state.shown[seat] === POKO && stage !== "between") return "pop";
  return isOut ? "wait" : "peek";
}

/** The two cards that can be sealed: Poko! first. */
export function offers(given: Pick<TableProps<"pokopop">, "choices" | "seal">): Offer[] {
  return [POKO, WAIT].flatMap((value) => {
    const choice = given.choices.find((one) => one.value === value);
    return choice === undefined ? [] : [{ value, label: choice.label, isSealed: given.seal?.choice === value }];
  });
}

/** What counts against each seat that clashed: −1, or a share of the last pile; seats that were spared are left out. */
export function minusOf(state: State, told: Heard): Map<number, number> {
  const spared = told.filter(([event]) => event === "spared").map(([, who]) => who);
  const shared = told.find(([event]) => event === "shared_pile");
  const each = shared === undefined ? 1 : shared[2];
  return new Map(poppers(state).filter((seat) => !spared.includes(seat) && each > 0).map((seat) => [seat, each]));
}

/** The cards that nobody took in the round that is over: from the row, or what was told once they have left it. */
export function leftOver(state: State, told: Heard, before: readonly number[]): number[] {
  const lying = state.row.filter((kind) => kind >= 0);
  if (lying.length > 0) return lying;
  const number = told.find(([event]) => event === "left_over")?.[2] ?? 0;
  const turned = told.find(([event]) => event === "flipped")?.[2];
  if (turned === undefined || number === 0) return number === before.length ? [...before] : [];
  return before.length === number ? [...before.slice(0, -1), turned] : [turned];
}

/** How a reveal ended for the viewer: the seat that took a card with it. */
export function takerIn(told: Heard): { seat: number; kind: number; place: number } | null {
  const took = told.findLast(([event]) => event === "took");
  return took === undefined ? null : { seat: took[1], kind: took[2], place: took[3] - 1 };
}

/** By seat, how many points have come or gone between two views. */
export function gainsOf(before: ViewShown<"pokopop">, after: ViewShown<"pokopop">): number[] {
  return after.points.map((points, seat) => points - (before.points[seat] ?? points));
}

/** Who has taken the last pile with what was told. */
export function pileTaker(told: Heard): number | null {
  return told.find(([event]) => event === "took_pile")?.[1] ?? null;
}

/** What a step shows: all jump or wait, cards turned up, cards laid out. */
export type Movement = "reveal" | "clash" | "flip" | "deal" | "pile" | "";
export function movementIn(told: Heard, state: State, from: State = state): Movement {
  const heard = (...events: string[]) => told.some(([event]) => events.includes(event));
  if (heard("clashed", "shared_pile")) return "clash";
  if (heard("flipped")) return "flip";
  if (heard("took", "all_waited", "waited_out", "pile_stayed")) return "reveal";
  if (heard("took_pile")) return from.phase === FINAL_CHOOSING ? "reveal" : "pile"; // at once, or after the deck was turned up
  if (told.length === 0 && state.phase === PILING) return "reveal"; // the rest of the deck is turned up after it
  return heard("dealt") ? "deal" : "";
}

/** Everybody's points, the most first; what is still being counted does not count yet. */
export function ranking(view: ViewShown<"pokopop">, gain: (seat: number) => number = () => 0): { seat: number; points: number }[] {
  const all = view.points.map((points, seat) => ({ seat, points }));
  return all.sort((a, b) => b.points - gain(b.seat) - (a.points - gain(a.seat)) || a.seat - b.seat);
}

/** What lay open last, by seat, for the seats that took part; empty before the first reveal of a round. */
export function lastShown(state: State): { seat: number; shown: number }[] {
  return seatsOf((1 << state.n_seats) - 1, state.n_seats)
    .map((seat) => ({ seat, shown: state.shown[seat] ?? NOTHING }))
    .filter(({ shown }) => shown >= 0);
}
