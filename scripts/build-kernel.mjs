// Compiles the kernel with the flags of asconfig.json and writes it into a TypeScript module. The compiler also writes src/kernel/layout.ts and src/kernel/exports.ts. Any warning
// of the compiler fails the build.
import { readFileSync, writeFileSync } from "node:fs";
import { main } from "assemblyscript/asc";
import { ExportsTransform } from "./exports-transform.mjs";
import { kernelModule } from "./kernel-module.mjs";
import { LayoutTransform } from "./layout-transform.mjs";

const { error, stderr } = await main(["assembly/index.ts", "--target", "release"], {
  transforms: [LayoutTransform, ExportsTransform],
});
// the optimiser prints this line about its last round; the line is not a warning
const said = String(stderr).replace("Last converge was suboptimal.\n", "");
process.stderr.write(said);
if (error !== null || said.includes("WARNING")) process.exit(1);

const wasm = readFileSync(new URL("../build/kernel.wasm", import.meta.url));
writeFileSync(new URL("../src/kernel/bytes.ts", import.meta.url), kernelModule(wasm));
