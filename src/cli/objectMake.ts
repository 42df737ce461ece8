import { basename, resolve } from "node:path";
import { type Command, Option } from "commander";
import { error, fail } from "../errors/index.js";
import {
  createMill,
  describeText,
  type Naming,
  type ObjectMaker,
  type ObjectOptions,
  type Objects,
  objectColumns,
} from "../index.js";
import type { Io } from "./io.js";
import { type AskFlags, objectOptions, withAsking } from "./objectAsk.js";
import { DIR_CONTENTS, type EditTexts, readObjectTexts } from "./objectDir.js";
import { type NamingFlags, readNaming, withNaming } from "./objectNaming.js";
import { integer, seedOption, seedOr } from "./options.js";
import { checkFolderOf } from "./outputFile.js";
import { progressBar, withProgress } from "./progress.js";
import { type PrintFlags, printed, type Rows, writePieces, writerFor } from "./rowWriters.js";

/** Upper bound of object indices, exclusive. */
const MAX_INDEX = 2 ** 32;
/** Size of a batch, and of a Parquet row group. */
const OBJECTS_PER_BATCH = 2 ** 16;

interface MakeFlags extends AskFlags, NamingFlags, PrintFlags {
  readonly n: number;
  readonly from: number;
  readonly seed?: string;
  readonly name?: string;
  readonly describe?: boolean;
  readonly output?: string;
}

/** Adds `rollmill object make`. */
export function addObjectMake(object: Command, io: Io): void {
  withNaming(withAsking(object.command("make").argument("<dir>", DIR_CONTENTS)))
    .description("make objects; print one name per line")
    .option("-n <objects>", "how many objects", integer(0, MAX_INDEX), 1)
    .option(
      "--from <index>",
      "index of the first object; replays the artifacts that were made before it",
      fromOption,
      0,
    )
    .addOption(seedOption())
    .option("--name <name>", "name of the objects' random words (default: the folder's name)")
    .addOption(
      new Option("--describe", "print the affixes and properties of each object").conflicts([
        "json",
        "csv",
        "ndjson",
        "output",
      ]),
    )
    .addOption(new Option("--json", "print one JSON array of objects").conflicts(["csv", "ndjson", "output"]))
    .addOption(new Option("--csv", "print CSV").conflicts(["ndjson", "output"]))
    .addOption(new Option("--ndjson", "print one JSON object per line").conflicts("output"))
    .option("-o, --output <file>", "write the objects to a file: .parquet, .csv, .ndjson or .json")
    .action((folder: string, flags: MakeFlags) => make(io, folder, flags));
}

const fromOption = integer(0, MAX_INDEX - 1);

/** The default name of the objects of a folder: its own name. */
export function nameOfDir(io: Io, folder: string): string {
  return basename(resolve(io.cwd ?? "", folder)) || "objects";
}

async function make(io: Io, folder: string, flags: MakeFlags): Promise<void> {
  const { n, output, name = nameOfDir(io, folder) } = flags;
  const writer = output === undefined ? printed(flags) : writerFor(output);
  const source = await readObjectTexts(io, folder);
  const { options, naming } = await ask(io, source, { ...flags, name });
  if (output !== undefined) await checkFolderOf(io, output);
  using mill = createMill({ seed: seedOr(io, flags.seed) });
  const maker = mill.objects(name, source.texts, { files: source.paths });
  goTo(io, maker, flags.from, options);
  const bar = output === undefined ? undefined : progressBar(io, { what: "making", unit: "objects" });
  let objects = maker.makeMany(0, options);
  const rows = () => rowsOf(objects, { naming, describe: flags.describe === true });
  // the next batch of the same size overwrites this one: by then it is written
  function* batches(): Generator<Rows, void> {
    if (n === 0) yield rows();
    for (let done = 0; done < n; done += objects.length) {
      const count = Math.min(OBJECTS_PER_BATCH, n - done);
      objects = objects.length === count ? maker.makeInto(objects, options) : maker.makeMany(count, options);
      yield rows();
      bar?.onProgress({ done: done + count, total: n });
    }
  }
  await writePieces(io, writer(batches()), { output, n, unit: "objects", stop: () => bar?.stop() });
}

/** Reads and checks all options, so that a command fails before it prints anything or chooses a seed. */
async function ask(
  io: Io,
  { texts, paths }: EditTexts,
  flags: MakeFlags & { readonly name: string },
): Promise<{ readonly options: ObjectOptions; readonly naming: Naming }> {
  const { n, from } = flags;
  using mill = createMill({ seed: "" });
  const maker = mill.objects(flags.name, texts, { files: paths });
  const options = await objectOptions(io, maker, flags);
  const naming = await readNaming(io, maker.files, flags);
  if (from + n > MAX_INDEX) {
    const expected = `objects up to index ${MAX_INDEX - 1}`;
    fail(error("argument.range", { problem: "the indices end too late", got: from + n - 1, expected }));
  }
  // the maker refuses a second object for an artifact: two objects are enough to find out
  maker.makeMany(options.artifact === undefined ? 0 : Math.min(n, 2), options);
  return { options, naming };
}

/** Moves to an index, with the artifacts made that the objects before it would have made. */
function goTo(io: Io, maker: ObjectMaker, from: number, options: ObjectOptions): void {
  // with --artifact, the command makes no other object
  if (options.artifact !== undefined) maker.next = from;
  else
    withProgress(io, { what: "replaying", unit: "objects" }, (onProgress) =>
      maker.replay(from, { ...options, onProgress }),
    );
}

/** The rows of objects; as text, a name or a description. */
function rowsOf(objects: Objects, { naming, describe }: { readonly naming: Naming; readonly describe: boolean }): Rows {
  return {
    length: objects.length,
    text: (k) => (describe ? describeText(objects.describe(k, naming)) : objects.name(k, naming)),
    row: (k) => objects.row(k, naming),
    columns: () => objectColumns(objects, naming),
  };
}
