// Compiles the kernel, with the flags of asconfig.json, and writes it into a TypeScript module, as base64, so that the
// library loads it with no file access. A warning of the compiler is an error here.
import { readFileSync, writeFileSync } from "node:fs";
import { main } from "assemblyscript/asc";
import { LayoutTransform } from "./layout-transform.mjs";

const { error, stderr } = await main(["assembly/index.ts", "--target", "release"], { transforms: [LayoutTransform] });
// the optimiser says how its last round went, which is no warning
const said = String(stderr).replace("Last converge was suboptimal.\n", "");
process.stderr.write(said);
if (error !== null || said.includes("WARNING")) process.exit(1);

const wasm = readFileSync(new URL("../build/kernel.wasm", import.meta.url));
const lines = wasm.toString("base64").match(/.{1,100}/g) ?? [];
const body = lines.map((line) => `  "${line}",`).join("\n");
const source = `// Made from assembly/ by scripts/build-kernel.mjs: edit nothing here.
/** The compiled kernel, base64. */
export const KERNEL_BASE64 = [
${body}
].join("");
`;
writeFileSync(new URL("../src/kernel/bytes.ts", import.meta.url), source);
