import type { Command } from "commander";
import { readBytes } from "../../files/read.js";
import { createMill, type Mill } from "../../index.js";
import { bake, type PlanEntry, type PlanNoun, readPlan } from "../../plans/index.js";
import { define, type Flags, required } from "../command.js";
import { readList } from "../draws.js";
import { nounOf } from "../instruments/source.js";
import { openPools } from "../pool/pool.js";
import { report } from "../shared/documents.js";
import { checkOutput, jsonIn, readText, stemOf, writeOutput } from "../shared/files.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { JSON_DOCUMENT } from "../shared/options.js";
import { readTable, refuseAbsentIds, START, WEIGHT } from "../table/table.js";
import { openWalk } from "../walk/walk.js";
import { openWorld, readWorld } from "../world/world.js";

const OPTIONS = [required("-o, --output <file>", "the plan file to write"), START, WEIGHT] as const;
const PLAN = ["<plan>", "a plan file, which rollmill bake wrote"] as const;

export function addBake(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "bake {examples/loot.csv} {examples/pools.json} -o game.plan",
      "bake {examples/coast.json} -o coast.plan",
      "bake {data/loot.2da} --start 5 --weight 1=28 --weight 2=50 --weight 3=0 -o loot.plan",
    ],
    takes: [
      [
        "<files...>",
        'lists, tables and pools in .csv, .json or .2da files, or dice such as 2d6; a file name without extension is a name; "-" is stdin',
      ],
    ],
    options: OPTIONS,
    async run(flags, files) {
      const { output } = flags;
      await checkOutput(io, output);
      using mill = createMill({ seed: "" });
      const nouns: PlanNoun[] = [];
      const said: string[] = [];
      for (const file of files) {
        const found = await nounOf(io, file);
        const noun = await open(found, mill, file, flags);
        nouns.push(noun);
        said.push(`${noun.name} (${found.kind})`);
      }
      const bytes = bake(nouns);
      await writeOutput(io, output, bytes);
      note(io, `baked into ${output}: ${said.join(", ")} (${bytes.length} bytes)`);
    },
  });
}

export function addPlan(plan: Command, io: Io): void {
  define(plan.command("show"), io, {
    examples: ["plan show game.plan"],
    takes: [PLAN],
    description: "print the kind, the name and the labels of each noun of a plan file",
    options: [JSON_DOCUMENT],
    async run(flags, file) {
      const entries = await read(io, file);
      const lines = () => entries.map(({ kind, name, labels }) => `${kind}\t${name}\t${JSON.stringify(labels)}`);
      await report(io, flags, {
        head: { command: "plan show", name: stemOf(file, "plan") },
        data: () => entries,
        lines,
      });
    },
  });
  define(plan.command("check"), io, {
    examples: ["plan check game.plan"],
    takes: [PLAN],
    description: "check a plan file as a host does; exit 2 if it is damaged",
    options: [],
    async run(_, file) {
      const entries = await read(io, file);
      note(io, `${file} is a valid plan file, with ${entries.length} noun${entries.length === 1 ? "" : "s"}`);
    },
  });
}

async function read(io: Io, file: string): Promise<PlanEntry[]> {
  return readPlan(await readBytes(pathIn(io, file), { shown: file }), { file });
}

async function open(
  { kind, io }: Awaited<ReturnType<typeof nounOf>>,
  mill: Mill,
  file: string,
  flags: Flags<typeof OPTIONS>,
): Promise<PlanNoun> {
  const name = stemOf(file, kind);
  switch (kind) {
    case "dice":
      return mill.dice(name, file);
    case "list":
      return mill.weighted(name, (await readList(io, file.includes("=") ? file.split(",") : [file])).spec);
    case "table": {
      const { start, weight } = flags;
      const spec = await readTable(io, file);
      refuseAbsentIds(spec, flags);
      return mill.table(name, spec, { file, start, weights: weight });
    }
    case "pools":
      return openPools(io, mill, { text: await readText(io, file), file, name });
    case "walk":
      return openWalk(mill, jsonIn(await readText(io, file), file), file);
    case "world":
      return openWorld(mill, await readWorld(io, file), file);
  }
  const expected = "lists, tables, pools, dice, walks and worlds";
  return refuse(`plan files do not contain nouns of this kind: ${kind}`, { got: file, expected });
}
