/** The table of Poko Pop! in words: cards, Pokos and people as sentences, and how a reveal ended. */
import { type Reader, about } from "../../sentences.ts";
import type { GameStates, Told } from "../../protocol.ts";
import { text, words } from "../../texts.svelte.ts";
import type { Cell, Creature } from "./view.ts";
import { DOUBLER, FACE_DOWN, FIRST_ICON, VALUES } from "./constants.ts";
import { minusOf, poppers, stageOf, waiters } from "./view.ts";

type State = GameStates["pokopop"];
const LONG = 4; // from so many people on a sentence has no room for those who waited
const TOLD_ON_TABLE = ["took", "all_waited", "waited_out", "flipped", "took_pile", "pile_stayed", "final"];

/** "5", or "1×2": a card in one or three signs. */
export function cardSign(kind: number): string {
  if (kind === FACE_DOWN) return "?";
  return kind === DOUBLER ? "1×2" : String(VALUES[kind] ?? "");
}

/** "a 5 with icon 2". */
export function cardName(kind: number): string {
  return kind === FACE_DOWN ? text("web.pokopop.hidden") : (words("pokopop.card")[kind] ?? "");
}

/** "Third Poko: 5 points for a lone jump." */
export function hintOf(state: State): string {
  const stage = stageOf(state);
  if (stage === "final") return text("web.pokopop.hint_final");
  if (stage === "turning") return text("web.pokopop.hint_last");
  const kind = state.row[state.poko] ?? -1;
  if (stage !== "choose" || kind < 0) return "";
  const which = words("web.pokopop.ordinal")[state.poko] ?? "";
  const isPlain = kind !== DOUBLER && kind < FIRST_ICON;
  return isPlain
    ? text("web.pokopop.hint", { which, number: VALUES[kind] ?? 0 })
    : text("web.pokopop.hint_card", { which, card: cardName(kind) });
}

/** What stands under a creature. */
export function stateWord(creature: Creature, state: State, isAway: boolean): string {
  if (isAway) return text("web.pokopop.away");
  const stage = stageOf(state);
  if (creature.took !== null) return text(stage === "between" ? "web.pokopop.took" : "web.pokopop.out", { card: cardSign(creature.took) });
  return stage === "choose" || stage === "turning" ? text("web.pokopop.in") : "";
}

/** A seat as a sentence, for screen readers. */
export function seatSentence(creature: Creature, who: string, state: State, isAway: boolean): string {
  let seat = text("web.pokopop.seat", { who, points: text("web.pokopop.some_points", { number: creature.points }) });
  if (creature.took !== null) seat = text("web.pokopop.seat_out", { seat, card: cardName(creature.took) });
  else if (stageOf(state) === "choose") seat = text("web.pokopop.seat_in", { seat });
  if (isAway) seat = text("web.pokopop.seat_away", { seat });
  return seat;
}

/** A Poko as a sentence. */
export function cellSentence(cell: Cell, reader: Reader): string {
  const number = cell.place + 1;
  if (cell.taker !== null) return about("web.pokopop.poko_taken", [cell.taker], reader, { number });
  const card = cell.kind === null ? text("web.pokopop.empty") : cardName(cell.kind);
  return text(cell.isNow ? "web.pokopop.poko_now" : "web.pokopop.poko", { number, card });
}

/** A clash in at most three short sentences; nothing where there was none. Where somebody got away with it, the server's own words say so. */
export function clashWords(state: State, told: readonly Told<"pokopop">[], sentences: string[], reader: Reader): string {
  const jumped = poppers(state);
  if (jumped.length < 2) return "";
  const shared = said(told, sentences, ["shared_pile", "won", "drawn"]);
  if (shared) return shared;
  if (minusOf(state, told).size < jumped.length) return said(told, sentences, ["clashed", "spared"]);
  const key = jumped.length === 2 ? "web.pokopop.clash" : "web.pokopop.clash_many";
  const parts = [about(key, jumped, reader)];
  const waited = waiters(state);
  if (waited.length > 0 && jumped.length < LONG) parts.push(about("web.pokopop.waited", waited, reader));
  return [...parts, text("web.pokopop.round_over")].join(" ");
}

function said(told: readonly Told<"pokopop">[], sentences: string[], events: string[]): string {
  return sentences.filter((_, at) => events.includes(told[at]?.[0] ?? "")).join(" ");
}

/** What has just happened, for the line on the table. */
export function toldWords(told: readonly Told<"pokopop">[], sentences: string[]): string {
  const isOver = told.some(([event]) => event === "won" || event === "drawn");
  return said(told, sentences, isOver ? [...TOLD_ON_TABLE, "won", "drawn"] : TOLD_ON_TABLE);
}

/** A choice without the marks around it: "Wait". */
export function bare(label: string): string {
  return label.replace(/^¡|[\s\u00a0\u202f]*!$/gu, "");
}
