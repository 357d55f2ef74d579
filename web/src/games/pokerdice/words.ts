/** The table of Pokerdice in words: cards and dice by name, seats and reveals as sentences. */
import { type Reader, about, capital } from "../../sentences.ts";
import { text, words } from "../../texts.svelte.ts";
import type { Die, Judged, Offer, Place } from "./view.ts";

/** "Full house". */
export function cardName(card: number): string {
  return capital(words("pokerdice.objective")[card] ?? "");
}

/** The same as it stands on a card, where long words may break. */
export function cardTitle(card: number): string {
  return words("web.pokerdice.cards")[card] ?? "";
}

/** "Full house + Joker". */
export function cardNames(cards: number[]): string {
  return cards.map(cardName).join(" + ");
}

/** What stands at the foot of a card. */
export function cardFoot(offer: Offer): string {
  if (offer.state === "out") return text("web.pokerdice.out");
  if (offer.state === "scored") return text("web.pokerdice.scored", { number: offer.points * offer.scored });
  if (offer.state === "open") return text("web.pokerdice.open");
  return offer.isMet ? text("web.pokerdice.met_now") : text("web.pokerdice.pts", { number: offer.points });
}

/** A card as a sentence: what it is, what the dice must show, what it brings, and whether it is met. */
export function cardSentence(offer: Offer): string {
  const parts = [cardName(offer.card), words("pokerdice.objective_means")[offer.card] ?? ""];
  parts.push(offer.state === "hand" ? pointsWord(offer.points) : cardFoot(offer));
  if (offer.held > 1) parts.push(text("web.pokerdice.two_left"));
  if (offer.isMet) parts.push(text("web.pokerdice.met_now"));
  return parts.join(", ");
}

/** "5 points". */
export function pointsWord(number: number): string {
  return text("web.pokerdice.some_points", { number });
}

/** A die on its shelf, for screen readers. */
export function dieSentence(die: Die): string {
  return text(die.isFree ? "web.pokerdice.die_free" : "web.pokerdice.die_held", { place: die.place + 1, face: die.face ?? 0 });
}

/** What a seat shows, for screen readers. */
export function placeSentence(place: Place, who: string, isAway: boolean): string {
  const parts = [text("web.pokerdice.seat", { who, points: pointsWord(place.points) })];
  if (place.isActive) parts.push(text("web.pokerdice.throws"));
  if (place.lies !== "back") parts.push(cardNames(place.cards));
  parts.push(...place.judged.map(verdictWord));
  if (isAway) parts.push(text("web.pokerdice.away"));
  return parts.join(", ");
}

/** "Met, 5 points", "Missed". */
export function verdictWord(judged: Judged): string {
  return judged.kind === "scored" ? text("web.pokerdice.scores", { number: judged.points }) : text("web.pokerdice.missed");
}

/** Whose turned-up cards these are: "Your card, turned up", or by name where several people look at the screen. */
export function ownLabel(cards: number, who: string | null): string {
  if (who !== null) return text("web.pokerdice.card_of", { who });
  return text(cards > 1 ? "web.pokerdice.your_cards" : "web.pokerdice.your_card");
}

const OWN = { scored: "own_scores", captured: "own_taken", lost: "own_out" };

/** What became of your own card, as a sentence of its own; by its owner's name where several people look at the screen. */
export function ownVerdict(judged: Judged, active: string, isYou: boolean): string {
  if (isYou) return text(`web.pokerdice.${OWN[judged.kind]}`, { who: active, number: judged.points });
  if (judged.kind === "captured") return text("web.pokerdice.goes_to", { who: active });
  return judged.kind === "lost" ? text("web.pokerdice.is_out") : text("web.pokerdice.scores", { number: judged.points });
}

/** A reveal in at most two sentences: who met a card, and what the active player takes. */
export function story(met: readonly number[], active: number, taken: number, reader: Reader): string {
  const first = met.length === 0 ? text("web.pokerdice.nobody") : about("web.pokerdice.met_by", met, reader);
  return taken === 0 ? first : `${first} ${about("web.pokerdice.takes", [active], reader, { number: taken })}`;
}
