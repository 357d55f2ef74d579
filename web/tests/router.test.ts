import { beforeEach, expect, test, vi } from "vitest";
import { Router, routeOf } from "../src/router.svelte.ts";

/** The history of a browser tab, as far as a router sees it. */
class Tab {
  steps: { state: unknown; href: string }[];
  at = 0;
  heard = new Map<string, (event: unknown) => void>();

  constructor(first: string) {
    this.steps = [{ state: null, href: `http://here${first}` }];
  }
  get href(): string {
    return this.steps[this.at]?.href ?? "elsewhere";
  }
  get hash(): string {
    return new URL(this.href).hash;
  }
  get origin(): string {
    return new URL(this.href).origin;
  }
  get state(): unknown {
    return this.steps[this.at]?.state ?? null;
  }
  pushState(state: unknown, _: string, path: string | URL): void {
    const href = new URL(path, this.href).href;
    this.steps = [...this.steps.slice(0, ++this.at), { state, href }];
  }
  replaceState(state: unknown, _: string, path: string | URL): void {
    this.steps[this.at] = { state, href: new URL(path, this.href).href };
  }
  back(): void {
    this.at--;
    if (this.at >= 0) this.heard.get("popstate")?.({});
  }
}

function opened(first: string, Made = Router): { tab: Tab; router: Router } {
  const tab = new Tab(first);
  vi.stubGlobal("history", tab);
  vi.stubGlobal("location", tab);
  vi.stubGlobal("addEventListener", (event: string, heard: (event: unknown) => void) => tab.heard.set(event, heard));
  vi.stubGlobal("scrollTo", vi.fn());
  return { tab, router: new Made(() => true) };
}

beforeEach(() => vi.unstubAllGlobals());

test("the way back asks as long as a screen holds on to its address", () => {
  const { tab, router } = opened("/");
  const ask = vi.fn();
  router.go("/t/ABCDE");
  const release = router.hold(ask);

  tab.back();
  tab.back();

  expect(ask).toHaveBeenCalledTimes(2);
  expect(router.route).toEqual({ page: "table", table: "ABCDE" });
  expect(tab.steps).toHaveLength(2);
  release();
  tab.back();
  expect(router.route.page).toBe("home");
});

test("whoever came by a link is asked too, and gets out with one step once nothing holds", () => {
  const { tab, router } = opened("/t/ABCDE");
  const ask = vi.fn();
  const release = router.hold(ask);

  tab.back();

  expect(ask).toHaveBeenCalledOnce();
  expect(router.route.page).toBe("table");
  release();
  tab.back();
  expect(tab.href).toBe("elsewhere");
});

test("one who comes again to a screen that holds is not given a step too many", () => {
  const { tab, router } = opened("/");
  router.go("/t/ABCDE");
  router.hold(vi.fn())();
  router.hold(vi.fn());

  expect(tab.steps).toHaveLength(2);
});

test("on a site that has one page, an address that is noted can be loaded again", async () => {
  vi.resetModules();
  vi.doMock("../src/here.svelte.ts", () => ({ isStatic: true }));
  const { Router: Static } = await import("../src/router.svelte.ts");
  const { tab, router } = opened("/site/play/", Static);
  router.go("/replay/0123456789abcdef?at=0");

  router.note("/replay/0123456789abcdef?at=7");

  expect(tab.href).toBe("http://here/site/play/#/replay/0123456789abcdef?at=7");
  expect(new Static(() => true).route).toMatchObject({ page: "replay", at: 7 });
});

test("a day that is none leads nowhere, and none at all to today's", () => {
  const at = (path: string) => routeOf(new URL(path, "http://here"), () => false);

  expect(at("/day")).toEqual({ page: "day", date: "" });
  expect(at("/day/2026-11-18")).toEqual({ page: "day", date: "2026-11-18" });
  expect(at("/day/2026-13-01")).toEqual({ page: "lost" });
  expect(at("/day/today")).toEqual({ page: "lost" });
});
