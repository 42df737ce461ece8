import { readFile } from "node:fs/promises";
import type { WorldInput } from "../../src/worlds/index.js";

const examples = new URL("../../examples/", import.meta.url);

/** Returns the world of examples/endless.json with its files. */
export async function readEndlessWorld(): Promise<WorldInput> {
  const path = new URL("endlessWorld.mjs", examples).href;
  const { readEndlessWorld: read } = await import(/* @vite-ignore */ path);
  return read((file: string) => readFile(new URL(file, examples), "utf8"));
}
