import type { Command } from "commander";
import { checkRange } from "../../calls/index.js";
import { createMill } from "../../index.js";
import type { MadeObjects, ObjectMaker, ObjectOptions } from "../../objects/index.js";
import { describeText } from "../../objects/show/describe.js";
import { define, type Flags, option } from "../command.js";
import { checkOutput } from "../shared/files.js";
import type { Io } from "../shared/io.js";
import { chooseSeed, forkOf, range, source } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { chosenWriter, formats, putResults } from "../shared/rows.js";
import { ASKED, NAMING, objectOptions, readNaming } from "./ask.js";
import { DIR, nameOfDir, readObjectDir } from "./dir.js";

/** Number of objects in a batch, and in a row group of a Parquet file. */
const OBJECTS_PER_BATCH = 2 ** 16;
const MAKE = [
  ...ASKED,
  ...NAMING,
  ...range("object", "index of the first object; the artifacts of earlier objects count as made"),
  ...source("objects", "the folder's name"),
  option("--describe", "print the affixes and properties of each object").conflicts([
    "json",
    "csv",
    "ndjson",
    "output",
  ]),
  ...formats("objects"),
] as const;

export function addObjectMake(object: Command, io: Io): void {
  const making = "object make {data/dungeon} --level 30 --seed moria";
  define(object.command("make"), io, {
    examples: [`${making} -n 10`, `${making} --great --tval sword --describe`],
    takes: [DIR],
    description: "make objects; print one name per line",
    options: MAKE,
    run: (flags, folder) => make(io, flags, folder),
  });
}

async function make(io: Io, flags: Flags<typeof MAKE>, folder: string): Promise<void> {
  const { n, from, fork, output, describe, name = nameOfDir(io, folder) } = flags;
  // fails for an unknown type of file
  chosenWriter(flags);
  const files = await readObjectDir(io, folder);
  const naming = await readNaming(io, files, flags);
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const maker = forkOf(mill.objects(name, files), flags);
  const options = await objectOptions(io, maker, flags);
  checkRange(from, n);
  checkRequest(maker, n, options);
  await checkOutput(io, output);
  announce();
  goTo(io, maker, from, options);
  await putResults(io, flags, {
    head: { command: "object make", seed, name, fork, from },
    unit: "objects",
    size: OBJECTS_PER_BATCH,
    make: (count, _, again: MadeObjects | undefined) =>
      again === undefined ? maker.makeMany(count, options) : maker.makeInto(again, options),
    rowsOf: (objects) => ({
      length: objects.length,
      text: (k) => (describe ? describeText(objects.describe(k, naming)) : objects.name(k, naming)),
      row: (k) => objects.row(k, naming),
      columns: () => objects.columns(naming),
    }),
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
