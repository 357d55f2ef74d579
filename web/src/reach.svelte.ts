/** Whether the server can be reached: known from whatever was asked of it last, and from the device itself. */
import { isHere } from "./here.svelte.ts";

let isLost = $state(typeof navigator !== "undefined" && navigator.onLine === false);
if (typeof addEventListener !== "undefined") addEventListener("offline", () => (isLost = true));

/** Is there no line to the server? */
export function isUnreachable(): boolean {
  return isLost && !isHere;
}

/** The server has answered, or not. */
export function noteReach(hasAnswered: boolean): void {
  isLost = !hasAnswered;
}
