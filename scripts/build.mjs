// Builds what is not up to date: npm run build [-- PART...] [-- --force]. The parts are those below; by default, all but
// the workbench. A line on stderr shows each part that is built. --force also builds what is up to date.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runPart } from "./up-to-date.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const GENERATED = ["bytes", "exports.ts", "layout.ts"].map((name) => `src/kernel/${name}`);
const KERNELS = [
  "kernel",
  "kernel-draws",
  "kernel-maps",
  "kernel-items",
  "kernel.scalar",
  "kernel-plans",
  "kernel-plans.scalar",
].map((name) => `build/${name}.wasm`);
/** Its hash is the hash of the tools. */
const TOOLS = "package-lock.json";
const isDeclaration = (file) => file.endsWith(".d.ts");
/** The folders that `npm run build:c` and `npm run build:workbench` make. */
const isOnDemand = (file) => /^dist\/(?:c|workbench)\//.test(file);

/** In this order: a part can be the input of a later one. `isOnDemand`: the part is built only if it is named. */
const PARTS = {
  kernel: {
    scripts: [
      "build-kernel",
      "exports-transform",
      "kernel-module",
      "kernel-parts",
      "layout-transform",
      "scalar-kernel",
    ],
    inputs: ["assembly", "asconfig.json"],
    outputs: [...KERNELS, ...GENERATED],
  },
  recipes: { scripts: ["embed-recipes"], inputs: ["data/recipes"], outputs: ["src/recipes/data.ts"] },
  palettes: { scripts: ["embed-palettes"], inputs: [], outputs: ["src/formats/pictures/colorTables.ts"] },
  "map-page": {
    scripts: ["embed-map-page"],
    inputs: ["src/formats/maps/page"],
    outputs: ["src/formats/maps/mapScript.ts"],
  },
  confusables: { scripts: ["embed-confusables"], inputs: [], outputs: ["src/wordstores/confusables.ts"] },
  library: {
    scripts: ["build-lib", "code-hash", "inlined", "kernel-module", "licences"],
    inputs: ["src", ...KERNELS, "package.json", "scripts/unicode-license.txt", "scripts/zstd-license.txt"],
    outputs: ["dist", "build/modules", "src/jobs/codeHash.ts"],
    isOutput: (file) => !isDeclaration(file) && !isOnDemand(file),
  },
  declarations: {
    scripts: ["build-declarations", "prune-types", "widen-types"],
    inputs: ["src", "package.json", "tsconfig.json", "tsconfig.build.json"],
    outputs: ["dist"],
    isOutput: isDeclaration,
  },
  workbench: {
    isOnDemand: true,
    scripts: ["build-workbench"],
    inputs: [
      "workbench/src",
      "src",
      "examples",
      "schemas",
      ...["index.html", "package-lock.json", "tsconfig.json", "vite.config.mjs"].map((name) => `workbench/${name}`),
    ],
    outputs: ["dist/workbench"],
  },
};

const { values, positionals } = parseArgs({ options: { force: { type: "boolean" } }, allowPositionals: true });
const unknown = positionals.find((name) => !(name in PARTS));
if (unknown !== undefined) throw new Error(`unknown part ${unknown}; the parts are: ${Object.keys(PARTS).join(", ")}`);
for (const [name, part] of Object.entries(PARTS)) {
  if (positionals.length === 0 ? !part.isOnDemand : positionals.includes(name)) build(name, part);
}

function build(name, { scripts, inputs, outputs, isOutput }) {
  const files = scripts.map((script) => `scripts/${script}.mjs`);
  const part = { inputs: [...inputs, ...files, TOOLS], outputs, isOutput, stamp: `build/${name}.hash` };
  runPart(ROOT, part, {
    force: values.force,
    run() {
      const started = performance.now();
      process.stderr.write(`building: ${name} …`);
      execFileSync(process.execPath, [files[0]], { cwd: ROOT, stdio: ["ignore", 2, "inherit"] });
      process.stderr.write(` ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
    },
  });
}
