/** The choice between the server in the page and the one at its address, for this tab. */
import { CHOSEN, ROOT } from "../here.svelte.ts";

/** Play here from now on, or with the server at this address again. */
export function playHere(isWanted: boolean): void {
  if (isWanted) sessionStorage.setItem(CHOSEN, "yes");
  else sessionStorage.removeItem(CHOSEN);
  location.assign(ROOT);
}
