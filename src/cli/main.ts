import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { type Code, formatIssue, RollmillError } from "../index.js";
import { BAD_INPUT, DONE, Exit, FAILED, type Io, note, type Output, write } from "./io.js";
import { addObject } from "./object.js";
import { addPool } from "./pool.js";
import { addRandom } from "./random.js";
import { addRecipe } from "./recipe.js";
import { addTable } from "./table.js";
import { addWalk } from "./walk.js";

/** Width of help texts outside a terminal, in characters. */
const HELP_WIDTH = 80;

/** Codes of errors that the input does not cause. After such an error the exit code is 1. */
const FAILURES: ReadonlySet<Code> = new Set<Code>([
  "kernel.unsupported",
  "kernel.memory",
  "kernel.trap",
  "sql.connect",
  "sql.query",
  "file.write",
]);

/**
 * Runs one command of `rollmill`, such as `["table", "roll", "loot.2da"]`.
 *
 * @returns the exit code: 0 done, 1 failed, 2 bad input or usage.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    await run(argv, io);
    return DONE;
  } catch (cause) {
    return report(cause, io);
  }
}

async function run(argv: readonly string[], io: Io): Promise<void> {
  let help = "";
  const program = programFor(io, (text) => {
    help += text;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (cause) {
    // commander reports --help and --version as errors with exit code 0
    if (!(cause instanceof CommanderError && cause.exitCode === 0)) throw cause;
  }
  if (help !== "") await write(io, help);
}

/** Returns a program with all commands. It passes help texts to `writeOut`. */
function programFor(io: Io, writeOut: (text: string) => void): Command {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  const widthOf = ({ isTTY, columns = HELP_WIDTH }: Output) => (isTTY ? columns : HELP_WIDTH);
  // configures the program before the commands are added, because each command copies the settings of its parent
  const program = new Command("rollmill")
    .description(
      "weighted tables, pools, hex walks, items and objects; every result is a function of (seed, name, index)",
    )
    .version(version)
    .exitOverride()
    .showHelpAfterError("(add --help for the options)")
    .configureOutput({
      writeOut,
      writeErr: (text) => void io.stderr.write(text),
      outputError,
      getOutHelpWidth: () => widthOf(io.stdout),
      getErrHelpWidth: () => widthOf(io.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const add of [addTable, addWalk, addPool, addRecipe, addObject, addRandom]) add(program, io);
  return program;
}

function report(cause: unknown, io: Io): number {
  if (cause instanceof Exit) return cause.code;
  if (cause instanceof CommanderError) return BAD_INPUT;
  if (cause instanceof RollmillError) {
    for (const issue of cause.issues) note(io, formatIssue(issue));
    return FAILURES.has(cause.code) ? FAILED : BAD_INPUT;
  }
  note(io, cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  return FAILED;
}

/** Prints a usage error of commander in the form of an issue. */
function outputError(message: string, write: (text: string) => void): void {
  write(message.startsWith("error: ") ? `${message.slice("error: ".length).trimEnd()} [cli.usage]\n` : message);
}
