import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { catalogues, compressed, fromAnywhere, offlineFiles, piecesInPage, shell } from "./plugins.ts";
import { pythonInPage } from "./python.ts";

/** A server to talk to while developing: `POKADE_SERVER=http://127.0.0.1:8000 python web/npm.py run dev`. */
const SERVER = process.env["POKADE_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "./", // files find each other wherever the page lies
  plugins: [svelte(), catalogues(), piecesInPage(), offlineFiles(), fromAnywhere(), pythonInPage(), compressed()],
  worker: { format: "es", plugins: () => [pythonInPage({ isWorker: true })], rolldownOptions: { output: { entryFileNames: "assets/worker-[hash].js" } } },
  build: {
    target: "es2022",
    outDir: "dist",
    manifest: true, // tests/web weigh the first load by it
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: { groups: [{ name: shell, debugName: "shell" }] } } },
  },
  server: {
    fs: { allow: [".."] }, // the catalogues lie in the Python package
    proxy: { "/api": SERVER, "/ws": { target: SERVER, ws: true } },
  },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  // A busy machine takes ten seconds to parse all components; only a test that hangs should fail by its time.
  test: { include: ["tests/**/*.test.ts", "src/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
});
