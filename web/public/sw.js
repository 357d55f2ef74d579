/*
 * What opens without a line: pages from the server if it answers, else the last one; files with a hash in their name once for
 * all, and those of every screen ahead of time; games that were looked back at. What is played needs the server, or Python and
 * the sources of the package (server.json), which are kept for those who ask for them or have put the page on their device.
 */
const ROOT = new URL("./", location.href).pathname; // the page may lie in a folder of a site
const SHELL = "pokade-shell";
const FILES = "pokade-files";
const GAMES = "pokade-games"; // as in src/offline.ts
const MOST_FILES = 200;
const MOST_ANSWERS = 60; // about three for each game that one has looked back at
const WHOEVER_ASKS = { ignoreVary: true }; // a file is the same for a script that asks for it and for this one
const OF_A_GAME = /^\/api\/tables\/[0-9a-f]{16}(\/replay|\/verify)?$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add(ROOT)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => {
  const { keep: language, keepServer: isWanted } = event.data ?? {};
  if (!language) return;
  const kept = keep(language).then(() => isWanted && keepServer());
  event.waitUntil(kept.catch(() => false).then((isKept) => event.ports[0]?.postMessage(isKept))); // the next page asks again
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith(`${ROOT}assets/`)) event.respondWith(file(request));
  else if (OF_A_GAME.test(pathname)) event.respondWith(game(request));
});

/** The files of all screens, in one language: not before the page has what it needs itself. */
async function keep(language) {
  const files = await (await fetch(`${ROOT}offline.json`)).json();
  const cache = await caches.open(FILES);
  await keepAll(cache, [...files.all, ...(files[language] ?? [])].map((path) => ROOT + path.slice(1)));
  await trim(cache, MOST_FILES);
}

/** What a server in the page is made of; the list comes last, so that it stands for all of it. */
async function keepServer() {
  const list = await fetch(`${ROOT}server.json`);
  const cache = await caches.open(FILES);
  await keepAll(cache, (await list.clone().json()).map((path) => ROOT + path));
  await cache.put(`${ROOT}server.json`, list);
  return true;
}

async function keepAll(cache, paths) {
  for (const path of paths) {
    if ((await cache.match(path, WHOEVER_ASKS)) === undefined) await cache.add(new Request(path, { priority: "low" }));
  }
}

async function page(request) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(ROOT, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(ROOT);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function file(request) {
  const cache = await caches.open(FILES);
  const kept = await cache.match(request, WHOEVER_ASKS);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    await trim(cache, MOST_FILES);
  }
  return answer;
}

/** The server answers these only for games that are over, or with what everybody may know of a table. */
async function game(request) {
  const cache = await caches.open(GAMES);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      await cache.put(request, answer.clone());
      await trim(cache, MOST_ANSWERS);
    }
    return answer;
  } catch (error) {
    const kept = await cache.match(request, WHOEVER_ASKS);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function trim(cache, most) {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}
