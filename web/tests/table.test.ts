import { beforeEach, expect, test, vi } from "vitest";
import type { Frame, TableShown, ViewShown } from "../src/protocol.ts";
import { now } from "../src/server.ts";
import { LiveTable, sealIn, WATCHER } from "../src/table.svelte.ts";

class Line {
  static all: Line[] = [];
  readyState = 0;
  binaryType = "";
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(readonly address: string) {
    Line.all.push(this);
  }
  send(message: string): void {
    this.sent.push(JSON.parse(message) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  break(code = 1006, reason = ""): void {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
  hear(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const place = (more: object = {}) => ({ name: "Ada", bot: null, free: false, standby: false, newcomer: false, claim: null, ...more });
const TABLE = { id: "t", status: "on", game: "pok", called: null, seats: [place(), place(), place()] } as unknown as TableShown;

function view(seat: number, more: object = {}): ViewShown {
  const state = { choice: [-1, -99, -99] };
  return { seat, state, turn: 0b111, choices: [0, 1, 2], choice_texts: [], question: null, points: [], facts: {}, ...more } as unknown as ViewShown;
}

function snapshot(viewer: number, n: number, more: object = {}): Frame {
  return { kind: "snapshot", viewer, n, table: TABLE, lines: [], muted: [], now: 1, view: view(viewer), deadline: null, call_at: null, ...more } as Frame;
}

function step(viewer: number, n: number, more: object = {}): Frame {
  return { kind: "step", viewer, n, told: [["thrown", 0, 0, 0]], timeouts: [], view: view(viewer), deadline: 9, call_at: null, ...more } as Frame;
}

function joined(): { live: LiveTable; line: Line } {
  const live = new LiveTable("t", { open: (address) => new Line(address) as unknown as WebSocket });
  live.join();
  const line = Line.all.at(-1) as Line;
  line.open();
  return { live, line };
}

beforeEach(() => {
  Line.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", { OPEN: 1, CONNECTING: 0 });
  vi.stubGlobal("location", { protocol: "http:", host: "here", reload: vi.fn() });
  vi.stubGlobal("document", { querySelector: () => null, addEventListener: vi.fn(), removeEventListener: vi.fn() });
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: vi.fn() });
});

test("each viewer has a view and numbers of its own", () => {
  const { live, line } = joined();
  line.hear(snapshot(1, 4));
  line.hear(snapshot(0, 7));

  expect(live.seats).toEqual([0, 1]);
  expect(live.at(1)?.n).toBe(4);
  expect(live.at(0)?.view?.seat).toBe(0);
});

test("a choice is pending until the server has it", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));

  live.choose(0, 2);
  expect(live.at(0)?.seal).toMatchObject({ choice: 2, state: "pending" });

  line.hear({ kind: "sealed", viewer: 0, n: 2, seat: 0, choice: 2, id: line.sent[0]?.["id"] });
  expect(live.at(0)?.seal).toMatchObject({ choice: 2, state: "kept" });
});

test("the answer to an older choice does not seal the newer one", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  live.choose(0, 2);
  live.choose(0, 1);

  line.hear({ kind: "sealed", viewer: 0, n: 2, seat: 0, choice: 2, id: line.sent[0]?.["id"] });

  expect(live.at(0)?.seal).toMatchObject({ choice: 1, state: "pending" });
});

test("after a break it comes back with its numbers and sends again what was not acknowledged", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 3));
  line.hear(snapshot(1, 5));
  live.choose(0, 2);
  line.break();
  vi.advanceTimersByTime(400);

  const next = Line.all.at(-1) as Line;
  expect(next.address).toContain("last=0%3A3%2C1%3A5");
  next.open();
  expect(next.sent).toEqual(line.sent);
  next.hear(snapshot(0, 4));
  expect(live.at(0)?.seal).toMatchObject({ choice: 2, state: "pending" });
});

test("a choice made without a line is sent once there is one", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 3));
  line.break();
  live.choose(0, 1);
  vi.advanceTimersByTime(400);
  (Line.all.at(-1) as Line).open();

  expect((Line.all.at(-1) as Line).sent).toMatchObject([{ do: "choose", choice: 1 }]);
});

test("a short break is not worth a word, a longer one is", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 3));
  line.break();
  vi.advanceTimersByTime(900);
  expect(live.line).toBe("open");

  vi.advanceTimersByTime(200);
  expect(live.line).toBe("lost");

  const next = Line.all.at(-1) as Line;
  next.open();
  next.hear(snapshot(0, 3));
  expect(live.line).toBe("open");
});

test("a step ends the seal, tells what happened and counts", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  live.choose(0, 1);
  line.hear(step(0, 2));

  expect(live.at(0)).toMatchObject({ seal: null, steps: 1, deadline: 9, told: [["thrown", 0, 0, 0]] });
});

test("a snapshot shows one's own sealed choice while the round is open", () => {
  expect(sealIn(view(0, { state: { choice: [2, -99] } }))).toMatchObject({ choice: 2, state: "kept" });
  expect(sealIn(view(0, { state: { choice: [2, -99] }, turn: -1 }))).toBeNull();
  expect(sealIn(view(WATCHER))).toBeNull();
});

test("a refused choice is given up, with the reason", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  live.choose(0, 1);
  line.hear({ kind: "error", code: "choice/illegal", text: "no" });

  expect(live.at(0)?.seal).toBeNull();
  expect(live.refusal?.code).toBe("choice/illegal");
});

test("a page that is older than the server loads itself again", () => {
  const { line } = joined();
  line.break(4000, "client/old");

  expect(location.reload).toHaveBeenCalledOnce();
});

test("a table that is not there is gone for good", () => {
  const { live, line } = joined();
  line.break(1008, "table/unknown");
  vi.advanceTimersByTime(60_000);

  expect(live.gone).toEqual({ code: "table/unknown" });
  expect(Line.all.length).toBe(1);
});

test("one who sits down stops being a watcher", () => {
  const { live, line } = joined();
  line.hear(snapshot(WATCHER, 1));
  expect(live.seats).toEqual([]);

  line.hear(snapshot(2, 1));
  expect([...live.seen.keys()]).toEqual([2]);
});

test("a big screen asks for what everybody may see", () => {
  new LiveTable("t", { isPublic: true, open: (address) => new Line(address) as unknown as WebSocket }).join();

  expect((Line.all.at(-1) as Line).address).toContain("as=watcher");
});

test("a choice that is one too many leaves the one that the server has", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  live.choose(0, 2);
  line.hear({ kind: "sealed", viewer: 0, n: 2, seat: 0, choice: 2, id: line.sent[0]?.["id"] });
  live.choose(0, 1);

  line.hear({ kind: "error", code: "choice/changes", text: "no" });

  expect(live.at(0)?.seal).toMatchObject({ choice: 2, state: "kept" });
  expect(live.refusal?.code).toBe("choice/changes");
});

test("what was sealed in the round before is not taken for this one's", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  live.choose(0, 2);
  line.hear({ kind: "sealed", viewer: 0, n: 2, seat: 0, choice: 2, id: line.sent[0]?.["id"] });
  line.hear(step(0, 3));
  live.choose(0, 1);

  line.hear({ kind: "error", code: "choice/illegal", text: "no" });

  expect(live.at(0)?.seal).toBeNull();
});

test("the server's time comes with a snapshot and goes on by a clock that nobody sets", () => {
  const { line } = joined();
  line.hear(snapshot(0, 1, { now: 5_000 }));
  expect(now()).toBeCloseTo(5_000);

  vi.setSystemTime(Date.now() + 6 * 3_600_000);
  expect(now()).toBeCloseTo(5_000);

  vi.advanceTimersByTime(3_000);
  expect(now()).toBeCloseTo(5_003);
});

test("a device that slept asks for everything again, the time included", () => {
  const { line } = joined();
  line.hear(snapshot(0, 3));
  const [, sleep] = vi.mocked(document.addEventListener).mock.calls.find(([event]) => event === "visibilitychange") ?? [];
  const hide = (hidden: boolean) => {
    (document as unknown as { hidden: boolean }).hidden = hidden;
    (sleep as () => void)();
  };
  hide(true);
  vi.setSystemTime(Date.now() + 60_000);
  hide(false);

  expect(Line.all).toHaveLength(2);
  expect(Line.all[1]?.address).not.toContain("last");
});

test("a call of time is known with its deadline and is over with the step", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1, { call_at: 60 }));
  expect(live.at(0)).toMatchObject({ callAt: 60, deadline: null });

  line.hear({ kind: "table", viewer: 0, n: 2, table: { ...TABLE, called: 1 }, deadline: 80, call_at: null });
  expect(live.table?.called).toBe(1);
  expect(live.at(0)).toMatchObject({ callAt: null, deadline: 80 });

  line.hear(step(0, 3, { deadline: null, call_at: 140 }));
  expect(live.table?.called).toBeNull();
  expect(live.at(0)).toMatchObject({ callAt: 140, deadline: null });
});

test("one asks for a seat, and comes in", () => {
  const { live, line } = joined();
  line.hear(snapshot(WATCHER, 1));
  line.hear({ kind: "claim", seat: 2 });
  expect(live.claim).toBe(2);

  line.hear(snapshot(2, 1));
  line.hear({ kind: "claim", seat: null });

  expect(live).toMatchObject({ claim: null, parted: null, seats: [2] });
});

test("one who is turned down knows it, and one who asks no longer is not", () => {
  const { live, line } = joined();
  line.hear(snapshot(WATCHER, 1));
  line.hear({ kind: "claim", seat: 2 });
  line.hear({ kind: "claim", seat: null });
  expect(live.parted).toBe("refused");

  live.say({ do: "sit", name: "Zoe", seat: 1 });
  expect(live.parted).toBeNull();
  line.hear({ kind: "claim", seat: 1 });
  live.say({ do: "leave" });
  line.hear({ kind: "claim", seat: null });
  expect(live).toMatchObject({ claim: null, parted: null });
});

test("a newcomer who is sent away watches, and one whose seat was given away too", () => {
  for (const [more, parted] of [[{ newcomer: true }, "sent_away"], [{ standby: true }, "given"]] as const) {
    const { live, line } = joined();
    line.hear(snapshot(2, 1, { table: { ...TABLE, seats: [place(), place(), place(more)] } }));
    line.hear(snapshot(WATCHER, 9, { table: { ...TABLE, seats: [place(), place(), place({ bot: "casual" })] } }));

    expect(live).toMatchObject({ seats: [], parted });
  }
});

test("of two seats on a device one may be given to a bot", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  line.hear(snapshot(1, 1));
  line.hear({ kind: "table", viewer: 0, n: 2, table: { ...TABLE, seats: [place(), place({ bot: "casual" }), place()] }, deadline: null, call_at: null });

  expect(live).toMatchObject({ seats: [0], parted: null });
});

const newest = () => Line.all.at(-1) as Line;
const pings = (line: Line) => line.sent.filter((message) => message["do"] === "ping").length;

/** Lets time pass; the server answers what it is asked, as long as it is awake. */
function pass(line: Line, time: number, isAwake = true): void {
  let answered = pings(line);
  for (let at = 0; at < time; at += 100) {
    vi.advanceTimersByTime(100);
    for (; isAwake && answered < pings(line); answered++) line.hear({ kind: "pong" });
  }
}

test("a server that answers its heartbeats is there, however quiet the table is", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));

  pass(line, 60_000);

  expect(pings(line)).toBeGreaterThan(20);
  expect(Line.all).toHaveLength(1);
  expect(live).toMatchObject({ line: "open" });
  expect(live.at(0)?.n).toBe(1);
});

test("a line that falls silent is lost within five seconds, and heals as after a break", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 3));
  pass(line, 10_000);

  pass(line, 5_000, false);

  expect(live.line).toBe("lost");
  expect(line.readyState).toBe(3);
  expect(newest()).not.toBe(line);
  expect(newest().address).toContain("last=0%3A3");
  newest().open();
  newest().hear(snapshot(0, 4));
  expect(live.line).toBe("open");
});

test("a choice that nobody acknowledges tells of a silent line, and is sent again", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  live.choose(0, 2);

  vi.advanceTimersByTime(2_000);

  expect(live.line).toBe("lost");
  newest().open();
  expect(newest().sent).toEqual(line.sent);
});

test("a server that is frozen while one comes in is tried again", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  pass(line, 5_000, false);
  const frozen = newest();
  pass(frozen, 10_000);

  expect(frozen.readyState).toBe(3);
  expect(newest()).not.toBe(frozen);
  expect(live.line).toBe("lost");
});

test("a server that is only slow gets more time after each loss", () => {
  const { line } = joined();
  line.hear(snapshot(0, 1));
  pass(line, 5_000, false);
  const second = newest();
  second.open();
  second.hear(snapshot(0, 1));
  pass(second, 5_000, false);
  expect(newest()).toBe(second);

  second.hear({ kind: "pong" });
  pass(second, 60_000);
  expect(Line.all).toHaveLength(2);
});

test("a page that slept does not blame the server, and a hidden one does not ask", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  vi.advanceTimersByTime(2_500);
  expect(pings(line)).toBe(1);
  const elapsed = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  vi.advanceTimersByTime(2_000);
  elapsed.mockRestore();
  expect(live.line).toBe("open");
  expect(pings(line)).toBe(2);

  line.hear({ kind: "pong" });
  (document as unknown as { hidden: boolean }).hidden = true;
  pass(line, 60_000, false);
  expect(pings(line)).toBe(2);
  expect(live.line).toBe("open");
});

test("whoever looks again asks at once", () => {
  const { line } = joined();
  line.hear(snapshot(0, 1));
  const [, look] = vi.mocked(document.addEventListener).mock.calls.find(([event]) => event === "visibilitychange") ?? [];
  (document as unknown as { hidden: boolean }).hidden = false;
  (look as () => void)();

  expect(pings(line)).toBe(1);
});

test("why something happened is told with the dice that were judged, and without those of the next throw", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1, { view: null }));
  line.hear(step(0, 2, { told: [["thrown", 0, 1, 3]] }));
  expect(live.at(0)?.since).toEqual([]);

  line.hear(step(0, 3, { told: [["shown", 7, 0, 0]], view: view(0, { turn: -1 }) }));
  line.hear(step(0, 4, { told: [["thrown", 2, 2, 2]] }));

  expect(live.at(0)?.since).toEqual([["thrown", 0, 1, 3], ["shown", 7, 0, 0]]);
  expect(live.at(0)?.setting).toEqual([["thrown", 2, 2, 2]]);
});

test("whoever comes back is told why with the same dice, and so of the next reveal", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 4, { judged: [["thrown", 0, 1, 3]], told: [["shown", 7, 0, 0], ["thrown", 2, 2, 2]], setting: 1 }));
  expect(live.at(0)?.since).toEqual([["thrown", 0, 1, 3], ["shown", 7, 0, 0]]);

  line.hear(step(0, 5, { told: [["shown", 1, 0, 0]], view: view(0, { turn: -1 }) }));

  expect(live.at(0)?.since).toEqual([["thrown", 2, 2, 2], ["shown", 1, 0, 0]]);
});

test("a choice that came after the end of a game is no trouble any more", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1, { table: { ...TABLE, status: "over" } }));

  line.hear({ kind: "error", code: "choice/not-now", text: "" });
  expect(live.refusal).toBeNull();

  line.hear({ kind: "error", code: "rematch/open", text: "" });
  expect(live.refusal?.code).toBe("rematch/open");
});

test("who has chosen is known where the table shows it, until all lies open", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  line.hear({ kind: "chosen", viewer: 0, n: 2, seats: [1, 2] });
  expect(live.chosen).toEqual([1, 2]);
  expect(live.at(0)?.n).toBe(2);

  line.hear(step(0, 3));
  expect(live.chosen).toEqual([]);
});

test("while strong bots are compiled their stand-ins are known of, and a new line asks again", () => {
  const { live, line } = joined();
  line.hear(snapshot(0, 1));
  line.hear({ kind: "bots", ready: false });
  expect(live.hasStandIns).toBe(true);
  line.hear({ kind: "bots", ready: true });
  expect(live.hasStandIns).toBe(false);

  line.hear({ kind: "bots", ready: false });
  line.break();
  vi.advanceTimersByTime(1_000);
  newest().open();
  expect(live.hasStandIns).toBe(false);
});
