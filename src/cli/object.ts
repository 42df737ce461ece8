import type { Command } from "commander";
import { formatIssue, type Issue, RollmillError } from "../index.js";
import { checkObjectFiles, compileObjects } from "../objects/index.js";
import { DIR_CONTENTS, parseObjectDir } from "./objectDir.js";
import { addObjectMake } from "./objectMake.js";
import { addObjectOdds } from "./objectOdds.js";
import { addObjectStats } from "./objectStats.js";
import { jsonOption } from "./options.js";
import { json, note, write } from "./terminal.js";

/** Adds `rollmill object make`, `object odds`, `object stats` and `object check`. */
export function addObject(program: Command): void {
  const object = program
    .command("object")
    .description("objects with affixes, themes and artifacts out of edit files: made, counted and checked");
  addObjectMake(object);
  addObjectOdds(object);
  addObjectStats(object);
  object
    .command("check")
    .argument("<dir>", DIR_CONTENTS)
    .description("list every error, and what can never be made as warnings; exit 2 on an error")
    .addOption(jsonOption())
    .action(check);
}

async function check(folder: string, { json: asJson }: { readonly json?: boolean }): Promise<void> {
  const issues = await inspect(folder);
  const errors = issues.filter(({ severity }) => severity === "error").length;
  if (asJson) await write(json({ issues }));
  else await write(issues.map((issue) => `${formatIssue(issue)}\n`).join(""));
  note(`errors: ${errors}, warnings: ${issues.length - errors}`);
  if (errors > 0) process.exitCode = 2;
}

/** Every issue of the files of a folder, and what they come to; where there is no error, also what can never be made. */
async function inspect(folder: string): Promise<readonly Issue[]> {
  const { files, issues } = await parseObjectDir(folder);
  if (files === undefined) return issues;
  try {
    compileObjects(files);
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    return [...issues, ...cause.issues];
  }
  return [...issues, ...checkObjectFiles(files)];
}
