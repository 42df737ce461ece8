// Compiles the kernel with the flags of asconfig.json, cuts it into parts, and writes these into TypeScript modules. The
// compiler also writes src/kernel/layout.ts and src/kernel/exports.ts. Then compiles the kernel for plan files, which is
// a program of its own: so no function of it changes what a page loads. Any warning of the compiler fails the build.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";
import { ExportsTransform } from "./exports-transform.mjs";
import { kernelModule } from "./kernel-module.mjs";
import { writeKernel } from "./kernel-parts.mjs";
import { LayoutTransform } from "./layout-transform.mjs";

const ROOT = new URL("..", import.meta.url);

async function compile(entry, target, transforms = []) {
  const { error, stderr } = await main([entry, "--target", target], { transforms });
  // the optimiser prints this line about its last round; the line is not a warning
  const said = String(stderr).replace("Last converge was suboptimal.\n", "");
  process.stderr.write(said);
  if (error !== null || said.includes("WARNING")) process.exit(1);
}

await compile("assembly/index.ts", "release", [LayoutTransform, ExportsTransform]);
writeKernel(fileURLToPath(ROOT), readFileSync(new URL("build/kernel.wasm", ROOT)));

await compile("assembly/plans/index.ts", "plans");
// the library only checks plan files
await compile("assembly/plans/check.ts", "planChecks");
const checks = readFileSync(new URL("build/kernel-plan-checks.wasm", ROOT));
writeFileSync(new URL("src/kernel/bytes/plans.ts", ROOT), kernelModule(checks));
