import { checkWritable, type FileContent, writeWhole } from "../../files/wholeFile.js";
import { type Io, note, pathIn } from "./io.js";

/** Call this before long work, so that a command fails early. */
export async function checkOutput(io: Io, file: string): Promise<void> {
  await checkWritable(pathIn(io, file), { shown: file });
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
