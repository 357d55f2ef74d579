/** Who one is here: a guest with a name and a cookie. One comes in by the first thing one does, not by a form. */
import type { Person } from "./protocol.ts";
import * as house from "./house.ts";
import { text } from "./texts.svelte.ts";

const LONGEST_NAME = 16;
const HAS_COME = "pokade.has-come";
let known = $state.raw<Person | null>(null);

/** The person behind the cookie; null for a newcomer, and before the house has answered. */
export function me(): Person | null {
  return known;
}

/** Ask the house who one is. The cookie can't be read here, so the browser remembers whether it has one. */
export async function lookUpMe(): Promise<Person | null> {
  if (known === null && localStorage.getItem(HAS_COME) !== null) known = await house.whoAmI();
  return known;
}

/** Be somebody: whoever has no name yet comes in as a guest. */
export async function beSomebody(): Promise<Person> {
  return (await lookUpMe()) ?? comeIn(text("web.me.guest"));
}

/** Take a name, or another one. */
export async function callMe(name: string): Promise<Person> {
  const wanted = cleanName(name);
  return (await lookUpMe()) === null ? comeIn(wanted) : (known = await house.rename(wanted));
}

/** Be on this device the person who has made a ticket on another one. */
export async function becomeBy(ticket: string): Promise<Person> {
  known = await house.takeOver(ticket);
  localStorage.setItem(HAS_COME, "yes");
  return known;
}

async function comeIn(name: string): Promise<Person> {
  known = await house.enter(name);
  localStorage.setItem(HAS_COME, "yes");
  return known;
}

/** A name of at most sixteen characters on one line. */
export function cleanName(name: string): string {
  return [...name.replace(/\s+/g, " ").trim()].slice(0, LONGEST_NAME).join("") || text("web.me.guest");
}
