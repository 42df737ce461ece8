import { dirname, join } from "node:path";
import type { Command } from "commander";
import { checkRange, MAX_INDEX } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { createMill, toNumber } from "../index.js";
import { filePathFlaw, specOf } from "../spec/index.js";
import { type DropOdds, loadTable, parseDrops, type Stack } from "../tables/index.js";
import { chanceText, withProbability } from "./chances.js";
import { printResults } from "./draws.js";
import { type Head, printDocument } from "./envelope.js";
import { withExamples } from "./examples.js";
import { type ForkFlags, forkOf, forkOption } from "./forks.js";
import { readJson, stemOf } from "./inputFile.js";
import { type Io, print } from "./io.js";
import { countOf, jsonOption, seedOption, seedOr, workOption } from "./options.js";
import { readPart } from "./tablePart.js";

const DROPS_PER_WRITE = 2 ** 14;

interface DropsFlags extends ForkFlags {
  readonly seed?: string;
  readonly name?: string;
  readonly odds?: boolean;
  readonly maxWork?: number;
  readonly json?: boolean;
  readonly n: number;
  readonly from: number;
}

type Drop = readonly (string | Stack)[];

/** Adds `rollmill drops`. */
export function addDrops(drops: Command, io: Io): void {
  withExamples(drops, io, "drops {examples/orc.json} -n 5 --seed moria", "drops {examples/orc.json} --odds")
    .argument("<file>", '.json file with table, rolls and always; "-" is stdin')
    .option("-n <drops>", "how many drops", countOf(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first drop", countOf(0, MAX_INDEX - 1), 0)
    .option("--odds", "print the exact odds of each result instead; independent of the seed")
    .addOption(workOption())
    .addOption(seedOption())
    .option("--name <name>", "drops depend on the seed and this name (default: the file name without extension)")
    .addOption(forkOption())
    .addOption(jsonOption())
    .action((file: string, flags: DropsFlags) => run(io, file, flags));
}

async function run(io: Io, file: string, flags: DropsFlags): Promise<void> {
  const spec = specOf(parseDrops(await withTable(io, file, await readJson(io, file)), { file }));
  const seed = flags.odds ? null : seedOr(io, flags.seed);
  const name = flags.name ?? stemOf(file, "drops");
  using mill = createMill({ seed: seed ?? "" });
  const drops = forkOf(mill.drops(name, spec), flags);
  const { n, from, fork, json } = flags;
  const head = { command: "drops", seed, name, fork };
  if (flags.odds) return printDropOdds(io, drops.odds({ maxWork: flags.maxWork }), { head, json });
  checkRange(from, n);
  const batches = function* (): Generator<readonly Drop[], void> {
    for (let done = 0; done < n; done += DROPS_PER_WRITE) {
      yield [...drops.rollMany(Math.min(DROPS_PER_WRITE, n - done), { from: from + done })];
    }
  };
  await printResults(io, batches(), { head: { ...head, from }, json, lineOf });
}

function lineOf(drop: Drop): string {
  return drop.map((one) => (typeof one === "string" ? one : `${one.result} ${one.quantity}`)).join("\t");
}

/**
 * If `input.table` is a path, replaces the path by the content of its file. The path is relative to the folder of
 * `file`, and must not lead out of this folder.
 */
async function withTable(io: Io, file: string, input: unknown): Promise<unknown> {
  if (typeof input !== "object" || input === null || !("table" in input)) return input;
  const { table } = input;
  if (typeof table !== "string" || !/\.(?:2da|csv|json)$/i.test(table)) return input;
  const flaw = filePathFlaw(table);
  if (flaw !== undefined) {
    const problem = "the path of the table leads out of the folder, or is not a path";
    return fail(error("file.read", { problem, got: table, expected: flaw, where: { file, path: "table" } }));
  }
  const first = join(file === "-" ? "" : dirname(file), table);
  return { ...input, table: specOf(await loadTable(first, (path) => readPart(io, file, path))) };
}

async function printDropOdds(
  io: Io,
  { odds, none }: DropOdds,
  { head, json }: { readonly head: Head; readonly json: boolean | undefined },
): Promise<void> {
  if (json) {
    const list = odds.map(({ result, atLeastOne, expected }) => ({
      result,
      atLeastOne: withProbability(atLeastOne),
      expected: { ...expected, value: toNumber(expected) },
    }));
    return printDocument(io, head, { odds: list, none: withProbability(none) });
  }
  const lines = odds.map((one) => `${one.result}\t${chanceText(one.atLeastOne)}\t${chanceText(one.expected)}\n`);
  const rest = none.numerator > 0n ? [`(none)\t${chanceText(none)}\n`] : [];
  await print(io, [...lines, ...rest].join(""));
}
