// Compiles the kernel with the flags of asconfig.json, cuts it into parts, and writes these into TypeScript modules. The
// compiler also writes src/kernel/layout.ts and src/kernel/exports.ts. Any warning of the compiler fails the build.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";
import { ExportsTransform } from "./exports-transform.mjs";
import { writeKernel } from "./kernel-parts.mjs";
import { LayoutTransform } from "./layout-transform.mjs";

const { error, stderr } = await main(["assembly/index.ts", "--target", "release"], {
  transforms: [LayoutTransform, ExportsTransform],
});
// the optimiser prints this line about its last round; the line is not a warning
const said = String(stderr).replace("Last converge was suboptimal.\n", "");
process.stderr.write(said);
if (error !== null || said.includes("WARNING")) process.exit(1);

writeKernel(
  fileURLToPath(new URL("..", import.meta.url)),
  readFileSync(new URL("../build/kernel.wasm", import.meta.url)),
);
