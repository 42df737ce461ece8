import type { EditFile } from "../../formats/read/editFile.js";
import type { ThemeSpec } from "../types.js";
import {
  byNumber,
  type Draft,
  descriptionLines,
  type LineRules,
  lines,
  type NamedHead,
  placeOf,
  readNamedHeads,
  readRecords,
} from "./lines.js";
import type { AffixNames } from "./names.js";
import type { FileReport } from "./report.js";
import type { TypeTable } from "./tvals.js";
import { areInOrder, depths, integer, leastSval, mostSval } from "./values.js";

/** The sum of a theme's weights must fit in 32 bits in the kernel. */
const MAX_THEME_WEIGHT = 1000;

interface ThemeContext {
  readonly types: TypeTable;
  readonly names: AffixNames;
}

type ThemeBody = Draft<Omit<ThemeSpec, keyof NamedHead | "description">> & { readonly description: string[] };

export function parseThemes(report: FileReport, file: EditFile, context: ThemeContext): readonly ThemeSpec[] {
  const blank = (): ThemeBody => ({ targets: [], parts: [], description: [] });
  const drafts = [...readRecords(report, readNamedHeads(report, file), themeRules(context), blank)];
  return drafts.map((draft) => ({ ...draft, description: draft.description.join(" ") })).sort(byNumber);
}

function themeRules({ types, names }: ThemeContext): LineRules<ThemeBody> {
  return {
    T: lines(
      "T:tval word:least sval:greatest sval:min to max",
      [types.word, leastSval, mostSval, depths],
      ({ targets }, [{ tval }, low, high, range], at) => {
        if (!areInOrder(at, at.fields[2], low, high)) return;
        targets.push({ place: placeOf(at), tval, leastSval: low, mostSval: high, ...range });
      },
    ),
    A: lines(
      "A:affix:weight[:chance %]",
      [names.read, integer("the weight", 0, MAX_THEME_WEIGHT)],
      ({ parts }, [affix, weight, chance = 100], at) => parts.push({ place: placeOf(at), affix, weight, chance }),
      [integer("the chance %", 0, 100)],
    ),
    D: descriptionLines("D"),
  };
}
