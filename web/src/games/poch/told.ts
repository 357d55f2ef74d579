/**
 * What a step told, as movements in order. The view is the end of it; `before` takes back what has not been shown yet, so
 * that any moment between can be drawn, and a latecomer draws the end.
 */
import type { Told as AnyTold } from "../../protocol.ts";
import { card, cardsIn, rankOf } from "./cards.ts";
import { BIDDING, DEALING, NAMING, NOTHING, PLATES, POCHER, STARTING, UNKNOWN } from "./constants.ts";
import { type Cells, type Stage, plateCards } from "./view.ts";

export type Told = AnyTold<"poch">;

/** Where counters lie. */
export type Place = { seat: number } | { plate: number } | "bank";

/** Counters that move. */
export interface Flight {
  from: Place;
  to: Place;
  count: number;
  /** In ms from the beginning of the beat. */
  delay: number;
  ms: number;
}

/** Something that is seen in one movement. */
export interface Beat {
  /** Events shown when it has landed. */
  to: number;
  stage: Stage;
  /** Until the cells change, in ms: the flight. */
  lead: number;
  /** Until the next beat, in ms. */
  hold: number;
  flights: Flight[];
}

const MOVE = 240;
const OPEN = 320;
const BEAT = 480;
const STILL = 120;
const ANTES = 280;
const APART = 90; // between two plates that are collected
const SINGLY = 8; // so many counters are drawn one by one
const TOGETHER = ["dealt", "showed", "paid", "collected"]; // events that are one movement
const QUICK = ["started", "named", "last_suit", "dealer"]; // words only: the next event moves

/**
 * The cells as they were before `told[at]` and what followed it. Hands are put away when a deal is over, so what was left
 * in them stands only in `held`: the hands before all of `told`.
 */
export function before(cells: Cells, told: readonly Told[], at: number, held: readonly number[] = cells.hand): Cells {
  const then = copied(cells);
  for (const event of told.slice(at).reverse()) {
    undo(then, event);
    if (event[0] === "out" || event[0] === "paid") then.hand = leftOver(held, told); // they lie there until they are paid for
  }
  return then;
}

/** What was left of the hands when the last card of a deal was played. */
function leftOver(held: readonly number[], told: readonly Told[]): number[] {
  const gone = told.reduce((cards, [event, , rank, suit]) => (event === "played" ? cards | (1 << card(rank, suit)) : cards), 0);
  return held.map((hand) => (hand === UNKNOWN ? UNKNOWN : (hand & ~gone) >>> 0));
}

/** A copy of all that can be taken back. */
function copied(cells: Cells): Cells {
  const { counters, plates, hand, hand_size, said, paid, played_by } = cells;
  const rows = { counters, plates, hand, hand_size, said, paid, played_by };
  return { ...cells, ...(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, [...row]])) as typeof rows) };
}

function undo(cells: Cells, [event, who, what, more]: Told): void {
  switch (event) {
    case "played":
      return unplay(cells, who, card(what, more));
    case "paid":
    case "paid_double":
      return pay(cells, more, who, what);
    case "took_bank":
      cells.phase = BIDDING;
      cells.bank = what;
      cells.plates[POCHER] = more;
      return pay(cells, who, NOTHING, what + more);
    case "nobody_bid":
    case "unseen":
    case "showed":
      cells.phase = BIDDING;
      return;
    case "raised":
    case "held":
      cells.bank -= what;
      pay(cells, NOTHING, who, what);
      return unsay(cells, who);
    case "passed":
      return unsay(cells, who);
    case "collected":
      cells.phase = DEALING;
      cells.plates[what] = more;
      return pay(cells, who, NOTHING, more);
    case "antes":
      cells.plates = cells.plates.map((number) => number - cells.n_seats);
      cells.counters = cells.counters.map((number, seat) => (seat < cells.n_seats ? number + what : number));
      return;
    case "trumps":
      cells.trumps = NOTHING;
      return;
    case "started":
      cells.direction = 0;
      cells.phase = STARTING;
      cells.acting = who;
      return;
    case "named":
      cells.phase = NAMING;
      cells.acting = who;
      return;
    case "out":
      if (cells.phase === DEALING) cells.round -= 1;
      cells.phase = NAMING;
      cells.acting = NOTHING;
      return;
    default:
      return;
  }
}

function unplay(cells: Cells, who: number, which: number): void {
  cells.played_by[which] = NOTHING;
  cells.hand_size[who] = (cells.hand_size[who] ?? 0) + 1;
  const hand = cells.hand[who] ?? UNKNOWN;
  if (hand !== UNKNOWN) cells.hand[who] = (hand | (1 << which)) >>> 0;
  if (cells.phase === NAMING || cells.phase === STARTING) cells.acting = NOTHING;
}

function unsay(cells: Cells, who: number): void {
  cells.phase = BIDDING;
  cells.acting = who;
  cells.said[who] = NOTHING;
  cells.paid[who] = 0;
}

function pay(cells: Cells, from: number, to: number, amount: number): void {
  if (from !== NOTHING) cells.counters[from] = (cells.counters[from] ?? 0) - amount;
  if (to !== NOTHING) cells.counters[to] = (cells.counters[to] ?? 0) + amount;
}

/** The movements of a step, in order. With `isStill` nothing flies, and each is a short cross-fade. */
export function beats(told: readonly Told[], seats: number, isStill: boolean): Beat[] {
  const found = groups(told, isStill).map(([from, to]) => beat(told, from, to, seats));
  return isStill ? found.map((each) => ({ ...each, lead: 0, hold: Math.max(STILL, each.hold), flights: [] })) : found;
}

/** Events that are seen together, as pairs of the first and of the one after the last. */
function groups(told: readonly Told[], isStill: boolean): [number, number][] {
  const found: [number, number][] = [];
  let start = 0;
  told.forEach(([event], at) => {
    const next = told[at + 1]?.[0];
    const isOneMovement = TOGETHER.includes(event) || (isStill && event === "played");
    if (next !== undefined && ((isOneMovement && next === event) || QUICK.includes(event))) return;
    found.push([start, at + 1]);
    start = at + 1;
  });
  return found;
}

function beat(told: readonly Told[], from: number, to: number, seats: number): Beat {
  const events = told.slice(from, to);
  const [event, who, what, more] = events[events.length - 1] as Told;
  const plain = { to, stage: stageOf(event), lead: 0, hold: 0, flights: [] as Flight[] };
  const fly = (start: Place, end: Place, count: number, delay = 0, ms = OPEN): Flight => ({
    from: start,
    to: end,
    count: Math.min(count, SINGLY),
    delay,
    ms,
  });
  switch (event) {
    case "dealt":
    case "trumps":
      return { ...plain, hold: told.length > to ? 200 : 0 };
    case "antes":
      return { ...plain, lead: ANTES, flights: antes(seats) };
    case "collected":
      return {
        ...plain,
        lead: OPEN + APART * (events.length - 1),
        hold: 200,
        flights: events.map(([, taker, plate, number], order) => fly({ plate }, { seat: taker }, number, APART * order)),
      };
    case "raised":
    case "held":
      return { ...plain, lead: MOVE, flights: [fly({ seat: who }, "bank", what, 0, MOVE)] };
    case "showed":
      return { ...plain, lead: BEAT, hold: 800 };
    case "nobody_bid":
    case "unseen":
      return { ...plain, hold: 1200 };
    case "paid_double":
      return { ...plain, lead: OPEN, hold: STILL, flights: [fly({ seat: who }, { seat: more }, what)] };
    case "took_bank":
      return {
        ...plain,
        lead: 2 * OPEN,
        hold: 1000,
        flights: [fly("bank", { seat: who }, what), fly({ plate: POCHER }, { seat: who }, more, OPEN)],
      };
    case "played":
      return { ...plain, hold: 220 };
    case "out":
      return { ...plain, hold: 400 };
    case "paid":
      return { ...plain, lead: 800, hold: 600, flights: events.map(([, payer, n, winner]) => fly({ seat: payer }, { seat: winner }, n, 0, OPEN)) };
    default:
      return plain;
  }
}

/** One counter from each seat to each plate, all at once; from the fifth seat on every second one is enough to see it. */
function antes(seats: number): Flight[] {
  const every = seats > 4 ? 2 : 1;
  const found: Flight[] = [];
  for (let seat = 0; seat < seats; seat++) {
    for (let plate = seat % every; plate < PLATES; plate += every) {
      found.push({ from: { seat }, to: { plate }, count: 1, delay: 0, ms: ANTES });
    }
  }
  return found;
}

function stageOf(event: Told[0]): Stage {
  if (["dealer", "dealt", "trumps", "antes", "collected"].includes(event)) return 0;
  return ["started", "named", "last_suit", "played", "out", "paid", "ended_broke", "won", "drawn"].includes(event) ? 2 : 1;
}

const HEADLINES: Told[0][] = ["won", "drawn", "out", "took_bank", "nobody_bid", "raised", "held", "passed", "named", "started", "trumps"];

/** The one event that says what a step was about; NOTHING if nobody need be told. */
export function headline(told: readonly Told[]): number {
  for (const wanted of HEADLINES) {
    const at = told.findLastIndex(([event]) => event === wanted);
    if (at >= 0) return at;
  }
  return NOTHING;
}

const SILENT = ["dealt", "played"]; // seen, not said

/** The event whose sentence stands there while `at` of them are shown; NOTHING if none has words. */
export function saying(told: readonly Told[], at: number): number {
  return told.slice(0, Math.max(at, 1)).findLastIndex(([event]) => !SILENT.includes(event));
}

/** Cards that are turned up while `at` events are shown: compared sets, or before that the cards that collect. */
export function turnedUp(cells: Cells, told: readonly Told[], at: number): Map<number, number[]> {
  const sets = [...shownSets(told, at)];
  if (sets.length > 0) {
    return new Map(sets.map(([seat, rank]) => [seat, cardsIn(cells.seen[seat] ?? 0).filter((which) => rankOf(which) === rank)]));
  }
  const up = new Map<number, number[]>();
  const rest = told.slice(at).findIndex(([event]) => event !== "collected"); // what is collected is one movement
  for (const [event, who, plate] of told.slice(0, rest < 0 ? told.length : at + rest)) {
    if (event === "collected") up.set(who, [...new Set([...(up.get(who) ?? []), ...plateCards(plate, cells.trumps)])]);
  }
  return up;
}

/** The sets that were shown by `at`: seat and rank. */
export function shownSets(told: readonly Told[], at: number): Map<number, number> {
  return new Map(told.slice(0, at).flatMap(([event, who, , rank]) => (event === "showed" ? [[who, rank] as const] : [])));
}

/** The card that was played last by `at`, or NOTHING. */
export function openEnd(told: readonly Told[], at: number): number {
  const last = told.slice(0, at).findLast(([event]) => event === "played");
  return last === undefined ? NOTHING : card(last[2], last[3]);
}

/** The suit whose last card has just been played, or NOTHING. */
export function closedSuit(told: readonly Told[]): number {
  const last = told.findLast(([event]) => event === "played");
  return last === undefined ? NOTHING : last[3];
}
