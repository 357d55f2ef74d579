/** Whether a key was pressed for the table, and not for a field, a sheet or the browser. */
export function isForTable(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return false;
  return !(event.target instanceof Element && event.target.closest("input, textarea, select"));
}
