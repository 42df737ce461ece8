import { error, type Issue, warning } from "../errors/index.js";
import { readEditFile } from "../formats/read/editFile.js";
import { isBlank, lineReader } from "../formats/read/lines.js";
import { checkText, type Field, type Parsed, readOptions, SpecReader, seal } from "../spec/index.js";
import { CONSTANTS, parseConstants } from "./law/constants.js";
import { parseAffixes, parseThemes } from "./parse/affixes.js";
import { parseBases } from "./parse/bases.js";
import { FLAGS, FlagTable, lastFlags, readFlagList } from "./parse/flags.js";
import { type ParseInput, parseGamedata } from "./parse/gamedata.js";
import { parseArtifacts, parseKinds } from "./parse/items.js";
import { FileReport } from "./parse/report.js";
import type { ObjectFiles, ObjectRules, ObjectSetup, ObjectTexts } from "./types.js";

/** The usual names of the edit files. */
export const FILE_NAMES = {
  object: "object.txt",
  objectBase: "object_base.txt",
  egoItem: "ego_item.txt",
  egoThemes: "ego_themes.txt",
  artifact: "artifact.txt",
  flags: "flags.csv",
  brand: "brand.txt",
  slay: "slay.txt",
  curse: "curse.txt",
  constants: "constants.json",
} as const satisfies Readonly<Record<keyof ObjectTexts, string>>;

export const NEEDED_TEXTS = {
  v4: ["object", "objectBase", "egoItem", "egoThemes", "artifact"],
  "4.2": ["object", "objectBase", "egoItem", "artifact"],
} as const satisfies Readonly<Record<ObjectRules, readonly (keyof ObjectTexts)[]>>;

const FOREIGN_TEXTS: Readonly<Record<ObjectRules, readonly (keyof ObjectTexts)[]>> = {
  v4: ["brand", "slay", "curse"],
  "4.2": ["egoThemes", "constants"],
};

const TEXTS = Object.keys(FILE_NAMES) as readonly (keyof ObjectTexts)[];

/**
 * Reads edit files of one of two formats:
 * - Files of Angband's version 4. Their records begin with `N:`.
 * - Gamedata files of Angband 4.2. Their records begin with `name:`.
 *
 * All files must have the format of object.txt. The field `rules` of the result names this format. A game can do
 * without affixes, themes or artifacts. So if one of these files has no records, this causes only a warning. In files
 * of Angband 4.2, the maker ignores some types of lines. Each such type gives one warning per file.
 *
 * Cost: O(characters), plus sorting the records by number. Each error about a name (at most 100 per file) also compares
 * the name with every known name.
 *
 * Source: Angband's edit files, and the article on affixes that docs/formats/objects.md describes.
 *
 * @returns all issues, with file, line and column. Also the records, unless there is an error. Lists at most 100 errors
 * per file. If a file has more errors, one further issue says so.
 * @throws RollmillError `argument.type`, `argument.option`, `argument.range` for invalid options.
 */
export function parseObjects(texts: ObjectTexts, options: ObjectSetup = {}): Parsed<ObjectFiles> {
  const { files = {} } = readOptions("parseObjects", options, ["files"]);
  const names = readOptions('the option "files"', files, Object.keys(FILE_NAMES));
  for (const [file, name] of Object.entries(names)) checkText(`files.${file}`, name);
  const reader = new SpecReader({ noun: "texts of objects", code: "argument.type" });
  const { spec: given, issues } = reader.run(texts, (root) => readTexts(reader, root));
  return given === undefined ? { spec: undefined, issues } : parseTexts(given, names);
}

function readTexts(reader: SpecReader, root: Field): ObjectTexts {
  const fields = reader.fields(root, [...TEXTS]);
  const isGiven = (name: keyof ObjectTexts) => fields.has(name) && fields.get(name).value !== undefined;
  const { value: object } = fields.get("object");
  const rules = formatOf(typeof object === "string" ? object : "");
  const needed: readonly (keyof ObjectTexts)[] = NEEDED_TEXTS[rules];
  for (const name of FOREIGN_TEXTS[rules].filter(isGiven)) {
    reader.report(fields.get(name), {
      problem: `${FILE_NAMES[name]} does not belong to the format of object.txt`,
      expected: `nothing here, because object.txt has the format ${rules}`,
      remedy: "Omit this text, or pass the files of one release of the game",
    });
  }
  const texts = TEXTS.filter((name) => needed.includes(name) || isGiven(name)).map((name) => {
    const { value } = fields.get(name);
    if (typeof value === "string") return [name, value];
    const expected = `the text of ${FILE_NAMES[name]}`;
    reader.report(fields.get(name), { problem: `${JSON.stringify(name)} is not a string`, got: value, expected });
    return [name, ""];
  });
  return Object.fromEntries(texts);
}

function parseTexts(texts: ObjectTexts, names: NonNullable<ObjectSetup["files"]>): Parsed<ObjectFiles> {
  const fileOf = (file: keyof ObjectTexts) => names[file] ?? FILE_NAMES[file];
  const reports = Object.fromEntries(
    TEXTS.map((file) => [file, new FileReport(fileOf(file))]),
  ) as ParseInput["reports"];
  const older = olderGamedata(texts.object);
  // gives one error for these files: they differ so much that an error for each line would be useless
  if (older !== undefined) return { spec: undefined, issues: [olderFiles(older, fileOf("object"))] };
  const rules = formatOf(texts.object);
  const needed: readonly (keyof ObjectTexts)[] = NEEDED_TEXTS[rules];
  const head = rules === "4.2" ? "name" : "N";
  const files = Object.fromEntries(
    TEXTS.map((file) => [file, readEditFile(texts[file] ?? "", head)]),
  ) as ParseInput["files"];
  const input = { texts, files, reports };
  const spec = rules === "4.2" ? parseGamedata(input) : parseVersion4(input);
  // a file of the wrong format gives one error, not a useless error for each line
  const mixed = needed.filter(
    (file) => firstLineOf(texts[file] ?? "") !== undefined && formatOf(texts[file] ?? "") !== rules,
  );
  const empty = needed.filter((file) => files[file].records.length === 0);
  if (spec.flags.length === 0) empty.unshift("flags");
  const constants = texts.constants === undefined ? undefined : parseConstants(texts.constants, fileOf("constants"));
  const issues = [
    ...mixed.map((file) => mixedFile(rules, texts[file] ?? "", fileOf(file))),
    ...empty.filter((file) => !mixed.includes(file)).map((file) => emptyFile(file, fileOf(file))),
    ...REPORT_ORDER.flatMap((file) => (mixed.includes(file) ? [] : reports[file].list())),
    ...(constants?.issues ?? []),
  ];
  if (issues.some(({ severity }) => severity === "error")) return { spec: undefined, issues };
  return { spec: seal("objects", { ...spec, constants: constants?.spec ?? spec.constants }), issues };
}

const REPORT_ORDER = "flags slay brand curse objectBase object egoItem egoThemes artifact".split(
  " ",
) as (keyof ObjectTexts)[];

function parseVersion4({ texts, files, reports }: ParseInput): ObjectFiles {
  const isLast = isLastVersion4(texts.egoItem);
  const builtIn = isLast ? lastFlags([texts.object, texts.egoItem, texts.artifact]) : FLAGS;
  const flags = new FlagTable(readFlagList(texts.flags, reports.flags, builtIn));
  const { bases, types } = parseBases(reports.objectBase, files.objectBase, flags);
  const context = { flags, types, bases, isLast };
  const ordinary = parseKinds(reports.object, files.object, context);
  const { affixes, readAffix, levels } = parseAffixes(reports.egoItem, files.egoItem, context);
  const themes = parseThemes(reports.egoThemes, files.egoThemes, { types, readAffix });
  const withNames = { ...context, kinds: ordinary, readAffix };
  const { artifacts, kinds } = parseArtifacts(reports.artifact, files.artifact, withNames);
  const lists = { levels: [...levels], flags: flags.specs, types: types.specs, bases };
  return { rules: "v4", constants: CONSTANTS, ...lists, kinds, affixes, themes, artifacts };
}

function olderFiles({ release, line, text }: NonNullable<ReturnType<typeof olderGamedata>>, file: string) {
  return error("object.files", {
    problem: `these are gamedata files of Angband ${release}`,
    got: text,
    expected: "gamedata files of Angband 4.2, or the older edit files (version 4)",
    remedy: "Use the gamedata files of Angband 4.2",
    where: { file, line, column: 1 },
  });
}

function mixedFile(rules: ObjectRules, text: string, file: string): Issue {
  const first = firstLineOf(text);
  return error("object.files", {
    problem: "the file and object.txt have different formats",
    got: first?.text,
    expected: `lines such as ${rules === "4.2" ? "name:…" : "N:1:…"}, as in object.txt`,
    remedy: "Use the files of one release of the game",
    where: { file, line: first?.line ?? 1, column: 1 },
  });
}

function emptyFile(name: keyof ObjectTexts, file: string): Issue {
  const make = ["egoItem", "egoThemes", "artifact"].includes(name) ? warning : error;
  return make("object.files", {
    problem: "the file has no record",
    expected: "at least one record",
    remedy: "Check that this is the right file",
    where: { file, line: 1, column: 1 },
  });
}

/** In Angband 4.2, the first line of a gamedata file has one of these types. */
const GAMEDATA_LINES = ["name", "default", "code"];

function firstLineOf(text: string): { readonly line: number; readonly text: string } | undefined {
  const next = lineReader(text.replace(/^\ufeff/, ""));
  for (let read = next(); read !== undefined; read = next()) {
    if (!isBlank(read.text) && !read.text.trimStart().startsWith("#")) {
      return { line: read.number, text: read.text.trim() };
    }
  }
  return undefined;
}

/**
 * Whether a text of ego_item.txt has the last of the forms that version 4 had. Only this form has classes of affixes,
 * or T lines with the levels "bad" and "average".
 */
export function isLastVersion4(text: string): boolean {
  return /^[ \t]*(?:N:\d+:[ \t]*(?:quality|make|material):|T:(?:[^:\n]*:){3}[ \t]*(?:bad|average):)/m.test(text);
}

/** Finds the first `properties` line, which only Angband 4.0 and 4.1 have. Records have numbers only in 4.0. */
export function olderGamedata(text: string) {
  if (formatOf(text) !== "4.2" || /^[ \t]*level[ \t]*:/m.test(text)) return undefined;
  const properties = /^[ \t]*properties[ \t]*:.*$/m.exec(text);
  if (properties === null) return undefined;
  const release = /^[ \t]*name[ \t]*:[ \t]*\d+[ \t]*:/m.test(text) ? "4.0" : "4.1";
  return { release, line: text.slice(0, properties.index).split("\n").length, text: properties[0].trim() };
}

/** Returns the rules that a text is written for, judged by its first line. A text without lines counts as version 4. */
export function formatOf(text: string): ObjectRules {
  const [type, ...fields] = (firstLineOf(text)?.text ?? "").split(":", 2);
  return fields.length > 0 && GAMEDATA_LINES.includes(type.trimEnd()) ? "4.2" : "v4";
}
