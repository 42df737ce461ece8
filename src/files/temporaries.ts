import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { unless } from "./problem.js";

const NAME = /^\.rollmill-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.([a-z]+)$/;

export const TEMPORARY = "tmp";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof SIGNALS)[number];
const LISTENERS = SIGNALS.map((signal) => [signal, () => endBy(signal)] as const);

const paths = new Set<string>();
let catchesSignals = false;
let interceptor: ((signal: Signal) => void) | undefined;
/** Whether {@link interceptSignals} has a listener. Stays true after the first signal, until the caller removes it. */
let isIntercepting = false;

export function newTemporary(folder: string, extension: string): string {
  return join(folder, `.rollmill-${randomUUID()}.${extension}`);
}

/** Returns the extension of a temporary file or folder; undefined for a name that {@link newTemporary} did not make. */
export function temporaryExtension(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** Deletes the files of a folder whose names `isOwn` accepts, then the folder if it is empty. Follows no links. */
export async function removeFolder(path: string, isOwn: (name: string) => boolean): Promise<void> {
  const found = await unless(["ENOENT"], () => lstat(path));
  if (found?.isDirectory() !== true) return rm(path, { force: true });
  for (const name of (await readdir(path)).filter(isOwn)) {
    await unless(["ERR_FS_EISDIR"], () => rm(join(path, name), { force: true }));
  }
  await unless(["ENOTEMPTY", "EEXIST"], () => rmdir(path));
}

export function isTemporary(name: string): boolean {
  return temporaryExtension(name) === TEMPORARY;
}

/** Registers a temporary file while `work` runs. `work` must delete or rename the file, even if it fails. */
export async function whileTemporary<T>(path: string, work: () => Promise<T>): Promise<T> {
  paths.add(path);
  if (catchesSignals) listen();
  try {
    return await work();
  } finally {
    paths.delete(path);
    if (paths.size === 0 && !isIntercepting) stopListening();
  }
}

/**
 * Deletes the temporary files of this process, whose names begin with `.rollmill-`, before a signal (INT, TERM or HUP)
 * ends the process. Call this function once, in a program that catches no signals itself; a library must not call it.
 *
 * The signals are caught only while a temporary file exists. After the files are deleted, the process still ends by the
 * signal, so the parent process sees the usual status.
 */
export function cleanUpOnSignals(): void {
  catchesSignals = true;
}

/** Passes the next signal to `listener`; a second signal ends the process. Returns a function that stops listening. */
export function interceptSignals(listener: (signal: Signal) => void): () => void {
  interceptor = listener;
  isIntercepting = true;
  listen();
  return () => {
    interceptor = undefined;
    isIntercepting = false;
    if (paths.size === 0 || !catchesSignals) stopListening();
  };
}

function listen(): void {
  for (const [signal, listener] of LISTENERS) {
    if (!process.listeners(signal).includes(listener)) process.on(signal, listener);
  }
}

function stopListening(): void {
  for (const [signal, listener] of LISTENERS) process.off(signal, listener);
}

function endBy(signal: Signal): void {
  const listener = interceptor;
  interceptor = undefined;
  if (listener !== undefined) {
    listener(signal);
    return;
  }
  for (const path of paths) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // goes on, to delete the remaining files
    }
  }
  stopListening();
  process.kill(process.pid, signal);
}
