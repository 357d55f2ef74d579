/**
 * What a game's own part of the client gets and may do. A game lives in a folder of its own, `games/{name}/`:
 *
 *   Table.svelte   the table; props are `TableProps<"name">`; loaded when the game is opened
 *   cloth.css      the colours of its cloth by day and by night; part of the first load
 *   Door.svelte    the picture on the home screen (no props); part of the first load, so keep it small
 *   Rules.svelte   drawn examples for the rules page (no props); loaded when needed
 *   constants.ts   the numbers of its rules; made by `python -m docs.protocol`, never edited
 *   win.json       how its pieces lie together when somebody has won (wins.ts); the server draws it too
 *   replay.ts      how the game is looked back at: a default export of `LookBack`; loaded when needed
 *
 * None of them is needed: without a table of its own a game has the plain one (Plain.svelte), without a cloth a grey one,
 * without a drawn name (`word-{name}` in pieces.svg) its title. Folders are found by themselves (games/index.ts): nothing
 * else in the client names a game.
 *
 * Whatever is pressed to choose carries `data-choice={value}` and `aria-pressed` (its seal), so tests can play any game.
 * What lies on the table stays clear of your own things; a drawing that may reach under them carries `data-loose`.
 *
 * A table has no rules. It draws `view`, offers `choices`, and moves what `told` says has happened. Nothing that it draws,
 * sounds or times may depend on who has chosen; under strict memory nothing older than the last reveal stays on screen.
 */
import type { Component, Snippet } from "svelte";
import type { GameName, LessonShown, OptionJudged, TableShown, Told, ViewShown } from "../protocol.ts";
import type { Reader } from "../sentences.ts";
import type { Seal } from "../table.svelte.ts";

/** Something that the seat may choose now, with its words in the language that is spoken. */
export interface Choice {
  /** What is sent to the server. */
  value: number;
  /** The whole sentence for the button: "Show a disc", "Raise to 6". */
  label: string;
  /** The key under `{game}.choice`, and the values of its slots: for buttons that are drawn in their own way. */
  key: string;
  values: Readonly<Record<string, number | string>>;
}

export interface TableProps<G extends GameName = GameName> {
  /** Names, options, clock, who is a bot, who is on standby. */
  table: TableShown<G>;
  /** What is known through the eyes of `view.seat`; -1 is a watcher, and then there is nothing to press. */
  view: ViewShown<G>;
  /** Names by seat. Badges use `initials(names)` of seats.ts. */
  names: string[];
  /** The reader: `about(key, seats, reader)` of sentences.ts says "you" to them. */
  reader: Reader;
  /** The names as they stand beside badges: your own is "You". */
  labels: string[];
  /** What the last step told, in order; for a viewer who has just come in, what happened since a choice was last seen. */
  told: readonly Told<G>[];
  /** The same, as sentences in the language spoken. The shell has already announced them to the live region. */
  sentences: string[];
  /** Goes up by one with each step that is seen live: the moment to play the movement for `told`. Else draw its end. */
  step: number;
  /** Your choice of this round: `pending` (draw it dashed, "not sent yet"), `kept`, or null. */
  seal: Seal | null;
  /** What can be chosen now; empty when it is not this seat's turn. A seal can be changed by choosing again. */
  choices: Choice[];
  /** What is asked now, as a sentence; empty without choices. */
  question: string;
  /** Seal a choice, or change it: one tap, no confirmation. */
  choose: (value: number) => void;
  /** "Seen enough of the reveal": offered in the pause after one. */
  next: () => void;
  /** When the choice must be in, by `now()` of server.ts; null without a clock. The bar of `Frame` draws the ring. */
  deadline: number | null;
  /** A refusal of the last choice, as a sentence; empty if there was none. Goes with the next choice or step. */
  problem: string;
  /**
   * play: a live game. replay: a record, nothing to press; may jump to any step. learn: a guided game, like play.
   * tv: a public board across the room: no text under 26 px, nothing to press, nothing secret.
   */
  mode: "play" | "replay" | "learn" | "tv";
  /** Several people look at this screen (hot-seat): say names, never "you"; `reader` is nobody. */
  isShared: boolean;
  /** No line to the server for more than a second. The shell shows the bar; a table only keeps `pending` dashed. */
  isOffline: boolean;
  /** In a guided game, what to choose now. `Frame` marks it and says the sentences, so `says` is empty here. */
  lesson: LessonShown | null;
  /** What the bar at the top does; given through to `Frame`. */
  shell: Shell;
}

/** What belongs to the screen around a table. */
export interface Shell {
  back: () => void;
  /** Rules, why did that happen, sound, leave …; null where there is no menu (replay, tv). */
  menu: (() => void) | null;
  /** Short lines to the others; null where you can't speak. */
  talk: (() => void) | null;
  /** A preset phrase with one tap; where you can speak. */
  say?: ((phrase: string) => void) | undefined;
  /** Something was said that you have not seen yet. */
  hasUnread?: boolean;
  /** What a guided game says now, as keys under `GAME.lesson`. */
  says?: readonly string[];
  /** Takes the place of your own things: the table is paused, a bot has the seat. */
  instead?: Snippet | undefined;
  /** Below your own things, or where they would be: to take a seat, to pass the phone on. */
  foot?: Snippet | undefined;
  /** Above your own things: what goes on at the table beside the game. */
  beside?: Snippet | undefined;
  /** In the bar, before what the game adds: the point of view. */
  bar?: Snippet | undefined;
  /** The position in a replay, in words: for the bar, where there is room. */
  where?: string | undefined;
}

/** What the replay and the fairness check show of a game. */
export interface LookBack {
  /** By phase of a state, the stage of its round: segments of the timeline. */
  stages: Readonly<Record<number, number>>;
  /** The key of a list of words for the stages, if they have names. */
  stageWords?: string;
  /** What chance did, to be drawn: the words of the record behind `d`, as in "roll O - SSS". */
  drawn?: (words: readonly string[]) => DrawnPiece[];
  /** Choices whose values mean places on the table: what lies there, to be drawn instead. `state` is the one it was made in. */
  meant?: (said: OptionJudged["said"], state: unknown) => Meant | null;
}

/** What a choice means where the places on the table have no numbers. */
export interface Meant {
  /** In place of those that the choice has. */
  values: Record<string, string>;
  pieces: DrawnPiece[];
  /** The pieces, read out. */
  words: string;
}

/** A drawing of pieces.svg, or letters, with a suit behind them if it is a card. */
export type DrawnPiece = { piece: string } | { letters: string; suit?: string };

/** A table's component. */
export type TablePart = Component<TableProps>;
