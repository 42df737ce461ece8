import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";

// Windows has none of these flags
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
export const NOT_REGULAR = "EINVAL";

/**
 * Opens a regular file. Follows no link, and does not wait for the other program of a pipe. Throws errors of the
 * system: EINVAL for a link, a pipe, a device, or a folder.
 */
export function openRegular(path: string, flags: number): number {
  // looks before it opens, because a device may act when it is opened
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== false) {
    const file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  }
  throw Object.assign(new Error("EINVAL: not a regular file"), { code: NOT_REGULAR, syscall: "open" });
}
