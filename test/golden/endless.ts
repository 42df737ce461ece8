import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadWorld, type WorldSpec } from "../../src/worlds/index.js";

const file = fileURLToPath(new URL("../../examples/endless.json", import.meta.url));

/** Returns the world of examples/endless.json with its files. */
export async function readEndlessWorld(): Promise<WorldSpec> {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  const { spec, issues } = await loadWorld(file, read);
  if (spec === undefined) throw new Error(JSON.stringify(issues));
  return spec;
}
