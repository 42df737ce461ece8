import { type Command, Option } from "commander";
import type { Column } from "../../formats/index.js";
import { MAX_DEPTH, type ObjectPart } from "../../objects/index.js";
import { tvalNamed } from "../../objects/parse/lookup.js";
import { type ListedRecord, listRecords } from "../../objects/show/recordList.js";
import { withExamples } from "../examples.js";
import type { Io } from "../shared/io.js";
import { integer } from "../shared/options.js";
import { checkOutput } from "../shared/outputFile.js";
import { chosenWriter, type PrintFlags, type Rows, withFormats, writePieces } from "../shared/rowWriters.js";
import { DIR_CONTENTS, dirHead, readObjectDir } from "./dir.js";
import { SORTS } from "./show.js";

interface ListFlags extends PrintFlags {
  readonly of?: ObjectPart;
  readonly tval?: string;
  readonly level?: number;
}

export function addObjectList(object: Command, io: Io): void {
  const command = withExamples(
    object.command("list"),
    io,
    "object list {data/dungeon} --of affix --tval sword",
    "object list {data/dungeon} --level 30 --csv",
  )
    .argument("<dir>", DIR_CONTENTS)
    .description("list the kinds, affixes, themes and artifacts: sort, number, name, types and depths")
    .addOption(new Option("--of <sort>", "only this sort of record").choices(SORTS))
    .option("--tval <type>", "only records for this type, such as sword")
    .option("--level <depth>", "only records that occur at this depth", integer(0, MAX_DEPTH))
    .action((folder: string, flags: ListFlags) => list(io, folder, flags));
  withFormats(command, "list");
}

async function list(io: Io, folder: string, flags: ListFlags): Promise<void> {
  const { of, tval, level, output } = flags;
  const writer = chosenWriter(flags);
  const files = await readObjectDir(io, folder);
  const query = { of, level, tval: tval === undefined ? undefined : tvalNamed(files, tval) };
  const records = listRecords(files, query);
  if (output !== undefined) await checkOutput(io, output);
  const head = dirHead(io, folder, "list");
  const pieces = writer([rowsOf(records)], { head, rawCells: flags.rawCells === true });
  await writePieces(io, pieces, { output, n: records.length, unit: "records", stop: () => {} });
}

function rowsOf(records: readonly ListedRecord[]): Rows {
  const text = (name: string, of: (record: ListedRecord) => string): Column => {
    return { kind: "text", name, values: records.map(of) };
  };
  return {
    length: records.length,
    text: (k) => textOf(records[k]),
    row: (k) => records[k],
    columns: () => [
      text("sort", ({ sort }) => sort),
      { kind: "integer", name: "number", values: Int32Array.from(records, ({ number }) => number) },
      text("name", ({ name }) => name),
      text("types", ({ types }) => types.join("|")),
      text("depths", ({ depths }) => depths.join("|")),
    ],
  };
}

function textOf({ sort, number, name, types, depths }: ListedRecord): string {
  return [sort, number, name, types.join(", "), depths.join(", ")].join("\t");
}
