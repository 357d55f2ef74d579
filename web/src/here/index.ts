/** All that belongs to a server in the page, in one file that is loaded when it is needed. */
export { default as HereCard } from "./HereCard.svelte";
export { openServer } from "./server.ts";
export { default as KeepGames } from "./KeepGames.svelte";
export { default as PlayHere } from "./PlayHere.svelte";
