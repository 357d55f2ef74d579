/**
 * Where the server is: at the address that the page came from, or in the page itself (here/, loaded when it is needed).
 * Everything that speaks to a server goes through these two ways, so no screen knows the difference.
 */

/** The two ways to a server. */
export interface Ways {
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  socket: (address: string) => WebSocket;
}

export const CHOSEN = "pokade.here"; // in the tab's own storage: the server is asked again in the next one

/** Does the page come from a place that has no server, such as the site with the documentation? */
export const isStatic = typeof document !== "undefined" && document.querySelector('meta[name="server"]') !== null;

/** The folder that the page's own files lie in. */
export const ROOT = isStatic ? location.pathname : "/";

/** Is the server in this page? It stays so until the page is loaded again. */
export const isHere = isStatic || (typeof sessionStorage !== "undefined" && sessionStorage.getItem(CHOSEN) !== null);

let state = $state<"starting" | "ready" | "failed">(isHere ? "starting" : "ready");

/** How far the server is: one at an address is always ready. */
export function stateHere(): "starting" | "ready" | "failed" {
  return state;
}

/** What only a server in the page needs: what it is, and what is shown of it. */
export const parts = () => import("./here/index.ts");

let ways: Ways = { fetch: (path, init) => fetch(path, init), socket: (address) => new WebSocket(address) };
// Python takes a few seconds to start: what is asked meanwhile waits for it.
const opening = isHere && parts().then(({ openServer }) => (ways = openServer((now) => (state = now))));

/** What the server answers to a request. */
export async function asked(path: string, init: RequestInit): Promise<Response> {
  await opening;
  return ways.fetch(path, init);
}

/** A line to a table. */
export function lineTo(address: string): WebSocket {
  return ways.socket(address);
}
