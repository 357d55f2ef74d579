/** What a lobby shows, worked out from what the server says of the table. */
import { GAMES, type TableShown } from "../protocol.ts";
import { text } from "../texts.svelte.ts";

export interface LobbyShown {
  /** The seats that you have here. */
  own: number[];
  isHost: boolean;
  isReady: boolean;
  taken: number;
  free: number;
  firstFree: number | null;
  hostName: string;
  /** How many seats there could be instead, as far as the host may say so: one less, one more; null where there can't. */
  fewer: number | null;
  more: number | null;
  /** Why not; empty where there can. */
  whyNotFewer: string;
  whyNotMore: string;
  /** What the start waits for; empty if for nothing. */
  waitsFor: "" | "seats" | "people";
}

export function lobbyOf(table: TableShown, own: number[]): LobbyShown {
  const { seats, host } = table;
  const free = seats.filter((seat) => seat.free).length;
  const isHost = host !== null && own.includes(host);
  const waiting = seats.some((seat, at) => !seat.free && seat.bot === null && !seat.ready && at !== host && !(isHost && own.includes(at)));
  const { least, most } = GAMES[table.game].seats;
  const whyNotFewer =
    seats.length <= least ? text("web.dead.least", { number: least }) : seats.at(-1)?.free === true ? "" : text("web.dead.last");
  const whyNotMore = seats.length >= most ? text("web.dead.most", { number: most }) : "";
  const firstFree = seats.findIndex((seat) => seat.free);
  return {
    own,
    isHost,
    isReady: own.length > 0 && own.every((at) => seats[at]?.ready === true),
    taken: seats.length - free,
    free,
    firstFree: firstFree < 0 ? null : firstFree,
    hostName: host === null ? "" : (seats[host]?.name ?? ""),
    fewer: isHost && whyNotFewer === "" ? seats.length - 1 : null,
    more: isHost && whyNotMore === "" ? seats.length + 1 : null,
    whyNotFewer,
    whyNotMore,
    waitsFor: free > 0 ? "seats" : waiting ? "people" : "",
  };
}

export interface Ways {
  title: string;
  detail: string;
  all: { label: string; value: string }[];
}

type Option = { values?: readonly unknown[]; default: Record<string, unknown> };

/** How the table plays, in plain words: the clock, what is not as usual, and who may come. */
export function ways(table: TableShown): Ways {
  const usual = GAMES[table.game].options as Record<string, Option>;
  const given = table.options as Record<string, unknown>;
  const rows = Object.entries(usual).map(([name, option]) => {
    const value = given[name] ?? option.default[String(table.seats.length)];
    const key = `${table.game}.option.${name}`;
    const words = option.values === undefined ? String(value) : text(`${key}.value.${String(value)}`);
    const isOther = value !== option.default[String(table.seats.length)];
    return { label: text(`${key}.label`), value: words, isOther, isWorded: option.values !== undefined };
  });
  const others = rows.filter((row) => row.isOther).map((row) => (row.isWorded ? row.value : `${row.label}: ${row.value}`));
  const first = rows.find((row) => row.isWorded)?.value;
  const said = others.length > 0 ? others : first === undefined ? [] : [first];
  const door = text(table.listed ? "web.lobby.anyone" : "web.lobby.friends_only");
  const tells = table.tells ? [text("web.lobby.tells")] : [];
  return {
    title: text(`web.clock.${table.clock}`),
    detail: [...said.map((words) => `${words}.`), ...tells, door].join(" "),
    all: [{ label: text("web.new.clock"), value: text(`web.clock.${table.clock}`) }, ...rows, ...[...tells, door].map((value, at) => ({ label: text(at < tells.length ? "web.new.tells" : "web.new.listed"), value }))],
  };
}
