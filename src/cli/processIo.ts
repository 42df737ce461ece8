import type { Io } from "./io.js";

/** Returns the streams and the module loader of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  return { stdin, stdout, stderr, importModule: (url) => import(url) };
}
