import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { type Code, formatIssue, RollmillError, safeLines } from "../errors/index.js";
import { withoutPasswords } from "../jobs/queue/shownUrl.js";
import { loadWithoutSimd } from "../kernel/index.js";
import { withExamples, withFirstExamples } from "./command.js";
import { BAD_INPUT, DONE, Exit, FAILED, type Io, note, type Output, print } from "./shared/io.js";

const HELP_WIDTH = 80;

type AddGroup = (group: Command, io: Io) => void;

/** A group is loaded only if the command line names it. */
const GROUPS: Readonly<Record<string, { readonly description: string; readonly load: () => Promise<AddGroup> }>> = {
  pick: {
    description: "pick from a list of labels with weights, such as gold=70 gem=5, or from a .csv or .json file",
    load: async () => (await import("./draws.js")).addPick,
  },
  dice: {
    description: "roll dice such as 2d6+1, or whole numbers of a range such as 1-100",
    load: async () => (await import("./draws.js")).addDice,
  },
  shuffle: {
    description: "put items in random order",
    load: async () => (await import("./draws.js")).addShuffle,
  },
  sample: {
    description: "choose some of several items, without replacement, in random order",
    load: async () => (await import("./draws.js")).addSample,
  },
  table: {
    description:
      "roll or check a table in a CSV, JSON or 2DA file, or print its exact odds; an entry can lead to another row",
    load: async () => (await import("./table/table.js")).addTable,
  },
  drops: {
    description: "roll a table several times and add fixed results, for example for the drops of a monster",
    load: async () => (await import("./table/table.js")).addDrops,
  },
  walk: {
    description: "drunken walks on hex grids, from a JSON spec",
    load: async () => (await import("./walk/walk.js")).addWalk,
  },
  world: {
    description: "maps with terrain and things on it, finite or unbounded, from a JSON spec",
    load: async () => (await import("./world/world.js")).addWorld,
  },
  job: {
    description: "make a whole world in advance, in a folder: pause, resume, verify and share the work",
    load: async () => (await import("./job/job.js")).addJob,
  },
  pool: {
    description:
      "draw from pools of a JSON or CSV file; pools that list the same record share its quantity, but have their own masses",
    load: async () => (await import("./pool/pool.js")).addPool,
  },
  recipe: {
    description:
      "make items, such as tier-3 weapons, from recipes that combine words; for level-30 objects, see rollmill object",
    load: async () => (await import("./recipe/recipe.js")).addRecipe,
  },
  object: {
    description:
      "make, count and check objects with affixes, themes and artifacts from edit files, and compute their odds",
    load: async () => (await import("./object/object.js")).addObject,
  },
  bake: {
    description:
      "write lists, tables, pools and dice to a plan file, for hosts without JavaScript, such as a game engine",
    load: async () => (await import("./plan/plan.js")).addBake,
  },
  plan: {
    description: "show or check a plan file",
    load: async () => (await import("./plan/plan.js")).addPlan,
  },
  workbench: {
    description: "open a page in the browser that shows odds, items and maps while you edit the files",
    load: async () => (await import("./workbench/workbench.js")).addWorkbench,
  },
  chance: {
    description: "how likely is a result in many rolls, picks or draws, exactly",
    load: async () => (await import("./instruments/chance.js")).addChance,
  },
  wait: {
    description: "how many rolls, picks or draws it takes until a result comes",
    load: async () => (await import("./instruments/chance.js")).addWait,
  },
  collect: {
    description: "how many rolls, picks or draws it takes until each of several results has come",
    load: async () => (await import("./instruments/chance.js")).addCollect,
  },
  luck: {
    description: "how many players of many have less luck, the same, or more",
    load: async () => (await import("./instruments/chance.js")).addLuck,
  },
  compare: {
    description: "what a change of a file does to its odds; patch notes, and a check for pull requests",
    load: async () => (await import("./instruments/compare.js")).addCompare,
  },
  balance: {
    description: "find the weights that give the wanted odds, and write them into the file",
    load: async () => (await import("./instruments/balance.js")).addBalance,
  },
  sensitivity: {
    description: "which weights matter for a result, and by how much",
    load: async () => (await import("./instruments/sensitivity.js")).addSensitivity,
  },
  explain: {
    description: "why a result is what it is: every decision, with its random word and its weights",
    load: async () => (await import("./instruments/explain.js")).addExplain,
  },
  search: {
    description: "find the results that meet a condition, such as the first rolls with a crown",
    load: async () => (await import("./instruments/search.js")).addSearch,
  },
  selfcheck: {
    description: "compare many results with their exact odds: a chi-square test",
    load: async () => (await import("./instruments/check.js")).addSelfCheck,
  },
  pity: {
    description: "exact odds of a pity system: a guaranteed hit, growing chances, a featured result",
    load: async () => (await import("./instruments/pity.js")).addPity,
  },
  random: {
    description: "print raw random words by stream, plane and index",
    load: async () => (await import("./random.js")).addRandom,
  },
  completion: {
    description: "print a script that completes commands, options and files in bash, zsh or fish",
    load: async () => {
      const { addCompletion } = await import("./completion.js");
      return (group, io) => addCompletion(group, io, () => wholeProgram(io));
    },
  },
};

/** Errors that the input did not cause. Their exit code is 1. */
const FAILURES: ReadonlySet<Code> = new Set<Code>([
  "kernel.unsupported",
  "kernel.memory",
  "kernel.trap",
  "sql.busy",
  "sql.connect",
  "sql.query",
  "sql.timeout",
  "file.write",
  "file.busy",
  "job.damaged",
  "job.space",
  "queue.connect",
  "queue.failed",
  "job.task",
]);

/**
 * Runs one command, such as `["table", "roll", "loot.2da"]`. Returns its exit code: 128 + n if signal n paused a job.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    await loadWithoutSimd();
    await run(argv, io);
    return DONE;
  } catch (cause) {
    return report(cause, io);
  }
}

async function run(given: readonly string[], io: Io): Promise<void> {
  const isHelp = given[0] === "help";
  const argv = isHelp ? given.slice(1) : given;
  let help = "";
  const program = programFor(io, (text) => {
    help += text;
  });
  await addGroups(program, io, (name) => argv.includes(name));
  try {
    // replaces commander's own `help`, which shows the help of `table` for `help table roll`
    await program.parseAsync(isHelp && isCommand(program, argv) ? [...argv, "--help"] : argv, { from: "user" });
  } catch (cause) {
    // commander reports --help and --version as errors with exit code 0
    if (!(cause instanceof CommanderError && cause.exitCode === 0)) throw cause;
  }
  if (help !== "") await print(io, help);
}

function isCommand(program: Command, words: readonly string[]): boolean {
  let command: Command | undefined = program;
  for (const word of words) {
    if (command.commands.length === 0) return true;
    command = command.commands.find((one) => one.name() === word);
    if (command === undefined) return false;
  }
  return true;
}

export async function wholeProgram(io: Io): Promise<Command> {
  const program = programFor(io, () => undefined);
  await addGroups(program, io, () => true);
  return program;
}

async function addGroups(program: Command, io: Io, isLoaded: (name: string) => boolean): Promise<void> {
  for (const [name, { description, load }] of Object.entries(GROUPS)) {
    const group = program.command(name).description(description);
    if (!isLoaded(name)) continue;
    (await load())(group, io);
    withFirstExamples(group);
  }
}

function programFor(io: Io, writeOut: (text: string) => void): Command {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  const widthOf = ({ isTTY, columns = HELP_WIDTH }: Output) => (isTTY ? columns : HELP_WIDTH);
  // configures the program before any command is added, because a command copies the settings of its parent
  const program = new Command("rollmill")
    .description(
      "weighted tables, pools, hex walks, items and objects; every result is a function of (seed, name, index)",
    )
    .version(version)
    .exitOverride()
    .showHelpAfterError("(add --help for the options)")
    .configureOutput({
      writeOut,
      writeErr: (text) => void io.stderr.write(safeLines(withoutPasswords(text))),
      outputError: (text, write) =>
        write(text.startsWith("error: ") ? `${text.slice("error: ".length).trimEnd()} [cli.usage]\n` : text),
      getOutHelpWidth: () => widthOf(io.stdout),
      getErrHelpWidth: () => widthOf(io.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  return withExamples(program, io, "pick gold=70 gem=5 -n 10", "table --help");
}

function report(cause: unknown, io: Io): number {
  if (cause instanceof Exit) return cause.code;
  if (cause instanceof CommanderError) return BAD_INPUT;
  if (cause instanceof RollmillError) {
    for (const issue of cause.issues) note(io, withoutPasswords(formatIssue(issue)));
    return FAILURES.has(cause.code) ? FAILED : BAD_INPUT;
  }
  note(io, withoutPasswords(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)));
  return FAILED;
}
