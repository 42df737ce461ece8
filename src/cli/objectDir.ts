import { existsSync } from "node:fs";
import { join } from "node:path";
import { error, fail, failOnErrors } from "../errors/index.js";
import { type Issue, RollmillError } from "../index.js";
import {
  FILE_NAMES,
  type ObjectFiles,
  type ObjectTexts,
  type ParsedObjects,
  parseObjectFiles,
} from "../objects/index.js";
import { readText } from "./terminal.js";

type FileKey = keyof typeof FILE_NAMES;

/** What a folder of edit files holds, for help texts. */
export const DIR_CONTENTS = `folder with ${Object.values(FILE_NAMES).slice(0, -1).join(", ")} and, where there is one, flags.csv`;

/** Edit files as `mill.objects` takes them: what is in them, and where they are. */
export interface EditTexts {
  readonly texts: ObjectTexts;
  readonly paths: Readonly<Record<FileKey, string>>;
}

/**
 * Reads the texts of the edit files of a folder.
 *
 * @throws RollmillError `object.files` with every file that is missing.
 */
export async function readObjectTexts(folder: string): Promise<EditTexts> {
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
  failOnErrors(missing);
  return { texts, paths };
}

/** Reads the edit files of a folder, whatever is in them or missing: what is wrong comes back as issues. */
export async function parseObjectDir(folder: string): Promise<ParsedObjects> {
  try {
    const { texts, paths } = await readObjectTexts(folder);
    return parseObjectFiles(texts, { files: paths });
  } catch (cause) {
    if (cause instanceof RollmillError) return { issues: cause.issues };
    throw cause;
  }
}

/**
 * Reads the edit files of a folder.
 *
 * @throws RollmillError with every error of theirs: `object.*`.
 */
export async function readObjectDir(folder: string): Promise<ObjectFiles> {
  const { texts, paths } = await readObjectTexts(folder);
  const { files, issues } = parseObjectFiles(texts, { files: paths });
  failOnErrors(issues);
  return files ?? fail(issues[0]);
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
