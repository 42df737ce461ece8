import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";

// Windows has none of these flags
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
/** Flags of `open` that follow no link, and do not wait for the writer of a pipe. */
export const PLAIN = O_NOFOLLOW | O_NONBLOCK;

/**
 * Opens a regular file. Follows no link, and does not wait for the other program of a pipe. Throws errors of the
 * system: EINVAL for a link, a pipe, a device, or a folder.
 */
export function openRegular(path: string, flags: number): number {
  // looks before it opens, because a device may act when it is opened
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw notRegular();
  const file = openSync(path, flags | PLAIN);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notRegular();
}

function notRegular(): Error {
  return Object.assign(new Error("EINVAL: not a regular file"), { code: "EINVAL", syscall: "open" });
}
