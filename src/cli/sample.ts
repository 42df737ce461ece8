import { extname } from "node:path";
import type { Command } from "commander";
import { checkRange, MAX_INDEX } from "../calls/index.js";
import { createMill } from "../index.js";
import { MAX_ITEMS, parseItems, type Sampler } from "../samples/index.js";
import { specOf } from "../spec/index.js";
import { printResults } from "./draws.js";
import { withExamples } from "./examples.js";
import { type ForkFlags, forkOf, forkOption } from "./forks.js";
import { readJson, readText, stemOf } from "./inputFile.js";
import type { Io } from "./io.js";
import { countOf, jsonOption, seedOption, seedOr } from "./options.js";

const ITEMS_PER_WRITE = 2 ** 18;

interface SampleFlags extends ForkFlags {
  readonly seed?: string;
  readonly name?: string;
  readonly json?: boolean;
  readonly n: number;
  readonly from: number;
  readonly size?: number;
}

/** Adds `rollmill shuffle`. */
export function addShuffle(shuffle: Command, io: Io): void {
  sampling(withExamples(shuffle, io, "shuffle ann bob cid --seed moria"))
    .option("-n <shuffles>", "how many shuffles", countOf(0, MAX_INDEX), 1)
    .action((items: readonly string[], flags: SampleFlags) => run(io, items, { noun: "shuffle", flags }));
}

/** Adds `rollmill sample`. */
export function addSample(sample: Command, io: Io): void {
  sampling(withExamples(sample, io, "sample --size 2 ann bob cid dee --seed moria"))
    .requiredOption("--size <items>", "how many items a sample has", countOf(1, MAX_ITEMS))
    .option("-n <samples>", "how many samples", countOf(0, MAX_INDEX), 1)
    .action((items: readonly string[], flags: SampleFlags) => run(io, items, { noun: "sample", flags }));
}

function sampling(command: Command): Command {
  return command
    .argument("<items...>", 'the items; or one file: a .json list, or a text with an item on each line; "-" is stdin')
    .option("--from <index>", "index of the first result", countOf(0, MAX_INDEX - 1), 0)
    .addOption(seedOption())
    .option("--name <name>", "results depend on the seed and this name (default: the file name without extension)")
    .addOption(forkOption())
    .addOption(jsonOption());
}

async function run(
  io: Io,
  items: readonly string[],
  { noun, flags }: { readonly noun: "shuffle" | "sample"; readonly flags: SampleFlags },
): Promise<void> {
  const [file] = items.length === 1 ? items : [];
  const spec = specOf(parseItems(file === undefined ? items : await readItems(io, file), { file }));
  const seed = seedOr(io, flags.seed);
  const name = flags.name ?? (file === undefined ? noun : stemOf(file, noun));
  using mill = createMill({ seed });
  const { size } = flags;
  const sampler = forkOf(size === undefined ? mill.shuffle(name, spec) : mill.sample(name, spec, { size }), flags);
  const { n, from, fork, json } = flags;
  checkRange(from, n);
  await printResults(io, samples(sampler, flags), { head: { command: noun, seed, name, fork, from }, json, lineOf });
}

/** Formats a sample as one line. An item that is not a text, such as a number from a JSON list, is written as JSON. */
function lineOf(sample: readonly unknown[]): string {
  return sample.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("\t");
}

/** Yields the samples in batches, because all samples together might not fit into memory or into one string. */
function* samples(sampler: Sampler<unknown>, { n, from }: SampleFlags): Generator<readonly unknown[][], void> {
  const most = Math.max(1, Math.floor(ITEMS_PER_WRITE / sampler.size));
  for (let done = 0; done < n; done += most) {
    yield [...sampler.drawMany(Math.min(most, n - done), { from: from + done })];
  }
}

async function readItems(io: Io, file: string): Promise<readonly unknown[]> {
  // the cast is safe: the parser of items checks that it is a list
  if (extname(file).toLowerCase() === ".json") return (await readJson(io, file)) as readonly unknown[];
  const text = await readText(io, file);
  return text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== "");
}
