// Writes the compiled kernel into a TypeScript module, as base64, so that the library loads it with no file access.
import { readFileSync, writeFileSync } from "node:fs";

const wasm = readFileSync(new URL("../build/kernel.wasm", import.meta.url));
const lines = wasm.toString("base64").match(/.{1,100}/g) ?? [];
const body = lines.map((line) => `  "${line}",`).join("\n");
const source = `// Made from assembly/ by scripts/embed-kernel.mjs: edit nothing here.
/** The compiled kernel, base64. */
export const KERNEL_BASE64 = [
${body}
].join("");
`;
writeFileSync(new URL("../src/kernel/bytes.ts", import.meta.url), source);
