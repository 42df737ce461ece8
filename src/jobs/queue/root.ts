import { opendir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { error, type Finding, fail, RollmillError } from "../../errors/index.js";
import { failToRead, unless } from "../../files/problem.js";

/** The folders of a job in which workers read and write files. */
const USED = ["parts", "exports"];
/** Error codes of a path that leads to no file. Any other error may be temporary, so the ticket is tried again. */
const NOWHERE = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];
/** The thread reads this many names at a time, and can do something else before the next names. */
const PIECE = 256;

/** Returns a folder's path from the root, with `/`. Throws `queue.root` for a folder outside the root; `file.read`. */
export async function pathUnder(root: string, folder: string): Promise<string> {
  const [realRoot, real] = [await realOf(root), await realOf(folder)];
  const inside = relative(realRoot, real);
  if (inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) {
    return inside.replaceAll(sep, "/");
  }
  const expected = `a folder inside ${realRoot}`;
  const remedy = "Move the job, or pass the folder that all workers share as --root";
  return refuse({ problem: "the folder of the job is not inside the root", got: real, expected, remedy });
}

/** Returns the folder of a path that `checkTicket` accepted. Throws `queue.root` if links lead out of the root. */
export async function folderUnder(root: string, path: string): Promise<string> {
  const folder = join(root, ...path.split("/"));
  await checkInside(root, folder);
  return folder;
}

/** Throws `queue.root` for a link that leads out of the root. Asynchronous, so that the thread can renew locks. */
export async function checkFolder(root: string, folder: string): Promise<void> {
  try {
    await checkLinks(root, await realOf(folder), new Set(), USED);
  } catch (cause) {
    failToRead(folder, cause);
  }
}

async function checkInside(root: string, path: string): Promise<void> {
  try {
    await pathUnder(root, path);
  } catch (cause) {
    if (!(cause instanceof RollmillError && cause.code === "queue.root")) throw cause;
    const problem = "the path leads out of the root of the worker, or does not exist";
    const remedy = "Put the job inside the root, and remove symbolic links that lead out of the root";
    refuse({ problem, got: path, expected: `a path inside ${root}`, remedy }, cause);
  }
}

/** Checks links at any depth, also in linked folders. `seen` has the checked folders: links may form a circle. */
async function checkLinks(root: string, folder: string, seen: Set<string>, names?: readonly string[]): Promise<void> {
  if (seen.has(folder)) return;
  seen.add(folder);
  const entries = await unless(NOWHERE, () => opendir(folder, { bufferSize: PIECE }));
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    const isLink = entry.isSymbolicLink();
    if (isLink) await checkInside(root, path);
    const isUsed = names === undefined || names.includes(entry.name);
    if (isUsed && isLink) await checkLinks(root, await realOf(path), seen);
    else if (isUsed && entry.isDirectory()) await checkLinks(root, path, seen);
  }
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (NOWHERE.includes((cause as NodeJS.ErrnoException).code ?? "")) {
      return refuse({ problem: "the folder does not exist", got: path }, cause);
    }
    return failToRead(path, cause);
  }
}

function refuse(finding: Finding, cause?: unknown): never {
  return fail(error("queue.root", finding), cause);
}
