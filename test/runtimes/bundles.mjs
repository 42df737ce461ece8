// The bundles of the package: a Vite app, and an edge worker.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const COMMON = { configFile: false, logLevel: "error" };

/** Builds the edge worker into one file, `edge/worker.js`. The kernel stays a module outside the bundle. */
export async function bundleWorker(root) {
  await build({
    ...COMMON,
    root,
    plugins: [
      { name: "kernel", enforce: "pre", resolveId: (id) => (id === "rollmill/kernel.wasm" ? OUTSIDE : undefined) },
    ],
    build: {
      outDir: "edge",
      lib: { entry: join(root, "workerd.mjs"), formats: ["es"], fileName: () => "worker.js" },
      // the package imports the embedded kernel on demand, which would be a second file
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}
const OUTSIDE = { id: "./kernel.wasm", external: true };

/** Builds the app into `app`. */
export async function bundleApp(root) {
  writeFileSync(join(root, "index.html"), '<!doctype html><script type="module" src="/page.mjs"></script>');
  await build({ ...COMMON, root, worker: { format: "es" }, build: { outDir: "app" } });
}
