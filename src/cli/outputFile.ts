import { checkWritable, type FileContent, writeWhole } from "../files/wholeFile.js";
import { type Io, note, pathIn } from "./io.js";

/**
 * Checks that a file can be written. Call it before long work, so that a command fails early.
 *
 * @throws RollmillError `file.write`.
 */
export async function checkOutput(io: Io, file: string): Promise<void> {
  await checkWritable(pathIn(io, file), { shown: file });
}

export async function writeOutput(io: Io, file: string, content: FileContent): Promise<void> {
  await writeWhole(pathIn(io, file), content, { shown: file });
}

/**
 * Makes the content of a file and writes it like {@link writeOutput}. If this fails, prints the summary to stderr
 * before it throws. So the user does not lose the whole result.
 *
 * @throws The errors of `content` and of {@link writeWhole}.
 */
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
