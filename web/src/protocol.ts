// Made by `python -m docs.protocol` (`make docs`) from the server's own definitions. Do not edit.

/** How long a choice may take, in seconds; 0 is no clock. */
export const CLOCKS = {"none": 0, "20s": 20, "45s": 45, "2min": 120, "1day": 86400} as const;
/** How long pauses and movements take, by the usual time. */
export const PACES = {"brisk": 0.6, "usual": 1.0, "slow": 1.6} as const;
/** How many seconds a call of time leaves everybody. */
export const NOTICE = 20;
/** How many letters there may be. */
export const LONGEST = {"name": 16, "line": 140} as const;
export const WATCHER = -1; // the seat of a view of somebody without a seat
export const LANGUAGES = ["en", "de", "fr", "es"] as const;

/** The games: seats, options, endings by number, and what the numbers of their events are. */
export const GAMES = {
  pok: {
    title: "POK",
    seats: {
      least: 3,
      most: 7,
      usual: 4,
    },
    options: {
      memory: {"values": ["strict", "assisted"], "takes": {"3": ["strict", "assisted"], "4": ["strict", "assisted"], "5": ["strict", "assisted"], "6": ["strict", "assisted"], "7": ["strict", "assisted"]}, "default": {"3": "strict", "4": "strict", "5": "strict", "6": "strict", "7": "strict"}},
      max_rounds: {"least": 1, "most": 10000, "default": {"3": 200, "4": 200, "5": 200, "6": 200, "7": 200}},
    },
    endings: ["on", "five", "dead", "stopped"],
    events: {
      thrown: ["ones", "twos", "threes"],
      shown: ["seats", "symbol", ""],
      met: ["seats", "symbol", "number"],
      handed_over: ["seats", "number", ""],
      absent: ["seats", "", ""],
      all_absent: ["seats", "", ""],
      nothing_met: ["", "", ""],
      won: ["seats", "", ""],
      drawn: ["seats", "", ""],
      dead: ["", "", ""],
      stopped: ["seats", "number", ""],
    },
  },
  pokerdice: {
    title: "Pokerdice",
    seats: {
      least: 2,
      most: 5,
      usual: 3,
    },
    options: {
      variant: {"values": ["normal", "double"], "takes": {"2": ["normal", "double"], "3": ["normal"], "4": ["normal"], "5": ["normal"]}, "default": {"2": "normal", "3": "normal", "4": "normal", "5": "normal"}},
      equal_turns: {"values": [false, true], "takes": {"2": [false, true], "3": [false, true], "4": [false, true], "5": [false, true]}, "default": {"2": false, "3": false, "4": false, "5": false}},
      first_active: {"values": ["nature", "p1", "p2", "p3", "p4", "p5"], "takes": {"2": ["nature", "p1", "p2"], "3": ["nature", "p1", "p2", "p3"], "4": ["nature", "p1", "p2", "p3", "p4"], "5": ["nature", "p1", "p2", "p3", "p4", "p5"]}, "default": {"2": "nature", "3": "nature", "4": "nature", "5": "nature"}},
    },
    endings: ["on", "points", "last-active"],
    events: {
      first: ["seat", "", ""],
      thrown: ["seat", "digits", ""],
      turned_up: ["seat", "objective", ""],
      rethrown: ["seat", "number", ""],
      stopped: ["seat", "", ""],
      revealed: ["", "digits", ""],
      scored: ["seat", "objective", "number"],
      lost: ["seat", "objective", ""],
      captured: ["seat", "objective", "seat"],
      won: ["seats", "number", ""],
      won_later: ["seats", "number", ""],
    },
  },
  pokopop: {
    title: "Poko Pop!",
    seats: {
      least: 3,
      most: 5,
      usual: 4,
    },
    options: {
      memory: {"values": ["strict", "assisted"], "takes": {"3": ["strict", "assisted"], "4": ["strict", "assisted"], "5": ["strict", "assisted"]}, "default": {"3": "strict", "4": "strict", "5": "strict"}},
      max_waits: {"least": 0, "most": 1000, "default": {"3": 12, "4": 12, "5": 12}},
      effects: {"values": [false, true], "takes": {"3": [false, true], "4": [false, true], "5": [false, true]}, "default": {"3": false, "4": false, "5": false}},
    },
    endings: ["on", "points"],
    events: {
      dealt: ["", "number", ""],
      took: ["seat", "card", "number"],
      clashed: ["seats", "", "number"],
      minus: ["seat", "", ""],
      spared: ["seat", "", ""],
      all_waited: ["", "number", ""],
      waited_out: ["", "number", ""],
      flipped: ["", "card", ""],
      left_over: ["", "number", "number"],
      final: ["", "number", ""],
      took_pile: ["seat", "number", ""],
      shared_pile: ["seats", "number", ""],
      pile_stayed: ["", "number", ""],
      won: ["seats", "number", ""],
      drawn: ["seats", "number", ""],
    },
  },
  poch: {
    title: "Poch",
    seats: {
      least: 2,
      most: 8,
      usual: 4,
    },
    options: {
      stack: {"least": 8, "most": 10000, "default": {"2": 100, "3": 100, "4": 100, "5": 100, "6": 100, "7": 100, "8": 100}},
      deals: {"least": 1, "most": 1000, "default": {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8}},
      max_bid: {"least": 1, "most": 10000, "default": {"2": 10, "3": 10, "4": 10, "5": 10, "6": 10, "7": 10, "8": 10}},
      showdown: {"values": ["bidders", "everyone"], "takes": {"2": ["bidders", "everyone"], "3": ["bidders", "everyone"], "4": ["bidders", "everyone"], "5": ["bidders", "everyone"], "6": ["bidders", "everyone"], "7": ["bidders", "everyone"], "8": ["bidders", "everyone"]}, "default": {"2": "bidders", "3": "bidders", "4": "bidders", "5": "bidders", "6": "bidders", "7": "bidders", "8": "bidders"}},
      bluff: {"values": ["not-best", "no-set"], "takes": {"2": ["not-best", "no-set"], "3": ["not-best", "no-set"], "4": ["not-best", "no-set"], "5": ["not-best", "no-set"], "6": ["not-best", "no-set"], "7": ["not-best", "no-set"], "8": ["not-best", "no-set"]}, "default": {"2": "not-best", "3": "not-best", "4": "not-best", "5": "not-best", "6": "not-best", "7": "not-best", "8": "not-best"}},
    },
    endings: ["on", "deals", "broke"],
    events: {
      dealer: ["seat", "", ""],
      dealt: ["seat", "rank", "suit"],
      trumps: ["seat", "", "suit"],
      antes: ["", "number", ""],
      collected: ["seat", "plate", "number"],
      passed: ["seat", "", ""],
      held: ["seat", "number", ""],
      raised: ["seat", "number", ""],
      nobody_bid: ["seat", "", ""],
      unseen: ["seat", "", ""],
      showed: ["seat", "set", "rank"],
      paid_double: ["seat", "number", "seat"],
      took_bank: ["seat", "number", "number"],
      started: ["seat", "direction", ""],
      named: ["seat", "", "suit"],
      last_suit: ["", "", "suit"],
      played: ["seat", "rank", "suit"],
      out: ["seat", "", ""],
      paid: ["seat", "number", "seat"],
      ended_broke: ["seats", "", ""],
      won: ["seats", "number", ""],
      drawn: ["seats", "number", ""],
    },
  },
} as const;

export type GameName = keyof typeof GAMES;

/** Values of the options, by game. */
export type GameOptions = {
  [G in GameName]: { [O in keyof Options<G>]: OptionValue<Options<G>[O]> };
};

type Options<G extends GameName> = (typeof GAMES)[G]["options"];
type OptionValue<O> = O extends { values: readonly (infer V)[] } ? V : number;

/** An event: its name and its numbers, whose kinds stand in GAMES (0 where one says nothing). */
export type Told<G extends GameName = GameName> = [
  event: { [K in G]: keyof (typeof GAMES)[K]["events"] }[G],
  who: number,
  what: number,
  more: number,
];

/** The cells of a view, by game. */
export interface GameStates {
  pok: {
    n_seats: number;
    phase: number;
    round: number;
    ending: number;
    winners: number;
    step: number;
    memory: number;
    max_rounds: number;
    n_dice: number;
    dice: number[];
    counters: number[][];
    left: number[];
    choice: number[];
    shown: number[];
    showing: number[];
    shown_dice: number[];
    gone: number;
  };
  pokerdice: {
    n_seats: number;
    phase: number;
    round: number;
    ending: number;
    winners: number;
    step: number;
    variant: number;
    equal_turns: number;
    first_active: number;
    active: number;
    dice: number[];
    thrown: number[];
    again: number;
    rethrows: number;
    hand: number[];
    second: number[];
    choice: number[];
    shown: number[];
    scored: number[][];
    lost: number[][];
    captured: number[][];
    score: number[];
  };
  pokopop: {
    n_seats: number;
    phase: number;
    round: number;
    ending: number;
    winners: number;
    step: number;
    memory: number;
    max_waits: number;
    effects: number;
    deck: number;
    unseen: number[];
    n_dealt: number;
    row: number[];
    taken: number[];
    takers: number[];
    poko: number;
    inside: number;
    waits: number;
    choice: number[];
    shown: number[];
    face_up: number[][];
    face_down: number[];
    pile: number[];
    pile_size: number;
    pile_top: number;
    aside: number;
    taker: number;
    drawn: number[];
  };
  poch: {
    n_seats: number;
    phase: number;
    round: number;
    ending: number;
    winners: number;
    step: number;
    stack: number;
    deals: number;
    max_bid: number;
    showdown: number;
    bluff: number;
    dealer: number;
    counters: number[];
    plates: number[];
    bank: number;
    undealt: number;
    dealing_to: number;
    n_dealt: number;
    hand: number[];
    hand_size: number[];
    last_card: number[];
    trumps: number;
    seen: number[];
    acting: number;
    said: number[];
    paid: number[];
    bid: number;
    bidder: number;
    winner: number;
    direction: number;
    suits_left: number;
    played_by: number[];
  };
}

/** A guest: a name and a language, and no account. */
export interface Guest {
  name: string;
  language?: "en" | "de" | "fr" | "es";
}

/** A table to be opened. */
export interface NewTable<G extends GameName = GameName> {
  game: G;
  seats: number;
  options?: Partial<GameOptions[G]>;
  clock?: "none" | "20s" | "45s" | "2min" | "1day";
  listed?: boolean;
  tells?: boolean;
  bots?: number;
  level?: "random" | "novice" | "casual" | "strong" | "master";
}

/** Agree to a newcomer who asks for a bot's seat. */
export interface Agree {
  do: "agree";
  seat: number;
}

/** Take your seat back from the stand-in bot. */
export interface Back {
  do: "back";
}

/** Call time, from `call_at` on: all have 20 seconds, then the server plays for those whose choice is missing.

Others may join a call. It is off when the last of those who want it has taken it back. */
export interface Call {
  do: "call";
  called?: boolean;
}

/** A preset phrase, which everybody reads in their own language, or else a short line. */
export interface Chat {
  do: "chat";
  phrase?: string;
  text?: string;
}

/** Seal a choice, or change it. The id makes it safe to send it again. */
export interface Choose {
  do: "choose";
  seat: number;
  choice: number;
  id: string;
}

/** The host refuses a newcomer who asks for a seat, or sends away one who has taken a bot's; the bot plays on. */
export interface Dismiss {
  do: "dismiss";
  seat: number;
}

/** The host gives a standby seat to a friend. */
export interface Give {
  do: "give";
  seat: number;
}

/** Give up your seats; in a game stand-in bots play on. Also withdraws a request for a seat. */
export interface Leave {
  do: "leave";
}

/** Don't show me what a seat says, or do again. */
export interface Mute {
  do: "mute";
  seat: number;
  muted?: boolean;
}

/** Seen enough of the reveal, or read what a guided game says. */
export interface Next {
  do: "next";
}

/** The host stops the clocks, or starts them again.

Anybody at the table may start them again if the host who stopped them is gone, or from `pause_ends` on. */
export interface Pause {
  do: "pause";
  paused?: boolean;
}

/** A heartbeat of the client: the server answers at once with `pong`. */
export interface Ping {
  do: "ping";
}

/** Ready to start, or not. */
export interface Ready {
  do: "ready";
  ready?: boolean;
}

/** After the end: the next game of the evening; the table that follows stands in the table frame.

The same people sit down one seat further on. Bots fill what the game needs; where it takes fewer, people sit out in
turn. A second request leads to the table of the first. It begins when all its people are ready. */
export interface Rematch<G extends GameName = GameName> {
  do: "rematch";
  options?: Partial<GameOptions[G]> | null;
  game?: G | null;
}

/** The host frees a seat before the start. */
export interface Remove {
  do: "remove";
  seat: number;
}

/** Add salt to the draws, before the start. */
export interface Salt {
  do: "salt";
  seat: number;
  salt: string;
}

/** The host seats a bot: on the seat named, or the first free one. Without a name the server gives it one. */
export interface SeatBot {
  do: "bot";
  seat?: number | null;
  level?: "random" | "novice" | "casual" | "strong" | "master";
  temper?: "cautious" | "bold" | "bluffer" | "";
  name?: string;
}

/** The host adds seats at the end or takes free ones away, before the start. Options that need others go. */
export interface Seats {
  do: "seats";
  seats: number;
}

/** How long reveals and bots' answers take; for a person whose table has nobody else but bots. */
export interface SetPace {
  do: "pace";
  pace: "brisk" | "usual" | "slow";
}

/** Take a seat: the one named, or the first free one. Before the start, with your own seat: take another name.

Two people of the same name are told apart by a number.
In a running game this asks for a bot's seat. You come in between two rounds, once the host and one more person (if
there is one) have agreed; until then you watch. If you have held a seat of the game you can't ask for another. */
export interface Sit {
  do: "sit";
  name: string;
  seat?: number | null;
}

/** The host starts the game. */
export interface Start {
  do: "start";
}

/** Vote to end the game, or take the vote back. */
export interface Vote {
  do: "vote";
  vote?: boolean;
}

/** Everything a client may say at a table. */
export type Message =
  | Sit
  | Leave
  | Ready
  | SeatBot
  | Remove
  | Seats
  | Give
  | Salt
  | Start
  | Choose
  | Next
  | Back
  | Agree
  | Dismiss
  | Call
  | SetPace
  | Pause
  | Vote
  | Chat
  | Mute
  | Ping
  | Rematch;

/** Whether the strong bots here play at their strength. It has no number, since nothing has happened in the game. */
export interface BotsFrame {
  kind: "bots";
  /** While it is false, their search is still being compiled, and the casual level stands in for them. */
  ready: boolean;
}

/** Somebody at the table said something. */
export interface ChatFrame {
  kind: "chat";
  n: number;
  viewer: number;
  lines: Line[];
}

/** Who has chosen; only at a table opened with `tells`. */
export interface ChosenFrame {
  kind: "chosen";
  n: number;
  viewer: number;
  seats: number[];
}

/** The seat that you have asked for, or null if you ask no longer. It has no number: only you get it. */
export interface ClaimFrame {
  kind: "claim";
  seat: number | null;
}

/** Somebody asks for a bot's seat. */
export interface ClaimShown {
  name: string;
  /** How many of those who have to agree do … */
  agreed: number;
  /** … and how many there are: the host, and one more person if there is one. */
  wanted: number;
  /** The first seats of all who have agreed. */
  by: number[];
}

/** A message was refused, and nothing has changed. It has no number, since nobody else learns of it. */
export interface ErrorFrame {
  kind: "error";
  /** Stable; the catalogues of texts have sentences for people. */
  code: string;
  /** One sentence for developers. */
  text: string;
}

/** Somebody of an evening, or all bots together. */
export interface EveningRow {
  /** Empty for the bots. */
  name: string;
  bots: boolean;
  /** Where they sit now, if they do. */
  seat: number | null;
  /** Games to their end. */
  played: number;
  /** Of them, alone or with others. */
  won: number;
  /** Of those, with others. */
  shared: number;
  /** More wins are better, and of as many the ones that were not shared; equals have the same place. */
  place: number;
}

/** Games of the same people, one after the other (docs/evening.md). */
export interface EveningShown {
  /** That were played to their end; this one too, once it is over. */
  games: number;
  /** By place. */
  rows: EveningRow[];
  /** The people who sit this game out, since it takes fewer. */
  resting: string[];
}

/** Where a guided game has got to. */
export interface LessonShown {
  /** What is said now: texts under `GAME.lesson` in the catalogues. */
  says: string[];
  /** What to choose now. If it is null and something is said, the game goes on when the learner says `next`. */
  choice: number | null;
}

/** What somebody said: a phrase or a text. */
export interface Line {
  seat: number;
  name: string;
  /** A text under `phrase` in the catalogues. */
  phrase?: string;
  text?: string;
}

/** The seats that this one has muted have changed; only the seat itself gets this. */
export interface MutedFrame {
  kind: "muted";
  n: number;
  viewer: number;
  muted: number[];
}

/** The answer to `ping`. It has no number, since nothing has happened. */
export interface PongFrame {
  kind: "pong";
}

/** Your choice is stored; only its seat gets this. Choices that a bot makes for the seat have an empty id. */
export interface SealedFrame {
  kind: "sealed";
  n: number;
  viewer: number;
  seat: number;
  choice: number;
  id: string;
}

/** A place at the table and who has it. */
export interface SeatShown {
  /** Empty while the seat is free. */
  name: string;
  /** The level of the bot that sits here, with its temper if it has one: `casual`, `strong-bold`. */
  bot: string | null;
  free: boolean;
  ready: boolean;
  /** A stand-in bot plays for its person, who can come back. */
  standby: boolean;
  /** Its person wants to end the game. */
  votes: boolean;
  /** Its person has taken a bot's seat, and the host may send them away. */
  newcomer: boolean;
  /** The person who asks for it; after the end of the game, one who did not come in any more. */
  claim: ClaimShown | null;
}

/** Everything a viewer may know now: the first frame of a connection. */
export interface SnapshotFrame<G extends GameName = GameName> {
  kind: "snapshot";
  /** The number of the last frame that is contained in it. */
  n: number;
  viewer: number;
  /** The time of the server, in which all its times are: a monotonic clock that begins at the time of day. */
  now: number;
  table: TableShown<G>;
  /** What was said lately. */
  lines: Line[];
  /** The seats that this one has muted. */
  muted: number[];
  /** The throw or deal that the last choice was about, if it was about one. */
  judged?: Told<G>[];
  /** What happened since a choice was last seen, that choice included. */
  told?: Told<G>[];
  /** How many of the last of `told` are the throw or deal that the next choice is about. */
  setting?: number;
  /** Once the game has begun. */
  view?: ViewShown<G>;
  /** When the decision that is due must be in, in seconds since 1970; null without a clock or a call of time. */
  deadline?: number | null;
  /** From when time may be called for it; null where it can't. */
  call_at?: number | null;
  /** In a guided game. */
  lesson?: LessonShown;
}

/** The game went on: a throw, a deal, a choice, or the one reveal of a sealed round. */
export interface StepFrame<G extends GameName = GameName> {
  kind: "step";
  n: number;
  viewer: number;
  /** What happened, in order: an event's name and its three numbers. */
  told: Told<G>[];
  /** The seats that missed the deadline, so that the server chose for them. */
  timeouts: number[];
  view: ViewShown<G>;
  deadline: number | null;
  call_at: number | null;
  lesson?: LessonShown;
  /** If something about the table changed with it. */
  table?: TableShown<G>;
}

/** Something about the table changed: seats, who asks for one, host, pause, a call of time, votes, its end. */
export interface TableFrame<G extends GameName = GameName> {
  kind: "table";
  n: number;
  viewer: number;
  table: TableShown<G>;
  /** When the decision that is due must be in: a pause takes it away, and the end of the pause brings a later one. */
  deadline: number | null;
  call_at: number | null;
}

/** What everybody may know of a table besides its game. */
export interface TableShown<G extends GameName = GameName> {
  id: string;
  /** For joining: five letters and digits. */
  code: string;
  game: G;
  status: "open" | "on" | "over";
  /** Those that differ from their defaults, or were given. */
  options: Partial<GameOptions[G]>;
  /** Time for a decision. */
  clock: "none" | "20s" | "45s" | "2min" | "1day";
  listed: boolean;
  /** Does it show who has chosen? */
  tells: boolean;
  /** Is it a guided game? */
  lesson: boolean;
  /** Binds the server to the seed of all draws (docs/fairness.md). */
  commitment: string;
  /** The host's first seat. */
  host: number | null;
  paused: boolean;
  /** The first seat of the host who stopped the clocks. */
  paused_by: number | null;
  /** From when anybody at the table may start them again. */
  pause_ends: number | null;
  /** How long reveals and bots' answers take. */
  pace: "brisk" | "usual" | "slow";
  /** The seat that has called time for the decision that is due. */
  called: number | null;
  /** All seats that want the call, in the order in which they came. */
  callers: number[];
  /** Why the table is over: played, voted, left, forgotten or taught; empty before. */
  ending: string;
  /** The seed of all draws in hexadecimal digits, revealed at the end; empty before. */
  seed: string;
  /** The id of the table that follows this one, or empty. */
  rematch: string;
  /** How the evening stands, from its second game on and at the end of the first. */
  evening: EveningShown | null;
  seats: SeatShown[];
}

/** What one seat, or a watcher, may know of the game now, and what it can do. */
export interface ViewShown<G extends GameName = GameName> {
  /** Whose view this is; -1 is a watcher's. */
  seat: number;
  /** The cells of the state; -99 where this viewer may not look. */
  state: GameStates[G];
  /** -1: dice or deals; 0: the game is over; else the bit set of the seats that choose now. */
  turn: number;
  /** What this seat may choose now; empty if it is not its turn. */
  choices: number[];
  /** What each choice is called: a text under `GAME.choice` in the catalogues, and the values of its slots. */
  choice_texts: ([string, Record<string, number | string>])[];
  /** What this seat is asked now: a text under `GAME.prompt`. */
  question: [string, Record<string, number | string>] | null;
  /** What each seat counts, as if the game were scored now. */
  points: number[];
  /** Which place each seat has, from 1; empty while the game is on. */
  places: number[];
  /** What the view lets its seat work out, by name: limits of a bid, objectives met now. */
  facts: Record<string, number>;
}

/** The person behind the cookie. */
export interface Person {
  /** An id that stays; the cookie proves that it is yours. */
  person: string;
  name: string;
  language: string;
}

/** A table in a list. */
export interface Listed<G extends GameName = GameName> {
  id: string;
  code: string;
  game: G;
  status: "open" | "on" | "over";
  /** Who sits where; empty for a free seat. */
  names: string[];
  /** Seats that are free. */
  free: number;
  clock: "none" | "20s" | "45s" | "2min" | "1day";
  options: Partial<GameOptions[G]>;
  lesson: boolean;
  /** When it was last known to have changed, roughly, in seconds since 1970. */
  updated_at: number;
}

/** A finished game, as one of its people is told of it. */
export interface PlayedShown<G extends GameName = GameName> {
  id: string;
  code: string;
  game: G;
  names: string[];
  /** Where bots sat. */
  bots: boolean[];
  /** Your own, or the first of them. */
  seat: number;
  ended_at: number;
  points: number[];
  /** Empty if it was not played to its end. */
  winners: number[];
  /** Winners are first, then more points are better; null without a winner. */
  place: number | null;
  /** Did a bot play your seat at the end? */
  left: boolean;
  /** What everybody counted at the beginning and after each round; of many rounds some. */
  curve: number[][];
}

/** What your games of a kind come to; those that you have left do not count. */
export interface SumShown<G extends GameName = GameName> {
  game: G;
  played: number;
  /** Alone or with others, but not with all. */
  won: number;
  /** The average. */
  place: number;
}

/** Your finished games. */
export interface PlayedPage<G extends GameName = GameName> {
  /** How many there are, of the latest 1000 tables. */
  all: number;
  /** How many of them were looked for. */
  found: number;
  /** Of all of them, by game. */
  sums: SumShown<G>[];
  /** A page of those that were looked for. */
  games: PlayedShown<G>[];
}

/** A game that is played here. */
export interface GameShown<G extends GameName = GameName> {
  name: G;
  title: string;
  /** How many may play it. */
  seats: number[];
  usual_seats: number;
  /** By the number of seats. */
  options: Record<string, OptionShown[]>;
}

/** An option of a game, for one number of seats. */
export interface OptionShown {
  name: string;
  /** What it takes; for a whole number, the least and the most. */
  values: (string | boolean | number)[];
  is_number: boolean;
  default: string | boolean | number;
}

/** What a client must know to offer tables. */
export interface ServerShown<G extends GameName = GameName> {
  /** Changes with every build of the server and its page; a client gives its own when it opens a socket. */
  build: string;
  games: GameShown<G>[];
  clocks: ("none" | "20s" | "45s" | "2min" | "1day")[];
  /** The levels of bots. */
  bots: string[];
  /** What a bot may be like besides. */
  tempers: string[];
  /** The preset phrases of the chat: texts under `phrase` in the catalogues. */
  phrases: string[];
}

/** Hands your seats to another device, once. */
export interface Ticket {
  ticket: string;
  expires: number;
}

/** How a game ended. */
export interface OutcomeShown {
  reason: string;
  shares: number[];
}

/** A game after one of its actions; the first is its beginning. */
export interface ReplayStep<G extends GameName = GameName> {
  action: number;
  /** The action in the words of the record; only for those who see all. */
  text: string;
  told: Told<G>[];
  view: ViewShown<G>;
  outcome: OutcomeShown | null;
}

/** A finished game, or a record, from a point of view. */
export interface Replay<G extends GameName = GameName> {
  game: G;
  names: string[];
  options: Partial<GameOptions[G]>;
  /** What the server had bound itself to; empty for a record without a proof. */
  commitment: string;
  /** How many there are. */
  actions: number;
  /** At most so many as were asked for. */
  steps: ReplayStep<G>[];
}

/** A finished game, looked back at. */
export interface AnalysisShown<G extends GameName = GameName> {
  format: string;
  game: G;
  players: string[];
  options: Partial<GameOptions[G]>;
  /** `kind` is `solution`, or `playouts` with the number of `games` from each position. */
  method: Record<string, string | boolean | number>;
  /** Null if the game was not played to its end. */
  shares: number[] | null;
  steps: StepJudged[];
  choices: ChoiceJudged[];
  seats: SeatJudged[];
}

/** A choice where there was one to make. */
export interface ChoiceJudged {
  step: number;
  action: number;
  seat: number;
  /** Its place among the options. */
  chosen: number;
  options: OptionJudged[];
  /** What it lost against the reference, from what the seat could know. */
  cost: number;
  error: number;
  /** What it gained over a choice picked blindly. */
  merit: number;
}

/** One of the choices that a seat had. */
export interface OptionJudged {
  /** As the record writes it. */
  words: string;
  /** What it is called: a text under `GAME.choice` in the catalogues, and the values of its slots. */
  said: [string, Record<string, number | string>];
  /** How often the reference takes it. */
  often: number;
  worth: number;
  /** Standard error of the worth, against what the reference mixes. */
  error: number;
}

/** Could a rival who paid attention have foreseen the choices? */
export interface Readability {
  word: "hidden" | "open" | "clear";
  /** The evidence for habits. */
  bits: number;
  /** Choices for which the reference mixes. */
  mixed: number;
  /** Those of them that a reader would have guessed. */
  guessed: number;
  /** Those that a reader would guess of somebody who mixes as the reference does. */
  expected: number;
}

/** What the game comes to for a seat: an equal part, luck, choices and meeting are its share of the win. */
export interface SeatJudged {
  luck: number;
  luck_error: number;
  choices: number;
  choices_error: number;
  meeting: number;
  readability: Readability;
  /** Numbers of choices. */
  best: number[];
  worst: number[];
}

/** Everybody's chance of winning after a step, and what has changed it: the three changes add up to it. */
export interface StepJudged {
  /** The action of the record at which it ends. */
  action: number;
  chances: number[];
  /** Standard errors of the chances; 0 where they are exact. */
  errors: number[];
  luck: number[];
  choices: number[];
  meeting: number[];
}

/** The analysis of a finished game, or how far it is: ask again in a second or two. */
export interface Analysed<G extends GameName = GameName> {
  status: "waiting" | "working" | "done";
  /** Steps that have been looked at … */
  done: number;
  /** … of so many; 0 before it is known. */
  total: number;
  /** Games that come before. */
  ahead: number;
  /** Once it is done. */
  analysis: AnalysisShown<G> | null;
}

/** One of the choices of a position. */
export interface ValuedShown {
  choice: number;
  /** What it is called: a text under `GAME.choice` in the catalogues, and the values of its slots. */
  said: [string, Record<string, number | string>];
  /** How often the reference takes it. */
  often: number;
  worth: number;
  /** Standard error of the worth; 0 where it is exact. */
  error: number;
}

/** The position of a day: what its seat sees, and what each of its choices is worth (docs/problems.md). */
export interface ProblemShown<G extends GameName = GameName> {
  /** As 2026-11-18. */
  date: string;
  game: G;
  /** Its place among the positions of its game, from 0 … */
  number: number;
  /** … and how many there are. */
  of: number;
  names: string[];
  options: Partial<GameOptions[G]>;
  seat: number;
  view: ViewShown<G>;
  /** What happened last. */
  told: Told<G>[];
  choices: ValuedShown[];
  /** The right choices: the best one, or those that the reference mixes. */
  best: number[];
  /** How far they are ahead of the next one. */
  gap: number;
  gap_error: number;
  /** `kind` is `solution`, or `playouts` with the number of `games` for each of the best choices. */
  method: Record<string, string | boolean | number>;
}

/** One draw of a game: a ticket of so many, what it meant, and the action of the record it is part of. */
export interface DrawShown {
  number: number;
  tickets: number;
  ticket: number;
  outcome: number;
  action: number;
}

/** What became of checking a game's draws. */
export interface Verified {
  fair: boolean;
  /** Why not: proof/unfair, or record/bad; empty if it is fair. */
  code: string;
  text: string;
  /** Where it went wrong; 0 is the record itself. */
  action: number;
  /** From here on what the proof says, so that anybody can recompute the draws; empty where it says nothing. */
  table: string;
  commitment: string;
  seed: string;
  salts: string[];
  draws: DrawShown[];
}

/** Everything is as it should be. */
export interface Fine {
  status: string;
}

/** Everything the server sends. */
export type Frame<G extends GameName = GameName> =
  | SnapshotFrame<G>
  | StepFrame<G>
  | SealedFrame
  | ChosenFrame
  | TableFrame<G>
  | ChatFrame
  | MutedFrame
  | ClaimFrame
  | BotsFrame
  | PongFrame
  | ErrorFrame;
