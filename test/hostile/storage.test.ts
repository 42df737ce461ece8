// rollmill/files and rollmill/sql write where a text says, so the fuzzer leaves them out: a random text must not become a
// path. Here every hostile value that is not a text takes the place of the address, and of the arguments of writeWhole.
// The other arguments of rollmill/sql go through the parsers of recipes and words, which the fuzzer calls.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeWhole } from "../../src/files/index.js";
import * as main from "../../src/index.js";
import type { RecipeSpec } from "../../src/recipes/index.js";
import * as sql from "../../src/sql/index.js";
import { outcomeOf, VALUES } from "./values.mjs";

const folder = mkdtempSync(join(tmpdir(), "rollmill-hostile-"));
const path = join(folder, "text");
afterAll(() => rmSync(folder, { recursive: true }));

const NO_TEXTS = VALUES.filter(([, make]) => typeof make() !== "string");
const { spec } = main.parseRecipe(JSON.parse(readFileSync("data/recipes/weapon.json", "utf8")));
const tables = { recipe: "weapon", spec: spec as RecipeSpec, table: "prefix", word: "keen" };
const word = { ...tables, proposed: new Date("2026-11-22T06:00:00Z"), change: {} };

type Call = (value: never) => unknown;

test.each<[string, Call]>([
  ["the path of writeWhole", (value) => writeWhole(value, "text")],
  ["the content of writeWhole", (value) => writeWhole(path, value)],
  ["the options of writeWhole", (value) => writeWhole(path, "text", value)],
  ["the name for messages of writeWhole", (value) => writeWhole(path, "text", { shown: value })],
  ["the source of loadTables", (value) => sql.loadTables(value, tables)],
  ["the source of listProposals", (value) => sql.listProposals(value, tables)],
  ["the target of saveTables", (value) => sql.saveTables(value, {}, tables)],
  ["the source of copyTables", (value) => sql.copyTables(value, path, tables)],
  ["the target of proposeWord", (value) => sql.proposeWord(value, word)],
  ["the target of acceptWord", (value) => sql.acceptWord(value, word)],
  ["the target of rejectWord", (value) => sql.rejectWord(value, word)],
  ["the target of editWord", (value) => sql.editWord(value, word)],
  ["the target of deactivateWord", (value) => sql.deactivateWord(value, word)],
  ["the target of activateWord", (value) => sql.activateWord(value, word)],
])("a hostile value as %s ends in a result or in an error of the library", async (_, call) => {
  const before = readdirSync(".");
  const failed: string[] = [];
  for (const [name, make] of NO_TEXTS) {
    const thrown = await outcomeOf(main, ([value]) => call(value as never), [make()]);
    // an error of the caller's iterable passes through writeWhole unchanged
    if (thrown !== undefined && thrown.message !== "hostile") failed.push(`${name}: ${thrown.message}`);
  }
  expect(failed).toEqual([]);
  expect(readdirSync(".")).toEqual(before);
});
