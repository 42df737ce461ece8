#!/usr/bin/env node
import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { type Code, formatIssue, RollmillError } from "../index.js";
import { addObject } from "./object.js";
import { addPool } from "./pool.js";
import { addRandom } from "./random.js";
import { addRecipe } from "./recipe.js";
import { addTable } from "./table.js";
import { note } from "./terminal.js";
import { addWalk } from "./walk.js";

/** Exit status: the work failed, or the input or the usage was bad. */
const FAILED = 1;
const BAD_INPUT = 2;

/** Codes of a failure that no other input would mend. */
const FAILURES: ReadonlySet<Code> = new Set<Code>([
  "kernel.unsupported",
  "kernel.memory",
  "kernel.trap",
  "sql.connect",
  "sql.query",
  "file.write",
]);

async function main(): Promise<number> {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  const program = new Command("rollmill")
    .description(
      "weighted tables, pools, hex walks and items by the million: every result a function of (seed, name, index)",
    )
    .version(version);
  addTable(program);
  addWalk(program);
  addPool(program);
  addRecipe(program);
  addObject(program);
  addRandom(program);
  for (const command of commandsOf(program)) {
    command.exitOverride().showHelpAfterError("(add --help for the options)").configureOutput({ outputError });
  }
  try {
    await program.parseAsync();
    // `table check` or `object check` has done its work and found errors
    return process.exitCode === BAD_INPUT ? BAD_INPUT : 0;
  } catch (cause) {
    return report(cause);
  }
}

/** A command, and those below it. */
function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

function report(cause: unknown): number {
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : BAD_INPUT;
  if (cause instanceof RollmillError) {
    for (const issue of cause.issues) note(formatIssue(issue));
    return FAILURES.has(cause.code) ? FAILED : BAD_INPUT;
  }
  note(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  return FAILED;
}

/** What commander says about the usage, as one located issue. */
function outputError(message: string, write: (text: string) => void): void {
  write(message.startsWith("error: ") ? `${message.slice("error: ".length).trimEnd()} [cli.usage]\n` : message);
}

// a reader that has seen enough (`| head`) is no failure
process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
  if (cause.code === "EPIPE") process.exit(0);
  note(`the results cannot be written: ${cause.message} [file.write]`);
  process.exit(FAILED);
});
process.stderr.on("error", () => undefined);
let ended = false;
process.once("beforeExit", () => {
  if (ended) return;
  note("nothing is left to wait for, and the work is not done: a script module never finishes loading");
  process.exitCode = FAILED;
});
void main().then((code) => {
  ended = true;
  process.exitCode = code;
});
