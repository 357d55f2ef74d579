/** The one router of the page. */
import { isGame } from "./games/index.ts";
import { Router } from "./router.svelte.ts";

export const router = new Router(isGame);
export const go = (path: string, how?: { replace?: boolean }): void => router.go(path, how);
