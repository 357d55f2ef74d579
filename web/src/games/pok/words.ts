/** The table of POK in words: what a die asks for, what a hand shows, how a reveal was judged. */
import { type Reader, about, capital, people } from "../../sentences.ts";
import { seatsOf } from "../../seats.ts";
import { text, words } from "../../texts.svelte.ts";
import type { Die, Hand, Verdict } from "./view.ts";

const DICE_WORDS = ["pok.ones", "pok.twos", "pok.threes"] as const;
const DIE_KEYS = ["web.pok.die_1", "web.pok.die_2", "web.pok.die_3"] as const;
const MET_KEYS = ["web.pok.met_one", "web.pok.met_two", "web.pok.met_three"] as const;

/** "Disc". */
export function counterName(symbol: number): string {
  return words("play.pok.counter")[symbol] ?? "";
}

/** "2 left", on a choice. */
export function leftOver(left: number): string {
  return left === 0 ? text("web.pok.none_left") : text("play.pok.left", { number: left });
}

/** "2 discs". */
function shownNumber(symbol: number, number: number): string {
  const [one, many] = [words("pok.symbol")[symbol] ?? "", words("pok.symbols")[symbol] ?? ""];
  return text("web.pok.shown", { number, one, many });
}

/** What stands under a die. */
export function dieLabel(die: Die): string {
  if (die.state === "waits") return "";
  if (die.symbol === null) return text("play.pok.blank");
  if (die.state === "asks") return text("play.pok.exactly", { number: die.place + 1 });
  return shownNumber(die.symbol, die.shown);
}

/** A die as a sentence, for screen readers. */
export function dieSentence(die: Die): string {
  const what = die.state === "waits" ? text("web.pok.die_waits") : asked(die.place, die.symbol);
  const sentence = text(DIE_KEYS[die.place] as string, { what });
  if (die.state === "met") return text("web.pok.die_met", { die: sentence });
  if (die.state !== "missed" || die.symbol === null) return sentence;
  return text("web.pok.die_missed", { die: sentence, shown: shownNumber(die.symbol, die.shown) });
}

function asked(place: number, symbol: number | null): string {
  const list = words(DICE_WORDS[place] as string);
  return (symbol === null ? list.at(-1) : list[symbol]) ?? "";
}

/** A hand as a sentence, for screen readers. */
export function handSentence(hand: Hand, who: string, isAway: boolean): string {
  const points = text("web.pok.points", { number: hand.points });
  const what = hand.symbol === null ? "" : asked(0, hand.symbol);
  let seat = text("web.pok.fist", { who, points });
  if (hand.symbol !== null) seat = text(hand.gives ? "web.pok.gives" : "web.pok.palm", { who, what, points });
  if (hand.held !== null) seat = text("web.pok.holds", { seat, what: heldWords(hand.held) });
  return isAway ? text("web.pok.away", { seat }) : seat;
}

function heldWords(held: number[]): string {
  return people(held.map((number, symbol) => shownNumber(symbol, number)));
}

/** "No die asks for squares." */
export function unaskedWords(symbols: number[]): string {
  const [what, other] = symbols.map((symbol) => words("pok.symbols")[symbol] ?? "");
  if (what === undefined) return text("web.pok.unasked_none");
  return other === undefined ? text("web.pok.unasked", { what }) : text("web.pok.unasked_two", { what, other });
}

/** What was met, in one sentence: "Two discs and one triangle, both met." */
function metSentence({ met }: Verdict): string {
  const dice = met.map(({ symbol, number }) => asked(number - 1, symbol));
  const number = met[0]?.number ?? 0;
  const what = capital(people(dice));
  const count = words("pok.count")[number] ?? "";
  return text(MET_KEYS[dice.length - 1] as string, dice.length === 1 ? { what, number, count } : { what });
}

/** How a reveal was judged, as short as a heading: "Two discs, one triangle: met." */
export function judged(verdict: Verdict): string {
  if (verdict.kind !== "met") return text("web.pok.unmet");
  return text("web.pok.met", { what: capital(verdict.met.map(({ symbol, number }) => asked(number - 1, symbol)).join(", ")) });
}

/** Who hands over: "You, Ben and Dora hand one over." */
export function givers(verdict: Verdict | null, gone: number, reader: Reader): string {
  const seats = seatsOf(gone, reader.names.length);
  if (seats.length === 0) return text("web.pok.nobody");
  return about(verdict?.kind === "absent" ? "web.pok.absent" : "web.pok.give", seats, reader);
}

/** A reveal in at most two sentences. */
export function story(verdict: Verdict | null, gone: number, reader: Reader): string {
  switch (verdict?.kind) {
    case "all_absent":
    case "nothing_met":
      return text(`pok.event.${verdict.kind}`);
    case "absent":
      return `${text("web.pok.unmet")} ${givers(verdict, gone, reader)}`;
    case "met":
      return `${metSentence(verdict)} ${givers(verdict, gone, reader)}`;
    case undefined:
      return givers(verdict ?? null, gone, reader);
  }
}
