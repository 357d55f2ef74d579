/** Put words where the next paste finds them. */

/** Without a secure context there is no clipboard, and some browsers forbid it, but a selection can still be copied. */
export function copied(words: string): void {
  if (navigator.clipboard) navigator.clipboard.writeText(words).catch(() => copySelected(words));
  else copySelected(words);
}

function copySelected(words: string): void {
  const field = document.createElement("textarea");
  field.value = words;
  // Inside an open dialog nothing outside of it can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
