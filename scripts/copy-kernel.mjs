// Ships the kernel as a file too, beside the library: `rollmill/kernel.wasm`, for streaming compilation. The CLI is made
// executable, as npm would on installing it.
import { chmodSync, copyFileSync, existsSync } from "node:fs";

const path = (relative) => new URL(`../${relative}`, import.meta.url);
copyFileSync(path("build/kernel.wasm"), path("dist/kernel.wasm"));
if (existsSync(path("dist/cli/main.js"))) chmodSync(path("dist/cli/main.js"), 0o755);
