/** Where the keyboard is: what has the focus may go with a step or a sheet, and then the focus goes to what is next to it. */

let opener: HTMLElement | null = null; // what has opened the first of the sheets that are open

/** Whether the focus has fallen to the page itself. */
function isLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || !isSeen(active);
}

function isSeen(one: Element): boolean {
  return one.checkVisibility?.({ visibilityProperty: true }) ?? one.getClientRects().length > 0;
}

/** Give a focus that was lost to what is marked with `data-focus` in `root`: the question, or the way on. */
export function keepFocus(root: ParentNode): void {
  if (!isLost() || document.querySelector("dialog[open]")) return;
  const marked = [...root.querySelectorAll<HTMLElement>("[data-next]:not(:disabled), [data-focus]")];
  marked.find(isSeen)?.focus({ preventScroll: true });
}

/** A sheet opens; answers what to do when it closes: the focus goes back to what has opened it. */
export function sheetOpened(): () => void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active !== document.body && !active.closest("dialog")) opener = active;
  return () => queueMicrotask(giveBack);
}

function giveBack(): void {
  if (document.querySelector("dialog[open]") || !isLost()) return;
  if (opener?.isConnected) opener.focus({ preventScroll: true });
  keepFocus(document);
}
