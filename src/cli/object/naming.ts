import { type Command, Option } from "commander";
import { error, fail } from "../../errors/index.js";
import type { Naming, ObjectFiles, SyntheticName } from "../../objects/index.js";
import { checkedNaming } from "../../objects/show/naming.js";
import { readJson, withFile } from "../shared/inputFile.js";
import type { Io } from "../shared/io.js";
import { integer } from "../shared/options.js";

const MAX_NUMBER = 2 ** 31 - 1;

export interface NamingFlags {
  readonly names?: "best" | "all" | "synthetic";
  readonly syntheticNames?: string;
  readonly repeats?: "stars" | "count";
  readonly hideAc?: boolean;
  readonly hideDice?: boolean;
  readonly number?: number;
}

export function withNaming(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--names <which>",
        "affixes in a name: the best prefix and suffix (default), all, or synthetic names",
      ).choices(["best", "all", "synthetic"]),
    )
    .option("--synthetic-names <file>", "JSON list of {affixes, name, kind} for --names synthetic")
    .addOption(
      new Option("--repeats <how>", "with --names all: how to show a repeated affix").choices(["stars", "count"]),
    )
    .option("--hide-ac", "omit the base armour class from names")
    .option("--hide-dice", "omit the damage dice from names")
    .option("--number <n>", "write each name for n equal objects, such as 3 Iron Shots", integer(0, MAX_NUMBER));
}

export async function readNaming(io: Io, files: ObjectFiles, flags: NamingFlags): Promise<Naming> {
  const { names, syntheticNames: file, repeats, hideAc, hideDice, number } = flags;
  if ((names === "synthetic") !== (file !== undefined)) {
    const problem =
      file === undefined ? "--names synthetic needs --synthetic-names" : "--synthetic-names needs --names synthetic";
    fail(error("cli.usage", { problem, expected: "both options or neither" }));
  }
  const synthetic = file === undefined ? undefined : ((await readJson(io, file)) as readonly SyntheticName[]);
  return withFile(file, () => checkedNaming({ affixes: names, synthetic, repeats, hideAc, hideDice, number }, files));
}
