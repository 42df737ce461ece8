// Builds the workbench into dist/workbench: a folder of static files that any host serves, at any path.
import { defineConfig } from "vite";

export default defineConfig({
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
