/*
 * What opens without a line: pages from the house if it answers, else the last one; files with a hash in their name once for
 * all, and those of every screen ahead of time; games that were looked back at. What is played needs the house.
 */
const SHELL = "pokade-shell";
const FILES = "pokade-files";
const GAMES = "pokade-games"; // as in src/offline.ts
const MOST_FILES = 200;
const MOST_ANSWERS = 60; // about three for each game that one has looked back at
const WHOEVER_ASKS = { ignoreVary: true }; // a file is the same for a script that asks for it and for this one
const OF_A_GAME = /^\/api\/tables\/[0-9a-f]{16}(\/replay|\/verify)?$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add("/")).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keep(event.data.keep).catch(() => {})); // the next page asks again
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (OF_A_GAME.test(pathname)) event.respondWith(game(request));
});

/** The files of all screens, in one language: not before the page has what it needs itself. */
async function keep(language) {
  const files = await (await fetch("/offline.json")).json();
  const cache = await caches.open(FILES);
  for (const path of [...files.all, ...(files[language] ?? [])]) {
    if ((await cache.match(path, WHOEVER_ASKS)) === undefined) await cache.add(new Request(path, { priority: "low" }));
  }
  await trim(cache, MOST_FILES);
}

async function page(request) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put("/", answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match("/");
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

/** The house answers these only for games that are over, or with what everybody may know of a table. */
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
