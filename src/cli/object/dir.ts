import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { error, failOnErrors } from "../../errors/index.js";
import { reasonOf } from "../../files/problem.js";
import { type Issue, RollmillError } from "../../index.js";
import { FILE_NAMES, type ObjectFiles, type ObjectTexts, parseObjects } from "../../objects/index.js";
import { formatOf, isLastVersion4, NEEDED_TEXTS, olderGamedata } from "../../objects/parse.js";
import { type Parsed, specOf } from "../../spec/index.js";
import type { Head } from "../shared/documents.js";
import { readText } from "../shared/files.js";
import { type Io, pathIn } from "../shared/io.js";

type FileKey = keyof typeof FILE_NAMES;

export const DIR = [
  "<dir>",
  `folder with ${NEEDED_TEXTS.v4.map((key) => FILE_NAMES[key]).join(", ")}, optionally flags.csv and constants.json; or with the gamedata files of Angband 4.2`,
] as const;

async function readObjectTexts(io: Io, folder: string) {
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
  const object = await need("object");
  const needed: readonly FileKey[] = NEEDED_TEXTS[formatOf(object)];
  const texts: Partial<Record<FileKey, string>> = { object };
  for (const key of Object.keys(paths) as FileKey[]) {
    if (key === "object") continue;
    if (needed.includes(key) || existsSync(pathIn(io, paths[key]))) texts[key] = await need(key);
  }
  // stops before parsing, which would report each name that a missing file defines
  failOnErrors(missing);
  // the cast is safe: every required text is present
  return { texts: texts as ObjectTexts, paths };
}

function formatText({ object, egoItem }: ObjectTexts): string {
  const older = olderGamedata(object);
  if (older !== undefined) return `gamedata files of Angband ${older.release}, which cannot be read`;
  if (formatOf(object) === "4.2") return "gamedata files of Angband 4.2 (lines name:…)";
  const form = isLastVersion4(egoItem) ? "version 4 in its last form" : "version 4";
  return `edit files of Angband's ${form} (lines N:…)`;
}

type ParsedDir = Parsed<ObjectFiles> & { readonly format?: string };

/** Reads and parses the edit files of a folder. Returns their format if every file was read. */
export async function parseObjectDir(io: Io, folder: string): Promise<ParsedDir> {
  try {
    const { texts, paths } = await readObjectTexts(io, folder);
    return { ...parseObjects(texts, { files: paths }), format: formatText(texts) };
  } catch (cause) {
    if (cause instanceof RollmillError) return { spec: undefined, issues: cause.issues };
    throw cause;
  }
}

export function nameOfDir(io: Io, folder: string): string {
  return basename(resolve(io.cwd ?? "", folder)) || "objects";
}

/** Returns the head of a document about the files themselves, which needs no seed. */
export function dirHead(io: Io, folder: string, command: string): Head {
  return { command: `object ${command}`, name: nameOfDir(io, folder) };
}

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
      expected: "the edit files in one folder",
      remedy: "Pass the folder that contains these files",
      where: { file: path },
    });
  }
}
