import { interceptSignals } from "../files/temporaries.js";
import type { Io } from "./io.js";

/** Returns the streams, the signals and the module loader of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  return { stdin, stdout, stderr, onSignal: interceptSignals, importModule: (url) => import(url) };
}
