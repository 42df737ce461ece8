import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join, sep } from "node:path";
import { error, fail, RollmillError, type Where } from "../../errors/index.js";
import { failToRead, reasonOf } from "../../files/problem.js";
import { readCapped, readWhole } from "../../files/read.js";
import { checkWritable, type FileContent, writeWhole } from "../../files/wholeFile.js";
import { type Io, note, pathIn } from "./io.js";
import { jsonIn } from "./texts.js";

export function stemOf(file: string, fallback: string): string {
  return file === "-" ? fallback : basename(file, extname(file));
}

/** Returns the extension of a file in lower case, without the dot. */
export function endingOf(file: string): string {
  return extname(file).slice(1).toLowerCase();
}

/** Reads a text file, or stdin if `file` is `-`. */
export async function readText(io: Io, file: string): Promise<string> {
  try {
    return await (file === "-" ? readCapped(io.stdin, file) : readWhole(pathIn(io, file), { shown: file }));
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    return fail(error("file.read", { problem: `cannot read stdin (${reasonOf(cause)})`, where: { file } }), cause);
  }
}

/** Returns an `io` whose stdin has this text, because stdin can be read only once. */
export function withStdin(io: Io, text: string): Io {
  async function* stdin() {
    yield new TextEncoder().encode(text);
  }
  return { ...io, stdin: stdin() };
}

export async function readJson(io: Io, file: string): Promise<unknown> {
  return jsonIn(await readText(io, file), file);
}

/** Reads a file that `first` refers to. Follows links: the target must be inside the folder of `first`. */
export async function readPart(io: Io, first: string, file: string): Promise<string> {
  if (file !== first) {
    const path = pathIn(io, file);
    const [folder, found] = await Promise.all([realpath(dirname(pathIn(io, first))), realpath(path)]).catch((cause) =>
      failToRead(file, cause),
    );
    if (!found.startsWith(join(folder, sep))) {
      const problem = "the file is a link to a place outside the folder of the input file";
      fail(error("file.read", { problem, where: { file } }));
    }
  }
  return readText(io, file);
}

/** Like {@link readPart}, but returns undefined for a file that does not exist. */
export async function readOptionalPart(io: Io, first: string, file: string): Promise<string | undefined> {
  return file === first || existsSync(pathIn(io, file)) ? readPart(io, first, file) : undefined;
}

/** Changes the place of each issue that `check` throws. */
export function withPlaces<T>(placed: (where: Where) => Where, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    const issues = cause.issues.map((issue) => ({ ...issue, where: placed(issue.where) }));
    throw new RollmillError(issues, { cause });
  }
}

/** Throws if the output file cannot be written. Call this before long work, so that a command fails early. */
export async function checkOutput(io: Io, file: string | undefined): Promise<void> {
  if (file !== undefined) await checkWritable(pathIn(io, file), { shown: file });
}

export async function writeOutput(io: Io, file: string, content: FileContent): Promise<void> {
  await writeWhole(pathIn(io, file), content, { shown: file });
}

/** If the file cannot be written, prints the summary, so that the user does not lose the whole result. */
export async function writeOrSummarise(
  io: Io,
  file: string,
  { content, summary }: { readonly content: () => FileContent; readonly summary: () => string },
): Promise<void> {
  try {
    await writeOutput(io, file, content());
  } catch (cause) {
    note(io, summary().trimEnd());
    throw cause;
  }
}
