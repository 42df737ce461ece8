import { basename, extname } from "node:path";
import { error, fail, RollmillError } from "../../errors/index.js";
import { reasonOf } from "../../files/problem.js";
import { readCapped, readWhole } from "../../files/read.js";
import { readJsonText } from "../../formats/read/json.js";
import { type Io, pathIn } from "./io.js";

export function stemOf(file: string, fallback: string): string {
  return file === "-" ? fallback : basename(file, extname(file));
}

export async function readText(io: Io, file: string): Promise<string> {
  try {
    return await (file === "-" ? readCapped(io.stdin, file) : readWhole(pathIn(io, file), { shown: file }));
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    return fail(error("file.read", { problem: `cannot read stdin (${reasonOf(cause)})`, where: { file } }), cause);
  }
}

/** `-` is stdin. */
export async function readJson(io: Io, file: string): Promise<unknown> {
  const read = readJsonText(await readText(io, file), { file });
  return "issue" in read ? fail(read.issue, read.cause) : read.value;
}

/** Adds the name of the file to each issue that `check` throws. */
export function withFile<T>(file: string | undefined, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    throw new RollmillError(cause.issues.map((issue) => ({ ...issue, where: { ...issue.where, file } })));
  }
}
