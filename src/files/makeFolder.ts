import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { failToWrite } from "./problem.js";

/** Makes a folder and those above it, if `root` exists. Returns the new ones. `recursive` would hide errors. */
export function makeFolder(path: string, root?: string): string[] {
  try {
    if (root !== undefined) statSync(root);
    return missingFolders(path);
  } catch (cause) {
    return failToWrite(path, cause);
  }
}

function missingFolders(path: string): string[] {
  try {
    mkdirSync(path);
    return [path];
  } catch (cause) {
    const above = dirname(path);
    if ((cause as NodeJS.ErrnoException).code === "ENOENT" && above !== path) {
      return [...missingFolders(above), ...missingFolders(path)];
    }
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw cause;
    return [];
  }
}
