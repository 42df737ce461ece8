// Builds and packs the package twice, from nothing, and fails if the two packages differ: `node scripts/pack-twice.mjs`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));

/** Returns the SHA-256 of a package that is built from nothing. */
function packed() {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-pack-"));
  try {
    execFileSync("npm", ["run", "--silent", "build", "--", "--force"], { cwd: project, stdio: "inherit" });
    const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const [{ filename }] = JSON.parse(execFileSync("npm", args, { cwd: project, encoding: "utf8" }));
    return createHash("sha256")
      .update(readFileSync(join(folder, filename)))
      .digest("hex");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first, second] = [packed(), packed()];
if (first !== second) {
  console.error(`Two builds of the same sources differ: their packages have the SHA-256 ${first} and ${second}.`);
  process.exit(1);
}
console.log(`Two builds give the same package, SHA-256 ${first}`);
