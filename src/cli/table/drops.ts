import { dirname, join } from "node:path";
import type { Command } from "commander";
import { checkRange } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { createMill } from "../../index.js";
import { filePathFlaw, specOf } from "../../spec/index.js";
import { type DropRolls, loadTable, parseDrops, type Stack } from "../../tables/index.js";
import { withExamples } from "../examples.js";
import { oddsOption, printManyOdds, putResults, type ResultFlags, withOutput, withRange } from "../shared/draws.js";
import { forkOf, withSource } from "../shared/forks.js";
import { readJson, stemOf } from "../shared/inputFile.js";
import type { Io } from "../shared/io.js";
import { seedOr, workOption } from "../shared/options.js";
import { readPart } from "./part.js";

const DROPS_PER_WRITE = 2 ** 14;

interface DropsFlags extends ResultFlags {
  readonly maxWork?: number;
}

type Drop = readonly (string | Stack)[];

export function addDrops(drops: Command, io: Io): void {
  const dropping = "drops {examples/orc.json}";
  withExamples(drops, io, `${dropping} -n 5 --seed moria`, `${dropping} -n 1000 -o drops.csv`, `${dropping} --odds`)
    .argument("<file>", '.json file with table, rolls and always; "-" is stdin')
    .action((file: string, flags: DropsFlags) => run(io, file, flags));
  withRange(drops, "drop")
    .addOption(oddsOption("print the exact odds of each result of a drop instead; independent of the seed", "n"))
    .addOption(workOption());
  withOutput(withSource(drops, "drops"), "drops");
}

async function run(io: Io, file: string, flags: DropsFlags): Promise<void> {
  const spec = specOf(parseDrops(await withTable(io, file, await readJson(io, file)), { file }));
  const seed = flags.odds ? null : seedOr(io, flags.seed);
  const name = flags.name ?? stemOf(file, "drops");
  using mill = createMill({ seed: seed ?? "" });
  const drops = forkOf(mill.drops(name, spec), flags);
  const { n, from, fork, json } = flags;
  const head = { command: "drops", seed, name, fork };
  if (flags.odds) return printManyOdds(io, drops.odds({ maxWork: flags.maxWork }), { head, json });
  checkRange(from, n);
  await putResults(io, flags, {
    head: { ...head, from },
    unit: "drops",
    size: DROPS_PER_WRITE,
    make: (count, done) => drops.rollMany(count, { from: from + done }) as DropRolls<string | Stack>,
    lineOf,
    columnsOf: (rolls) => rolls.columns(),
  });
}

function lineOf(drop: Drop): string {
  return drop.map((one) => (typeof one === "string" ? one : `${one.result} ${one.quantity}`)).join("\t");
}

/**
 * Replaces the path of a table, relative to the folder of `file`, by its content. It must not lead out of this folder.
 */
async function withTable(io: Io, file: string, input: unknown): Promise<unknown> {
  if (typeof input !== "object" || input === null || !("table" in input)) return input;
  const { table } = input;
  if (typeof table !== "string" || !/\.(?:2da|csv|tsv|json)$/i.test(table)) return input;
  const flaw = filePathFlaw(table);
  if (flaw !== undefined) {
    const problem = "the path of the table leads out of the folder, or is not a path";
    return fail(error("file.read", { problem, got: table, expected: flaw, where: { file, path: "table" } }));
  }
  const first = join(file === "-" ? "" : dirname(file), table);
  return { ...input, table: specOf(await loadTable(first, (path) => readPart(io, file, path))) };
}
