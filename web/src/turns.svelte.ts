/**
 * What changes together is drawn in turn. A reveal touches the whole table, and on a slow phone all of it is too much for
 * one frame; so each part keeps what it shows until it is its turn. A quick device draws all parts before the next frame.
 */
import { type Component, flushSync, mount, onDestroy, unmount, untrack } from "svelte";
import { hold, release } from "./held.ts";

const ENOUGH = 1; // ms of a task after which the other parts wait for the next one

type Turn = () => unknown;
const waiting = new Set<Turn>();
const after = new Set<Turn>();
let isDue = false;
let hasParts = $state(false);

/** Whether some parts still show what was before: movements begin when all are there, so that they begin together. */
export function isDrawing(): boolean {
  return hasParts;
}

/** Do something when all parts are drawn, in a task of its own; answers how to call it off. */
export function onceDrawn(then: Turn): () => void {
  after.add(then);
  begin();
  return () => void after.delete(then);
}

/** Do something when all parts are drawn and on the screen, so that measuring them costs nothing; never in the background. */
export function onceShown(then: Turn): () => void {
  let frame = 0;
  let isOff = false;
  const off = onceDrawn(() => {
    frame = requestAnimationFrame(() => soon(() => isOff || then()));
  });
  return () => {
    isOff = true;
    off();
    cancelAnimationFrame(frame);
  };
}

/** The values that each of `reads` gives, as they were when the part last had its turn. */
export function inTurn(...reads: (() => object)[]): object[] {
  const kept = reads.map((read) => new Kept(untrack(read)));
  const draw = () => kept.forEach((values) => values.draw());
  $effect.pre(() => {
    reads.forEach((read, at) => kept[at]?.take(read()));
    if (untrack(() => kept.every((values) => values.isDrawn()))) waiting.delete(draw);
    else queue(draw);
  });
  onDestroy(() => waiting.delete(draw));
  return kept.map((values) => values.drawn);
}

/** Here at once, or where others are being drawn from a turn of its own on: for much markup in a place that keeps its size. */
export function late(): { readonly isHere: boolean } {
  let isHere = $state(untrack(() => !hasParts));
  const draw = () => (isHere = true);
  if (untrack(() => !isHere)) queue(draw);
  onDestroy(() => waiting.delete(draw));
  return {
    get isHere() {
      return isHere;
    },
  };
}

/**
 * Draw parts once, unseen, while nothing happens: the first time costs twice as much as the others, since a browser compiles
 * what it runs only then, and a first reveal is to be as smooth as any.
 */
export function rehearse(parts: readonly Component<never>[], props: object): void {
  const once = (part: Component<never>) => () => {
    if (hasParts) return;
    const drawn = mount(part as Component, { target: document.createElement("div"), props });
    flushSync();
    void unmount(drawn);
  };
  for (const part of parts) idle(once(part));
}

/** Values by name: what is drawn, each for itself, and what is to be drawn next. */
class Kept {
  readonly drawn: object = {};
  #next: Record<string, unknown>;
  #cells: [string, Cell][] = [];

  constructor(first: object) {
    this.#next = { ...first };
    for (const [key, value] of Object.entries(this.#next)) {
      const cell = new Cell(value);
      this.#cells.push([key, cell]);
      Object.defineProperty(this.drawn, key, { enumerable: true, get: () => cell.value });
    }
  }

  take(from: object): void {
    for (const [key] of this.#cells) this.#next[key] = (from as Record<string, unknown>)[key];
  }

  draw(): void {
    for (const [key, cell] of this.#cells) cell.value = this.#next[key];
  }

  isDrawn(): boolean {
    return this.#cells.every(([key, cell]) => Object.is(cell.value, this.#next[key]));
  }
}

class Cell {
  value = $state.raw<unknown>();

  constructor(value: unknown) {
    this.value = value;
  }
}

function queue(turn: Turn): void {
  waiting.add(turn);
  hasParts = true;
  begin();
}

function begin(): void {
  if (isDue) return;
  isDue = true;
  soon(run);
}

function run(): void {
  const start = performance.now();
  while (next() && performance.now() - start < ENOUGH);
  if (waiting.size === 0 && hasParts) {
    hasParts = false;
    flushSync();
    if (waiting.size === 0) release();
  }
  isDue = waiting.size + after.size > 0;
  if (isDue) soon(run);
}

/** Whether there was something to do. */
function next(): boolean {
  const from = waiting.size > 0 ? waiting : after;
  for (const turn of from) {
    from.delete(turn);
    turn();
    flushSync();
    if (from === waiting) settle();
    return true;
  }
  return false;
}

/** Work out styles and layout of what was just drawn: left to the next frame, all parts of a reveal would be in one long task. */
function settle(): void {
  if (typeof document === "undefined") return;
  hold();
  void document.body.offsetHeight;
}

function idle(task: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(task);
  else setTimeout(task, 500);
}

/** In a task of its own; not with the next frame, since there is none in the background. */
function soon(task: () => void): void {
  if ("scheduler" in globalThis) void (globalThis as unknown as Scheduling).scheduler.postTask(task);
  else setTimeout(task);
}

interface Scheduling {
  scheduler: { postTask: (task: () => void) => Promise<void> };
}
