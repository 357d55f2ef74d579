/** Plays what a step told, beat by beat; a tap shows the end at once. */
import { paced } from "../../pace.ts";
import { isStill } from "../../settings.svelte.ts";
import { type Beat, type Flight, type Told, beats } from "./told.ts";
import type { Stage } from "./view.ts";

export class Story {
  /** The step that is being told, or was told last. */
  step = $state(0);
  /** How many of its events have landed. */
  shown = $state(0);
  /** The stage that the story is in; null when it is over. */
  stage = $state.raw<Stage | null>(null);

  #fly: (flights: readonly Flight[]) => void;
  #land: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(fly: (flights: readonly Flight[]) => void, land: () => void) {
    this.#fly = fly;
    this.#land = land;
  }

  get isOn(): boolean {
    return this.stage !== null;
  }

  /** Tell a step; one that is still being told ends at once. */
  tell(step: number, told: readonly Told[], seats: number): void {
    this.end();
    this.step = step;
    this.shown = 0;
    this.#next(beats(told, seats, isStill()));
  }

  /** Show the end. */
  end(): void {
    clearTimeout(this.#timer);
    this.stage = null;
    this.#land();
  }

  #next([beat, ...rest]: Beat[]): void {
    if (beat === undefined) return this.end();
    this.stage = beat.stage;
    this.#fly(beat.flights);
    this.#after(beat.lead, () => {
      this.shown = beat.to;
      this.#after(beat.hold, () => this.#next(rest));
    });
  }

  /** What takes no time happens at once, so that a step without movement never waits. */
  #after(ms: number, then: () => void): void {
    if (ms === 0) then();
    else this.#timer = setTimeout(then, paced(ms));
  }
}
