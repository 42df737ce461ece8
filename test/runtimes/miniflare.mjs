// Runs the bundled edge worker in workerd, and prints what it returns.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";

/** The oldest compatibility date that the library supports: from then on, workerd has WeakRef. */
const OLDEST = "2025-05-05";
const [folder] = process.argv.slice(2);
const read = (path) => readFileSync(join(folder, path));
const miniflare = new Miniflare({
  modules: [
    { type: "ESModule", path: "worker.js", contents: read("edge/worker.js").toString() },
    { type: "CompiledWasm", path: "kernel.wasm", contents: read("node_modules/rollmill/dist/kernel.wasm") },
  ],
  compatibilityDate: OLDEST,
});
const response = await miniflare.dispatchFetch("http://localhost/");
console.log(await response.text());
await miniflare.dispose();
