import { readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { error, fail } from "../../errors/index.js";
import { filePathFlaw } from "../../spec/index.js";

/**
 * Returns the path of a folder relative to a root, with `/` between its parts. A worker on another machine joins this
 * path to its own root.
 *
 * @throws RollmillError `queue.root` if the folder is not inside the root, or if one of the two does not exist.
 */
export function pathUnder(root: string, folder: string): string {
  const [real, inside] = [realOf(folder), relative(realOf(root), realOf(folder))];
  if (inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) {
    return inside.replaceAll(sep, "/");
  }
  const expected = `a folder inside ${realOf(root)}`;
  const remedy = "Move the job, or pass the folder that all workers share as --root";
  return refuse({ problem: "the folder of the job is not inside the root", got: real, expected, remedy });
}

/**
 * Returns the path of the folder that a ticket names, which is the folder of a job. Anybody who can write to the queue
 * can write a ticket with any path. So the folder must be inside the root. If the folder is a symbolic link, or
 * contains symbolic links, their targets must be inside the root too.
 *
 * @throws RollmillError `queue.root` if the folder does not exist, or if the path or a link leads out of the root.
 */
export function folderUnder(root: string, path: unknown): string {
  if (typeof path !== "string" || filePathFlaw(path) !== undefined) {
    const expected = "a path below the root, such as maps/isle";
    return refuse({ problem: "the ticket does not name a folder of a job", got: path, expected });
  }
  const folder = join(root, ...path.split("/"));
  checkInside(root, folder);
  for (const entry of entriesOf(folder)) {
    if (entry.isSymbolicLink()) checkInside(root, join(entry.parentPath, entry.name));
  }
  return folder;
}

function checkInside(root: string, path: string): void {
  try {
    pathUnder(root, path);
  } catch (cause) {
    const problem = "the path leads out of the root of the worker, or does not exist";
    const remedy = "Put the job inside the root, and remove symbolic links that lead out of the root";
    refuse({ problem, got: path, expected: `a path inside ${root}`, remedy }, cause);
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (cause) {
    return refuse({ problem: "the folder of the job cannot be read", got: folder }, cause);
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    return refuse({ problem: "there is no such folder", got: path }, cause);
  }
}

function refuse(
  finding: { problem: string; got: unknown; expected?: string; remedy?: string },
  cause?: unknown,
): never {
  return fail(error("queue.root", finding), cause);
}
