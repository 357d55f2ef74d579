import { beforeEach, expect, test, vi } from "vitest";
import { speak, words } from "../src/texts.svelte.ts";

const server = vi.hoisted(() => ({ enter: vi.fn(), rename: vi.fn(), whoAmI: vi.fn() }));
vi.mock("../src/server.ts", () => server);

const person = (name: string) => Promise.resolve({ person: "p", name, language: "en" });
let kept: Map<string, string>;

/** The page as it is after it was loaded, with what the browser has kept. */
async function loaded() {
  vi.resetModules();
  vi.doMock("../src/server.ts", () => server);
  await (await import("../src/texts.svelte.ts")).speak("en");
  return import("../src/me.svelte.ts");
}

beforeEach(async () => {
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  server.enter.mockImplementation(person);
  server.rename.mockImplementation(person);
  await speak("en");
});

test("whoever plays with one tap gets a friendly name, which is offered until it is kept or changed", async () => {
  const me = await loaded();
  const { name } = await me.beSomebody();

  expect(words("web.me.names")).toContain(name);
  expect(me.givenName()).toBe(name);
  server.whoAmI.mockImplementation(() => person(name));
  const again = await loaded();
  expect(again.givenName()).toBe(name);

  await again.callMe("Ada");
  expect(again.givenName()).toBe("");
  expect((await loaded()).givenName()).toBe("");
});

test("whoever has said a name is not offered another", async () => {
  const me = await loaded();
  await me.callMe("Ada");
  await me.beSomebody();

  expect(me.givenName()).toBe("");
  expect(server.enter).toHaveBeenLastCalledWith("Ada");
});

test("a name that is left empty is the one that the field offers", async () => {
  const me = await loaded();

  expect(me.cleanName("  ")).toBe(me.friendlyName());
  expect(me.cleanName("  Ada   Sophie the Great of Town ")).toBe("Ada Sophie the G");
});
