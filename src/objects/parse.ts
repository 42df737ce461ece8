import { error, type Issue, warning } from "../errors/index.js";
import { type EditFile, readEditFile } from "../formats/editFile.js";
import { checkText, type Field, type Parsed, readOptions, SpecReader, seal } from "../spec/index.js";
import { parseAffixes, parseThemes } from "./parse/affixes.js";
import { parseArtifacts } from "./parse/artifacts.js";
import { readFlagList } from "./parse/flags.js";
import { parseBases, parseKinds } from "./parse/kinds.js";
import { FileReport } from "./parse/report.js";
import type { ObjectFiles, ObjectSetup, ObjectTexts } from "./types.js";

/** The usual names of the edit files. */
export const FILE_NAMES = {
  object: "object.txt",
  objectBase: "object_base.txt",
  egoItem: "ego_item.txt",
  egoThemes: "ego_themes.txt",
  artifact: "artifact.txt",
  flags: "flags.csv",
} as const satisfies Readonly<Record<keyof ObjectTexts, string>>;

/** The texts that {@link parseObjects} requires. */
const TEXTS = ["object", "objectBase", "egoItem", "egoThemes", "artifact"] as const;

type Texts = Readonly<Record<keyof ObjectTexts, string | undefined>>;

/**
 * Reads the edit files. If the file of affixes, themes or artifacts has no record, this gives only a warning, because a
 * game can do without them.
 *
 * Cost: O(characters), plus sorting the records by number. Each error about a name (at most 100 a file) also compares
 * the name with every known name.
 *
 * Source: Angband's edit files, and the article on affixes that docs/formats.md describes.
 *
 * @returns the records, unless there is an error, and every issue with file, line and column. Lists at most 100 errors
 * a file. If a file has more errors, one further issue reports this.
 * @throws RollmillError `argument.type`, `argument.option`, `argument.range` for invalid options.
 */
export function parseObjects(texts: ObjectTexts, options: ObjectSetup = {}): Parsed<ObjectFiles> {
  const names = readFileNames(readOptions("parseObjects", options, ["files"]).files);
  const reader = new SpecReader({ noun: "texts of objects", code: "argument.type" });
  const { spec: given, issues } = reader.run(texts, (root) => readTexts(reader, root));
  return given === undefined ? { spec: undefined, issues } : parseTexts(given, names);
}

function readTexts(reader: SpecReader, root: Field): Texts {
  const fields = reader.fields(root, [...TEXTS, "flags"]);
  const text = (name: keyof ObjectTexts) => {
    const at = fields.get(name);
    if (typeof at.value === "string") return at.value;
    const expected = `the text of ${FILE_NAMES[name]}`;
    reader.report(at, { problem: `${JSON.stringify(name)} is not a string`, got: at.value, expected });
    return "";
  };
  const flags = fields.has("flags") ? text("flags") : undefined;
  return { ...Object.fromEntries(TEXTS.map((name) => [name, text(name)])), flags } as Texts;
}

function parseTexts(texts: Texts, names: NonNullable<ObjectSetup["files"]>): Parsed<ObjectFiles> {
  const reportOf = (file: keyof ObjectTexts) => new FileReport(names[file] ?? FILE_NAMES[file]);
  const [flagReport, baseReport, kindReport] = [reportOf("flags"), reportOf("objectBase"), reportOf("object")];
  const [affixReport, themeReport, artifactReport] = [reportOf("egoItem"), reportOf("egoThemes"), reportOf("artifact")];
  const empty: Issue[] = [];
  const read = (text: string | undefined, report: FileReport, make: typeof error = warning): EditFile => {
    const file = readEditFile(text ?? "");
    if (file.records.length === 0) empty.push(emptyFile(report.file, make));
    return file;
  };
  const flags = readFlagList(texts.flags, flagReport);
  if (flags.specs.length === 0) empty.push(emptyFile(flagReport.file, error));
  const { bases, types } = parseBases(baseReport, read(texts.objectBase, baseReport, error), flags);
  const kinds = parseKinds(kindReport, read(texts.object, kindReport, error), { flags, types, bases });
  const shared = { flags, types };
  const { affixes, names: known, levels } = parseAffixes(affixReport, read(texts.egoItem, affixReport), shared);
  const themes = parseThemes(themeReport, read(texts.egoThemes, themeReport), { types, names: known });
  const context = { ...shared, kinds, names: known };
  const artifacts = parseArtifacts(artifactReport, read(texts.artifact, artifactReport), context);
  const reports = [flagReport, baseReport, kindReport, affixReport, themeReport, artifactReport];
  const issues = [...empty, ...reports.flatMap((report) => report.list())];
  if (issues.some(({ severity }) => severity === "error")) return { spec: undefined, issues };
  const spec: ObjectFiles = {
    levels: [...levels],
    flags: flags.specs,
    types: types.specs,
    bases,
    kinds,
    affixes,
    themes,
    artifacts,
  };
  return { spec: seal("objects", spec), issues };
}

function readFileNames(files: ObjectSetup["files"] = {}): NonNullable<ObjectSetup["files"]> {
  const names = readOptions('the option "files"', files, Object.keys(FILE_NAMES));
  for (const [file, name] of Object.entries(names)) checkText(`files.${file}`, name);
  return names;
}

function emptyFile(file: string | undefined, make: typeof error): Issue {
  return make("object.files", {
    problem: "the file has no record",
    expected: "at least one record",
    remedy: "Check that this is the right file",
    where: { file, line: 1, column: 1 },
  });
}
