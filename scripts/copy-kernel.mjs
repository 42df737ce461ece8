// Copies the kernel into dist, where users import it as `rollmill/kernel.wasm` for streaming compilation. Also makes
// the CLI executable, as npm does when it installs the package.
import { chmodSync, copyFileSync, existsSync } from "node:fs";

const path = (relative) => new URL(`../${relative}`, import.meta.url);
copyFileSync(path("build/kernel.wasm"), path("dist/kernel.wasm"));
if (existsSync(path("dist/cli/bin.js"))) chmodSync(path("dist/cli/bin.js"), 0o755);
