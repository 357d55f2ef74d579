/** What the table of Pokerdice draws, read off a view and what was told. No words, and no rules. */
import type { GameStates, Told, ViewShown } from "../../protocol.ts";
import { around, seatsOf } from "../../seats.ts";
import type { TableProps } from "../contract.ts";
import { BEGINNING, CAPTURED_VALUE, CHOOSING, DICE, NOTHING, OVER, PAIRS, RETHROWING, THROWING, VALUES } from "./constants.ts";

type State = GameStates["pokerdice"];
type Heard = readonly Told<"pokerdice">[];
type Given = Pick<TableProps<"pokerdice">, "view" | "choices" | "seal">;

/** The dice that are drawn on the cards, in rows; the joker has a star. */
export const PICTURES: readonly (readonly number[][])[] = [
  [], [[5, 5]], [[5, 5, 5]], [[5, 5, 3], [3]], [[2, 3, 4], [5]], [[1, 3, 5]], [[2, 4, 6]], [[5, 5, 5], [3, 3]], [[2, 3, 4], [5, 6]], [[6, 6, 6], [6]],
];

/** Where a round is: dice in the air, cards to be sealed, dice that may go again, or all cards open. */
export type Stage = "throw" | "choose" | "rethrow" | "reveal";

/** A die in the tray. */
export interface Die {
  place: number;
  /** Null before it is thrown. */
  face: number | null;
  /** It goes again, or has just done so. */
  isFree: boolean;
}

/** One of your ten kinds of cards. */
export interface Offer {
  card: number;
  points: number;
  /** How many of it are still in the hand; two in the double game. */
  held: number;
  /** `open`: turned up in this round and not judged yet. */
  state: "hand" | "open" | "scored" | "out";
  /** How many of it have scored. */
  scored: number;
  canChoose: boolean;
  /** The dice meet it now, as the view says. */
  isMet: boolean;
  /** How many seals lie on it. */
  seals: number;
}

/** What became of a card at the reveal. */
export interface Judged {
  card: number;
  kind: "scored" | "lost" | "captured";
  points: number;
}

/** What lies before a seat: cards face down, face up, or known to this viewer alone. */
export interface Place {
  seat: number;
  points: number;
  isActive: boolean;
  lies: "back" | "known" | "open";
  cards: number[];
  /** By card, once the round is judged. */
  judged: Judged[];
  /** Its turn in the row of ticks and crosses. */
  order: number;
}

/** A cell of the strip of ten. */
export type Cell = "hand" | "scored" | "out";

/** Do all cards lie open? From the next throw on there are new ones. */
export function isOpen(state: State): boolean {
  const between = state.phase === OVER || (state.phase === THROWING && state.rethrows === 0);
  return between && state.shown.slice(0, state.n_seats).every((choice) => choice >= 0);
}

export function stageOf(state: State): Stage {
  if (isOpen(state)) return "reveal";
  if (state.phase === CHOOSING) return "choose";
  return state.phase === RETHROWING ? "rethrow" : "throw";
}

/** The round whose dice lie there: after a reveal the rules already count the next one. */
export function roundOf(state: State): number {
  return state.round - Number(isOpen(state) && state.phase !== OVER);
}

/** How many rounds there are, where the view says it. */
export function roundsOf(view: ViewShown<"pokerdice">): number | null {
  return view.facts["rounds"] ?? null;
}

/** Who throws in the round that lies there: after a reveal the rules already name the next one. */
export function activeOf(state: State, told: Heard): number {
  if (!isOpen(state)) return state.active;
  return told.find(([event]) => event === "stopped" || event === "thrown")?.[1] ?? state.active;
}

/** The cards of a choice: one, or both in the double game. */
export function cardsIn(state: State, choice: number | undefined): number[] {
  if (choice === undefined || choice < 0) return [];
  return state.variant ? [...(PAIRS[choice] ?? [])] : [choice];
}

/** Of what may be chosen, the pair of these two cards; null if it is not among it. */
export function pairOf(one: number, other: number, allowed: readonly number[]): number | null {
  const isPair = ([low, high]: readonly number[] = []) => (low === one && high === other) || (low === other && high === one);
  return allowed.find((choice) => isPair(PAIRS[choice])) ?? null;
}

/** The dice of the last rethrow, as a set; null if none was told. */
export function rethrownIn(told: Heard): number | null {
  return told.findLast(([event]) => event === "rethrown")?.[3] ?? null;
}

/** The five dice; `free` is the set of those that go again. */
export function diceOf(state: State, free: number): Die[] {
  return state.dice.slice(0, DICE).map((face, place) => ({ place, face: face > 0 ? face : null, isFree: ((free >> place) & 1) === 1 }));
}

/** Where a die lies on its shelf, and how many lie beside it. */
export function slotOf(free: number, place: number): { isFree: boolean; slot: number; beside: number } {
  const isFree = ((free >> place) & 1) === 1;
  const shelf = Array.from({ length: DICE }, (_, at) => at).filter((at) => (((free >> at) & 1) === 1) === isFree);
  return { isFree, slot: shelf.indexOf(place), beside: shelf.length };
}

/** How many dice are in a set. */
export function count(set: number): number {
  return seatsOf(set, DICE).length;
}

/** How often the active player may still throw again. */
export function rethrowsLeft(view: ViewShown<"pokerdice">): number | null {
  return view.facts["left"] ?? null;
}

/** Does the view say that the dice meet a card now? Null where it doesn't say. */
export function isMet(view: ViewShown<"pokerdice">, card: number): boolean | null {
  const met = view.facts["met"];
  return met === undefined ? null : ((met >> card) & 1) === 1;
}

/** Your sealed cards, in this round. */
export function sealedCards({ view, seal }: Given): number[] {
  const { state, seat } = view;
  if (stageOf(state) === "choose" && seal !== null) return cardsIn(state, seal.choice);
  return cardsIn(state, state.choice[seat]);
}

function heldOf(state: State, seat: number, card: number): number {
  return (((state.hand[seat] ?? 0) >> card) & 1) + (((state.second[seat] ?? 0) >> card) & 1);
}

/** How many of a card lie turned up before a seat and are not judged yet. */
function openOf(state: State, seat: number, card: number): number {
  return isOpen(state) ? 0 : cardsIn(state, state.shown[seat]).filter((each) => each === card).length;
}

/** Your ten kinds of cards, in the order of their points. */
export function offers(given: Given): Offer[] {
  const { state, seat } = given.view;
  const sealed = sealedCards(given);
  return VALUES.map((points, card) => {
    const [held, scored] = [heldOf(state, seat, card), state.scored[seat]?.[card] ?? 0];
    const rest = openOf(state, seat, card) > 0 ? "open" : scored > 0 ? "scored" : "out";
    return {
      card, points, held, scored,
      state: held > 0 ? "hand" : rest,
      canChoose: held > 0 && isOffered(given, card),
      isMet: held > 0 && isMet(given.view, card) === true,
      seals: sealed.filter((each) => each === card).length,
    };
  });
}

function isOffered({ view, choices }: Given, card: number): boolean {
  return stageOf(view.state) === "choose" && choices.some((choice) => cardsIn(view.state, choice.value).includes(card));
}

/** In the double game: what is picked after a tap on a card, and the pair to be sealed if there is one. */
export function picked(before: number[], card: number, allowed: readonly number[]): { picks: number[]; pair: number | null } {
  const [last] = before.slice(-1);
  if (last === undefined) return { picks: [card], pair: null };
  const pair = pairOf(last, card, allowed);
  return { picks: pair === null ? [card] : [last, card], pair };
}

/** What became of each card, by its owner, in the order in which they were judged. */
export function judgedIn(told: Heard): Map<number, Judged[]> {
  const found = new Map<number, Judged[]>();
  for (const [kind, who, card, more] of told) {
    if (kind !== "scored" && kind !== "lost" && kind !== "captured") continue;
    const owner = kind === "captured" ? more : who;
    found.set(owner, [...(found.get(owner) ?? []), { card, kind, points: kind === "scored" ? more : 0 }]);
  }
  return found;
}

/** What each seat has gained with this reveal. */
export function gainsIn(told: Heard): Map<number, number> {
  const found = new Map<number, number>();
  for (const [kind, who, , more] of told) {
    const gain = kind === "scored" ? more : kind === "captured" ? CAPTURED_VALUE : 0;
    if (gain > 0) found.set(who, (found.get(who) ?? 0) + gain);
  }
  return found;
}

/** A card that leaves its place at a reveal: to a seat that has it from now on, or off the table. */
export interface Slide {
  owner: number;
  /** Which of its owner's cards: there are two in the double game. */
  at: number;
  kind: Judged["kind"];
  to: number;
}

/** Where the cards go, in the order in which they were judged. */
export function slidesIn(told: Heard): Slide[] {
  const counts = new Map<number, number>();
  return told.flatMap(([kind, who, , more]) => {
    if (kind !== "scored" && kind !== "lost" && kind !== "captured") return [];
    const owner = kind === "captured" ? more : who;
    const at = counts.get(owner) ?? 0;
    counts.set(owner, at + 1);
    return [{ owner, at, kind, to: who }];
  });
}

/** How many cards the active player takes from the others at this reveal. */
export function takenIn(told: Heard): number {
  return told.filter(([event]) => event === "captured").length;
}

/** Whose cards lie on the table: the rivals', or everybody's for a viewer without a seat. */
export function seatsShown(view: ViewShown<"pokerdice">, mode: TableProps["mode"]): number[] {
  return around(mode === "play" || mode === "learn" ? view.seat : NOTHING, view.state.n_seats);
}

/** What lies before a seat. */
export function placeOf(view: ViewShown<"pokerdice">, seat: number, told: Heard): Place {
  const { state, points } = view;
  const active = activeOf(state, told);
  const judged: Map<number, Judged[]> = isOpen(state) ? judgedIn(told) : new Map();
  const [shown, own] = [cardsIn(state, state.shown[seat]), cardsIn(state, state.choice[seat])];
  return {
    seat,
    points: points[seat] ?? 0,
    isActive: seat === active && state.phase !== BEGINNING,
    lies: shown.length > 0 ? "open" : own.length > 0 ? "known" : "back",
    cards: shown.length > 0 ? shown : own,
    judged: judged.get(seat) ?? [],
    order: [...judged.keys()].indexOf(seat),
  };
}

/** The strip of a seat, one cell a card; in the double game there are two of each. */
export function stripOf(state: State, seat: number): Cell[][] {
  return Array.from({ length: 1 + state.variant }, (_, copy) => VALUES.map((_, card) => cellOf(state, seat, card, copy)));
}

function cellOf(state: State, seat: number, card: number, copy: number): Cell {
  const scored = state.scored[seat]?.[card] ?? 0;
  const left = heldOf(state, seat, card) + openOf(state, seat, card);
  const out = 1 + state.variant - scored - left;
  return copy < scored ? "scored" : copy < scored + out ? "out" : "hand";
}

/** How far a seat is: cards played and judged, cards that have scored, cards taken from others. */
export function progressOf(state: State, seat: number): { all: number; played: number; met: number; taken: number } {
  const cells = stripOf(state, seat).flat();
  const met = cells.filter((cell) => cell === "scored").length;
  const taken = (state.captured[seat] ?? []).reduce((sum, each) => sum + each, 0);
  return { all: cells.length, played: cells.filter((cell) => cell !== "hand").length, met, taken };
}

/** Who has how many points, the most first; what is still being counted does not count yet. */
export function ranking(view: ViewShown<"pokerdice">, gains: ReadonlyMap<number, number> = new Map()): number[] {
  const counted = view.points.map((points, seat) => points - (gains.get(seat) ?? 0));
  return counted.map((_, seat) => seat).sort((a, b) => (counted[b] ?? 0) - (counted[a] ?? 0) || a - b);
}

/** Whether an event tells what became of a card, or of the game. */
export function isVerdict(event: string | undefined): boolean {
  return event !== undefined && ["scored", "lost", "captured", "won", "won_later"].includes(event);
}

/** Whether something that was told tells of a reveal. */
export function isReveal(told: Heard): boolean {
  return told.some(([event]) => event === "revealed");
}
