import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import type { Io } from "./shared/io.js";
import { shellWord } from "./shared/shellWord.js";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/**
 * Adds examples to the help of a command. A path in braces, such as {data/loot.2da}, stands for a file of the package.
 * The help shows its real path, so the example runs in the current folder.
 */
export function withExamples(command: Command, { cwd = "" }: Io, ...examples: readonly string[]): Command {
  const shown = examples.map(
    (example) => `rollmill ${example.replace(/\{([^{}]+)\}/g, (_, path) => placeOf(path, cwd))}`,
  );
  EXAMPLES.set(command, shown);
  return command.addHelpText("after", helpText(shown));
}

/** Adds the first example of each command to the help of a group and its groups. Returns the first one. */
export function withFirstExamples(group: Command): readonly string[] {
  const own = EXAMPLES.get(group);
  if (own !== undefined) return own.slice(0, 1);
  const examples = group.commands.flatMap(withFirstExamples);
  group.addHelpText("after", helpText(examples));
  return examples.slice(0, 1);
}

function helpText(examples: readonly string[]): string {
  return `\n${examples.length === 1 ? "Example" : "Examples"}:\n${examples.map((line) => `  ${line}`).join("\n")}`;
}

/** Returns the relative or the absolute path, whichever is shorter. */
function placeOf(path: string, cwd: string): string {
  const absolute = join(PACKAGE, path);
  const near = relative(cwd, absolute);
  const place = near.length < absolute.length ? near : absolute;
  return shellWord(place);
}
