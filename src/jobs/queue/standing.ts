import { statSync } from "node:fs";
import { join } from "node:path";
import { error, fail, RollmillError } from "../../errors/index.js";
import { failToRead } from "../../files/problem.js";
import { CODE_HASH } from "../codeHash.js";
import { CONTROL, readControl } from "../folder/control.js";
import { FolderStore } from "../folder/store.js";
import { folderUnder } from "./root.js";
import type { Submission } from "./tickets.js";

/** This worker does not have the job of a ticket, and another worker may have it. */
const ELSEWHERE: readonly string[] = ["queue.root", "job.missing", "job.version"];
const NS_PER_MS = 1_000_000n;

/** Then the ticket goes back to the queue. */
export function isElsewhere(cause: unknown): cause is RollmillError {
  return cause instanceof RollmillError && ELSEWHERE.includes(cause.code);
}

export async function folderOf(root: string, submission: Submission): Promise<string> {
  if (submission.code !== CODE_HASH) {
    const problem = "another build of Rollmill submitted the job";
    const remedy = "Use the same version of Rollmill on all machines";
    fail(error("job.version", { problem, got: submission.code, expected: CODE_HASH, remedy }));
  }
  const folder = await folderUnder(root, submission.job);
  isOver(folder, submission);
  return folder;
}

/**
 * Whether somebody has changed the request, or a task has failed. Throws `queue.root` for a copy of the folder. The number
 * in `control.json` never decreases, so an old copy has a smaller number. A later copy has another file.
 */
export function isOver(folder: string, { generation, control }: Submission): boolean {
  const { desired, generation: last = 0 } = readControl(new FolderStore(folder));
  if (last > generation) return true;
  if (last === generation && desired !== "queue") return true;
  if (last === generation && isSameFile(controlMark(folder), control)) return false;
  const problem = last < generation ? "the folder does not have the submission" : "the folder is a copy";
  const expected = "the folder that was submitted";
  const remedy = "Start the worker with the --root that all machines share. If the job was moved, submit it again";
  return fail(error("queue.root", { problem, expected, remedy, where: { file: folder } }));
}

/** The inode of `control.json`, and the time of its last change, which only the file system sets. */
export function controlMark(folder: string): string {
  const path = join(folder, CONTROL);
  try {
    const { ino, ctimeNs } = statSync(path, { bigint: true });
    return `${ino} ${ctimeNs / NS_PER_MS}`;
  } catch (cause) {
    return failToRead(path, cause);
  }
}

/** One value is enough: permissions change the time, and some network drives number files on each machine. */
function isSameFile(mark: string, other: string): boolean {
  const [ino, time] = mark.split(" ");
  const [otherIno, otherTime] = other.split(" ");
  return ino === otherIno || time === otherTime;
}
