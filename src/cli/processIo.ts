import { interceptSignals } from "../files/temporaries.js";
import type { Io } from "./shared/io.js";

export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  return { stdin, stdout, stderr, onSignal: interceptSignals, importModule: (url) => import(url) };
}
