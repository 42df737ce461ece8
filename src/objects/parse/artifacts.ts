import type { EditFile } from "../../formats/read/editFile.js";
import type { ArtifactSpec, BaseSpec, KindSpec, PvalSpec } from "../types.js";
import type { AffixNames } from "./affixes.js";
import type { FlagTable } from "./flags.js";
import { BALANCE, isIdentified, MAX_AMOUNT, MOST_POWERS, readOldPval, sharedRules } from "./kinds.js";
import {
  addRead,
  type Head,
  type Headed,
  type LineRule,
  type LineRules,
  NO_HEAD,
  readDepths,
  readDice,
  readHeads,
  readInteger,
  readLines,
  textRules,
} from "./records.js";
import type { FileReport } from "./report.js";
import { isMisspelt, type NamedSorts, readSort, sortsOf } from "./sorts.js";
import { SpecialKinds } from "./specialKinds.js";
import type { TypeTable } from "./tvals.js";
import type { UnusedLines } from "./unused.js";

const MAX_ALLOCATIONS = 3;
/** Probabilities of `A` lines are in units of 1/1000. */
const ARTIFACT_SCALE = 1000;

interface ArtifactContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly kinds: readonly KindSpec[];
  readonly bases: readonly BaseSpec[];
  readonly names: AffixNames;
  readonly last: UnusedLines | undefined;
}

interface BodyContext extends Omit<ArtifactContext, "kinds" | "bases"> {
  readonly special: SpecialKinds;
  readonly sorts: NamedSorts;
}

type Draft = { -readonly [K in keyof Omit<ArtifactSpec, keyof Lists>]: ArtifactSpec[K] } & Lists;

interface Lists {
  readonly allocations: ArtifactSpec["allocations"][number][];
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
  readonly requires: number[];
  readonly text: Record<string, string[]>;
}

/**
 * Reads artifact.txt. Cost: O(kinds + characters).
 *
 * @returns the artifacts and all kinds. Includes the kinds that artifacts add, because object.txt lacks them.
 */
export function parseArtifacts(
  report: FileReport,
  file: EditFile,
  { kinds, bases, ...shared }: ArtifactContext,
): { readonly artifacts: readonly ArtifactSpec[]; readonly kinds: readonly KindSpec[] } {
  const special = new SpecialKinds({ kinds, bases, flags: shared.flags });
  const rules = artifactRules({ ...shared, special, sorts: sortsOf(kinds) });
  const artifacts: ArtifactSpec[] = [];
  for (const headed of readHeads(report, file)) {
    const artifact = readRecord(report, headed, rules);
    if (isIdentified(report, headed.record, "I:tval word:sval or name of a kind") && headed.head !== undefined) {
      artifacts.push(artifact);
    }
  }
  shared.last?.warn();
  return { artifacts: artifacts.sort((a, b) => a.number - b.number), kinds: [...kinds, ...special.kinds] };
}

/** Returns an artifact's draft with default values. The caller adds the head. */
export function blankArtifact(): Omit<Draft, keyof typeof NO_HEAD> {
  return {
    tval: 0,
    sval: 0,
    level: 0,
    weight: 0,
    cost: 0,
    ac: 0,
    dice: 0,
    sides: 0,
    toHit: 0,
    toDam: 0,
    toAc: 0,
    allocations: [],
    flags: new Set(),
    pvals: [],
    requires: [],
    text: {},
  };
}

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): ArtifactSpec {
  const draft: Draft = { ...(head ?? NO_HEAD), ...blankArtifact() };
  readLines(report, record.lines, rules, draft);
  return { ...draft, flags: [...draft.flags] };
}

function artifactRules({ flags, types, sorts, names, last, special }: BodyContext): LineRules<Draft> {
  return {
    I: {
      form: "I:tval word:sval or name of a kind",
      count: [2, 3],
      read: (draft, at, [word, sort, pval]) => {
        if (pval !== undefined) readOldPval(at, pval);
        const type = last === undefined ? types.readWord(at, word) : types.readAny(at, word);
        if (type === undefined) return;
        const isOld = /^-?\d+$/.test(sort.text) || (last === undefined && isMisspelt(sort.text, sorts, type));
        const sval = isOld ? readSort(at, sort, sorts, type) : special.svalOf(at, sort, type, draft);
        if (sval !== undefined) Object.assign(draft, { tval: type.tval, sval });
      },
    },
    P: powers(last),
    A: allocations(),
    Q: {
      form: "Q:affix",
      count: [1, 1],
      repeats: true,
      read: (draft, at, [affix]) => addRead(draft.requires, names.read(at, affix)),
    },
    ...sharedRules(flags, last),
    ...textRules(["D", "E", "M"]),
    ...last?.rules({ affix: "An artifact has its own name", theme: "An artifact has its own name" }),
  };
}

function powers(last: UnusedLines | undefined): LineRule<Draft> {
  const signed = (what: string) => ({ what, least: -MAX_AMOUNT, most: MAX_AMOUNT });
  return {
    form: "P:ac:dice:to-hit:to-dam:to-ac",
    count: [5, last === undefined ? 5 : MOST_POWERS],
    repeats: true,
    read: (draft, at, [ac, dice, hit, dam, toAc, ...more], line) => {
      if (more.length > 0) last?.add(line, ...BALANCE);
      draft.ac = readInteger(at, ac, { what: "the armour class", least: 0, most: MAX_AMOUNT }) ?? 0;
      Object.assign(draft, readDice(at, dice));
      draft.toHit = readInteger(at, hit, signed("to-hit")) ?? 0;
      draft.toDam = readInteger(at, dam, signed("to-dam")) ?? 0;
      draft.toAc = readInteger(at, toAc, signed("to-ac")) ?? 0;
    },
  };
}

function allocations(): LineRule<Draft> {
  return {
    form: "A:probability:min to max",
    count: [2, 2],
    repeats: true,
    read: (draft, at, [often, range], line) => {
      const probability = readInteger(at, often, { what: "the probability", least: 0, most: ARTIFACT_SCALE });
      const depths = readDepths(at, range, { mayBeEmpty: true });
      if (draft.allocations.length === MAX_ALLOCATIONS) {
        at.report.add("object.line", line, {
          problem: "the artifact has too many A lines",
          got: line.rest,
          expected: `at most ${MAX_ALLOCATIONS} A lines`,
          remedy: "Remove the lines with the lowest probabilities",
        });
      } else if (probability !== undefined && depths !== undefined) draft.allocations.push({ ...depths, probability });
    },
  };
}
