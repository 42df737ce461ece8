import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadWorld, type WorldSpec } from "../../src/worlds/index.js";

/** The endless world of the first pages, in axial coordinates. Its bytes are frozen; examples/endless.json has changed. */
const world = new URL("endlessWorld.json", import.meta.url);
const file = fileURLToPath(new URL("../../examples/endless.json", import.meta.url));

/** Returns the world of endlessWorld.json with the files of `examples`. */
export async function readEndlessWorld(): Promise<WorldSpec> {
  const read = (path: string) => {
    const place = path === file ? world : path;
    return existsSync(place) ? readFileSync(place, "utf8") : undefined;
  };
  const { spec, issues } = await loadWorld(file, read);
  if (spec === undefined) throw new Error(JSON.stringify(issues));
  return spec;
}
