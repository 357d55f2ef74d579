/** What the table of POK draws, read off a view and what was told. No words, and no rules. */
import type { GameStates, Told, ViewShown } from "../../protocol.ts";
import { around, seatsOf } from "../../seats.ts";
import type { TableProps } from "../contract.ts";
import { BLANK, CHOOSING, DICE, NOTHING, OVER } from "./constants.ts";

type State = GameStates["pok"];
type Heard = readonly Told<"pok">[];

/** Disc, square and triangle, as the drawings call them. */
export const SIGNS = ["O", "S", "T"] as const;

/** A die with what it asks for, and at the reveal whether it got it. */
export interface Die {
  /** From 0: ones, twos, threes. */
  place: number;
  /** Null on a blank. */
  symbol: number | null;
  /** `waits`: not thrown yet. */
  state: "waits" | "asks" | "blank" | "met" | "missed";
  /** At the reveal: how many showed its symbol. */
  shown: number;
}

/** Somebody's hand: a fist, or open with a counter on its palm. */
export interface Hand {
  seat: number;
  isOpen: boolean;
  /** What lies on the open palm. */
  symbol: number | null;
  /** What this viewer knows to be in the fist. */
  pinned: number | null;
  /** Hands its counter over at this reveal. */
  gives: boolean;
  /** Its place among those who hand over, in seat order. */
  order: number;
  points: number;
  /** How many of them win, as the view says. */
  goal: number;
  /** How many counters of each symbol are left, where this viewer may know it. */
  held: number[] | null;
}

/** A counter that can be chosen, or of which none is left. */
export interface Offer {
  symbol: number;
  left: number;
  canChoose: boolean;
  isSealed: boolean;
}

/** How a reveal was judged: the dice that were met, largest first, or why there were none. */
export interface Verdict {
  kind: "met" | "absent" | "all_absent" | "nothing_met";
  met: { symbol: number; number: number }[];
}

/** Do the hands lie open? From the next throw on they are fists again. */
export function isOpen(state: State): boolean {
  return state.phase !== CHOOSING && (state.n_dice === 0 || state.n_dice === DICE) && state.shown[0] !== NOTHING;
}

/** The round whose dice lie there: after a reveal the rules already count the next one. */
export function roundOf(state: State): number {
  return state.round - Number(isOpen(state) && state.phase !== OVER);
}

/** The three dice, in the order of the woods. */
export function diceOf(state: State, told: Heard): Die[] {
  const areJudged = isOpen(state);
  const faces = areJudged ? state.shown_dice : state.dice;
  return faces.map((face, place) => {
    const symbol = face === BLANK ? null : face;
    const shown = symbol === null || !areJudged ? 0 : count(state.showing[symbol] ?? 0);
    return { place, symbol, shown, state: dieState(state, told, place, symbol) };
  });
}

function dieState(state: State, told: Heard, place: number, symbol: number | null): Die["state"] {
  if (!isOpen(state) && place >= state.n_dice) return "waits";
  if (symbol === null) return "blank";
  if (!isOpen(state)) return "asks";
  return told.some(([event, , what, more]) => event === "met" && what === symbol && more === place + 1) ? "met" : "missed";
}

function count(set: number): number {
  return seatsOf(set, 32).length;
}

/** Whose hands lie on the table: the rivals', or everybody's for a viewer without a seat. */
export function seatsShown(view: ViewShown<"pok">, mode: TableProps["mode"]): number[] {
  return around(mode === "play" || mode === "learn" ? view.seat : NOTHING, view.state.n_seats);
}

/** A seat's hand; `sealed` is what its owner has just chosen here. */
export function handOf(view: ViewShown<"pok">, seat: number, sealed: number | null = null): Hand {
  const { state, points } = view;
  const opened = isOpen(state);
  const given = opened ? seatsOf(state.gone, state.n_seats) : [];
  return {
    seat,
    isOpen: opened,
    symbol: opened ? known(state.shown[seat]) : null,
    pinned: opened ? null : (sealed ?? known(state.choice[seat])),
    gives: given.includes(seat),
    order: given.indexOf(seat),
    points: points[seat] ?? 0,
    goal: view.facts["goal"] ?? 0,
    held: heldBy(state, seat),
  };
}

function known(cell: number | undefined): number | null {
  return cell === undefined || cell < 0 ? null : cell;
}

function heldBy(state: State, seat: number): number[] | null {
  const held = state.counters[seat] ?? [];
  return held.every((cell) => cell >= 0) ? held : null;
}

/** Your three counters: those that can be chosen, and those that are gone. */
export function offers(given: Pick<TableProps<"pok">, "view" | "choices" | "seal">): Offer[] {
  const held = heldBy(given.view.state, given.view.seat) ?? [];
  return SIGNS.map((_, symbol) => ({
    symbol,
    left: held[symbol] ?? 0,
    canChoose: given.choices.some((choice) => choice.value === symbol),
    isSealed: given.seal?.choice === symbol,
  }));
}

/** The symbols that no die asks for, as far as the view says it. */
export function unasked(view: ViewShown<"pok">): number[] | null {
  const set = view.facts["unasked"];
  return set === undefined ? null : seatsOf(set, SIGNS.length);
}

/** Everybody's progress, the furthest first. While the hands lie open nobody changes places yet. */
export function race(view: ViewShown<"pok">): { seat: number; points: number }[] {
  const all = view.points.map((points, seat) => ({ seat, points }));
  const before = ({ seat, points }: { seat: number; points: number }) => points - Number(handOf(view, seat).gives);
  return all.sort((a, b) => before(b) - before(a) || a.seat - b.seat);
}

/** What lay open last, by seat; null before the first reveal. */
export function lastShown(state: State): number[] | null {
  const shown = state.shown.slice(0, state.n_seats);
  return shown.every((symbol) => symbol >= 0) ? shown : null;
}

/** Whether something that was told tells of a reveal. */
export function isReveal(told: Heard): boolean {
  return told.some(([event]) => event === "shown");
}

/** What tells one reveal from another, so that words are never put to the wrong one. */
export function revealKey(state: State): string {
  return JSON.stringify([state.shown, state.shown_dice, state.gone, state.left]);
}

/** How a reveal was judged; null if it was not told. */
export function verdictOf(told: Heard): Verdict | null {
  const met = told.filter(([event]) => event === "met").map(([, , symbol, number]) => ({ symbol, number }));
  if (met.length > 0) return { kind: "met", met: met.reverse() };
  const why = told.find(([event]) => event === "absent" || event === "all_absent" || event === "nothing_met");
  return why === undefined ? null : { kind: why[0] as Verdict["kind"], met: [] };
}
