/** What this device has kept for when there is no line (public/sw.js keeps it). */
import { isHere, ROOT } from "./here.svelte.ts";

const GAMES = "pokade-games";

/**
 * Start without a line from now on. Only where there is a secure context; over plain http nothing is lost but that. What the
 * other screens need is fetched when this one has nothing to do, and not where the browser asks to save data.
 */
export async function openOffline(language: string): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(`${ROOT}sw.js`);
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const { active } = await navigator.serviceWorker.ready;
  const later = "requestIdleCallback" in globalThis ? requestIdleCallback : (what: () => void) => setTimeout(what, 2_000);
  later(() => active?.postMessage({ keep: language, keepServer: isHere || matchMedia("(display-mode: standalone)").matches }));
}

/** Of some tables, those whose replay can be opened without the server. */
export async function isKept(tables: readonly string[]): Promise<ReadonlySet<string>> {
  if (!("caches" in globalThis)) return new Set();
  const kept = await (await caches.open(GAMES)).keys();
  const paths = kept.map(({ url }) => new URL(url).pathname);
  return new Set(tables.filter((id) => paths.includes(`/api/tables/${id}/replay`)));
}
