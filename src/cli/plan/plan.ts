import type { Command } from "commander";
import { readBytes } from "../../files/read.js";
import { createMill, type Mill } from "../../index.js";
import { bake, type PlanEntry, type PlanNoun, type PlanRequest, readPlan } from "../../plans/index.js";
import { specOf } from "../../spec/index.js";
import { parseDrops } from "../../tables/index.js";
import { define, type Flags, required } from "../command.js";
import { readList } from "../draws.js";
import { LEVEL, nounOf } from "../instruments/source.js";
import { nameOfDir, readObjectDir, SORT, sortOptions } from "../object/source.js";
import { openPools } from "../pool/pool.js";
import { ASKED as ITEM, itemOptions, readWords, WORDS } from "../recipe/source.js";
import { report } from "../shared/documents.js";
import { checkOutput, readText, stemOf, writeOutput } from "../shared/files.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { JSON_DOCUMENT } from "../shared/options.js";
import { jsonIn } from "../shared/texts.js";
import { readDrops, readTable, refuseAbsentIds, START, WEIGHT } from "../table/table.js";
import { openWalk } from "../walk/walk.js";
import { openWorld, readWorld } from "../world/world.js";

const OPTIONS = [
  required("-o, --output <file>", "the plan file to write"),
  START,
  WEIGHT,
  ...WORDS,
  ...ITEM,
  LEVEL,
  ...SORT,
] as const;
const PLAN = ["<plan>", "a plan file, which rollmill bake wrote"] as const;

export function addBake(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "bake {examples/loot.csv} {examples/pools.json} -o game.plan",
      "bake {examples/coast.json} -o coast.plan",
      "bake {data/loot.2da} --start 5 --weight 1=28 --weight 2=50 --weight 3=0 -o loot.plan",
      "bake {examples/orc.json} weapon --tier 3 --request type=axe -o axes.plan",
      "bake {data/dungeon} --level 30 --good -o dungeon.plan",
    ],
    takes: [
      [
        "<files...>",
        "lists, tables, drops, pools and recipes in .csv, .json or .2da files, names of shipped recipes, folders of edit " +
          'files, or dice such as 2d6; a file name without extension is a name; "-" is stdin',
      ],
    ],
    options: OPTIONS,
    async run(flags, files) {
      const { output } = flags;
      await checkOutput(io, output);
      using mill = createMill({ seed: "" });
      const nouns: (PlanNoun | PlanRequest)[] = [];
      const said: string[] = [];
      for (const file of files) {
        const found = await nounOf(io, file);
        const noun = await open(found, mill, file, flags);
        nouns.push(noun);
        said.push(`${("noun" in noun ? noun.noun : noun).name} (${found.kind})`);
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
): Promise<PlanNoun | PlanRequest> {
  const name = kind === "objects" ? nameOfDir(io, file) : stemOf(file, kind);
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
    case "drops": {
      const input = await readDrops(io, file, jsonIn(await readText(io, file), file));
      return mill.drops(name, specOf(parseDrops(input, { file })), { start: flags.start, weights: flags.weight });
    }
    case "objects": {
      const maker = mill.objects(name, await readObjectDir(io, file));
      return { noun: maker, options: { ...(await sortOptions(io, maker, flags)), level: flags.level ?? 0 } };
    }
    case "recipe": {
      const { spec, tables } = await readWords(io, file, flags);
      return { noun: mill.recipe(name, spec, { tables }), options: itemOptions(flags) };
    }
    case "pools":
      return openPools(io, mill, { text: await readText(io, file), file, name });
    case "walk":
      return openWalk(mill, jsonIn(await readText(io, file), file), file);
    case "world":
      return openWorld(mill, await readWorld(io, file), file);
  }
}
