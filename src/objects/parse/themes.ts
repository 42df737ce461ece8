import type { EditFile, EditRecord } from "../../formats/editFile.js";
import type { AffixNames } from "../show/affixNames.js";
import { type FileReport, placeOf } from "../show/report.js";
import type { ThemePart, ThemeSpec, ThemeTarget } from "../types.js";
import { type NamedHead, readLines, readNamedHeads, textRule } from "./records.js";
import { readTvalWord } from "./tvals.js";
import { readDepths, readInteger, readSvals } from "./values.js";

/** The most that a line weighs in a theme: sums of lines stay far below 2³², where the kernel holds them. */
const MAX_THEME_WEIGHT = 1000;

/** Reads ego_themes.txt; `names` are those of the affixes. */
export function parseThemes(report: FileReport, file: EditFile, names: AffixNames): readonly ThemeSpec[] {
  const themes: ThemeSpec[] = [];
  for (const { head, record } of readNamedHeads(report, file)) {
    const body = readBody(report, record, names);
    if (head !== undefined) themes.push({ ...head, ...body });
  }
  return themes.sort((a, b) => a.number - b.number);
}

function readBody(report: FileReport, record: EditRecord, names: AffixNames): Omit<ThemeSpec, keyof NamedHead> {
  const targets: ThemeTarget[] = [];
  const parts: ThemePart[] = [];
  const description: string[] = [];
  readLines(report, record.lines, {
    T: {
      form: "T:tval word:least sval:greatest sval:min to max",
      count: [4, 4],
      repeats: true,
      read: (at, [word, low, high, range], line) => {
        const tval = readTvalWord(at, word);
        const svals = readSvals(at, [low, high]);
        const depths = readDepths(at, range);
        if (tval === undefined || svals === undefined || depths === undefined) return;
        targets.push({ place: placeOf(report, line), tval, ...svals, ...depths });
      },
    },
    A: {
      form: "A:affix:weight[:chance %]",
      count: [2, 3],
      repeats: true,
      read: (at, [name, heavy, likely], line) => {
        const affix = names.read(at, name);
        const weight = readInteger(at, heavy, { what: "the weight", least: 0, most: MAX_THEME_WEIGHT });
        const range = { what: "the chance %", least: 0, most: 100 };
        const chance = likely === undefined ? 100 : readInteger(at, likely, range);
        if (affix === undefined || weight === undefined || chance === undefined) return;
        parts.push({ place: placeOf(report, line), affix, weight, chance });
      },
    },
    D: textRule("D:text", (text) => description.push(text.trim())),
  });
  return { targets, parts, description: description.join(" ") };
}
