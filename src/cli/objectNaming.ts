import { type Command, Option } from "commander";
import { error, fail } from "../errors/index.js";
import { checkNaming, type Naming, type ObjectFiles, type SyntheticName } from "../index.js";
import { judgeFile, readJson } from "./terminal.js";

/** How objects are to be called. */
export interface NamingFlags {
  readonly names?: "best" | "all" | "synthetic";
  readonly syntheticNames?: string;
  readonly repeats?: "stars" | "count";
  readonly hideAc?: boolean;
  readonly hideDice?: boolean;
}

/** Adds how objects are called. */
export function withNaming(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--names <which>",
        "affixes in a name: the best on each side (the default), all, or synthetic names",
      ).choices(["best", "all", "synthetic"]),
    )
    .option("--synthetic-names <file>", "JSON list of {affixes, name, kind}, for --names synthetic")
    .addOption(new Option("--repeats <how>", "with --names all, an affix that came again").choices(["stars", "count"]))
    .option("--hide-ac", "leave the base armour class out")
    .option("--hide-dice", "leave the dice out");
}

/**
 * How the flags want objects called, checked against the files.
 *
 * @throws RollmillError `cli.usage`, what reading a JSON file throws, and what `checkNaming` does, with the file.
 */
export async function readNaming(files: ObjectFiles, flags: NamingFlags): Promise<Naming> {
  const { names, syntheticNames: file, repeats, hideAc, hideDice } = flags;
  if ((names === "synthetic") !== (file !== undefined)) {
    const expected = "--names synthetic and --synthetic-names FILE, both or neither";
    fail(error("cli.usage", { problem: "synthetic names need a list, and a list them", expected }));
  }
  const synthetic = file === undefined ? undefined : ((await readJson(file)) as readonly SyntheticName[]);
  return judgeFile(file, () => checkNaming({ affixes: names, synthetic, repeats, hideAc, hideDice }, files));
}
