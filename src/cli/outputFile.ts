import { checkWritable, type FileContent, writeWhole } from "../files/wholeFile.js";
import { type Io, note, pathIn } from "./io.js";

/**
 * Checks that a file can be written. So a command can fail before its work, not after it.
 *
 * @throws RollmillError `file.write`.
 */
export async function checkOutput(io: Io, file: string): Promise<void> {
  await checkWritable(pathIn(io, file), { shown: file });
}

/**
 * Writes a file completely or not at all.
 *
 * @throws The errors of {@link writeWhole}.
 */
export async function writeOutput(io: Io, file: string, content: FileContent): Promise<void> {
  await writeWhole(pathIn(io, file), content, { shown: file });
}

/**
 * Makes the content of a file and writes it like {@link writeOutput}. If one of the two fails, prints the summary to
 * stderr and then throws. So the work of the command is not lost.
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
