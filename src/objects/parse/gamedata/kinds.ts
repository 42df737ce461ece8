import type { EditFile } from "../../../formats/read/editFile.js";
import type { ItemSpec, KindSpec, TypeSpec } from "../../types.js";
import { STACKING } from "../bases.js";
import { allocationLine, blankKind, completeKinds, type ItemContext, type KindDraft } from "../items.js";
import {
  type Draft,
  keptLines,
  type LineRule,
  type LineRules,
  oneField,
  readNames,
  readRecords,
  unusedLines,
  wholeLine,
} from "../lines.js";
import { readNoun } from "../nouns.js";
import { type FileReport, type Read, reportAt } from "../report.js";
import { NO_TYPE, type TypeTable } from "../tvals.js";
import { cost, level, MAX_SVAL, weight } from "../values.js";
import { fightRules, gamedataValue, ownFlagLines, valueLines } from "./lines.js";

export interface GamedataContext extends ItemContext {
  readonly codes: LineRules<{ readonly flags: string[] }>;
}

/** These lines are only stored as text. */
const TEXTS = ["graphics", "desc", "msg", "vis-msg", "effect", "effect-yx", "dice", "expr", "time", "act", "power"];

type Shared = Pick<Draft<ItemSpec>, "level" | "weight" | "cost" | "flags" | "pvals" | "text">;

export function itemRules({ flags, codes }: Pick<GamedataContext, "flags" | "codes">): LineRules<Shared> {
  return {
    level: oneField("level:number", "level", level),
    weight: oneField("weight:number", "weight", weight),
    cost: oneField("cost:number", "cost", cost),
    flags: ownFlagLines(flags),
    values: valueLines(flags),
    ...codes,
    ...keptLines(TEXTS),
  };
}

/** The number of a kind is its position in the file, its sval that among the kinds of its type. Both count from 1. */
export function parseGamedataKinds(report: FileReport, file: EditFile, context: GamedataContext): readonly KindSpec[] {
  const rules: LineRules<KindDraft> = {
    type: typeLine(context.types),
    ...fightRules(gamedataValue),
    alloc: allocationLine("alloc"),
    ...itemRules(context),
    ...unusedLines(["charges"], "Rollmill rolls no charges"),
    ...unusedLines(["pile"], STACKING),
    ...unusedLines(["pval"], "Rollmill rolls no food values, no fuel and no multipliers of launchers"),
  };
  return completeKinds(
    report,
    readRecords(report, readNames(report, file, readNoun), rules, blankKind, "type"),
    context,
  );
}

function typeLine(types: TypeTable): LineRule<KindDraft> {
  const counts = new Map<number, number>();
  const readType: Read<TypeSpec> = (at, word) => (word.text === NO_TYPE.word ? NO_TYPE : types.word(at, word));
  return wholeLine("type:word", readType, (draft, type, at) => {
    if (type === NO_TYPE) return;
    const sval = (counts.get(type.tval) ?? 0) + 1;
    counts.set(type.tval, sval);
    if (sval <= MAX_SVAL) Object.assign(draft, { type, tval: type.tval, sval });
    else {
      reportAt(at, { text: type.word, column: at.fields[0].column }, "object.files", {
        problem: "too many kinds have this type",
        expected: `at most ${MAX_SVAL} kinds of a type`,
        remedy: "Divide the kinds between two types",
      });
    }
  });
}
