import { basename, resolve } from "node:path";
import { type Command, Option } from "commander";
import { error, fail } from "../errors/index.js";
import { objectColumns } from "../formats/index.js";
import { createMill, describeText, type Naming, type ObjectMaker, type ObjectOptions, type Objects } from "../index.js";
import { type AskFlags, objectOptions, withAsking } from "./objectAsk.js";
import { DIR_CONTENTS, type EditTexts, readObjectTexts } from "./objectDir.js";
import { type NamingFlags, readNaming, withNaming } from "./objectNaming.js";
import { integer, seedOption } from "./options.js";
import { type PrintFlags, printed, type Rows, writePieces, writerFor } from "./rowWriters.js";
import { checkFolderOf, progressBar, seedOr, withProgress } from "./terminal.js";

/** Indices of objects are below it. */
const MAX_INDEX = 2 ** 32;
/** Objects made at a time, and rows of a row group. */
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
export function addObjectMake(object: Command): void {
  withNaming(withAsking(object.command("make").argument("<dir>", DIR_CONTENTS)))
    .description("make objects: one a line, its name")
    .option("-n <objects>", "how many objects", integer(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first object; the artifacts before it are settled first", fromOption, 0)
    .addOption(seedOption())
    .option("--name <name>", "name that the objects go by (default: the folder's)")
    .addOption(
      new Option("--describe", "print what each object is made of, too").conflicts(["json", "csv", "ndjson", "output"]),
    )
    .addOption(new Option("--json", "print one JSON array of objects").conflicts(["csv", "ndjson", "output"]))
    .addOption(new Option("--csv", "print CSV: names, numbers, flags").conflicts(["ndjson", "output"]))
    .addOption(new Option("--ndjson", "print one JSON object a line").conflicts("output"))
    .option("-o, --output <file>", "write the objects to a file: .parquet, .csv, .ndjson or .json")
    .action(make);
}

const fromOption = integer(0, MAX_INDEX - 1);

/** What objects of a folder go by: its own name. */
export function nameOfDir(folder: string): string {
  return basename(resolve(folder)) || "objects";
}

async function make(folder: string, flags: MakeFlags): Promise<void> {
  const { n, output, name = nameOfDir(folder) } = flags;
  const writer = output === undefined ? printed(flags) : writerFor(output);
  const source = await readObjectTexts(folder);
  const { options, naming } = await ask(source, { ...flags, name });
  if (output !== undefined) await checkFolderOf(output);
  using mill = createMill({ seed: seedOr(flags.seed) });
  const maker = mill.objects(name, source.texts, { files: source.paths });
  goTo(maker, flags.from, options);
  const bar = output === undefined ? undefined : progressBar({ what: "making", unit: "objects" });
  let objects = maker.makeMany(0, options);
  const rows = () => rowsOf(objects, { naming, describe: flags.describe === true });
  // a batch is overwritten by the next of its size: whoever takes it has written it by then
  function* batches(): Generator<Rows, void> {
    if (n === 0) yield rows();
    for (let done = 0; done < n; done += objects.length) {
      const count = Math.min(OBJECTS_PER_BATCH, n - done);
      objects = objects.length === count ? maker.makeInto(objects, options) : maker.makeMany(count, options);
      yield rows();
      bar?.onProgress({ done: done + count, total: n });
    }
  }
  await writePieces(writer(batches()), { output, n, unit: "objects", stop: () => bar?.stop() });
}

/** Reads what is asked, and refuses whatever can be refused before anything is printed, or a seed is made up. */
async function ask(
  { texts, paths }: EditTexts,
  flags: MakeFlags & { readonly name: string },
): Promise<{ readonly options: ObjectOptions; readonly naming: Naming }> {
  const { n, from } = flags;
  using mill = createMill({ seed: "" });
  const maker = mill.objects(flags.name, texts, { files: paths });
  const options = await objectOptions(maker, flags);
  const naming = await readNaming(maker.files, flags);
  if (from + n > MAX_INDEX) {
    const expected = `objects up to index ${MAX_INDEX - 1}`;
    fail(error("argument.range", { problem: "there are not so many objects", got: from + n - 1, expected }));
  }
  // (an artifact is one object: the second one is what there is not)
  maker.makeMany(options.artifact === undefined ? 0 : Math.min(n, 2), options);
  return { options, naming };
}

/** Goes to an object: the artifacts before it are settled, as making the objects would. */
function goTo(maker: ObjectMaker, from: number, options: ObjectOptions): void {
  // nothing was made before the artifact that is asked for
  if (options.artifact !== undefined) maker.next = from;
  else
    withProgress({ what: "settling", unit: "objects" }, (onProgress) => maker.replay(from, { ...options, onProgress }));
}

/** Objects as they are written: as text a name, or a description. */
function rowsOf(objects: Objects, { naming, describe }: { readonly naming: Naming; readonly describe: boolean }): Rows {
  return {
    length: objects.length,
    text: (k) => (describe ? describeText(objects.describe(k, naming)) : objects.name(k, naming)),
    row: (k) => objects.row(k, naming),
    columns: () => objectColumns(objects, naming),
  };
}
