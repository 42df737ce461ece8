import type { EditFile } from "../../../formats/read/editFile.js";
import { NO_TYPE } from "../../law/tvals.js";
import type { BaseSpec, ItemSpec, KindSpec } from "../../types.js";
import { STACKING } from "../bases.js";
import type { FlagTable } from "../flags.js";
import { allocationLine, blankKind, completeKinds, type KindDraft, type KindRecord } from "../items.js";
import {
  type Draft,
  hasLine,
  keptLines,
  type LineRule,
  type LineRules,
  line,
  readNames,
  readRecords,
  UnusedLines,
  wholeLine,
} from "../lines.js";
import { readNoun } from "../nouns.js";
import { type FileReport, type Read, reportAt } from "../report.js";
import type { TypeTable } from "../tvals.js";
import { cost, level, MAX_SVAL, weight } from "../values.js";
import type { CodeTable } from "./codes.js";
import { fightRules, gamedataValue, ownFlagLines, valueLines } from "./lines.js";

export interface GamedataContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly bases: readonly BaseSpec[];
  readonly codes: CodeTable;
}

/** Types of lines that are only stored as text. Kinds and artifacts can have them. */
const TEXTS = ["graphics", "desc", "msg", "vis-msg", "effect", "effect-yx", "dice", "expr", "time", "act", "power"];

type Shared = Pick<Draft<ItemSpec>, "level" | "weight" | "cost" | "flags" | "pvals" | "text">;

/** Returns the rules that kinds and artifacts share. */
export function itemRules(
  { flags, codes }: Pick<GamedataContext, "flags" | "codes">,
  unused: UnusedLines,
): LineRules<Shared> {
  const number = (name: "level" | "weight" | "cost", read: Read<number>): LineRule<Shared> =>
    line(`${name}:number`, [read], (draft, [value]) => {
      draft[name] = value;
    });
  return {
    level: number("level", level),
    weight: number("weight", weight),
    cost: number("cost", cost),
    flags: ownFlagLines(flags),
    values: valueLines(flags),
    ...codes.rules(unused),
    ...keptLines(TEXTS),
  };
}

/**
 * Reads object.txt. The number of a kind is its position in the file. The sval of a kind is its position among the
 * kinds of its type. Both count from 1.
 */
export function parseGamedataKinds(report: FileReport, file: EditFile, context: GamedataContext): readonly KindSpec[] {
  const unused = new UnusedLines(report);
  const kinds = completeKinds(report, readKinds(report, file, context, unused), context);
  unused.warn();
  return kinds;
}

function* readKinds(
  report: FileReport,
  file: EditFile,
  context: GamedataContext,
  unused: UnusedLines,
): Generator<KindRecord, void> {
  const rules = kindRules(context, unused);
  for (const each of readRecords(report, readNames(report, file, readNoun), rules, blankKind)) {
    if (hasLine(report, each.record, "type", "type:word")) yield each;
  }
}

function kindRules(context: GamedataContext, unused: UnusedLines): LineRules<KindDraft> {
  return {
    type: typeLine(context.types),
    ...fightRules(gamedataValue),
    alloc: allocationLine("alloc"),
    ...itemRules(context, unused),
    ...unused.rules(["charges"], "Rollmill rolls no charges"),
    ...unused.rules(["pile"], STACKING),
    ...unused.rules(["pval"], "Rollmill rolls no food values, no fuel and no multipliers of launchers"),
  };
}

function typeLine(types: TypeTable): LineRule<KindDraft> {
  const counts = new Map<number, number>();
  const readType: Read<KindSpec["type"]> = (at, word) => (word.text === NO_TYPE.word ? NO_TYPE : types.word(at, word));
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
