import { beforeEach, expect, test } from "vitest";
import { about, labels, sentence } from "../src/sentences.ts";
import { speak } from "../src/texts.svelte.ts";

const names = ["Guest", "Ben", "Cleo", "Dora", "Emil"];
const guest = { names, you: 0 };
const ben = { names, you: 1 };

beforeEach(() => speak("en"));

test("what happens to oneself is told to oneself, and by name to the others", () => {
  expect(sentence("pok", ["won", 0b1, 0, 0], guest)).toBe("You win!");
  expect(sentence("pok", ["won", 0b1, 0, 0], ben)).toBe("Guest wins!");
  expect(sentence("poch", ["took_bank", 0, 2, 4], guest)).toBe("You take the bank with 2 and the pocher plate with 4.");
  expect(sentence("poch", ["paid", 1, 3, 0], guest)).toBe("Ben pays you 3 counters for cards left in hand.");
  expect(sentence("pokerdice", ["captured", 1, 0, 0], guest)).toBe("You miss, and Ben takes your card for 1 point: joker.");
  expect(sentence("pokerdice", ["captured", 0, 0, 1], guest)).toBe("Ben misses, and you take the card for 1 point: joker.");
});

test("among others one comes first, with a capital only where a sentence begins", () => {
  expect(sentence("pok", ["shown", 0b11, 0, 0], ben)).toBe("You and Guest show discs.");
  expect(sentence("pok", ["absent", 0b11, 0, 0], ben)).toBe("No die is met; you and Guest show what is on no die.");
  expect(sentence("pokopop", ["clashed", 0b11, 0, 2], ben)).toBe("Ouch! You and Guest jump together at Poko 2, and the round is over.");
  expect(sentence("pok", ["handed_over", 0b1111, 4, 0], guest)).toBe("You and 3 others hand over a counter each.");
});

test("the verb goes with you in every language", async () => {
  await speak("de");
  expect(sentence("pok", ["won", 0b11, 0, 0], guest)).toBe("Du und Ben gewinnt!");
  expect(about("web.time.ran_out", [0, 1], guest)).toBe("Die Zeit war um: Das Haus hat für dich und Ben gewählt.");
  await speak("fr");
  expect(sentence("pok", ["won", 0b11, 0, 0], guest)).toBe("Toi et Ben, vous gagnez\u00a0!");
  await speak("es");
  expect(sentence("pok", ["won", 0b11, 0, 0], guest)).toBe("¡Tú y Ben habéis ganado!");
});

test("other texts about people have the same three ways", () => {
  expect(about("web.over.wins", [0], guest)).toBe("You win");
  expect(about("web.over.wins", [0], ben)).toBe("Guest wins");
  expect(about("web.over.wins", [0, 1], ben)).toBe("You and Guest win");
  expect(about("web.time.called", [1], ben)).toBe("You have called time: 20 seconds, then the house chooses.");
});

test("one's own badge says you", () => {
  expect(labels(guest).slice(0, 2)).toEqual(["You", "Ben"]);
  expect(labels({ names, you: -1 })).toEqual(names);
});
