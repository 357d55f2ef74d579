/** Say something to everybody: in the polite live region, and if wanted as a notice that goes by itself. */
import { untrack } from "svelte";

const NOTICE_TIME = 4_000;
const KEPT = 6; // lines; older ones have been read

export const spoken = $state<{ lines: { key: number; text: string }[] }>({ lines: [] });
export const notice = $state<{ key: number; text: string; isHigh: boolean }>({ key: 0, text: "", isHigh: false });
let timer: ReturnType<typeof setTimeout> | undefined;
let count = 0;

/** Read out, not shown. */
export function announce(...sentences: string[]): void {
  const added = sentences.filter((text) => text !== "").map((text) => ({ key: ++count, text }));
  spoken.lines = [...untrack(() => spoken.lines), ...added].slice(-KEPT); // reading it here must not make the announcer depend on it
}

/** Shown for a moment and read out. A new one takes the place of the old. What you have not caused stands high, away from the choices. */
export function notify(text: string, { isHigh = false }: { isHigh?: boolean } = {}): void {
  announce(text);
  notice.key = ++count;
  notice.text = text;
  notice.isHigh = isHigh;
  clearTimeout(timer);
  timer = setTimeout(() => (notice.text = ""), NOTICE_TIME);
}

/** Forget what was read out: under strict memory no older reveal stays in the document. */
export function hush(): void {
  spoken.lines = [];
}
