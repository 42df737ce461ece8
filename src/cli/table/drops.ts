import { dirname, join } from "node:path";
import type { Command } from "commander";
import { error, fail } from "../../errors/index.js";
import { createMill } from "../../index.js";
import { filePathFlaw, specOf } from "../../spec/index.js";
import { type DropRolls, loadTable, parseDrops, type Stack } from "../../tables/index.js";
import { define } from "../command.js";
import { readJson, readPart, stemOf } from "../shared/files.js";
import type { Io } from "../shared/io.js";
import { forkOf, MAX_WORK, range, seedOr, source } from "../shared/options.js";
import { oddsOption, output, printManyOdds, putResults, rowsBy } from "../shared/rows.js";

const DROPS_PER_WRITE = 2 ** 14;

type Drop = readonly (string | Stack)[];

export function addDrops(drops: Command, io: Io): void {
  const dropping = "drops {examples/orc.json}";
  define(drops, io, {
    examples: [`${dropping} -n 5 --seed moria`, `${dropping} -n 1000 -o drops.csv`, `${dropping} --odds`],
    takes: [["<file>", '.json file with table, rolls and always; "-" is stdin']],
    options: [
      ...range("drop"),
      oddsOption("print the exact odds of each result of a drop instead; independent of the seed", "n"),
      MAX_WORK,
      ...source("drops"),
      ...output("drops"),
    ],
    async run(flags, file) {
      const spec = specOf(parseDrops(await withTable(io, file, await readJson(io, file)), { file }));
      const { from, fork, json, maxWork, name = stemOf(file, "drops") } = flags;
      const seed = flags.odds ? null : seedOr(io, flags.seed);
      using mill = createMill({ seed: seed ?? "" });
      const drops = forkOf(mill.drops(name, spec), flags);
      const head = { command: "drops", seed, name, fork };
      if (flags.odds) return printManyOdds(io, drops.odds({ maxWork }), { head, json });
      await putResults(io, flags, {
        head: { ...head, from },
        unit: "drops",
        size: DROPS_PER_WRITE,
        make: (count, from) => drops.rollMany(count, { from }) as DropRolls<string | Stack>,
        rowsOf: (rolls) => rowsBy(rolls, lineOf, () => rolls.columns()),
      });
    },
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
