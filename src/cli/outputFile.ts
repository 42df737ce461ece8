import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { error, fail, RollmillError } from "../errors/index.js";
import { type Io, pathIn, reasonOf } from "./io.js";

/**
 * Checks that the folder of a file exists and can be written to, so that a command fails before its work.
 *
 * @throws RollmillError `file.write`.
 */
export async function checkFolderOf(io: Io, file: string): Promise<void> {
  // "/." at the end makes the check fail if the path is not a folder
  await access(`${dirname(pathIn(io, file))}/.`, constants.W_OK).catch((cause) => unwritable(file, cause));
}

/**
 * Writes a file completely or not at all: writes a temporary file, then renames it.
 *
 * @throws RollmillError `file.write`.
 */
export async function writeWhole(
  io: Io,
  file: string,
  data: string | Uint8Array | Iterable<string | Uint8Array>,
): Promise<void> {
  const path = pathIn(io, file);
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, data);
    await rename(part, path);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    if (cause instanceof RollmillError) throw cause;
    unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): never {
  const problem = `cannot write the file (${reasonOf(cause)})`;
  const remedy = "Choose a folder that exists and that you may write to";
  return fail(error("file.write", { problem, remedy, where: { file } }), cause);
}
