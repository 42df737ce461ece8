import type { EditFile } from "../../../formats/read/editFile.js";
import type { AffixSpec, AffixTarget, KindSpec, RandomFlags } from "../../types.js";
import { blankAffix, minimumLine, targetCounter } from "../affixes.js";
import type { FlagTable } from "../flags.js";
import { allocationLine } from "../items.js";
import {
  anyField,
  type Draft,
  descriptionLines,
  type Head,
  type LineRules,
  line,
  lines,
  placeOf,
  readNames,
  readRecords,
  unusedLines,
} from "../lines.js";
import { KindNames } from "../names.js";
import type { FileReport } from "../report.js";
import { constant, MAX_SVAL } from "../values.js";
import { RANDOM_PROPERTIES } from "./flags.js";
import type { GamedataContext } from "./kinds.js";
import { flagLines, gamedataValue, leastLines, ownFlagLines, valueLines } from "./lines.js";

/** The game calls them powers. Only objects of the last level get an ego. Source: apply_magic of the game. */
export const POWERS: readonly string[] = ["average", "good", "great"];
const GREAT = 2;

type Ego = Draft<Pick<AffixSpec, "toHit" | "toDam" | "toAc" | "least" | "flags" | "removes" | "pvals">> & {
  allocation: KindSpec["allocation"];
  readonly leasts: Map<string, number>;
  readonly sorts: Pick<AffixTarget, "place" | "tval" | "leastSval" | "mostSval">[];
  readonly description: string[];
};

type EgoContext = GamedataContext & { readonly kinds: readonly KindSpec[] };

/** Reads ego_item.txt. The number of an ego is its position in the file, counted from 1. */
export function parseEgos(report: FileReport, file: EditFile, context: EgoContext): readonly AffixSpec[] {
  const blank = (): Ego => ({ ...blankAffix(), allocation: undefined, leasts: new Map(), sorts: [] });
  const drafts = [...readRecords(report, readNames(report, file), egoRules(report, context), blank)];
  return drafts.map((draft) => egoOf(draft, context.flags));
}

function egoRules(report: FileReport, { flags, types, codes, kinds }: EgoContext): LineRules<Ego> {
  const names = new KindNames(kinds);
  const add = targetCounter(report, "type and item lines");
  return {
    alloc: allocationLine("alloc"),
    type: lines("type:word", [types.word], ({ sorts }, [{ tval }], at) =>
      add(sorts, { place: placeOf(at), tval, leastSval: 0, mostSval: MAX_SVAL }, at),
    ),
    item: lines("item:word of a type:name of a kind", [types.word, anyField], ({ sorts }, [type, name], at) => {
      const sval = names.read(at, name, type);
      if (sval === undefined) return;
      add(sorts, { place: placeOf(at), tval: type.tval, leastSval: sval, mostSval: sval }, at);
    }),
    combat: line(
      "combat:to-hit:to-dam:to-ac",
      [gamedataValue("to-hit"), gamedataValue("to-dam"), gamedataValue("to-ac")],
      (draft, [toHit, toDam, toAc]) => Object.assign(draft, { toHit, toDam, toAc }),
    ),
    "min-combat": minimumLine("min-combat"),
    flags: ownFlagLines(flags),
    "flags-off": flagLines("flags-off", flags, ({ removes }, off) => removes.push(...off)),
    values: valueLines(flags),
    "min-values": leastLines(flags),
    ...codes,
    desc: descriptionLines("desc"),
    ...unusedLines(["info"], "Rollmill computes no costs and no level feelings"),
    ...unusedLines(["act", "time"], "Rollmill gives objects no activations"),
  };
}

function egoOf(draft: Ego & Head, table: FlagTable): AffixSpec {
  const { number, name, place, toHit, toDam, toAc, least, allocation, sorts, leasts, pvals } = draft;
  const flags = new Set(draft.flags);
  const valued = new Set(pvals.flatMap((pval) => pval.flags));
  const others = [...leasts.keys()].filter((flag) => !valued.has(flag));
  const targets = sorts.flatMap((sort): AffixTarget[] => {
    if (allocation === undefined) return [];
    const { least: usual, most, commonness } = allocation;
    return [{ ...sort, level: GREAT, probability: commonness, least: 0, most, usual }];
  });
  return {
    number,
    kind: "suffix",
    name,
    place,
    ...blankAffix(),
    toHit,
    toDam,
    toAc,
    least,
    flags: [...flags].filter((flag) => !Object.hasOwn(RANDOM_PROPERTIES, flag)),
    removes: [...new Set(draft.removes)],
    pvals: [
      ...pvals.map((pval) => ({ ...pval, least: leasts.get(pval.flags[0]) })),
      ...others.map((flag) => ({ value: constant(0), least: leasts.get(flag), flags: [flag] })),
    ],
    randomFlags: randomFlagsOf(flags, table),
    targets,
    description: draft.description.join(" "),
  };
}

function randomFlagsOf(own: ReadonlySet<string>, { specs }: FlagTable): readonly RandomFlags[] {
  const [, alternatives = []] = Object.entries(RANDOM_PROPERTIES).find(([flag]) => own.has(flag)) ?? [];
  return alternatives.map(({ types, ...more }) => {
    const flags = specs.filter(({ type }) => types.includes(type)).map(({ name }) => name);
    return { count: 1, flags, ...more };
  });
}
