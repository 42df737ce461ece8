import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** Names of temporary files and folders begin with this prefix. */
export const PREFIX = ".rollmill-";

/** Signals that ask a program to end. A program can catch them. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The temporary files and folders of this process that exist now. */
const paths = new Set<string>();
let catchesSignals = false;

/** Returns a path for a new temporary file or folder. The path is not in use. Cost: O(1). */
export function newTemporary(folder: string, extension: string): string {
  return join(folder, `${PREFIX}${randomUUID()}.${extension}`);
}

/**
 * Registers `path` as a temporary file of this process while `work` runs. `work` must delete or rename the file before
 * it ends, even if it fails.
 */
export async function whileTemporary<T>(path: string, work: () => Promise<T>): Promise<T> {
  paths.add(path);
  if (paths.size === 1) listen();
  try {
    return await work();
  } finally {
    paths.delete(path);
    if (paths.size === 0) stopListening();
  }
}

/**
 * Deletes the temporary files of this process before a signal (INT, TERM or HUP) ends the process. Without this call, a
 * signal leaves temporary files behind. Their names begin with `.rollmill-`. Call it once, in a program that catches no
 * signals itself. A library does not call it, because the program decides how it ends.
 *
 * The signals are caught only while a temporary file exists. At all other times, a signal ends the process at once,
 * even during a long calculation. After the files are deleted, the process still ends by the signal, so the parent
 * process sees the usual status.
 */
export function cleanUpOnSignals(): void {
  catchesSignals = true;
}

function listen(): void {
  if (catchesSignals) for (const signal of SIGNALS) process.on(signal, endBy);
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, endBy);
}

function endBy(signal: NodeJS.Signals): void {
  for (const path of paths) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // ignores the failure: the process is about to end, and the remaining files must still be deleted
    }
  }
  stopListening();
  process.kill(process.pid, signal);
}
