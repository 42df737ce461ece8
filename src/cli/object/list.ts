import type { Command } from "commander";
import type { Column } from "../../formats/index.js";
import { MAX_DEPTH } from "../../objects/index.js";
import { tvalNamed } from "../../objects/parse/names.js";
import { type ListedRecord, listRecords } from "../../objects/show/recordWords.js";
import { choice, define, option } from "../command.js";
import { checkOutput } from "../shared/files.js";
import type { Io } from "../shared/io.js";
import { integer } from "../shared/options.js";
import { chosenWriter, formats, type Rows, writeBatches } from "../shared/rows.js";
import { DIR, dirHead, readObjectDir } from "./dir.js";
import { SORTS } from "./show.js";

export function addObjectList(object: Command, io: Io): void {
  define(object.command("list"), io, {
    examples: ["object list {data/dungeon} --of affix --tval sword", "object list {data/dungeon} --level 30 --csv"],
    takes: [DIR],
    description: "list the kinds, affixes, themes and artifacts: sort, number, name, types and depths",
    options: [
      choice("--of <sort>", "only this sort of record", SORTS),
      option("--tval <type>", "only records for this type, such as sword"),
      option("--level <depth>", "only records that occur at this depth", integer(0, MAX_DEPTH)),
      ...formats("list"),
    ],
    async run(flags, folder) {
      const { of, tval, level, output } = flags;
      const writer = chosenWriter(flags);
      const files = await readObjectDir(io, folder);
      const query = { of, level, tval: tval === undefined ? undefined : tvalNamed(files, tval) };
      const records = listRecords(files, query);
      await checkOutput(io, output);
      const head = dirHead(io, folder, "list");
      await writeBatches(io, { ...flags, n: records.length }, writer, [records], { head, unit: "records", rowsOf });
    },
  });
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
