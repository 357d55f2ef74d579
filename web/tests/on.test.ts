import { beforeEach, expect, test, vi } from "vitest";
import { remember, remembered, type Sat, sitAt, waiting } from "../src/on.ts";
import type { TableShown } from "../src/protocol.ts";

const sat = (id: string, status: Sat["status"] = "on"): Sat => ({ id, code: id, game: "pok", status, names: ["Ada", "Ben"] });
const table = (id: string, status: Sat["status"] = "on") =>
  ({ id, code: id, game: "pok", status, seats: [{ name: "Ada" }, { name: "Ben" }] }) as unknown as TableShown;
let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

test("games that are on come before tables that have not begun, and what is over is no longer waiting", () => {
  expect(waiting([sat("a", "open"), sat("b", "over"), sat("c")]).map(({ id }) => id)).toEqual(["c", "a"]);
});

test("a table at which one sits is remembered, and forgotten once it is over or the seat is gone", () => {
  remember([sat("a")]);
  sitAt(table("b"), true);
  expect(remembered()).toEqual([sat("b"), sat("a")]);

  sitAt(table("b", "over"), true);
  sitAt(table("a"), false);
  expect(remembered()).toEqual([]);
});

test("what a browser keeps otherwise, or does not keep, is nothing", () => {
  kept.set("pokade.on", "{");
  expect(remembered()).toEqual([]);
});
