/** What the build adds for a server in the page: Python itself, and those sources of the package that run in a browser. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const SOURCES = new URL("../src/", import.meta.url).pathname;
const PYODIDE = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
const { version } = JSON.parse(readFileSync(join(PYODIDE, "package.json"), "utf8")) as { version: string };
const RUNTIME = ["pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
/** tests/web/test_built.py opens tables with these and nothing else. */
const PARTS = [
  "__init__.py",
  "games",
  "chance.py",
  "players",
  "texts",
  "records.py",
  "fairness.py",
  "locks.py",
  "arena/__init__.py",
  "arena/bots.py",
  "arena/reading/__init__.py",
  "arena/reading/beliefs.py",
  "server/__init__.py",
  "server/errors.py",
  "server/logs.py",
  "server/table",
  "server/views",
  "server/hub",
  "server/browser",
  "server/judge/__init__.py",
  "server/judge/judge.py",
  ...["__init__", "alone", "interface", "memory", "rows"].map((name) => `server/storage/${name}.py`),
];
const STAND_IN = "pokade/server/browser/orjson.py"; // takes the place of a library that a browser does not have
const HELPS = "pokade/texts/helps/"; // what only commands say

const FOLDER = `assets/python-${version}`;
export const IN_THE_PAGE = "virtual:python";

/** The sources by their paths, as the worker lays them out. */
export function sources(): Record<string, string> {
  const paths = PARTS.flatMap((part) => filesUnder(`pokade/${part}`)).filter((path) => /\.(py|toml)$/.test(path) && !path.startsWith(HELPS));
  return Object.fromEntries(paths.sort().map((path) => [path === STAND_IN ? "orjson.py" : path, readFileSync(join(SOURCES, path), "utf8")]));
}

function filesUnder(path: string): string[] {
  if (!statSync(join(SOURCES, path)).isDirectory()) return [path];
  return readdirSync(join(SOURCES, path), { recursive: true, encoding: "utf8" }).map((name) => `${path}/${name}`);
}

/** `import … from "virtual:python"` says where the runtime and the sources lie; `server.json` names all files for the service worker. */
export function pythonInPage({ isWorker = false } = {}): Plugin {
  const body = JSON.stringify(sources());
  const file = `assets/pokade-${createHash("sha256").update(body).digest("hex").slice(0, 8)}.json`;
  const all = [file, ...RUNTIME.map((name) => `${FOLDER}/${name}`)];
  return {
    name: "pokade-python",
    apply: "build",
    resolveId: (id) => (id === IN_THE_PAGE ? `\0${IN_THE_PAGE}` : null),
    load: (id) => (id === `\0${IN_THE_PAGE}` ? `export const RUNTIME = "${FOLDER}/", SOURCES = "${file}";` : null),
    generateBundle: {
      order: "post",
      handler() {
        if (isWorker) return; // the page's own bundle brings them
        this.emitFile({ type: "asset", fileName: file, source: body });
        for (const name of RUNTIME) this.emitFile({ type: "asset", fileName: `${FOLDER}/${name}`, source: readFileSync(join(PYODIDE, name)) });
        this.emitFile({ type: "asset", fileName: "server.json", source: JSON.stringify(all) });
      },
    },
  };
}
