// Checks that a field of a spec has only one source. In a copy of the project, the script adds a field to the shape of a
// walk's layer, and nothing else. Then the parser reads the field and refuses a wrong value at its place, the public type
// has it, and the JSON Schema (from which editors complete) and docs/formats/walks.md describe it.
//
//   node scripts/check-fields.mjs
//
// The exit code is 1 if one of these is not so.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { copyProject, ROOT, run } from "./project-copy.mjs";

const FILE = "src/walks/parse.ts";
const BEFORE = "const BODY = {\n";
const ADDED = "  /** How the walkers feel. Default: they do not say. */\n  mood: optional(TEXT),\n";
const SENTENCE = "How the walkers feel. Default: they do not say.";
const TIMEOUT_MS = 300_000;

const copy = copyProject("fields");
try {
  for (const path of ["schemas", "biome.json", ".gitignore", "package-lock.json"])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  for (const name of readdirSync(join(ROOT, "build")).filter((file) => file.endsWith(".wasm")))
    cpSync(join(ROOT, "build", name), join(copy, "build", name));
  const text = readFileSync(join(copy, FILE), "utf8");
  assert(text.includes(BEFORE), `${FILE} has ${JSON.stringify(BEFORE)}`);
  writeFileSync(join(copy, FILE), text.replace(BEFORE, BEFORE + ADDED));
  await succeeds(["scripts/build.mjs", "library"]);
  await succeeds(["scripts/schemas.mjs"]);

  const { parseWalk } = await import(pathToFileURL(join(copy, "dist/walks/index.js")).href);
  const layer = { name: "land", mood: "merry" };
  assert.deepEqual(parseWalk({ layers: [layer] }).issues, []);
  const [issue] = parseWalk({ layers: [{ ...layer, mood: 5 }] }).issues;
  assert.equal(issue.where.path, "layers[0].mood");

  writeFileSync(join(copy, "src/typed.ts"), typed());
  // of this file and those that it imports: the others do not know the field
  writeFileSync(join(copy, "typed.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src/typed.ts"] }));
  await succeeds([join(ROOT, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", "typed.json"]);

  const schema = JSON.parse(readFileSync(join(copy, "schemas/walk.json"), "utf8"));
  for (const { properties } of [schema, schema.definitions.layer]) assert.equal(properties.mood.description, SENTENCE);
  assert(readFileSync(join(copy, "docs/formats/walks.md"), "utf8").includes(`| \`mood\` | ${SENTENCE} |`));
  console.log("one edit added the field to the parser, the type, the schema and the table of the docs");
} finally {
  rmSync(dirname(copy), { recursive: true, force: true });
}

/** A program that compiles only if the type of a layer has the field, as a text. */
function typed() {
  return `import type { LayerInput } from "./walks/index.js";
export const right: LayerInput = { name: "land", mood: "merry" };
// @ts-expect-error
export const wrong: LayerInput = { name: "land", mood: 5 };
`;
}

async function succeeds(args) {
  const { code, output } = await run(copy, args, TIMEOUT_MS);
  assert.equal(code, 0, `${args.join(" ")}: ${output}`);
}
