import { expect, test, vi } from "vitest";
import { keepGames, opponents, pageOf, resultOf, seatHad } from "../src/mine.ts";
import type { PlayedShown } from "../src/protocol.ts";
import { startOf } from "../src/screens/replay.ts";

function game(more: Partial<PlayedShown> = {}): PlayedShown {
  const usual = { id: "a", code: "ABCDE", game: "pok", names: ["Ada", "Ben", "Cleo"], bots: [false, false, true], seat: 0, ended_at: 1 } as const;
  return { ...usual, points: [5, 3, 2], winners: [0], place: 1, left: false, curve: [], ...more } as PlayedShown;
}

test("how a game went for oneself", () => {
  expect(resultOf(game())).toBe("won");
  expect(resultOf(game({ winners: [0, 1] }))).toBe("shared");
  expect(resultOf(game({ winners: [0, 1, 2] }))).toBe("drawn");
  expect(resultOf(game({ winners: [1], place: 2 }))).toBe("place");
  expect(resultOf(game({ winners: [], place: null }))).toBe("unfinished");
  expect(resultOf(game({ left: true }))).toBe("left");
  expect(opponents(game())).toEqual({ people: ["Ben"], bots: 1 });
});

test("without the server this device finds, sorts and sums up as the server would", () => {
  const games = [
    game({ id: "a", ended_at: 3, winners: [1], place: 2 }),
    game({ id: "b", ended_at: 2, game: "poch", names: ["Ada", "Émile"] }),
    game({ id: "c", ended_at: 1, winners: [], place: null }),
    game({ id: "d", ended_at: 0, left: true }),
  ];
  const ids = (wish: Parameters<typeof pageOf>[1]) => pageOf(games, wish, 0).games.map(({ id }) => id);

  expect(ids({ game: "", find: "", sort: "new" })).toEqual(["a", "b", "c", "d"]);
  expect(ids({ game: "", find: "", sort: "old" })).toEqual(["d", "c", "b", "a"]);
  expect(ids({ game: "", find: "", sort: "best" })).toEqual(["d", "b", "a", "c"]);
  expect(ids({ game: "", find: " éM", sort: "new" })).toEqual(["b"]);
  expect(ids({ game: "pok", find: "", sort: "new" })).toEqual(["a", "c", "d"]);
  expect(pageOf(games, { game: "", find: "", sort: "new" }, 1, 2)).toMatchObject({ all: 4, found: 4, games: [{ id: "b" }, { id: "c" }] });
  expect(pageOf(games, { game: "", find: "", sort: "new" }, 0).sums).toEqual([
    { game: "poch", played: 1, won: 1, place: 1 },
    { game: "pok", played: 1, won: 0, place: 2 },
  ]);
});

test("a replay opens at a step, at its beginning, or at the last reveal", () => {
  const told = [["shown", 0, 0, 0]];
  const replay = { actions: 4, steps: [[], told, [], told, []].map((one) => ({ told: one })) } as unknown as Parameters<typeof startOf>[0];

  expect(startOf(replay, null)).toBe(0);
  expect(startOf(replay, 2)).toBe(2);
  expect(startOf(replay, 99)).toBe(4);
  expect(startOf(replay, "last")).toBe(3);
});

test("this device knows which seat was its player's, in games that it has kept", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });

  keepGames([game({ id: "mine", seat: 2 })]);

  expect(seatHad("mine")).toBe(2);
  expect(seatHad("somebody else's")).toBe(-1);
  vi.unstubAllGlobals();
});
