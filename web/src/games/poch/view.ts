/** What a view of Poch shows: plain functions from its cells to what is drawn. */
import type { GameStates, ViewShown } from "../../protocol.ts";
import type { Choice } from "../contract.ts";
import { SUIT_LETTERS, card, cardsIn, fanned, has, rankOf } from "./cards.ts";
import { BIDDING, DEALING, HOLD, NAMING, NOTHING, OVER, PASS, PLATE_CARDS, POCHER, RANKS, STARTING, UNKNOWN } from "./constants.ts";

export type Cells = GameStates["poch"];
export type View = ViewShown<"poch">;

export const PLATE_SIGNS = ["A", "K", "Q", "J", "10", "7·8·9", "K+Q", ""] as const; // the pocher is drawn as a fist
const TRACK = ["s", "h", "d", "c"].map((letter) => SUIT_LETTERS.indexOf(letter));

/** Collect, poch, play out. */
export type Stage = 0 | 1 | 2;

/** Which of the three stages lies on the table. */
export function stageOf(cells: Cells): Stage {
  if (cells.direction !== 0 || cells.phase === STARTING || cells.phase === NAMING || cells.phase === OVER) return 2;
  return cells.phase === BIDDING ? 1 : 0;
}

/** The number of the deal whose cards lie there; between two deals the next one is counted already. */
export function dealOf(cells: Cells): number {
  const isOver = cells.phase === DEALING && cells.direction !== 0;
  return Math.max(1, cells.round - (isOver ? 1 : 0));
}

/** What a seat has said in this deal. */
export interface Said {
  what: "pass" | "hold" | "open" | "raise";
  number: number;
}

/** `opener` is the seat that bid first, as the view says. */
export function saidBy(cells: Cells, seat: number, opener: number | undefined): Said | null {
  const said = cells.said[seat] ?? NOTHING;
  const number = cells.paid[seat] ?? 0;
  if (said === NOTHING) return null;
  if (said === PASS) return { what: "pass", number: 0 };
  if (said === HOLD) return { what: "hold", number };
  return { what: seat === opener ? "open" : "raise", number };
}

/** The seats in the order in which they speak: from the dealer's left to the dealer. */
export function speakers(cells: Cells): number[] {
  return Array.from({ length: cells.n_seats }, (_, at) => (cells.dealer + 1 + at) % cells.n_seats);
}

/** Whose decision is due, or NOTHING. */
export function actingIn(cells: Cells): number {
  return [BIDDING, STARTING, NAMING].includes(cells.phase) ? cells.acting : NOTHING;
}

/** A hand as a fan; null where it is not to be seen. */
export function fanOf(hand: number | undefined, direction: number): number[] | null {
  return hand === undefined || hand === UNKNOWN ? null : fanned(cardsIn(hand), direction);
}

/** Your best set: the view says its rank and its size. */
export interface BestSet {
  rank: number;
  size: number;
}

export function bestSet(view: View): BestSet | null {
  const { set_rank: rank, set_size: size } = view.facts;
  return rank === undefined || size === undefined ? null : { rank, size };
}

/** The cards of the best set, to be lifted; a single card is none. */
export function setIn(hand: readonly number[], best: BestSet | null): number[] {
  return best === null || best.size < 2 ? [] : hand.filter((which) => rankOf(which) === best.rank);
}

/** A cell of the track. */
export interface TrackCell {
  rank: number;
  /** Who has played it, or NOTHING. */
  player: number;
  isOwn: boolean;
}

/** Four suits by eight ranks: who has played each card, and which of them are in the viewer's hand. */
export function track(cells: Cells, viewer: number): { suit: number; cells: TrackCell[] }[] {
  const own = cells.hand[viewer] ?? UNKNOWN;
  return TRACK.map((suit) => ({
    suit,
    cells: Array.from({ length: RANKS }, (_, rank) => {
      const which = card(rank, suit);
      const player = cells.played_by[which] ?? NOTHING;
      return cellOf(rank, player, player === NOTHING && own !== UNKNOWN && has(own, which));
    }),
  }));
}

const CELLS = new Map<string, TrackCell>();

/** The same cell is the same object, so that only those are drawn again that change. */
function cellOf(rank: number, player: number, isOwn: boolean): TrackCell {
  const key = `${rank} ${player} ${isOwn}`;
  const cell = CELLS.get(key) ?? { rank, player, isOwn };
  CELLS.set(key, cell);
  return cell;
}

/** Who has collected what in this deal, in the order of the plates. */
export function collected(cells: Cells): { seat: number; plates: number[] }[] {
  if (cells.trumps === NOTHING) return [];
  const plates = PLATE_CARDS.map((_, plate) => plate).filter((plate) => cells.plates[plate] === 0);
  return Array.from({ length: cells.n_seats }, (_, seat) => ({
    seat,
    plates: plates.filter((plate) => hasShown(cells, seat, plate)),
  }))
    .filter(({ plates: taken }) => taken.length > 0)
    .sort((one, other) => (one.plates[0] ?? 0) - (other.plates[0] ?? 0));
}

function hasShown(cells: Cells, seat: number, plate: number): boolean {
  return plateCards(plate, cells.trumps).every((which) => has(cells.seen[seat] ?? 0, which));
}

/** The cards that take a plate. */
export function plateCards(plate: number, trumps: number): number[] {
  return cardsIn((PLATE_CARDS[plate] ?? 0) << trumps);
}

/** The plates that nobody has collected, with what lies on them; the pocher is not collected. */
export function leftOver(cells: Cells): { plate: number; number: number }[] {
  return cells.plates.map((number, plate) => ({ plate, number })).filter(({ plate, number }) => plate !== POCHER && number > 0);
}

/** What the bidding pad offers. */
export interface Offered {
  pass: Choice | null;
  hold: Choice | null;
  /** By how much; ascending. */
  bids: Choice[];
}

export function offered(choices: readonly Choice[]): Offered {
  return {
    pass: choices.find((choice) => choice.key === "pass") ?? null,
    hold: choices.find((choice) => choice.key === "hold") ?? null,
    bids: choices.filter((choice) => choice.key === "bid" || choice.key === "open"),
  };
}

/** Seats on the two sides of the board: clockwise from your left neighbour, up on the left, down on the right. */
export function sides(seats: readonly number[]): [left: number[], right: number[]] {
  const half = Math.ceil(seats.length / 2);
  return [seats.slice(0, half).reverse(), seats.slice(half)];
}

/** A word as it stands at the beginning. */
export function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase() + word.slice(1);
}
