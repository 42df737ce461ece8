import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { failToWrite } from "./problem.js";

/**
 * Makes a folder, and the missing folders above it. Returns the new folders, the outermost first. Throws `file.write`
 * with the error of the system: Node's option `recursive` would report ENOENT for every failure. If the folder `root`
 * does not exist, makes nothing.
 */
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
