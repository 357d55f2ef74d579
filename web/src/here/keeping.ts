/** What this device has kept of a server in the page (public/sw.js keeps it). */
import { ROOT } from "../here.svelte.ts";
import { language } from "../texts.svelte.ts";

const FILES = "pokade-files";

/** Keep what is needed to play without a server, about 6 MB: the service worker says when it has all of it. */
export async function keepServer(): Promise<boolean> {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const done = new Promise<boolean>((heard) => (port1.onmessage = ({ data }: MessageEvent<boolean>) => heard(data)));
  active?.postMessage({ keep: language(), keepServer: true }, [port2]);
  return done;
}

/** Is there a service worker that could keep it, and has it not done so yet? */
export async function canKeepServer(): Promise<boolean> {
  return navigator.serviceWorker?.controller != null && !(await isServerKept());
}

/** Can this device play without a server? */
export async function isServerKept(): Promise<boolean> {
  if (!("caches" in globalThis)) return false;
  const files = await caches.open(FILES);
  const kept = (path: string) => files.match(ROOT + path, { ignoreVary: true });
  const wanted = (await (await kept("server.json"))?.json()) as string[] | undefined;
  return wanted !== undefined && (await Promise.all(wanted.map(kept))).every((one) => one !== undefined);
}
