import { fileNameFlaw, fileNameKey } from "../../spec/index.js";

/** Files beside such folders: the parts of `parts/bulk`, and the head of the Zarr group `visits`. */
const OWN_FILES = /^(?:\d+\.part|zarr\.json)$/i;

/** Each bulk part has a folder for its files, and so has each layer of a Zarr export. Returns the name of the folder. */
export function folderNameOf(name: string): string {
  return encodeURIComponent(name);
}

/**
 * Checks the name of a layer or of a bulk part: {@link folderNameOf} must be a valid file name, and no other folder may
 * have it. Call this when a job is made: otherwise the job fails when its work is done.
 *
 * @param taken - The earlier names by their keys. The function adds the name.
 * @returns undefined for a valid name.
 */
export function folderNameFlaw(
  name: string,
  taken: Map<string, string>,
): { readonly problem: string; readonly got: string; readonly expected: string } | undefined {
  const folder = folderNameOf(name);
  const flaw = OWN_FILES.test(folder) ? "a name that no file of a job has" : fileNameFlaw(folder);
  if (flaw !== undefined) {
    const expected = folder === name ? flaw : `${flaw}, in the form that a URL has`;
    return { problem: "the name cannot be the name of a folder", got: name, expected };
  }
  const key = fileNameKey(folder);
  const other = taken.get(key);
  taken.set(key, name);
  if (other === undefined) return undefined;
  const problem = other === name ? "two entries have this name" : "two names lead to the same folder on some systems";
  return { problem, got: name, expected: `a name that differs from ${JSON.stringify(other)} by more than case` };
}
