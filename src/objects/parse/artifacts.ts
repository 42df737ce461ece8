import { didYouMean } from "../../errors/index.js";
import type { EditField, EditFile } from "../../formats/editFile.js";
import type { ArtifactSpec, KindSpec, PvalSpec, TypeSpec } from "../types.js";
import type { AffixNames } from "./affixes.js";
import type { FlagTable } from "./flags.js";
import { isIdentified, MAX_AMOUNT, readOldPval, sharedRules } from "./kinds.js";
import { plainName } from "./nouns.js";
import {
  addRead,
  type Head,
  type Headed,
  type LineRule,
  type LineRules,
  MAX_SVAL,
  NO_HEAD,
  readDepths,
  readDice,
  readHeads,
  readInteger,
  readLines,
  textRules,
} from "./records.js";
import { type FileReport, type Place, reportUnknown } from "./report.js";
import type { TypeTable } from "./tvals.js";

/** Maximum number of `A` lines of an artifact. */
const MAX_ALLOCATIONS = 3;
/** Probabilities of `A` lines are in units of 1/1000. */
const ARTIFACT_SCALE = 1000;

/** The flags, types, kinds and affixes that artifacts can name. */
interface ArtifactContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly kinds: readonly KindSpec[];
  readonly names: AffixNames;
}

/**
 * For each tval, maps the names of its kinds, full or as written in object.txt, to their svals. If two kinds share a
 * name, the later one counts.
 */
type NamedSorts = ReadonlyMap<number, ReadonlyMap<string, number>>;

interface BodyContext extends Pick<ArtifactContext, "flags" | "types" | "names"> {
  readonly sorts: NamedSorts;
}

type Draft = { -readonly [K in keyof Omit<ArtifactSpec, keyof Lists>]: ArtifactSpec[K] } & Lists;

/** The lists of a draft. Each line of a record can add entries to them. */
interface Lists {
  readonly allocations: ArtifactSpec["allocations"][number][];
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
  readonly requires: number[];
  readonly text: Record<string, string[]>;
}

/** Reads artifact.txt. Cost: O(kinds + characters). */
export function parseArtifacts(
  report: FileReport,
  file: EditFile,
  { kinds, ...shared }: ArtifactContext,
): readonly ArtifactSpec[] {
  const rules = artifactRules({ ...shared, sorts: sortsOf(kinds) });
  const artifacts: ArtifactSpec[] = [];
  for (const headed of readHeads(report, file)) {
    const artifact = readRecord(report, headed, rules);
    if (isIdentified(report, headed.record, "I:tval word:sval or name of a kind") && headed.head !== undefined) {
      artifacts.push(artifact);
    }
  }
  return artifacts.sort((a, b) => a.number - b.number);
}

/** Maps the names of the kinds of each type to their svals. */
export function sortsOf(kinds: readonly KindSpec[]): NamedSorts {
  const sorts = new Map<number, Map<string, number>>();
  for (const { tval, name, fullName, sval } of kinds) {
    const own = sorts.get(tval) ?? new Map<string, number>();
    sorts.set(tval, own.set(plainName(fullName), sval).set(plainName(name), sval));
  }
  return sorts;
}

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): ArtifactSpec {
  const draft: Draft = {
    ...(head ?? NO_HEAD),
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
  readLines(report, record.lines, rules, draft);
  return { ...draft, flags: [...draft.flags] };
}

function artifactRules({ flags, types, sorts, names }: BodyContext): LineRules<Draft> {
  return {
    I: {
      form: "I:tval word:sval or name of a kind",
      count: [2, 3],
      read: (draft, at, [word, sort, pval]) => {
        if (pval !== undefined) readOldPval(at, pval);
        const type = types.readWord(at, word);
        const sval = type === undefined ? undefined : readSort(at, sort, sorts, type);
        if (type !== undefined && sval !== undefined) Object.assign(draft, { tval: type.tval, sval });
      },
    },
    P: powers(),
    A: allocations(),
    Q: {
      form: "Q:affix",
      count: [1, 1],
      repeats: true,
      read: (draft, at, [affix]) => addRead(draft.requires, names.read(at, affix)),
    },
    ...sharedRules(flags),
    ...textRules(["D", "E", "M"]),
  };
}

/** Returns the sval of the kind with a name, with or without its marks; undefined if no kind of the type has it. */
export function findSort(name: string, sorts: NamedSorts, { tval }: TypeSpec): number | undefined {
  return sorts.get(tval)?.get(plainName(name));
}

/** Reads an sval, or the name of a kind. Returns the sval, or reports an unknown name and returns undefined. */
export function readSort(at: Place, field: EditField, sorts: NamedSorts, type: TypeSpec): number | undefined {
  if (/^-?\d+$/.test(field.text)) return readInteger(at, field, { what: "the sval", least: 0, most: MAX_SVAL });
  const sval = findSort(field.text, sorts, type);
  if (sval !== undefined) return sval;
  const known = sorts.get(type.tval) ?? new Map<string, number>();
  reportUnknown(at, field, {
    code: "object.name",
    problem: `no kind of type ${type.word} has this name`,
    describe: () => ({
      expected: "an sval, or the name of a kind of this type",
      ...didYouMean(field.text, known.keys(), "Name a kind of object.txt, or write its sval"),
    }),
  });
  return undefined;
}

function powers(): LineRule<Draft> {
  const signed = (what: string) => ({ what, least: -MAX_AMOUNT, most: MAX_AMOUNT });
  return {
    form: "P:ac:dice:to-hit:to-dam:to-ac",
    count: [5, 5],
    repeats: true,
    read: (draft, at, [ac, dice, hit, dam, toAc]) => {
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
