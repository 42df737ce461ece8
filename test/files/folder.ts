import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { RollmillError } from "../../src/errors/index.js";

/** Makes an empty folder; it is deleted after the tests of the calling file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-files-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the texts of the files in a folder, by name. */
export function contents(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Returns the codes and the files of the error that something asynchronous throws. */
export async function flawOf(work: Promise<unknown>): Promise<readonly [code: string, file: string | undefined]> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof RollmillError) return [cause.code, cause.issues[0].where.file];
    throw cause;
  }
  throw new Error("nothing was thrown");
}
