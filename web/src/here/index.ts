/** All that belongs to a house in the page, in one file that is loaded when it is needed. */
export { default as HereCard } from "./HereCard.svelte";
export { openHouse } from "./house.ts";
export { default as KeepGames } from "./KeepGames.svelte";
export { default as PlayHere } from "./PlayHere.svelte";
