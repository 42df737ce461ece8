import type { EditFile } from "../../../formats/read/editFile.js";
import type { ArtifactSpec, KindSpec, PvalSpec } from "../../types.js";
import { blankArtifact } from "../artifacts.js";
import { MAX_AMOUNT } from "../kinds.js";
import { type Head, type Headed, type LineRules, readDepths, readDice, readInteger, readLines } from "../records.js";
import type { FileReport } from "../report.js";
import { SpecialKinds } from "../specialKinds.js";
import { UnusedLines } from "../unused.js";
import { ARTIFACT_FLAGS } from "./flags.js";
import { type GamedataContext, itemRules } from "./kinds.js";
import { hasLine, headOr, readNames } from "./lines.js";

type Draft = { -readonly [K in keyof Omit<ArtifactSpec, keyof Lists>]: ArtifactSpec[K] } & Lists;

interface Lists {
  readonly allocations: ArtifactSpec["allocations"][number][];
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
  readonly text: Record<string, string[]>;
}

const PERCENTS = 100;

/**
 * Reads artifact.txt. The number of an artifact is its position in the file, counted from 1. If the `base-object` line
 * of an artifact names no kind of object.txt, the artifact gets a new kind with the flag INSTA_ART. The returned kinds
 * include the new ones.
 */
export function parseGamedataArtifacts(
  report: FileReport,
  file: EditFile,
  context: GamedataContext & { readonly kinds: readonly KindSpec[] },
): { readonly artifacts: readonly ArtifactSpec[]; readonly kinds: readonly KindSpec[] } {
  const unused = new UnusedLines(report);
  const special = new SpecialKinds(context);
  const rules = artifactRules(context, unused, special);
  const known = new Set(context.flags.specs.map(({ name }) => name));
  const ignored = ARTIFACT_FLAGS.filter((name) => known.has(name));
  const artifacts: ArtifactSpec[] = [];
  for (const headed of readNames(report, file)) {
    const draft = readRecord(report, headed, rules);
    if (!hasLine(report, headed.record, ["base-object", "base-object:type:kind"])) continue;
    if (headed.head !== undefined) artifacts.push({ ...draft, flags: [...new Set([...draft.flags, ...ignored])] });
  }
  unused.warn();
  return { artifacts, kinds: [...context.kinds, ...special.kinds] };
}

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): Draft {
  const draft: Draft = { ...headOr(head), ...blankArtifact() };
  readLines(report, record.lines, rules, draft);
  return draft;
}

function artifactRules(context: GamedataContext, unused: UnusedLines, special: SpecialKinds): LineRules<Draft> {
  const signed = (what: string) => ({ what, least: -MAX_AMOUNT, most: MAX_AMOUNT });
  return {
    "base-object": {
      form: "base-object:word of a type:name of a kind",
      count: [2, 2],
      read: (draft, at, [word, name]) => {
        const type = context.types.readWord(at, word);
        if (type !== undefined) Object.assign(draft, { tval: type.tval, sval: special.svalOf(at, name, type, draft) });
      },
    },
    alloc: {
      form: "alloc:chance %:min to max",
      count: [2, 2],
      read: (draft, at, [often, range]) => {
        const probability = readInteger(at, often, { what: "the chance %", least: 0, most: PERCENTS });
        const depths = readDepths(at, range);
        if (probability !== undefined && depths !== undefined) draft.allocations.push({ ...depths, probability });
      },
    },
    attack: {
      form: "attack:dice:to-hit:to-dam",
      count: [3, 3],
      read: (draft, at, [dice, hit, dam]) => {
        Object.assign(draft, readDice(at, dice));
        draft.toHit = readInteger(at, hit, signed("to-hit")) ?? 0;
        draft.toDam = readInteger(at, dam, signed("to-dam")) ?? 0;
      },
    },
    armor: {
      form: "armor:ac:to-ac",
      count: [2, 2],
      read: (draft, at, [ac, toAc]) => {
        draft.ac = readInteger(at, ac, { what: "the armour class", least: 0, most: MAX_AMOUNT }) ?? 0;
        draft.toAc = readInteger(at, toAc, signed("to-ac")) ?? 0;
      },
    },
    ...itemRules(context, unused),
  };
}
