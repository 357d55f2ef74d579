/** What goes on beside a game, in words: who wants what, and how many do. */
import { type Asking, votesAt } from "../newcomers.ts";
import type { TableShown } from "../protocol.ts";
import { numberShown } from "../catalogue.ts";
import { about, type Reader } from "../sentences.ts";
import { filled, text } from "../texts.svelte.ts";
import type { Beside, Part } from "./Strips.svelte";

/** The viewer, and what is still to be done. */
export interface Looker {
  /** The seats that you have here. */
  own: readonly number[];
  reader: Reader;
  /** Plays at the table, and is there. */
  isSeated: boolean;
  isHost: boolean;
  hasToChoose: boolean;
}

/** Somebody has called time. */
export function callShown(table: TableShown, { own, reader, isSeated, hasToChoose }: Looker): Beside | null {
  const [first] = table.callers;
  if (first === undefined) return null;
  const isMine = table.callers.some((seat) => own.includes(seat));
  const said = about("web.time.called", [table.callers.find((seat) => seat === reader.you) ?? first], reader);
  const number = table.callers.length;
  const more = number > 1 ? ` ${text("web.time.joined", { number, all: votesAt(table).all })}` : "";
  return { kind: "called", words: said + more, part: partOf(isMine, isSeated && !hasToChoose) };
}

/** Somebody wants to end the game. */
export function votesShown(table: TableShown, { own, reader, isSeated }: Looker): Beside | null {
  const { voters, voted, all } = votesAt(table);
  if (voted === 0) return null;
  const isMine = voters.some((seat) => own.includes(seat));
  const sofar = filled("web.vote.so_far", { voted: numberShown(voted), all: numberShown(all) });
  return { kind: "votes", words: `${about("web.vote.wants", voters, reader)} ${sofar}`, part: partOf(isMine, isSeated) };
}

/** Who has chosen, at a table that shows it. */
export function chosenShown(chosen: readonly number[], { reader }: Looker): Beside | null {
  return chosen.length === 0 ? null : { kind: "chosen", words: about("web.tells.chosen", chosen, reader), part: "sees" };
}

/** The strong bots are not ready yet. */
export function standInsShown(hasStandIns: boolean): Beside | null {
  return hasStandIns ? { kind: "bots", words: text("web.bot.stand_in"), part: "sees" } : null;
}

/** Somebody asks for a bot's seat. */
export function askingShown(asking: Asking, isHost: boolean): Beside {
  return { kind: "asks", words: text("web.claim.asks", { name: asking.name, bot: asking.bot }), asking, isHost };
}

function partOf(isMine: boolean, mayJoin: boolean): Part {
  return isMine ? "own" : mayJoin ? "may" : "sees";
}
