/** The person at this browser: a guest with a name and a cookie. They come in by the first thing they do, not by a form. */
import type { Person } from "./protocol.ts";
import * as server from "./server.ts";
import { words } from "./texts.svelte.ts";

const LONGEST_NAME = 16;
const HAS_COME = "pokade.has-come";
const GIVEN = "pokade.given-name"; // a name that the page has picked and nobody has kept or changed
let known = $state.raw<Person | null>(null);
let given = $state.raw(typeof localStorage === "undefined" ? "" : (localStorage.getItem(GIVEN) ?? ""));
let picked = ""; // the same as long as the page is open: the name that a field offers is the name you get

/** The person behind the cookie; null for a newcomer, and before the server has answered. */
export function me(): Person | null {
  return known;
}

/** Whether somebody has come in from this browser before. */
export function hasCome(): boolean {
  return localStorage.getItem(HAS_COME) !== null;
}

/** Ask the server who the guest is. The cookie can't be read here, so the browser remembers whether it has one. */
export async function lookUpMe(): Promise<Person | null> {
  if (known === null && hasCome()) known = await server.whoAmI();
  return known;
}

/** Become a guest: without a name you get a friendly one. */
export async function beSomebody(): Promise<Person> {
  const already = await lookUpMe();
  if (already !== null) return already;
  const person = await comeIn(friendlyName());
  given = person.name;
  localStorage.setItem(GIVEN, given);
  return person;
}

/** Take a name, or another one. */
export async function callMe(name: string): Promise<Person> {
  const wanted = cleanName(name);
  const person = (await lookUpMe()) === null ? await comeIn(wanted) : (known = await server.rename(wanted));
  localStorage.removeItem(GIVEN);
  given = "";
  return person;
}

/** The name that you were given and have neither kept nor changed yet, or empty. */
export function givenName(): string {
  return known === null || known.name === given ? given : "";
}

/** Become, on this device, the person who made a ticket on another. */
export async function becomeBy(ticket: string): Promise<Person> {
  known = await server.takeOver(ticket);
  localStorage.setItem(HAS_COME, "yes");
  return known;
}

async function comeIn(name: string): Promise<Person> {
  known = await server.enter(name);
  localStorage.setItem(HAS_COME, "yes");
  return known;
}

/** A name for a guest who has not given any: that of a creature, and no bot's. */
export function friendlyName(): string {
  const all = words("web.me.names");
  return (picked ||= all[Math.floor(Math.random() * all.length)] ?? "");
}

/** A name of at most sixteen characters on one line. */
export function cleanName(name: string): string {
  return [...name.replace(/\s+/g, " ").trim()].slice(0, LONGEST_NAME).join("") || friendlyName();
}
