/**
 * A live table: one WebSocket that heals by itself, and what each of your viewers knows, folded from the frames.
 *
 * A viewer is a seat that you hold on this device, or WATCHER. Every viewer has frames and numbers of its own.
 */
import { lineTo } from "./here.svelte.ts";
import { build, setTime } from "./server.ts";
import { WATCHER } from "./protocol.ts";
import type { BotsFrame, ClaimFrame, ErrorFrame, Frame, GameName, LessonShown, Line, Message, PongFrame } from "./protocol.ts";
import type { SnapshotFrame, TableShown, Told, ViewShown } from "./protocol.ts";
import { randomHex } from "./random.ts";
import { isDrawing, onceDrawn } from "./turns.svelte.ts";

type Numbered = Exclude<Frame, ErrorFrame | ClaimFrame | BotsFrame | PongFrame>;

export { WATCHER };
export const TOO_OLD = 4000; // the close code for a page of another build than the server's
const REFUSED = 1008;
const UNKNOWN_YET = 0;
const SHORTEST_WAIT = 250; // ms before the next try; doubled each time …
const LONGEST_WAIT = 8_000; // … up to here
const PATIENCE = 1_000; // ms without a line before anybody is told
const BEAT = 2_500; // ms of silence after which the server is asked whether it is there
const ANSWER = 2_000; // ms that it has to say so, or to keep a choice; both together are less than five seconds
const LATE = 1_000; // ms that a timer may be late: if it is later, the page was asleep
const OPENING = 10_000; // ms until a line that does not come up is tried again
const ASLEEP = 20_000; // ms in the background after which an open socket is not trusted any more
const MOST_LINES = 50;

/** Your choice in the round that is on: `pending` until the server has acknowledged it. */
export interface Seal {
  choice: number;
  id: string;
  state: "pending" | "kept";
}

/** What one viewer knows now. */
export interface Seen<G extends GameName = GameName> {
  viewer: number;
  n: number;
  view: ViewShown<G> | null;
  deadline: number | null;
  /** From when time may be called for the decision that is due; null where it can't. */
  callAt: number | null;
  /** What the last step told; after a snapshot, what has happened since a choice was last seen. */
  told: Told<G>[];
  /** The last reveal, with the dice or cards that it was about: the answer to "why". What lies there next is no part of it. */
  since: Told<G>[];
  /** What was thrown or dealt for the choice that is due. */
  setting: Told<G>[];
  timeouts: number[];
  seal: Seal | null;
  /** Counts the steps seen live, so that an animation knows a new one; a snapshot does not count. */
  steps: number;
  lesson: LessonShown | null;
}

/**
 * Why you have no seat, or none in sight, any more: the host turned your request down, sent you away, or
 * gave the seat to somebody else while you were gone.
 */
export type Parted = "refused" | "sent_away" | "given";

/** Why there is nothing to see any more. */
export type Gone = { code: string };

/** A line of chat, with a key for lists. */
export type Heard = Line & { key: number };

/** How a socket is made; tests give one of their own. */
export type Opens = (address: string) => WebSocket;
const openSocket: Opens = lineTo;

export class LiveTable {
  /** Whether the line is up; `lost` only after a second without it, since most breaks are shorter. */
  line = $state<"opening" | "open" | "lost">("opening");
  table = $state.raw<TableShown | null>(null);
  /** By viewer; the order is that of the seats. */
  seen = $state.raw<ReadonlyMap<number, Seen>>(new Map());
  lines = $state.raw<readonly Heard[]>([]);
  /** Seats that this viewer doesn't want to hear. */
  muted = $state.raw<readonly number[]>([]);
  /** Who has chosen, at a table opened with `tells`. */
  chosen = $state.raw<readonly number[]>([]);
  /** The last refusal, until the next thing happens. */
  refusal = $state.raw<{ code: string; key: number } | null>(null);
  gone = $state.raw<Gone | null>(null);
  /** The bot's seat that you have asked for in a game that is on. */
  claim = $state.raw<number | null>(null);
  parted = $state.raw<Parted | null>(null);
  /** The casual level plays for strong bots, whose search is still being compiled. */
  hasStandIns = $state(false);

  #id: string;
  #open: Opens;
  #isPublic: boolean;
  #socket: WebSocket | null = null;
  #wait = SHORTEST_WAIT;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #answer = ANSWER;
  #pulse: ReturnType<typeof setTimeout> | undefined; // until the server is asked, or until it should have answered
  #hiddenAt = 0;
  #unsent: Message[] = [];
  #held: Frame[] = [];
  #kept = new Map<number, Seal | null>(); // by seat, the choice that the server has
  #isWithdrawn = false;
  #count = 0;
  #isLeft = false;

  /** `isPublic`: see only what everybody may see, also where the guest has a seat: for big screens and shared phones. */
  constructor(id: string, { isPublic = false, open = openSocket }: { isPublic?: boolean; open?: Opens } = {}) {
    this.#id = id;
    this.#isPublic = isPublic;
    this.#open = open;
  }

  get id(): string {
    return this.#id;
  }

  /** The seats that you hold here, lowest first. */
  get seats(): number[] {
    return [...this.seen.keys()].filter((viewer) => viewer !== WATCHER).sort((a, b) => a - b);
  }

  /** What a viewer knows; null before the first snapshot. */
  at(viewer: number): Seen | null {
    return this.seen.get(viewer) ?? null;
  }

  /** Connect, and stay connected until `leave`. */
  join(): () => void {
    this.#connect();
    const wake = () => this.#wake();
    const sleep = () => (document.hidden ? (this.#hiddenAt = Date.now()) : this.#wake());
    addEventListener("online", wake);
    addEventListener("pageshow", wake);
    document.addEventListener("visibilitychange", sleep);
    return () => {
      removeEventListener("online", wake);
      removeEventListener("pageshow", wake);
      document.removeEventListener("visibilitychange", sleep);
      this.#part();
    };
  }

  /** Open the line again: the server knows the guest from the moment it opens. */
  reconnect(): void {
    this.#drop();
    this.#connect();
  }

  /** Say something that need not survive a break: ready, start, chat. */
  say(message: Message): void {
    this.refusal = null;
    if (message.do === "sit") this.parted = null;
    this.#isWithdrawn = message.do === "leave";
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else this.#unsent.push(message);
  }

  /** Seal a choice, or change it. It is sent again after a break until the server has it; the id makes that safe. */
  choose(seat: number, choice: number): void {
    const seal: Seal = { choice, id: randomHex(8), state: "pending" };
    this.refusal = null;
    this.#update(seat, { seal });
    this.#sendSeal(seat, seal);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#awaitAnswer();
  }

  #sendSeal(seat: number, seal: Seal): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ do: "choose", seat, choice: seal.choice, id: seal.id } satisfies Message));
  }

  /** The server is there. After a while of silence it is asked whether it still is; a hidden page does not ask. */
  #beat(): void {
    this.#after(BEAT, () => this.#ask());
  }

  #ask(): void {
    if (document.hidden || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ do: "ping" } satisfies Message));
    this.#awaitAnswer();
  }

  /**
   * A line that does not answer is lost, though nothing has closed it: a frozen server, or a network that is gone. A server
   * that is only slow gets more time after each loss: it must not drown in reconnections.
   */
  #awaitAnswer(): void {
    this.#asked = performance.now();
    this.#after(this.#answer, () => {
      if (document.hidden) return;
      if (performance.now() - this.#asked > this.#answer + LATE) return this.#ask();
      this.#answer = Math.min(this.#answer * 2, LONGEST_WAIT);
      this.line = "lost";
      this.reconnect();
    });
  }

  #after(time: number, what: () => void): void {
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(what, time);
  }

  #address(): string {
    const query = new URLSearchParams();
    const last = [...this.seen.values()].filter((seen) => seen.n > UNKNOWN_YET);
    if (last.length > 0) query.set("last", last.map((seen) => `${seen.viewer}:${seen.n}`).join(","));
    if (this.#isPublic) query.set("as", "watcher");
    const own = build();
    if (own !== null) query.set("build", own);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}/ws/${encodeURIComponent(this.#id)}?${query}`;
  }

  #connect(): void {
    clearTimeout(this.#retry);
    if (this.#isLeft) return;
    const socket = this.#open(this.#address());
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (socket === this.#socket) this.#hear(event.data);
    };
    socket.onopen = () => {
      if (socket === this.#socket) this.#opened(socket);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#closed(event);
    };
    this.#patience ??= setTimeout(() => (this.line = "lost"), PATIENCE);
    this.#after(OPENING, () => this.reconnect());
  }

  #opened(socket: WebSocket): void {
    this.hasStandIns = false; // the server says it again
    for (const message of this.#unsent.splice(0)) socket.send(JSON.stringify(message));
    for (const [seat, seen] of this.seen) if (seen.seal?.state === "pending") this.#sendSeal(seat, seen.seal);
  }

  /** The line is good once something has come through it. */
  #heal(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#wait = SHORTEST_WAIT;
    this.line = "open";
  }

  #closed(event: CloseEvent): void {
    this.#socket = null;
    clearTimeout(this.#pulse);
    this.#takeHeld();
    if (event.code === TOO_OLD) return reloadOnce();
    if (event.code === REFUSED) {
      this.gone = { code: event.reason || "table/unknown" };
      return this.#part();
    }
    if (this.#isLeft) return;
    this.#patience ??= setTimeout(() => (this.line = "lost"), PATIENCE);
    this.#retry = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** Back from the background or online again: try at once, ask a socket that is open, and do not trust one that slept for long. */
  #wake(): void {
    if (this.#isLeft) return;
    const slept = this.#hiddenAt > 0 && Date.now() - this.#hiddenAt > ASLEEP;
    this.#hiddenAt = 0;
    if (this.#socket?.readyState === WebSocket.OPEN && !slept) return this.#ask();
    if (this.#socket?.readyState === WebSocket.CONNECTING) return;
    this.#drop();
    if (slept) this.#forgetNumbers();
    this.#wait = SHORTEST_WAIT;
    this.#connect();
  }

  /** See again all there is, and what time it is: a device that sleeps may stop its steady clock. */
  #forgetNumbers(): void {
    this.seen = new Map([...this.seen].map(([viewer, seen]) => [viewer, { ...seen, n: UNKNOWN_YET }]));
  }

  /** Before the server is told which frame was seen last. */
  #takeHeld(): void {
    for (const frame of this.#held.splice(0)) this.#take(frame);
  }

  #drop(): void {
    this.#takeHeld();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #part(): void {
    this.#isLeft = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#patience);
    clearTimeout(this.#pulse);
    this.#drop();
  }

  #hear(data: ArrayBuffer | string): void {
    this.#beat();
    const frame = JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data)) as Frame;
    if (frame.kind === "pong") {
      if (performance.now() - this.#asked < ANSWER) this.#answer = ANSWER;
      return;
    }
    if (frame.kind === "snapshot") setTime(frame.now); // now, not when it is drawn
    if (this.#held.length > 0 || isDrawing()) this.#hold(frame);
    else this.#take(frame);
  }

  /** What comes while the step before is still being drawn waits, so that every step is seen. */
  #hold(frame: Frame): void {
    this.#held.push(frame);
    if (this.#held.length === 1) onceDrawn(() => this.#release());
  }

  #release(): void {
    const frame = this.#held.shift();
    if (frame !== undefined) this.#take(frame);
    if (this.#held.length > 0) onceDrawn(() => this.#release());
  }

  #take(frame: Frame): void {
    if (frame.kind === "error") return this.#refused(frame.code);
    this.#heal();
    if (frame.kind === "claim") this.#claimed(frame.seat);
    else if (frame.kind === "bots") this.hasStandIns = !frame.ready;
    else if (frame.kind !== "pong") this.#fold(frame);
  }

  #refused(code: string): void {
    if (code === "client/old") return reloadOnce();
    const isChoice = code.startsWith("choice/") || code === "lesson/other";
    if (!isChoice || this.table?.status === "on") this.refusal = { code, key: ++this.#count }; // too late is no matter at the end
    if (!isChoice) return;
    for (const [seat, seen] of this.seen) if (seen.seal?.state === "pending") this.#update(seat, { seal: this.#kept.get(seat) ?? null });
  }

  /** What becomes of your request for a seat: it waits, is granted, is taken back, or is turned down. */
  #claimed(seat: number | null): void {
    const isTurnedDown = seat === null && this.claim !== null && !this.#isWithdrawn && this.seats.length === 0;
    this.claim = seat;
    this.parted = isTurnedDown ? "refused" : seat === null ? this.parted : null;
  }

  #fold(frame: Numbered): void {
    const { viewer, n } = frame;
    if ("table" in frame && frame.table !== undefined) this.#lay(frame.table, viewer);
    switch (frame.kind) {
      case "snapshot":
        return this.#snapshot(frame);
      case "step": {
        const before = this.at(viewer) ?? nothing(viewer);
        const steps = before.steps + 1;
        const { view, told, timeouts, deadline, call_at: callAt, lesson = null } = frame;
        const because = why(before, told, view.turn);
        const seal = sealIn(view);
        this.#kept.set(viewer, seal);
        this.chosen = [];
        this.refusal = null;
        // A call of time is for one decision, and a step that changes nothing else about the table does not tell of it.
        if (!frame.table && this.table?.called != null) this.table = { ...this.table, called: null };
        return this.#update(viewer, { n, view, told, ...because, timeouts, deadline, callAt, lesson, steps, seal });
      }
      case "sealed":
        return this.#acknowledged(frame.seat, n, frame.choice, frame.id);
      case "chosen":
        this.chosen = frame.seats;
        return this.#update(viewer, { n });
      case "chat":
        if (viewer === this.#first) this.lines = [...this.lines, ...this.#keyed(frame.lines)].slice(-MOST_LINES);
        return this.#update(viewer, { n });
      case "muted":
        if (viewer === this.#first) this.muted = frame.muted;
        return this.#update(viewer, { n });
      case "table":
        return this.#update(viewer, { n, deadline: frame.deadline, callAt: frame.call_at });
    }
  }

  /** Take in what the server says of the table. If you only watch now, you have lost the seats you had. */
  #lay(table: TableShown, viewer: number): void {
    const [lost] = viewer === WATCHER ? this.seats : [];
    const before = lost === undefined ? undefined : this.table?.seats[lost];
    if (before && table.status === "on") this.parted = before.newcomer ? "sent_away" : "given";
    this.table = table;
    // Of several seats on a device, the host may give one to a bot.
    const isLost = (seat: number) => seat !== viewer && (table.seats[seat]?.bot != null || table.seats[seat]?.free === true);
    if (this.seats.some(isLost)) this.seen = new Map([...this.seen].filter(([seat]) => !isLost(seat)));
  }

  #snapshot(frame: SnapshotFrame): void {
    const { viewer, n, view = null, deadline = null, call_at: callAt = null, judged = [], told = [], setting = 0, lesson = null } = frame;
    const waiting = this.at(viewer)?.seal;
    const kept = view === null ? null : sealIn(view);
    this.#kept.set(viewer, kept);
    // A choice on its way counts until the server says otherwise; it has just been sent again.
    const seal = waiting?.state === "pending" && view?.choices.length ? waiting : kept;
    const open = view !== null && view.turn > 0 ? told.length - setting : told.length; // from there on it is about the choice that is due
    const because = { since: open > 0 ? [...judged, ...told.slice(0, open)] : [], setting: told.slice(open) };
    this.#update(viewer, { n, view, deadline, callAt, told, ...because, timeouts: [], seal, lesson });
    if (viewer !== this.#first) return;
    this.lines = this.#keyed(frame.lines);
    this.muted = frame.muted;
  }

  #acknowledged(seat: number, n: number, choice: number, id: string): void {
    const waiting = this.at(seat)?.seal;
    const seal: Seal = { choice, id, state: "kept" };
    this.#kept.set(seat, seal);
    // An answer to an older choice of ours: the newer one is still on its way.
    const isOlder = waiting?.state === "pending" && id !== "" && waiting.id !== id;
    this.#update(seat, isOlder ? { n } : { n, seal });
  }

  /** The first of your viewers: all hear the same lines, so it is enough. */
  get #first(): number | undefined {
    return this.seen.keys().next().value;
  }

  #keyed(lines: readonly Line[]): Heard[] {
    return lines.map((line) => ({ ...line, key: ++this.#count }));
  }

  #update(viewer: number, change: Partial<Seen>): void {
    const before = this.at(viewer) ?? nothing(viewer);
    // A watcher who sits down stops watching, and a watcher has no seat any more.
    const others = viewer === WATCHER ? [] : [...this.seen].filter(([one]) => one !== WATCHER);
    this.seen = new Map(others).set(viewer, { ...before, ...change });
  }
}

function nothing(viewer: number): Seen {
  const empty = { told: [], since: [], setting: [], timeouts: [] };
  return { viewer, n: UNKNOWN_YET, view: null, deadline: null, callAt: null, ...empty, seal: null, steps: 0, lesson: null };
}

/**
 * What a step adds to the answer to "why": a choice and what came of it, after the throw or deal that it was about. A throw or
 * deal for the next choice is kept for then.
 */
function why(before: Seen, told: Told[], turn: number): Pick<Seen, "since" | "setting"> {
  const wasDue = before.view !== null && before.view.turn > 0;
  if (wasDue) return { since: [...before.setting, ...told], setting: [] };
  if (turn > 0) return { since: before.since, setting: told };
  return { since: [...before.since, ...told], setting: [] };
}

/** Your sealed choice as a view shows it, in a round that is still open. */
export function sealIn(view: ViewShown): Seal | null {
  if (view.seat < 0 || view.turn <= 0 || !((view.turn >> view.seat) & 1)) return null;
  const choice = (view.state as { choice?: number[] }).choice?.[view.seat];
  return choice === undefined || choice < 0 ? null : { choice, id: "", state: "kept" };
}

/** A page that is older than the server loads itself again, once: a server that is wrong about it must not loop. */
function reloadOnce(): void {
  const key = "pokade.reloaded";
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
}
