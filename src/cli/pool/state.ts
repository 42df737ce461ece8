import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { error, fail } from "../../errors/index.js";
import { readJsonText } from "../../formats/read/json.js";
import type { Mill } from "../../index.js";
import { option } from "../command.js";
import { checkOutput, readJson, writeOutput } from "../shared/files.js";
import { type Io, pathIn } from "../shared/io.js";

const FORMAT = "rollmill-pool-state";
const VERSION = 1;

interface SavedStock {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** The SHA-256 of the spec. */
  readonly spec: string;
  readonly name: string;
  readonly snapshot: { readonly seed: string };
}

interface Family {
  readonly text: string;
  readonly name: string;
}

export const STATE = option(
  "--state <file>",
  "go on from the stock in this file, and save the new stock there after the draws; a new file begins with full stock",
).conflicts("from");

/**
 * Returns undefined if the file does not exist yet.
 *
 * @throws RollmillError `snapshot.invalid` for anything but a saved stock of this family; `file.*`, also if the new
 * stock could not be saved.
 */
export async function readState(io: Io, file: string, family: Family) {
  await checkOutput(io, file);
  if (!existsSync(pathIn(io, file))) return undefined;
  const saved = await readJson(io, file);
  if (!isSaved(saved)) return refuse(file, "not a saved stock", "a file that `pool draw --state` wrote");
  if (saved.name !== family.name) {
    return refuse(file, `the stock belongs to the name ${JSON.stringify(saved.name)}`, JSON.stringify(family.name));
  }
  if (saved.spec !== digestOf(family.text)) {
    return refuse(file, "the stock belongs to another spec", "the unchanged spec of the first draws");
  }
  return { seed: saved.snapshot.seed, snapshot: new TextEncoder().encode(JSON.stringify(saved.snapshot)) };
}

export async function writeState(io: Io, file: string, { mill, ...family }: Family & { readonly mill: Mill }) {
  const head = { format: FORMAT, version: VERSION, spec: digestOf(family.text), name: family.name };
  const snapshot = new TextDecoder().decode(mill.snapshot());
  await writeOutput(io, file, `${JSON.stringify(head).slice(0, -1)},"snapshot":${snapshot}}\n`);
}

function isSaved(value: unknown): value is SavedStock {
  const { format, version, snapshot } = (value ?? {}) as Partial<SavedStock>;
  return format === FORMAT && version === VERSION && typeof snapshot?.seed === "string";
}

/** White space in JSON does not change the digest. */
function digestOf(text: string): string {
  const read = readJsonText(text);
  return createHash("sha256")
    .update("value" in read ? JSON.stringify(read.value) : text)
    .digest("hex");
}

function refuse(file: string, problem: string, expected: string): never {
  const remedy = "Use the same spec and name as before, or another file for the state";
  return fail(error("snapshot.invalid", { problem, expected, remedy, where: { file } }));
}
