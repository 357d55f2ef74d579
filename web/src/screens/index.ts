/** The screens besides home, each a chunk of its own. A screen gets its route; add it here and to router.svelte.ts. */
import type { Component } from "svelte";
import type { Route } from "../router.svelte.ts";

type Page = Exclude<Route["page"], "home">;
type Loads = () => Promise<Component<never>>;

const lost: Loads = () => import("./Lost.svelte").then((m) => m.default as Component<never>);

export const SCREENS: Record<Page, Loads> = {
  new: () => import("./NewTable.svelte").then((m) => m.default as Component<never>),
  join: () => import("./Join.svelte").then((m) => m.default as Component<never>),
  table: () => import("./Table.svelte").then((m) => m.default as Component<never>),
  tv: () => import("./Tv.svelte").then((m) => m.default as Component<never>),
  replay: () => import("./Replay.svelte").then((m) => m.default as Component<never>),
  look: () => import("./Look.svelte").then((m) => m.default as Component<never>),
  day: () => import("./Day.svelte").then((m) => m.default as Component<never>),
  rules: () => import("./Rules.svelte").then((m) => m.default as Component<never>),
  learn: () => import("./Learn.svelte").then((m) => m.default as Component<never>),
  over: () => import("./Here.svelte").then((m) => m.default as Component<never>),
  lost,
};
