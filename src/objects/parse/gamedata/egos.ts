import type { EditField, EditFile, EditLine } from "../../../formats/read/editFile.js";
import type { AffixSpec, AffixTarget, DepthRange, KindSpec, PvalSpec, RandomFlags } from "../../types.js";
import { MAX_TARGETS } from "../affixes.js";
import type { FlagTable } from "../flags.js";
import { allocationRule } from "../kinds.js";
import {
  constant,
  type Head,
  type Headed,
  type LineRules,
  MAX_SVAL,
  readLeast,
  readLines,
  textRule,
} from "../records.js";
import { type FileReport, type Place, placeOf } from "../report.js";
import { readSort, sortsOf } from "../sorts.js";
import { UnusedLines } from "../unused.js";
import { RANDOM_POWER_OR_RESISTANCE, RANDOM_PROPERTIES } from "./flags.js";
import type { GamedataContext } from "./kinds.js";
import { flagListRule, flagsRule, headOr, leastRule, readAmount, readNames, repeated, valuesRule } from "./lines.js";

/**
 * The affix levels of Angband 4.2. The game calls them powers. Only objects of the last level get an ego. Source:
 * apply_magic of the game.
 */
export const POWERS: readonly string[] = ["average", "good", "great"];
const GREAT = 2;

interface Draft extends Head {
  toHit: AffixSpec["toHit"];
  toDam: AffixSpec["toDam"];
  toAc: AffixSpec["toAc"];
  least: AffixSpec["least"];
  allocation: (DepthRange & { readonly commonness: number }) | undefined;
  readonly flags: Set<string>;
  readonly removes: string[];
  readonly pvals: PvalSpec[];
  readonly leasts: Map<string, number>;
  readonly sorts: Pick<AffixTarget, "place" | "tval" | "leastSval" | "mostSval">[];
  readonly description: string[];
}

/** Reads ego_item.txt. The number of an ego is its position in the file, counted from 1. */
export function parseEgos(
  report: FileReport,
  file: EditFile,
  context: GamedataContext & { readonly kinds: readonly KindSpec[] },
): readonly AffixSpec[] {
  const unused = new UnusedLines(report);
  const rules = egoRules(report, context, unused);
  const egos: AffixSpec[] = [];
  for (const headed of readNames(report, file)) {
    const draft = readRecord(report, headed, rules);
    if (headed.head !== undefined) egos.push(egoOf(draft, context.flags));
  }
  unused.warn();
  return egos;
}

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): Draft {
  const none = constant(0);
  const draft: Draft = {
    ...headOr(head),
    toHit: none,
    toDam: none,
    toAc: none,
    least: { toHit: undefined, toDam: undefined, toAc: undefined },
    allocation: undefined,
    flags: new Set(),
    removes: [],
    pvals: [],
    leasts: new Map(),
    sorts: [],
    description: [],
  };
  readLines(report, record.lines, rules, draft);
  return draft;
}

function egoRules(
  report: FileReport,
  { flags, types, codes, kinds }: GamedataContext & { readonly kinds: readonly KindSpec[] },
  unused: UnusedLines,
): LineRules<Draft> {
  const sorts = sortsOf(kinds);
  let count = 0;
  const addSort = (draft: Draft, line: EditLine, sort: { tval: number; leastSval: number; mostSval: number }) => {
    count++;
    if (count <= MAX_TARGETS) draft.sorts.push({ place: placeOf(report, line), ...sort });
    else if (count === MAX_TARGETS + 1) reportTargets(report, line, count);
  };
  return {
    alloc: allocationRule("alloc"),
    type: {
      form: "type:word",
      count: [1, 1],
      repeats: true,
      read: (draft, at, [word], line) => {
        const tval = types.readWord(at, word)?.tval;
        if (tval !== undefined) addSort(draft, line, { tval, leastSval: 0, mostSval: MAX_SVAL });
      },
    },
    item: {
      form: "item:word of a type:name of a kind",
      count: [2, 2],
      repeats: true,
      read: (draft, at, [word, name], line) => {
        const type = types.readWord(at, word);
        const sval = type === undefined ? undefined : readSort(at, name, sorts, type);
        if (type === undefined || sval === undefined) return;
        addSort(draft, line, { tval: type.tval, leastSval: sval, mostSval: sval });
      },
    },
    ...amounts(),
    flags: flagsRule(flags),
    "flags-off": flagListRule("flags-off", flags, ({ removes }, names) => removes.push(...names)),
    values: valuesRule(flags),
    "min-values": leastRule(flags),
    ...codes.rules(unused),
    desc: repeated(textRule("desc:text", ({ description }, text) => description.push(text.trim()))),
    ...unused.rules({
      info: "Rollmill computes no costs and no level feelings",
      act: "Rollmill gives objects no activations",
      time: "Rollmill gives objects no activations",
    }),
  };
}

function amounts(): LineRules<Draft> {
  return {
    combat: {
      form: "combat:to-hit:to-dam:to-ac",
      count: [3, 3],
      read: (draft, at, [hit, dam, ac]) => {
        draft.toHit = readAmount(at, hit, "to-hit") ?? draft.toHit;
        draft.toDam = readAmount(at, dam, "to-dam") ?? draft.toDam;
        draft.toAc = readAmount(at, ac, "to-ac") ?? draft.toAc;
      },
    },
    "min-combat": {
      form: "min-combat:least to-hit:least to-dam:least to-ac",
      count: [3, 3],
      read: (draft, at, [hit, dam, ac]) => {
        draft.least = { toHit: leastOf(at, hit), toDam: leastOf(at, dam), toAc: leastOf(at, ac) };
      },
    },
  };
}

function leastOf(at: Place, field: EditField): number | undefined {
  return readLeast(at, field, "the minimum")?.least;
}

function reportTargets(report: FileReport, line: EditLine, got: number): void {
  report.add("object.files", line, {
    problem: "the egos have too many type and item lines",
    got,
    expected: `at most ${MAX_TARGETS} lines`,
    remedy: "Remove this line and the type and item lines after it",
  });
}

function egoOf({ allocation, sorts, leasts, flags, ...draft }: Draft, table: FlagTable): AffixSpec {
  const { number, name, place, toHit, toDam, toAc, least, removes, pvals, description } = draft;
  const valued = new Set(pvals.flatMap((pval) => pval.flags));
  const others = [...leasts.keys()].filter((flag) => !valued.has(flag));
  return {
    number,
    kind: "suffix",
    name,
    place,
    toHit,
    toDam,
    toAc,
    acPercent: 0,
    weightPercent: 0,
    dice: 0,
    sides: 0,
    least,
    flags: [...flags].filter((flag) => !isRandomProperty(flag)),
    removes: [...new Set(removes)],
    pvals: [
      ...pvals.map((pval) => ({ ...pval, least: leasts.get(pval.flags[0]) })),
      ...others.map((flag) => ({ value: constant(0), least: leasts.get(flag), flags: [flag] })),
    ],
    randomFlags: randomFlagsOf(flags, table),
    randomPvals: [],
    targets: allocation === undefined ? [] : sorts.map((sort) => targetOf(sort, allocation)),
    excludes: [],
    colour: undefined,
    description: description.join(" "),
  };
}

function targetOf(
  sort: Draft["sorts"][number],
  { least, most, commonness }: NonNullable<Draft["allocation"]>,
): AffixTarget {
  return { ...sort, level: GREAT, probability: commonness, least: 0, most, usual: least };
}

function isRandomProperty(flag: string): boolean {
  return Object.hasOwn(RANDOM_PROPERTIES, flag) || flag === RANDOM_POWER_OR_RESISTANCE;
}

/**
 * Returns the random flags of an ego. If the ego has several random properties, only the first of them counts, in this
 * order: RAND_SUSTAIN, RAND_POWER, RAND_RES_POWER, RAND_BASE_RES, RAND_HI_RES.
 */
function randomFlagsOf(flags: ReadonlySet<string>, { specs }: FlagTable): readonly RandomFlags[] {
  const { RAND_SUSTAIN, RAND_POWER, RAND_BASE_RES, RAND_HI_RES } = RANDOM_PROPERTIES;
  const oneOf = (types: readonly string[]) => {
    return { count: 1, flags: specs.filter(({ type }) => types.includes(type)).map(({ name }) => name) };
  };
  if (flags.has("RAND_SUSTAIN")) return [oneOf(RAND_SUSTAIN)];
  if (flags.has("RAND_POWER")) return [oneOf(RAND_POWER)];
  if (flags.has(RANDOM_POWER_OR_RESISTANCE)) {
    return [
      { ...oneOf(RAND_POWER), alternative: { first: 0, share: 1, of: 3 } },
      { ...oneOf(RAND_BASE_RES), alternative: { first: 1, share: 2, of: 3 } },
    ];
  }
  if (flags.has("RAND_BASE_RES")) return [oneOf(RAND_BASE_RES)];
  return flags.has("RAND_HI_RES") ? [oneOf(RAND_HI_RES)] : [];
}
