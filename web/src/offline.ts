/** What this device has kept for when there is no line (public/sw.js keeps it). */

const GAMES = "pokade-games";

/** Of some tables, those whose replay can be opened without the house. */
export async function isKept(tables: readonly string[]): Promise<ReadonlySet<string>> {
  if (!("caches" in globalThis)) return new Set();
  const kept = await (await caches.open(GAMES)).keys();
  const paths = kept.map(({ url }) => new URL(url).pathname);
  return new Set(tables.filter((id) => paths.includes(`/api/tables/${id}/replay`)));
}
