import { type EditFile, readEditFile } from "../../formats/read/editFile.js";
import type { FlagSpec, ObjectFiles, ObjectTexts } from "../types.js";
import { parseGamedataBases } from "./bases.js";
import { CONSTANTS } from "./constants.js";
import { FlagTable, MAX_FLAGS, readFlagList } from "./flags.js";
import { parseGamedataArtifacts } from "./gamedata/artifacts.js";
import { BRANDS, type CodeSort, CURSES, codeRules, codesIn, parseCodes, SLAYS } from "./gamedata/codes.js";
import { POWERS, parseEgos } from "./gamedata/egos.js";
import { GAMEDATA_FLAGS } from "./gamedata/flags.js";
import { parseGamedataKinds } from "./gamedata/kinds.js";
import type { FileReport } from "./report.js";

export interface ParseInput {
  readonly texts: ObjectTexts;
  readonly files: Readonly<Record<keyof ObjectTexts, EditFile>>;
  readonly reports: Readonly<Record<keyof ObjectTexts, FileReport>>;
}

/**
 * Reads the gamedata files of Angband 4.2. Each ego becomes an affix. An object gets at most one affix.
 *
 * Source: the descriptions of the format at the start of the game's own files.
 */
export function parseGamedata(input: ParseInput): ObjectFiles {
  const { files, reports } = input;
  const flags = new FlagTable(readFlags(input));
  const { bases, types } = parseGamedataBases(reports.objectBase, files.objectBase, flags);
  const context = { flags, types, bases, codes: codeRules(flags.specs) };
  const ordinary = { ...context, kinds: parseGamedataKinds(reports.object, files.object, context) };
  const affixes = parseEgos(reports.egoItem, files.egoItem, ordinary);
  const { artifacts, kinds } = parseGamedataArtifacts(reports.artifact, files.artifact, ordinary);
  const shared = { levels: [...POWERS], flags: flags.specs, types: types.specs, bases };
  return { rules: "4.2", constants: CONSTANTS, ...shared, kinds, affixes, themes: [], artifacts };
}

/** Adds the flags of slays, brands and curses. */
function readFlags({ texts, reports }: ParseInput): readonly FlagSpec[] {
  const specs = new Map(readFlagList(texts.flags, reports.flags, GAMEDATA_FLAGS).map((flag) => [flag.name, flag]));
  const codesOf = (sort: CodeSort) => {
    const text = texts[sort.what];
    if (text === undefined) return codesIn([texts.object, texts.egoItem, texts.artifact], sort);
    return parseCodes(reports[sort.what], readEditFile(text, sort.head), sort);
  };
  for (const sort of [SLAYS, BRANDS, CURSES]) {
    for (const flag of codesOf(sort)) specs.set(flag.name, specs.get(flag.name) ?? flag);
  }
  if (specs.size > MAX_FLAGS) {
    const place = { line: 1, column: 1 };
    reports.flags.add("object.files", place, {
      problem: "the files have too many flags, slays, brands and curses",
      got: specs.size,
      expected: `at most ${MAX_FLAGS}`,
      remedy: "Remove some of them",
    });
  }
  return [...specs.values()].slice(0, MAX_FLAGS);
}
