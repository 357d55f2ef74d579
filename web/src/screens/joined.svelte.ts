import * as server from "../server.ts";
import { problem } from "../sentences.ts";
import { LiveTable } from "../table.svelte.ts";

/** The live table behind a word of the address, for as long as its screen is shown. */
export class Joined {
  live = $state.raw<LiveTable | null>(null);
  trouble = $state("");

  constructor(word: () => string, options: ConstructorParameters<typeof LiveTable>[1] = {}, onfound: (id: string) => void = () => {}) {
    $effect(() => {
      let part = () => {};
      let isHere = true;
      this.trouble = "";
      server.idOf(word()).then(
        (id) => {
          if (!isHere) return;
          onfound(id);
          this.live = new LiveTable(id, options);
          part = this.live.join();
        },
        (error: server.Refusal) => (this.trouble = problem(error.code)),
      );
      return () => {
        isHere = false;
        part();
        this.live = null;
      };
    });
  }
}
