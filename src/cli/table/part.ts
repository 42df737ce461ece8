import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { error, fail } from "../../errors/index.js";
import { failToRead } from "../../files/problem.js";
import { readText } from "../shared/inputFile.js";
import { type Io, pathIn } from "../shared/io.js";

/**
 * Reads a file of a table. `first` can be in any folder; all further files must be inside its folder, also behind
 * symbolic links.
 */
export async function readPart(io: Io, first: string, file: string): Promise<string> {
  if (file !== first) {
    const path = pathIn(io, file);
    const [folder, found] = await Promise.all([realpath(dirname(pathIn(io, first))), realpath(path)]).catch((cause) =>
      failToRead(file, cause),
    );
    if (!found.startsWith(join(folder, sep))) {
      const problem = "the file is a link that leads out of the folder of the first file";
      fail(error("file.read", { problem, where: { file } }));
    }
  }
  return readText(io, file);
}
