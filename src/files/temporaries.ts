import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** The start of the name of every file and folder that exists only while Rollmill writes. */
export const PREFIX = ".rollmill-";

/** The signals that ask a program to end, and that it can catch. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The temporary files and folders of this process. */
const paths = new Set<string>();
let catchesSignals = false;

/** Returns the path of a new temporary file or folder. Nothing has this path. Cost: O(1). */
export function newTemporary(folder: string, extension: string): string {
  return join(folder, `${PREFIX}${randomUUID()}.${extension}`);
}

/**
 * Adds a path to the temporary files of this process while `work` runs. `work` must delete the file or give it another
 * name before it ends, also if it fails.
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
 * Makes the signals INT, TERM and HUP delete the temporary files of this process before they end it. Without this call,
 * a program that is ended by a signal leaves its temporary files, whose names begin with `.rollmill-`. Call it once, in
 * a program that catches no signals. A library does not call it, because the program decides how it ends.
 *
 * The signals are caught only while a temporary file exists; at other times they end the process at once, also in the
 * middle of a long calculation. The process still ends by the signal, so its parent sees the usual status.
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
      // the process ends now, and the other files must be deleted too
    }
  }
  stopListening();
  process.kill(process.pid, signal);
}
