import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { checkObjectFiles, FILE_NAMES, parseObjectFiles } from "../affixes/index.js";
import { error } from "../errors/index.js";
import { formatIssue, type Issue, RollmillError } from "../index.js";
import { jsonOption } from "./options.js";
import { json, note, readText, write } from "./terminal.js";

type FileKey = keyof typeof FILE_NAMES;

/** Adds `rollmill object check`. */
export function addObject(program: Command): void {
  const object = program
    .command("object")
    .description("objects with affixes, themes and artifacts out of edit files: a linter of these");
  object
    .command("check")
    .argument(
      "<dir>",
      `folder with ${Object.values(FILE_NAMES).slice(0, -1).join(", ")} and, where there is one, flags.csv`,
    )
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

/** Every issue of the files of a folder; where there is no error, also what can never be made. */
async function inspect(folder: string): Promise<readonly Issue[]> {
  const paths = Object.fromEntries(
    Object.entries(FILE_NAMES).map(([key, name]) => [key, join(folder, name)]),
  ) as Record<FileKey, string>;
  const missing: Issue[] = [];
  const need = async (key: FileKey) => {
    const text = await textOrIssue(paths[key]);
    if (typeof text === "string") return text;
    missing.push(text);
    return "";
  };
  const texts = {
    object: await need("object"),
    objectBase: await need("objectBase"),
    egoItem: await need("egoItem"),
    egoThemes: await need("egoThemes"),
    artifact: await need("artifact"),
    flags: existsSync(paths.flags) ? await need("flags") : undefined,
  };
  // without one of the files, what the others name would be unknown
  if (missing.length > 0) return missing;
  const { files, issues } = parseObjectFiles(texts, { files: paths });
  return files === undefined ? issues : [...issues, ...checkObjectFiles(files)];
}

async function textOrIssue(path: string): Promise<string | Issue> {
  try {
    return await readText(path);
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    return error("object.files", {
      problem: "a file of the folder cannot be read",
      got: cause.cause instanceof Error ? cause.cause.message : cause.issues[0].message,
      expected: `${Object.values(FILE_NAMES).slice(0, -1).join(", ")} in one folder`,
      remedy: "Name the folder that holds them",
      where: { file: path },
    });
  }
}
