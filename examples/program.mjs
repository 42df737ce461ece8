// Functions that the example programs share: errors with a code and a place, reading files, and progress.

import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { formatIssue, RollmillError } from "rollmill";
import { cleanUpOnSignals } from "rollmill/files";

/** Creates an issue like those of Rollmill. `where` has the file, and the path inside it. */
export function issueOf(code, message, where = {}) {
  return { code, severity: "error", message, where };
}

/** Throws a RollmillError with one issue. */
export function refuse(code, message, { where, cause } = {}) {
  throw new RollmillError([issueOf(code, message, where)], { cause });
}

/** Reads a text file. Throws `file.read` if it cannot be read. */
export async function readText(file) {
  return readFile(file, "utf8").catch((cause) => {
    refuse("file.read", `cannot read the file: ${cause.message}`, { where: { file }, cause });
  });
}

/** Reads a text file. Returns undefined if it does not exist. */
export async function readOptionalText(file) {
  return existsSync(file) ? readText(file) : undefined;
}

/** Reads a JSON file. Throws `file.read` if it cannot be read, and `file.json` if it is not JSON. */
export async function readJson(file) {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    return refuse("file.json", `invalid JSON: ${cause.message}`, { where: { file }, cause });
  }
}

/** Creates a folder if it does not exist. Throws `file.write` if it cannot be created. */
export async function makeFolder(folder) {
  await mkdir(folder, { recursive: true }).catch((cause) => {
    refuse("file.write", `cannot create the folder: ${cause.message}`, { where: { file: folder }, cause });
  });
}

/**
 * Returns a function for the option `onProgress`. On a terminal, it prints the verb of the job, the percentage and the
 * rate in units a second. A call with `done` equal to `total` removes the line.
 */
export function progressLine(verb, unit) {
  if (!process.stderr.isTTY) return () => undefined;
  const startedAt = performance.now();
  return ({ done, total }) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const line = `${verb} ${Math.floor((100 * done) / total)}%  ${approximate(done / seconds)} ${unit}/s`;
    process.stderr.write(`\r\x1b[K${done === total ? "" : line}`);
  };
}

/**
 * Prints a text for people to a stream, such as process.stdout. Escapes the control characters and the marks of writing
 * direction, so that a name in a file cannot control the terminal of the person who reads it.
 */
export function print(stream, text) {
  stream.write(
    text.replace(
      /(?![\t\n])[\p{Control}\p{Bidi_Control}\u2028\u2029]/gu,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
}

/** Formats a number with three significant digits, such as 12.3M. */
export function approximate(value) {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

/**
 * Runs a program. Prints the issues of a RollmillError to stderr, and sets the exit code: 1 if the kernel or a write
 * failed, 2 for bad input. A signal that ends the program leaves no temporary file, unless the program catches signals
 * itself.
 */
export async function runProgram(main, { catchesSignals = false } = {}) {
  if (!catchesSignals) cleanUpOnSignals();
  try {
    await main();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    for (const issue of cause.issues) print(process.stderr, `${formatIssue(issue)}\n`);
    process.exitCode = cause.code.startsWith("kernel.") || cause.code === "file.write" ? 1 : 2;
  }
}
