// Compiles the kernel with the flags of asconfig.json, cuts it into parts, and writes these into TypeScript modules. The
// compiler also writes src/kernel/layout.ts and src/kernel/exports.ts. Then compiles the kernel for plan files, which is
// a program of its own: so no function of it changes what a page loads. Makes both without SIMD too. Any warning of the
// compiler fails the build.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";
import { ExportsTransform } from "./exports-transform.mjs";
import { writeKernel, writePlansKernel } from "./kernel-parts.mjs";
import { LayoutTransform } from "./layout-transform.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** For the kernels without SIMD. */
const HALVES = "assembly/scalar/halves.ts";

/** Returns the compiled program. */
async function compile(entry, target, transforms = []) {
  const { error, stderr } = await main([entry, HALVES, "--target", target], { transforms });
  // the optimiser prints this line about its last round; the line is not a warning
  const said = String(stderr).replace("Last converge was suboptimal.\n", "");
  process.stderr.write(said);
  if (error !== null || said.includes("WARNING")) process.exit(1);
  return readFileSync(join(ROOT, "build", `${target}.wasm`));
}

writeKernel(ROOT, await compile("assembly/index.ts", "kernel", [LayoutTransform, ExportsTransform]));
writePlansKernel(ROOT, await compile("assembly/plans/index.ts", "kernel-plans"));
