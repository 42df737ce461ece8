import { error, fail, type Issue, warning } from "../errors/index.js";
import { type EditFile, readEditFile } from "../formats/editFile.js";
import { checkLevels, recordOf } from "./make/checkOptions.js";
import { parseAffixes } from "./parse/affixes.js";
import { parseArtifacts } from "./parse/artifacts.js";
import { parseBases } from "./parse/bases.js";
import { readFlagList } from "./parse/flags.js";
import { parseKinds } from "./parse/kinds.js";
import { parseThemes } from "./parse/themes.js";
import { FileReport } from "./show/report.js";
import type { ObjectFiles, ObjectTexts } from "./types.js";

/** What the game calls each of the files. */
export const FILE_NAMES = {
  object: "object.txt",
  objectBase: "object_base.txt",
  egoItem: "ego_item.txt",
  egoThemes: "ego_themes.txt",
  artifact: "artifact.txt",
  flags: "flags.csv",
} as const satisfies Readonly<Record<keyof ObjectTexts, string>>;

/** The files that there must be. */
const TEXTS = ["object", "objectBase", "egoItem", "egoThemes", "artifact"] as const;

/** Affix levels where no others are declared: the last is for those who ask for it. */
export const LEVELS: readonly string[] = ["good", "great", "uber", "artifact"];

/** What messages call the files, and which affix levels there are. */
export interface ParseObjectOptions {
  /** {@link FILE_NAMES} where left out. */
  readonly files?: Partial<Readonly<Record<keyof ObjectTexts, string>>> | undefined;
  /** Names of affix levels, the lowest first; {@link LEVELS} where left out. */
  readonly levels?: readonly string[] | undefined;
}

/** What the files say, or none where there is an error. */
export interface ParsedObjects {
  readonly files?: ObjectFiles;
  /** Every issue found, each with file, line and column: at most 100 errors a file, and one more that says so. */
  readonly issues: readonly Issue[];
}

/**
 * Reads the edit files, whatever is in them: what is wrong comes back as issues, file by file; warnings come with files.
 * Source: the seed's article on affixes, and the heads of the game's own files. Cost: O(characters), records by their numbers
 * sorted; for each set of types in an `R` or `Z` line the flags that it stands for; for each error about a name, 100 a file at
 * most, all names that might be meant, less than 1 µs each.
 *
 * A game may have no affixes, themes or artifacts: where a file of them holds no record there is a warning.
 *
 * @throws RollmillError `argument.type` where a file is no text, or what the options hold is no name; `argument.range` for
 * levels that no file could name.
 */
export function parseObjectFiles(texts: ObjectTexts, options: ParseObjectOptions = {}): ParsedObjects {
  checkArguments(texts, options);
  const { files: names = {}, levels = LEVELS } = options;
  const reportOf = (file: keyof ObjectTexts) => new FileReport(names[file] ?? FILE_NAMES[file]);
  const [flagReport, baseReport, kindReport] = [reportOf("flags"), reportOf("objectBase"), reportOf("object")];
  const [affixReport, themeReport, artifactReport] = [reportOf("egoItem"), reportOf("egoThemes"), reportOf("artifact")];
  const empty: Issue[] = [];
  const read = (text: string, report: FileReport, make: typeof error = warning): EditFile => {
    const file = readEditFile(text);
    if (file.records.length === 0) empty.push(emptyFile(report.file, make));
    return file;
  };
  const flags = readFlagList(texts.flags, flagReport);
  if (flags.specs.length === 0) empty.push(emptyFile(flagReport.file, error));
  const bases = parseBases(baseReport, read(texts.objectBase, baseReport, error), flags);
  const kinds = parseKinds(kindReport, read(texts.object, kindReport, error), { flags, bases });
  const { affixes, names: affixNames } = parseAffixes(affixReport, read(texts.egoItem, affixReport), { flags, levels });
  const themes = parseThemes(themeReport, read(texts.egoThemes, themeReport), affixNames);
  const context = { flags, kinds, names: affixNames };
  const artifacts = parseArtifacts(artifactReport, read(texts.artifact, artifactReport), context);
  const reports = [flagReport, baseReport, kindReport, affixReport, themeReport, artifactReport];
  const issues = [...empty, ...reports.flatMap((report) => report.list())];
  if (issues.some(({ severity }) => severity === "error")) return { issues };
  return { files: { levels, flags: flags.specs, bases, kinds, affixes, themes, artifacts }, issues };
}

/** Checks what callers without types may pass. */
function checkArguments(texts: unknown, options: unknown): void {
  const given = recordOf("the files", texts, `an object with the texts ${TEXTS.join(", ")}`);
  for (const name of [...TEXTS, "flags"]) {
    if (typeof given[name] === "string" || (name === "flags" && given[name] === undefined)) continue;
    fail(error("argument.type", { problem: `the file ${name} is no text`, got: given[name], expected: "its text" }));
  }
  const { files, levels } = recordOf("the options", options, "an object");
  if (levels !== undefined) checkLevels(levels);
  if (files === undefined) return;
  const names = recordOf("files", files, "an object of names by file");
  for (const [file, name] of Object.entries(names)) {
    if (name === undefined || typeof name === "string") continue;
    fail(error("argument.type", { problem: `files.${file} is not usable`, got: name, expected: "a name" }));
  }
}

function emptyFile(file: string | undefined, make: typeof error): Issue {
  return make("object.files", {
    problem: "the file holds no record",
    expected: "at least one",
    remedy: "Check that it is the file that is meant",
    where: { file, line: 1, column: 1 },
  });
}
