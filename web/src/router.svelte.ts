/** A tiny router over the history of the browser: the address says which screen is shown, and the back button works. */
import { isStatic } from "./here.svelte.ts";
import type { GameName } from "./protocol.ts";

export type Route =
  | { page: "home"; tab: Tab }
  | { page: "new"; game: GameName | null }
  | { page: "join"; code: string }
  | { page: "table"; table: string } // a code or an id: lobby, play and end
  | { page: "tv"; table: string }
  | { page: "replay"; table: string | null; at: number | "last" | null; eyes: string } // null: a file of your own; the beginning
  | { page: "look"; table: string; eyes: string } // what was luck and what were choices in a finished game
  | { page: "day"; date: string } // the position of a day; empty: today's
  | { page: "rules"; game: GameName }
  | { page: "learn"; game: GameName }
  | { page: "over"; ticket: string; table: string } // another device takes your seats
  | { page: "lost" };
export type Tab = "play" | "watch" | "mine" | "rules";

const TABS: Record<string, Tab> = { "": "play", watch: "watch", mine: "mine", rules: "rules" };

/** The screen that belongs to an address. */
export function routeOf(address: URL, isGame: (name: string) => boolean): Route {
  const [first = "", second = "", third = ""] = address.pathname.split("/").slice(1).map(decodeURIComponent);
  const game = isGame(second) ? (second as GameName) : null;
  if (second === "" && first in TABS) return { page: "home", tab: TABS[first] as Tab };
  switch (first) {
    case "new":
      return { page: "new", game };
    case "join":
      return { page: "join", code: second };
    case "t":
      return second === "" ? { page: "lost" } : { page: third === "tv" ? "tv" : "table", table: second };
    case "replay":
      return { page: "replay", table: second || null, ...positionOf(address.searchParams) };
    case "look":
      return second === "" ? { page: "lost" } : { page: "look", table: second, eyes: positionOf(address.searchParams).eyes };
    case "day":
      return second === "" || isDay(second) ? { page: "day", date: second } : { page: "lost" };
    case "over":
      return second === "" || third === "" ? { page: "lost" } : { page: "over", ticket: second, table: third };
    case "rules":
    case "learn":
      return game === null ? { page: "lost" } : { page: first, game };
    default:
      return { page: "lost" };
  }
}

/** Whether it is a day of the calendar: 2026-11-18. */
function isDay(word: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(word) && !Number.isNaN(Date.parse(word));
}

/** Where a link into a replay leads: `?at=47&eyes=p1`, or `?at=last` for the last reveal. */
function positionOf(query: URLSearchParams): { at: number | "last" | null; eyes: string } {
  const at = query.get("at") ?? "";
  return { at: at === "last" ? at : /^\d{1,6}$/.test(at) ? Number(at) : null, eyes: query.get("eyes") ?? "all" };
}

/** The address that is shown now; on a site that has one page for all screens it stands behind a `#`. */
function shownNow(): URL {
  return isStatic ? new URL(location.hash.slice(1) || "/", location.origin) : new URL(location.href);
}

function pathOf(address: URL): string {
  return address.pathname + address.search + address.hash;
}

function written(path: string): string {
  return isStatic ? `#${path}` : path;
}

/** The address that is shown now. */
export class Router {
  #address = $state.raw(shownNow());
  #isGame: (name: string) => boolean;
  #ask: (() => void) | null = null;
  #isDoubled = false; // there is a step back that leads to the same address

  constructor(isGame: (name: string) => boolean) {
    this.#isGame = isGame;
    addEventListener("popstate", () => this.#popped());
    addEventListener("click", (event) => this.#clicked(event));
  }

  get route(): Route {
    return routeOf(this.#address, this.#isGame);
  }

  /** Go to another screen. `replace` leaves no step behind: for addresses that only lead on. */
  go(path: string, { replace = false } = {}): void {
    history[replace ? "replaceState" : "pushState"]({ isOurs: true }, "", written(path));
    this.#look();
    scrollTo(0, 0);
  }

  /** The address says where on its screen you are, for a link or a reload; there is no step back from it. */
  note(path: string): void {
    history.replaceState(history.state, "", written(path));
  }

  /** One step back; to the home screen if you came in from outside. */
  back(): void {
    if ((history.state as { isOurs?: boolean } | null)?.isOurs) history.back();
    else this.go("/", { replace: true });
  }

  /**
   * Until what this answers is called, the browser's way back (or forward) leads nowhere: it asks. If you came in from
   * outside, a step to go back by is added, since the page can't ask on the way out.
   */
  hold(ask: () => void): () => void {
    this.#ask = ask;
    if (!(history.state as { isOurs?: boolean } | null)?.isOurs) {
      history.pushState({ isOurs: true }, "", location.href);
      this.#isDoubled = true;
    }
    return () => {
      if (this.#ask === ask) this.#ask = null;
    };
  }

  #popped(): void {
    if (this.#ask !== null) {
      history.pushState({ isOurs: true }, "", written(pathOf(this.#address))); // back to where you were; what lay ahead is forgotten
      return this.#ask();
    }
    const isSame = this.#isDoubled && shownNow().href === this.#address.href;
    this.#isDoubled = false;
    if (isSame) history.back();
    else this.#look();
  }

  #look(): void {
    this.#address = shownNow();
  }

  /** A plain click on a link of ours stays in the page; with a key or another button the browser does its own. */
  #clicked(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.download) return;
    const address = new URL(link.href);
    if (address.origin !== location.origin || address.pathname.startsWith("/api/")) return;
    event.preventDefault();
    this.go(pathOf(address));
  }
}
