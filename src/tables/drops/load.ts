import { error, fail } from "../../errors/index.js";
import { filePathFlaw, specOf } from "../../spec/index.js";
import { loadTable } from "../parse.js";

/**
 * If the `table` of the drops in `file` is a path, replaces it by the table. The path is relative to the folder of
 * `file`, and must not lead out of this folder.
 */
export async function withTable(
  file: string,
  input: unknown,
  read: (file: string) => string | Promise<string>,
): Promise<unknown> {
  if (typeof input !== "object" || input === null || !("table" in input)) return input;
  const { table } = input;
  if (typeof table !== "string" || !/\.(?:2da|csv|tsv|json)$/i.test(table)) return input;
  const flaw = filePathFlaw(table);
  if (flaw !== undefined) {
    const problem = "the path of the table is invalid, or leads out of the folder of the file";
    return fail(error("file.read", { problem, got: table, expected: flaw, where: { file, path: "table" } }));
  }
  const folder = file.slice(0, Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return { ...input, table: specOf(await loadTable(`${folder}${table}`, read)) };
}
