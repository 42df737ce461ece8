// rollmill/files and rollmill/wordstores write where a text says, so the fuzzer leaves them out: a random text must not
// become a path. Here every hostile value that is not a text takes the place of the address, and of the arguments of
// writeWhole. The other arguments of rollmill/wordstores go through the parsers of recipes and words, which the fuzzer
// calls. The fuzzer calls rollmill/jobs with a finished job; here the job is not finished.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeWhole } from "../../src/files/index.js";
import * as main from "../../src/index.js";
import * as jobs from "../../src/jobs/index.js";
import type { RecipeSpec } from "../../src/recipes/index.js";
import * as sql from "../../src/wordstores/index.js";
import { outcomeOf, VALUES } from "./values.mjs";

const folder = mkdtempSync(join(tmpdir(), "rollmill-hostile-"));
const path = join(folder, "text");
afterAll(() => rmSync(folder, { recursive: true }));

const NO_TEXTS = VALUES.filter(([, make]) => typeof make() !== "string");
const { spec } = main.parseRecipe(JSON.parse(readFileSync("data/recipes/weapon.json", "utf8")));
const tables = { recipe: "weapon", spec: spec as RecipeSpec, table: "prefix", word: "keen" };
const word = { ...tables, proposed: new Date("2026-11-22T06:00:00Z"), change: {} };

const job = { world: { layers: [{ name: "land", preset: "uniform", steps: 5 }] } } as const;
const opened = await jobs.createJob(join(folder, "job"), job, { seed: 1 });
const noPlace = join(folder, "file", "job");
writeFileSync(join(folder, "file"), "");
const needs = { disk: 1, steps: 1, seconds: 1, cells: 1, threadMemory: 0 };
const texts = (text: unknown) => async () => text as string;

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
  ["the folder of createJob", (value) => jobs.createJob(value, job, { seed: 1 })],
  ["the job of createJob", (value) => jobs.createJob(noPlace, value, { seed: 1 })],
  ["the options of createJob", (value) => jobs.createJob(noPlace, job, value)],
  ["the seed of createJob", (value) => jobs.createJob(noPlace, job, { seed: value })],
  ["the folder of startJob", (value) => jobs.startJob(value, job, { seed: 1, threads: 1 })],
  ["the options of startJob", (value) => jobs.startJob(noPlace, job, value)],
  ["the folder of openJob", (value) => jobs.openJob(value)],
  ["the folder of resumeJob", (value) => jobs.resumeJob(value, { threads: 1 })],
  ["the job of planJob", (value) => jobs.planJob(value)],
  ["the world of planJob", (value) => jobs.planJob({ ...job, world: value })],
  ["the extent of planJob", (value) => jobs.planJob({ ...job, extent: value })],
  [
    "the bulk parts of planJob",
    (value) => jobs.planJob({ ...job, bulk: [value, { name: "a", count: value, table: value }] as never }),
  ],
  ["the needs of checkSpace", (value) => jobs.checkSpace(value, { folder })],
  ["the folder of checkSpace", (value) => jobs.checkSpace(needs, { folder: value })],
  ["the options of checkSpace", (value) => jobs.checkSpace(needs, value)],
  ["the input of parseJob", (value) => jobs.parseJob(value)],
  ["the options of parseJob", (value) => jobs.parseJob(job, value)],
  ["the input of jobOf", (value) => jobs.jobOf(value)],
  ["the file of loadJob", (value) => jobs.loadJob(value, texts("{}"))],
  ["the reader of loadJob", (value) => jobs.loadJob("job.json", value)],
  ["the text of loadJob", (value) => jobs.loadJob("job.json", texts(value))],
  ["the threads of job.run", (value) => opened.run({ threads: value, maxMemory: 1 })],
  ["the memory of job.run", (value) => opened.run({ maxMemory: value, threads: 0 })],
  ["the signal of job.run", (value) => opened.run({ signal: value, threads: 0 })],
  ["the options of job.work", (value) => opened.work(value)],
  ["the task of job.work", (value) => opened.work({ task: value, phase: "cells" })],
  ["the phase of job.work", (value) => opened.work({ task: 99, phase: value })],
  ["the options of job.verify", (value) => opened.verify(value)],
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
