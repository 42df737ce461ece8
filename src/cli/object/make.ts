import { type Command, Option } from "commander";
import { type BatchCall, checkRange, MAX_INDEX, madeInBatches } from "../../calls/index.js";
import { createMill } from "../../index.js";
import type { MadeObjects, Naming, ObjectMaker, ObjectOptions } from "../../objects/index.js";
import { describeText } from "../../objects/show/describe.js";
import { withExamples } from "../examples.js";
import { type ForkFlags, forkOf, forkOption } from "../shared/forks.js";
import type { Io } from "../shared/io.js";
import { chooseSeed, countOf, seedOption } from "../shared/options.js";
import { checkOutput } from "../shared/outputFile.js";
import { withProgress } from "../shared/progress.js";
import { chosenWriter, type PrintFlags, type Rows, withFormats, writeBatches } from "../shared/rowWriters.js";
import { type AskFlags, objectOptions, withAsking } from "./ask.js";
import { DIR_CONTENTS, nameOfDir, readObjectDir } from "./dir.js";
import { type NamingFlags, readNaming, withNaming } from "./naming.js";

/** Number of objects in a batch, and in a row group of a Parquet file. */
const OBJECTS_PER_BATCH = 2 ** 16;

interface MakeFlags extends AskFlags, NamingFlags, PrintFlags, ForkFlags {
  readonly n: number;
  readonly from: number;
  readonly seed?: string;
  readonly name?: string;
  readonly describe?: boolean;
}

export function addObjectMake(object: Command, io: Io): void {
  const making = "object make {data/dungeon} --level 30 --seed moria";
  const command = withExamples(
    object.command("make"),
    io,
    `${making} -n 10`,
    `${making} --great --tval sword --describe`,
  );
  withNaming(withAsking(command.argument("<dir>", DIR_CONTENTS)))
    .description("make objects; print one name per line")
    .option("-n <objects>", "how many objects", countOf(0, MAX_INDEX), 1)
    .option(
      "--from <index>",
      "index of the first object; the artifacts of earlier objects count as made",
      countOf(0, MAX_INDEX - 1),
      0,
    )
    .addOption(seedOption())
    .option("--name <name>", "objects depend on the seed and this name (default: the folder's name)")
    .addOption(forkOption())
    .addOption(
      new Option("--describe", "print the affixes and properties of each object").conflicts([
        "json",
        "csv",
        "ndjson",
        "output",
      ]),
    )
    .action((folder: string, flags: MakeFlags) => make(io, folder, flags));
  withFormats(command, "objects");
}

async function make(io: Io, folder: string, flags: MakeFlags): Promise<void> {
  const { n, from, output, name = nameOfDir(io, folder) } = flags;
  const writer = chosenWriter(flags);
  const files = await readObjectDir(io, folder);
  const naming = await readNaming(io, files, flags);
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const maker = forkOf(mill.objects(name, files), flags);
  const head = { command: "object make", seed, name, fork: flags.fork, from };
  const options = await objectOptions(io, maker, flags);
  checkRange(from, n);
  checkRequest(maker, n, options);
  if (output !== undefined) await checkOutput(io, output);
  announce();
  goTo(io, maker, from, options);
  const makeBatch = ({ count, again }: BatchCall<MadeObjects>): MadeObjects =>
    again === undefined ? maker.makeMany(count, options) : maker.makeInto(again, options);
  const batches = madeInBatches({ total: n, size: OBJECTS_PER_BATCH }, makeBatch);
  await writeBatches(io, writer, batches, {
    output,
    n,
    unit: "objects",
    head,
    rawCells: flags.rawCells,
    rowsOf: (objects) => rowsOf(objects, { naming, describe: flags.describe === true }),
  });
}

/** Checks all options, so that a command fails before it prints anything. */
function checkRequest(maker: ObjectMaker, n: number, options: ObjectOptions): void {
  // 0 objects check all options, but only 2 objects show that --artifact cannot make several
  maker.makeMany(options.artifact !== undefined && n > 1 ? 2 : 0, options);
}

/** Moves to the object with index `from`. Marks the artifacts of earlier objects as made. */
function goTo(io: Io, maker: ObjectMaker, from: number, options: ObjectOptions): void {
  // with --artifact the command makes one object, which does not depend on earlier objects
  if (options.artifact !== undefined) maker.next = from;
  else
    withProgress(io, { what: "replaying", unit: "objects" }, (onProgress) =>
      maker.replay(from, { ...options, onProgress }),
    );
}

function rowsOf(
  objects: MadeObjects,
  { naming, describe }: { readonly naming: Naming; readonly describe: boolean },
): Rows {
  return {
    length: objects.length,
    text: (k) => (describe ? describeText(objects.describe(k, naming)) : objects.name(k, naming)),
    row: (k) => objects.row(k, naming),
    columns: () => objects.columns(naming),
  };
}
