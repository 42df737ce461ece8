// Builds the workbench into dist/workbench: a folder of static files that any host serves, at any path.
import { defineConfig } from "vite";

export default defineConfig({
  // a page has no process: this leaves out what is only for Node
  define: { "globalThis.process": "undefined" },
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: "../dist/workbench",
    emptyOutDir: true,
    target: "es2022",
    license: { fileName: "THIRD-PARTY-LICENSES.md" },
    modulePreload: { polyfill: false },
  },
});
