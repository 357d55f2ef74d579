/** The server in the page: Python in a worker of its own, which keeps tables going with the same code as a server on a network. */
import type { PyodideAPI } from "pyodide";
import { RUNTIME, SOURCES } from "virtual:python";
import type { FromServer, ToServer } from "./messages.ts";
import { openShelf } from "./shelf.ts";

interface PageServer {
  ask(method: string, path: string, body: string): Promise<{ toJs(): [number, Uint8Array<ArrayBuffer>]; destroy(): void }>;
  open(number: number, address: string): Promise<void>;
  say(number: number, raw: string): Promise<void>;
  close(number: number): Promise<void>;
  sweep(): Promise<void>;
}

const HOME = "/server";
const MAKE = `
import sys
sys.path.insert(0, "${HOME}")
from pokade.server.browser.page_server import PageServer
lambda build, tell, rows, shelve: PageServer(build, tell, rows.to_py(), shelve)
`;
const lines = new Map<number, Promise<void>>(); // what is said on a line is done in its order
let server: Promise<PageServer> | null = null;

function tell(said: FromServer): void {
  postMessage(said);
}

const BASE = new URL("..", location.href); // this file lies in a folder beside the page

async function started(build: string): Promise<PageServer> {
  const [python, files, shelf] = await Promise.all([pythonAt(new URL(RUNTIME, BASE).href), sourcesAt(new URL(SOURCES, BASE).href), openShelf()]);
  for (const [path, source] of Object.entries(files)) {
    const whole = `${HOME}/${path}`;
    python.FS.mkdirTree(whole.slice(0, whole.lastIndexOf("/")));
    python.FS.writeFile(whole, source);
  }
  const made = python.runPython(MAKE) as (...given: unknown[]) => PageServer;
  const spoken = (kind: "frame" | "closed", number: number, text: string) => tell({ kind, number, text });
  return made(build, spoken, shelf.rows, shelf.write);
}

async function pythonAt(folder: string): Promise<PyodideAPI> {
  const { loadPyodide } = (await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as typeof import("pyodide");
  return loadPyodide({ indexURL: folder, packageBaseUrl: folder });
}

async function sourcesAt(address: string): Promise<Record<string, string>> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json() as Promise<Record<string, string>>;
}

async function does(there: PageServer, said: Exclude<ToServer, { kind: "start" }>): Promise<void> {
  if (said.kind === "ask") {
    const answer = await there.ask(said.method, said.path, said.body);
    const [status, body] = answer.toJs();
    answer.destroy();
    return tell({ kind: "answer", number: said.number, status, body });
  }
  const before = lines.get(said.number) ?? Promise.resolve();
  const now = before.then(() => {
    if (said.kind === "open") return there.open(said.number, said.address);
    return said.kind === "say" ? there.say(said.number, said.raw) : there.close(said.number);
  });
  lines.set(said.number, now);
  await now;
  if (said.kind === "close") lines.delete(said.number);
}

addEventListener("message", ({ data }: MessageEvent<ToServer>) => {
  if (data.kind !== "start") return void server?.then((there) => does(there, data));
  server = started(data.build);
  server.then(
    (there) => (tell({ kind: "ready" }), void there.sweep()),
    (error: unknown) => (console.error(error), tell({ kind: "failed" })),
  );
});
