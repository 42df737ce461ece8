import { fileNameFlaw, fileNameKey } from "../../spec/index.js";

/** Files beside such folders: the parts of `parts/bulk`, and the head of the Zarr group `visits`. */
const OWN_FILES = /^(?:\d+\.part|zarr\.json)$/i;

/** The folder of a bulk part, and of a layer of a Zarr export. */
export function folderNameOf(name: string): string {
  return encodeURIComponent(name);
}

/**
 * Returns undefined if {@link folderNameOf} is a valid file name that no other folder has. Otherwise the job would fail
 * when its work is done. Adds the name to `taken`.
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
