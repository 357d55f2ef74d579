import type { TableProps } from "./contract.ts";

/** "Seen enough of the reveal": said once a step. */
export class Next {
  #given: () => Pick<TableProps, "step" | "next">;
  #step = $state(-1); // the one that was seen enough of

  constructor(given: () => Pick<TableProps, "step" | "next">) {
    this.#given = given;
  }

  get isSaid(): boolean {
    return this.#step === this.#given().step;
  }

  say = (): void => {
    this.#step = this.#given().step;
    this.#given().next();
  };
}
