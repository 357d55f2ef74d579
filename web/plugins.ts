/** What the build brings in from outside `web/`: the catalogues of texts, and the drawings that stand once in the page. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Marked } from "marked";
import { parse } from "smol-toml";
import type { Plugin } from "vite";

const PIECES = new URL("./src/theme/pieces.svg", import.meta.url);
const ICON = new URL("./public/icon.svg", import.meta.url);
const VIEW_BOXES = "virtual:pieces";
const RULES = "short_rules";
/** What is said only where a page plays, or could play, without a server: it comes with the rules, when it is needed. */
export const ALONE = "alone";
/** What only commands say. Of `play` the page has some words, the rest is the terminal's. */
const OF_COMMANDS = ["rules", "analyse", "exploit", "report", "dataset", "train", "verify", "serve", "backup", "runs", "simulate", "arena", "plot", "new_game", "solve", "certify", "play.menu", "play.save", "play.error", "play.refused"];
/** Refusals that only commands and other programs meet: this page never asks for what they are about. */
const OF_PROGRAMS = `analysis/on chance/impossible chat/phrase record/strict replay/on replay/eyes salt/text record/none chance/not-now choice/no-seat choice/words http/method http/refused limit/head message/bytes message/form
  message/json message/unknown option/unknown option/value origin/foreign salt/form seats/number storage/bad-database storage/code-taken
  storage/in-use storage/no-backup storage/person-taken storage/version-taken table/clock`.split(/\s+/);

/** `import("….toml")` gives a catalogue without the short rules and what only commands say, `import("….toml?rules")` the rules, as HTML, and what is said without a server. */
export function catalogues(): Plugin {
  return {
    name: "pokade-catalogues",
    enforce: "pre",
    load(id) {
      const [path, query] = id.split("?");
      if (!path?.endsWith(".toml")) return null;
      this.addWatchFile(path);
      const all = parse(readFileSync(path, "utf8")) as Record<string, Record<string, unknown>>;
      return `export default ${JSON.stringify(query === "rules" ? rulesOf(all) : ofThePage(all))}`;
    },
  };
}

function rulesOf(all: Record<string, Record<string, unknown>>): Record<string, unknown> {
  const rules = Object.fromEntries(Object.entries(all).flatMap(([key, table]) => (RULES in table ? [[key, htmlOf(String(table[RULES]))]] : [])));
  return { ...rules, [ALONE]: all["web"]?.[ALONE] };
}

const marked = new Marked({
  walkTokens(token) {
    if (token.type === "heading") token.depth += 1; // the page has a heading above them
  },
  renderer: {
    tablecell({ header, tokens }) {
      const words = this.parser.parseInline(tokens);
      return header ? `<th scope="col">${words}</th>` : `<td>${words}</td>`;
    },
  },
});

/** A text of the catalogue with headings, lists, tables and marked words, for the page. */
export function htmlOf(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** The texts that the page may show. */
export function ofThePage(all: Record<string, Record<string, unknown>>): Record<string, object> {
  const kept = Object.entries(all).filter(([key]) => !OF_COMMANDS.includes(key));
  return Object.fromEntries(kept.map(([key, table]) => [key, without(table, key)]));
}

function without(table: Record<string, unknown>, key: string): object {
  return Object.fromEntries(Object.entries(table).filter(([name]) => name !== RULES && name !== ALONE && !(key === "error" && OF_PROGRAMS.includes(name)) && !OF_COMMANDS.includes(`${key}.${name}`)));
}

/** All symbols stand in the page itself, so they are there with the first paint; the code gets only their view boxes. */
export function piecesInPage(): Plugin {
  return {
    name: "pokade-pieces",
    resolveId: (id) => (id === VIEW_BOXES ? `\0${VIEW_BOXES}` : null),
    load(id) {
      if (id !== `\0${VIEW_BOXES}`) return null;
      const found = readFileSync(PIECES, "utf8").matchAll(/<symbol id="([^"]+)" viewBox="([^"]+)"/g);
      return `export default ${JSON.stringify(Object.fromEntries([...found].map((m) => [m[1], m[2]])))}`;
    },
    transformIndexHtml: (html) =>
      html.replace("<!--pieces-->", inlined(readFileSync(PIECES, "utf8"))).replace(/\.?\/icon\.svg/, dataOf(readFileSync(ICON, "utf8"))),
  };
}

/** The icon stands in the page too: a browser would ask for it on every screen. */
function dataOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** With `display: none` the clip paths would vanish, so the drawing has no size instead. */
function inlined(svg: string): string {
  const bare = svg.replace(/<!--.*?-->/gs, "").replace(/\n/g, "").trim();
  return bare.replace("<svg ", '<svg class="pieces" width="0" height="0" aria-hidden="true" focusable="false" ');
}

/**
 * `offline.json` says which files a device keeps for when there is no line: those of all screens, and by language those of its
 * texts.
 */
export function offlineFiles(): Plugin {
  return {
    name: "pokade-offline",
    enforce: "post",
    generateBundle: {
      order: "post", // when no file is taken away any more
      handler(_, bundle) {
        const files: Record<string, string[]> = { all: [] };
        for (const part of Object.values(bundle)) {
          if (!/^assets\/[^/]+\.(js|css)$/.test(part.fileName)) continue; // what lies deeper is Python's
          const language = part.type === "chunk" ? /(\w+)\.toml(\?rules)?$/.exec(part.facadeModuleId ?? "")?.[1] : undefined;
          (files[language ?? "all"] ??= []).push(`/${part.fileName}`);
        }
        this.emitFile({ type: "asset", fileName: "offline.json", source: JSON.stringify(files) });
      },
    },
  };
}

/** A server shows the one page at many addresses, so the page itself names its files from the root. */
export function fromAnywhere(): Plugin {
  return {
    name: "pokade-from-anywhere",
    enforce: "post",
    transformIndexHtml: { order: "post", handler: (html) => html.replaceAll('="./', '="/') },
  };
}

const WORTH_COMPRESSING = /\.(m?js|css|svg|json|wasm|webmanifest)$/;

/** Beside each file its compressed variant, which the server sends as it is. */
export function compressed(): Plugin {
  let folder = "";
  return {
    name: "pokade-compressed",
    apply: "build",
    enforce: "post",
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    closeBundle() {
      if (!existsSync(folder)) return; // the build has failed, and says why
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!WORTH_COMPRESSING.test(name) || name.startsWith(".")) continue;
        const plain = readFileSync(join(folder, name));
        const small = gzipSync(plain, { level: 9 });
        if (small.length < plain.length) writeFileSync(join(folder, `${name}.gz`), small);
      }
    },
  };
}

type Modules = { getModuleInfo(id: string): { importers: string[]; isEntry: boolean } | null };

/**
 * Few files, since each is a request: what the first screen needs or several others share is one, each further screen is
 * one, and so is the table of each game. A module without a name here stays with its only importer.
 */
export function shell(id: string, modules: Modules): string | null {
  if (id.includes(".toml")) return null; // one language is enough
  const importers = importersOf(id, modules);
  const isFirst = importers.some((one) => modules.getModuleInfo(one)?.isEntry);
  return isFirst || rootsOf(importers, modules).length > 1 ? "shell" : null;
}

/** A module, and all that import it, directly or by way of others; not those that load it later. */
function importersOf(id: string, modules: Modules): string[] {
  const found = new Set([id]);
  for (const one of found) for (const importer of modules.getModuleInfo(one)?.importers ?? []) found.add(importer);
  return [...found];
}

/** Those of them that no module imports: they are loaded when they are needed. */
function rootsOf(importers: string[], modules: Modules): string[] {
  return importers.filter((one) => modules.getModuleInfo(one)?.importers.length === 0);
}
