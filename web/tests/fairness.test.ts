import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { bytesToHex } from "@noble/hashes/utils.js";
import { check, commitmentOf, encoded, keyOf, ticketOf } from "../src/fairness.ts";
import type { Verified } from "../src/protocol.ts";
import fair from "./fair.json" with { type: "json" };

/** The proof and the vectors, from the page itself that describes the scheme. */
const page = readFileSync(new URL("../../docs/fairness.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```toml\n(.*?)```/gs)].map((found) => parse(found[1] as string));
const { proof } = blocks[0] as unknown as { proof: Verified };
const vectors = blocks[1] as unknown as { key: string; large: { tickets: string[] } } & Record<string, number[]>;
const key = keyOf(proof.seed, proof.table, proof.salts);

function tickets(of: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, counter) => ticketOf(key, proof.table, "pok", counter, of));
}

test("texts stand behind their length in bytes", () => {
  expect(new TextDecoder().decode(encoded("Ä", "", "dice"))).toBe("2:Ä,0:,4:dice,");
});

test("the seed of the vectors has their commitment and their key", () => {
  expect(commitmentOf(proof.seed, proof.table)).toBe(proof.commitment);
  expect(bytesToHex(key)).toBe(vectors.key);
});

test.each([6, 30, 32])("tickets of %i are those of the vectors", (of) => {
  const wanted = vectors[`tickets-of-${of}`] as number[];
  expect(tickets(BigInt(of), wanted.length).map(Number)).toEqual(wanted);
});

test("numbers beyond the last whole multiple are passed over", () => {
  const of = (1n << 255n) + 1n;
  const wanted = vectors.large.tickets;
  expect(tickets(of, wanted.length).map((ticket) => ticket.toString(16).padStart(64, "0"))).toEqual(wanted);
});

type Game = { game: string; verified: Verified; steps: { text: string }[] };
const games = fair as Game[];
const chancesOf = ({ steps }: Game) => steps.flatMap(({ text }, action) => (text.startsWith("d ") ? [action] : []));
const checked = (game: Game, change: Partial<Verified> = {}, kept: Parameters<typeof check>[3] = null) =>
  check(game.game, { ...game.verified, ...change }, chancesOf(game), kept);
const [first] = games as [Game];

test.each(games)("a whole game of $game that Python has drawn is fair", (game) => {
  const found = checked(game);
  expect(found).toMatchObject({ verdict: "fair", fault: null, isSeen: null, hasOwnSalt: null });
  expect(found.draws.length).toBe(game.verified.draws.length);
  expect(found.draws.every((draw) => draw.isRight)).toBe(true);
});

test.each(games)("any other ticket in a game of $game is found, with its action", (game) => {
  const draws = structuredClone(game.verified.draws);
  const last = draws.at(-1) as (typeof draws)[number];
  const other = draws.find((draw) => draw.tickets > 1 && draw.number > 4) ?? last;
  other.ticket = (other.ticket + 1) % other.tickets;
  expect(checked(game, { draws })).toMatchObject({ verdict: "unfair", fault: "draw", action: other.action });
});

test("another seed, and another commitment than one saw, are found", () => {
  const seed = first.verified.seed.replace(/^00/, "01");
  expect(checked(first, { seed })).toMatchObject({ verdict: "unfair", fault: "seed" });
  const kept = { commitment: "0".repeat(64), salts: [] };
  expect(checked(first, {}, kept)).toMatchObject({ verdict: "unfair", fault: "seen", isSeen: false });
});

test("a server that changes seed and commitment together is found by what one saw", () => {
  const seed = first.verified.seed.replace(/^00/, "01");
  const commitment = commitmentOf(seed, first.verified.table);
  const kept = { commitment: first.verified.commitment, salts: [] };
  expect(checked(first, { seed, commitment }, kept)).toMatchObject({ verdict: "unfair", fault: "seen" });
});

test("a throw without draws, a draw without a throw, and draws in another order are found", () => {
  const { draws } = first.verified;
  const lastAction = draws.at(-1)?.action ?? 0;
  const without = draws.filter((draw) => draw.action !== lastAction);
  expect(checked(first, { draws: without })).toMatchObject({ fault: "gap", action: lastAction });
  const elsewhere = draws.map((draw) => (draw.action === 1 ? { ...draw, action: 2 } : draw));
  expect(checked(first, { draws: elsewhere })).toMatchObject({ verdict: "unfair", fault: "gap" });
  expect(checked(first, { draws: [...draws].reverse() })).toMatchObject({ verdict: "unfair", fault: "draw" });
});

test("what the server itself finds wrong is not fair, even if every ticket is right", () => {
  expect(checked(first, { fair: false, action: 3, draws: [] })).toMatchObject({ verdict: "unfair", fault: "server", action: 3 });
});

test("without a seed nothing can be said", () => {
  expect(checked(first, { seed: "", fair: false, draws: [] })).toMatchObject({ verdict: "unknown", draws: [] });
});

test("one's own salt is looked for among all", () => {
  const { commitment, salts } = first.verified;
  expect(checked(first, {}, { commitment, salts: ["older", salts[1] as string] }).hasOwnSalt).toBe(true);
  expect(checked(first, {}, { commitment, salts: ["older"] }).hasOwnSalt).toBe(false);
});
