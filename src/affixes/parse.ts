import { error, type Issue } from "../errors/index.js";
import { type EditFile, readEditFile } from "../formats/editFile.js";
import { readFlagList } from "./flags.js";
import { parseAffixes } from "./parseAffixes.js";
import { parseArtifacts } from "./parseArtifacts.js";
import { parseBases } from "./parseBases.js";
import { parseKinds } from "./parseKinds.js";
import { parseThemes } from "./parseThemes.js";
import { FileReport } from "./report.js";
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
 * Cost: O(characters). Source: the seed's article on affixes, and the heads of the game's own files.
 */
export function parseObjectFiles(texts: ObjectTexts, options: ParseObjectOptions = {}): ParsedObjects {
  const { files: names = {}, levels = LEVELS } = options;
  const reportOf = (file: keyof ObjectTexts) => new FileReport(names[file] ?? FILE_NAMES[file]);
  const [flagReport, baseReport, kindReport] = [reportOf("flags"), reportOf("objectBase"), reportOf("object")];
  const [affixReport, themeReport, artifactReport] = [reportOf("egoItem"), reportOf("egoThemes"), reportOf("artifact")];
  const empty: Issue[] = [];
  const read = (text: string, report: FileReport): EditFile => {
    const file = readEditFile(text);
    if (file.records.length === 0) empty.push(emptyFile(report.file));
    return file;
  };
  const flags = readFlagList(texts.flags, flagReport);
  if (flags.specs.length === 0) empty.push(emptyFile(flagReport.file));
  const bases = parseBases(baseReport, read(texts.objectBase, baseReport), flags);
  const kinds = parseKinds(kindReport, read(texts.object, kindReport), { flags, bases });
  const { affixes, names: affixNames } = parseAffixes(affixReport, read(texts.egoItem, affixReport), { flags, levels });
  const themes = parseThemes(themeReport, read(texts.egoThemes, themeReport), affixNames);
  const context = { flags, kinds, names: affixNames };
  const artifacts = parseArtifacts(artifactReport, read(texts.artifact, artifactReport), context);
  const reports = [flagReport, baseReport, kindReport, affixReport, themeReport, artifactReport];
  const issues = [...empty, ...reports.flatMap((report) => report.list())];
  if (issues.some(({ severity }) => severity === "error")) return { issues };
  return { files: { levels, flags: flags.specs, bases, kinds, affixes, themes, artifacts }, issues };
}

function emptyFile(file: string | undefined): Issue {
  return error("object.files", {
    problem: "the file holds no record",
    expected: "at least one",
    remedy: "Check that it is the file that is meant",
    where: { file, line: 1, column: 1 },
  });
}
