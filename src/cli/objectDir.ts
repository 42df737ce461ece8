import { existsSync } from "node:fs";
import { join } from "node:path";
import { error, failOnErrors } from "../errors/index.js";
import { reasonOf } from "../files/problem.js";
import { type Issue, RollmillError } from "../index.js";
import { FILE_NAMES, type ObjectFiles, type ObjectTexts, parseObjects } from "../objects/index.js";
import { type Parsed, specOf } from "../spec/index.js";
import { readText } from "./inputFile.js";
import { type Io, pathIn } from "./io.js";

type FileKey = keyof typeof FILE_NAMES;

/** The contents of a folder of edit files, for help texts. */
export const DIR_CONTENTS = `folder with ${Object.values(FILE_NAMES).slice(0, -1).join(", ")} and optionally flags.csv`;

/** The texts of edit files, and their paths. */
interface EditTexts {
  readonly texts: ObjectTexts;
  readonly paths: Readonly<Record<FileKey, string>>;
}

/**
 * Reads the texts of the edit files of a folder.
 *
 * @throws RollmillError `object.files` with an issue for each missing file.
 */
async function readObjectTexts(io: Io, folder: string): Promise<EditTexts> {
  const paths = Object.fromEntries(
    Object.entries(FILE_NAMES).map(([key, name]) => [key, join(folder, name)]),
  ) as Record<FileKey, string>;
  const missing: Issue[] = [];
  const need = async (key: FileKey) => {
    const text = await textOrIssue(io, paths[key]);
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
    flags: existsSync(pathIn(io, paths.flags)) ? await need("flags") : undefined,
  };
  // stops before parsing, because the other files would refer to names in the missing files
  failOnErrors(missing);
  return { texts, paths };
}

/** Reads and parses the edit files of a folder; returns errors as issues. */
export async function parseObjectDir(io: Io, folder: string): Promise<Parsed<ObjectFiles>> {
  try {
    const { texts, paths } = await readObjectTexts(io, folder);
    return parseObjects(texts, { files: paths });
  } catch (cause) {
    if (cause instanceof RollmillError) return { spec: undefined, issues: cause.issues };
    throw cause;
  }
}

/**
 * Reads and parses the edit files of a folder.
 *
 * @throws RollmillError `object.*`, with every error of the files.
 */
export async function readObjectDir(io: Io, folder: string): Promise<ObjectFiles> {
  return specOf(await parseObjectDir(io, folder));
}

async function textOrIssue(io: Io, path: string): Promise<string | Issue> {
  try {
    return await readText(io, path);
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    return error("object.files", {
      problem: `cannot read a file of the folder (${reasonOf(cause.cause ?? cause.issues[0].message)})`,
      expected: `${Object.values(FILE_NAMES).slice(0, -1).join(", ")} in one folder`,
      remedy: "Pass the folder that contains these files",
      where: { file: path },
    });
  }
}
