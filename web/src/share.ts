/** Send a link: by the share sheet where there is one, else it is copied. */
import { notify } from "./announce.svelte.ts";
import { copied } from "./copied.ts";
import { text } from "./texts.svelte.ts";

/** There is no share sheet over plain http, nor on most desktops. */
export const canShare = typeof navigator !== "undefined" && typeof navigator.share === "function";

/** Whether the share sheet takes this file. */
export function canShareFile(file: File): boolean {
  return canShare && typeof navigator.canShare === "function" && navigator.canShare({ files: [file] });
}

/** Offer a file with a few words and a link. */
export async function shareFile(file: File, words: string, url: string): Promise<void> {
  try {
    await navigator.share({ files: [file], text: `${words} ${url}` });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    await share(words, url);
  }
}

/** Offer a link with a few words; without a share sheet a notice says that it is copied. */
export async function share(words: string, url: string): Promise<void> {
  if (canShare) {
    try {
      return await navigator.share({ title: text("web.name"), text: words, url });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  copied(url);
  notify(text("web.lobby.copied"));
}
