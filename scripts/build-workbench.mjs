// Makes dist/workbench, with the packages of its own lock file.
import { execSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

// in `npm pack --dry-run`, npm would install nothing either, and the page would lack its libraries
execSync("npm ci --prefix workbench --dry-run=false --no-audit --no-fund --silent", { cwd: ROOT, stdio: "inherit" });
await build({ root: fileURLToPath(new URL("../workbench", import.meta.url)), logLevel: "warn" });
