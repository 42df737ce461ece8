import { extname } from "node:path";
import { type Command, Option } from "commander";
import { checkRange } from "../address.js";
import { error, fail, nearest } from "../errors/index.js";
import { csvChunks, itemColumns, parquetChunks } from "../formats/index.js";
import { createMill, type Items } from "../index.js";
import { integer, seedOption } from "./options.js";
import { jsonDocument, jsonLines, textLines } from "./recipeRows.js";
import {
  type AskFlags,
  itemOptions,
  readSetup,
  type SourceFlags,
  withAsking,
  withRecipe,
  withTables,
} from "./recipeSource.js";
import { approximate, checkFolderOf, note, progressBar, seedOr, write, writeWhole } from "./terminal.js";

const MAX_INDEX = 2 ** 42;
/** Items made at a time, and rows of a row group. */
const ITEMS_PER_BATCH = 2 ** 16;

/** What batches of items are written as, in pieces. */
type Writer = (batches: Iterable<Items>) => Iterable<string | Uint8Array>;

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["parquet", (batches) => parquetChunks(columns(batches))],
  ["csv", (batches) => csvChunks(columns(batches))],
  ["ndjson", jsonLines],
  ["json", jsonDocument],
]);

interface MakeFlags extends SourceFlags, AskFlags {
  readonly n: number;
  readonly from: number;
  readonly seed?: string;
  readonly name?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly ndjson?: boolean;
  readonly output?: string;
}

/** Adds `rollmill recipe make`. */
export function addMake(recipe: Command): void {
  withAsking(withTables(withRecipe(recipe.command("make"))))
    .description("make items: one a line, its name and the stats that are not 0")
    .option("-n <items>", "how many items", integer(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first item", integer(0, MAX_INDEX - 1), 0)
    .addOption(seedOption())
    .option("--name <name>", "name that the items go by (default: the recipe's)")
    .addOption(new Option("--json", "print one JSON array of items").conflicts(["csv", "ndjson", "output"]))
    .addOption(new Option("--csv", "print CSV: name, stats, and the word of each slot").conflicts(["ndjson", "output"]))
    .addOption(new Option("--ndjson", "print one JSON item a line").conflicts("output"))
    .option("-o, --output <file>", "write the items to a file: .parquet, .csv, .ndjson or .json")
    .action(make);
}

async function make(recipe: string, flags: MakeFlags): Promise<void> {
  const { n, from, output } = flags;
  const writer = output === undefined ? printed(flags) : writerFor(output);
  const { setup, name } = await readSetup(recipe, flags);
  const options = itemOptions(flags);
  // whatever can be refused is refused before anything is printed, or a seed is made up
  checkRange(from, n);
  createMill({ seed: "" })
    .recipe(flags.name ?? name, setup)
    .makeMany(0, options);
  if (output !== undefined) await checkFolderOf(output);
  using mill = createMill({ seed: seedOr(flags.seed) });
  const made = mill.recipe(flags.name ?? name, setup);
  let items = made.makeMany(0, { ...options, from });
  reportUnknown(items);
  const bar = output === undefined ? undefined : progressBar({ what: "making", unit: "items" });
  // a batch is overwritten by the next of its size: whoever takes it has written it by then
  function* batches(): Generator<Items, void> {
    if (n === 0) yield items;
    for (let done = 0; done < n; done += items.length) {
      const count = Math.min(ITEMS_PER_BATCH, n - done);
      const asked = { ...options, from: from + done };
      items = items.length === count ? made.makeInto(items, asked) : made.makeMany(count, asked);
      yield items;
      bar?.onProgress({ done: done + count, total: n });
    }
  }
  if (output === undefined) for (const piece of writer(batches())) await write(piece);
  else await writeFile(output, writer(batches()), { n, stop: () => bar?.stop() });
}

async function writeFile(
  file: string,
  pieces: Iterable<string | Uint8Array>,
  { n, stop }: { readonly n: number; readonly stop: () => void },
): Promise<void> {
  const startedAt = performance.now();
  try {
    await writeWhole(file, pieces);
  } finally {
    stop();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  note(`${file}: ${n} items in ${seconds.toFixed(2)} s, ${approximate(n / seconds)} a second`);
}

function reportUnknown({ requests: { unknown } }: Items): void {
  if (unknown.length > 0) note(`no such word, rolled as ever: ${unknown.join(", ")}`);
}

function printed({ json, csv, ndjson }: MakeFlags): Writer {
  const format = json ? "json" : csv ? "csv" : ndjson ? "ndjson" : "";
  return WRITERS.get(format) ?? textLines;
}

function writerFor(output: string): Writer {
  const ending = extname(output).slice(1).toLowerCase();
  const known = [...WRITERS.keys()];
  const near = nearest(ending, known);
  return (
    WRITERS.get(ending) ??
    fail(
      error("cli.usage", {
        problem: "-o does not know this kind of file",
        got: output,
        expected: known.map((one) => `.${one}`).join(", "),
        remedy: near === undefined ? "Change its ending" : `Did you mean .${near}?`,
      }),
    )
  );
}

function* columns(batches: Iterable<Items>) {
  for (const items of batches) yield itemColumns(items);
}
