/** What a server in the page keeps on the device: rows of text under keys, in the browser's own database. */

const NAME = "pokade-house";
const ROWS = "rows";

export interface Shelf {
  rows: Record<string, string>;
  write: (key: string, text: string | undefined) => void; // nothing: it is to be forgotten
}

/** Open the shelf. A browser that keeps nothing, or a second tab with a server, plays all the same and forgets. */
export async function openShelf(): Promise<Shelf> {
  try {
    const database = await opened();
    const isOurs = await ownedHere();
    return { rows: await read(database), write: isOurs ? writer(database) : () => {} };
  } catch {
    return { rows: {}, write: () => {} };
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(ROWS);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error ?? new Error(NAME));
  });
}

/** Two servers that wrote to the same shelf would not hear of each other's games: the first one has it. */
function ownedHere(): Promise<boolean> {
  if (!("locks" in navigator)) return Promise.resolve(true);
  return new Promise((done) => {
    void navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock === null ? undefined : new Promise(() => {}); // until the worker ends
    });
  });
}

function read(database: IDBDatabase): Promise<Record<string, string>> {
  return new Promise((done, fail) => {
    const store = database.transaction(ROWS).objectStore(ROWS);
    const [keys, texts] = [store.getAllKeys(), store.getAll() as IDBRequest<string[]>];
    texts.onsuccess = () => done(Object.fromEntries(keys.result.map((key, at) => [String(key), texts.result[at] ?? ""])));
    texts.onerror = () => fail(texts.error ?? new Error(NAME));
  });
}

/** Rows that come together are written together, in their order. */
function writer(database: IDBDatabase): Shelf["write"] {
  let waiting: [string, string | undefined][] = [];
  const flush = () => {
    const store = database.transaction(ROWS, "readwrite").objectStore(ROWS);
    for (const [key, text] of waiting) text === undefined ? store.delete(key) : store.put(text, key);
    waiting = [];
  };
  return (key, text) => {
    if (waiting.push([key, text]) === 1) queueMicrotask(flush);
  };
}
