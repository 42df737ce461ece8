import type { EditField, EditFile } from "../../formats/read/editFile.js";
import { FlagBits } from "../law/flagBits.js";
import { NO_TVAL, NO_TYPE } from "../law/tvals.js";
import type { ArtifactSpec, BaseSpec, ItemSpec, KindSpec, TypeSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import {
  amount,
  anyDepths,
  anyField,
  armourClass,
  byNumber,
  cost,
  type Draft,
  depths,
  dice,
  type Head,
  integer,
  keptLines,
  type LineRule,
  type LineRules,
  level,
  line,
  lines,
  MAX_CHANCE,
  MAX_NUMBER,
  MAX_SVAL,
  NO_POWERS,
  randomValue,
  readHeads,
  readName,
  readRecords,
  readSval,
  type TypeTable,
  unusedLines,
  weight,
} from "./lines.js";
import { KindNames, plainName, readNoun, withNoun } from "./names.js";
import { type FileReport, type Place, type Read, reportAt } from "./report.js";

type Body<Spec> = Draft<Omit<Spec, keyof Head>>;

/** The order of keys matters here and in other records, because the digest of a world hashes records as JSON. */
function blankItem<T extends object>(more: T): Body<ItemSpec> & T {
  const numbers = { tval: 0, sval: 0, level: 0, weight: 0, cost: 0, ac: 0, dice: 0, sides: 0 };
  return { ...numbers, ...more, flags: [], pvals: [], text: {} };
}

export type KindDraft = Draft<Omit<KindSpec, "fullName">>;

export function blankKind(): Omit<KindDraft, keyof Head> {
  return { type: NO_TYPE, ...blankItem({ ...NO_POWERS, allocation: undefined }) };
}

export function flagLines(type: string, flags: FlagTable): LineRule<{ readonly flags: string[] }> {
  return lines(`${type}:flag | flag`, [flags.list("plain")], (draft, [names]) => draft.flags.push(...names));
}

/** The warning about balance and heft. Only lines in the last form of version 4 have these two fields. */
export const BALANCE = ["balance and heft have no effect", "Rollmill computes no blows"] as const;

/** The numbers of a kind or an artifact. `T` is the type of to-hit, to-dam and to-ac. */
export type Powers<T> = Pick<Draft<ItemSpec>, "ac" | "dice" | "sides"> & { toHit: T; toDam: T; toAc: T };

function itemRules<T>(
  { flags, isLast }: Pick<Version4Context, "flags" | "isLast">,
  value: (what: string) => Read<T>,
): LineRules<Pick<Draft<ItemSpec>, "level" | "weight" | "cost" | "flags" | "pvals"> & Powers<T>> {
  const none: typeof dice = (at, field) => (field.text === "0" ? { dice: 0, sides: 0 } : dice(at, field));
  const more = (count: number): readonly Read<EditField>[] => (isLast ? new Array(count).fill(anyField) : []);
  return {
    // if a record has several P lines, the last one counts
    P: lines(
      "P:ac:dice:to-hit:to-dam:to-ac",
      [armourClass, isLast ? none : dice, value("to-hit"), value("to-dam"), value("to-ac")],
      (draft, [ac, own, toHit, toDam, toAc, balance], at) => {
        if (balance !== undefined) at.report.unused(at, ...BALANCE);
        Object.assign(draft, { ac, ...own, toHit, toDam, toAc });
      },
      more(2),
    ),
    W: line(
      "W:level:rarity:weight:cost",
      [level, integer("the rarity", 0, MAX_CHANCE), weight, cost],
      (draft, [own, , heavy, price, extra], at) => {
        const why = "No artifact is randomised";
        if (extra !== undefined) at.report.unused(at, "the fifth field of W lines has no effect", why);
        Object.assign(draft, { level: own, weight: heavy, cost: price });
      },
      more(1),
    ),
    F: flagLines("F", flags),
    L: lines("L:pval:flag | flag", [randomValue("the pval"), flags.list("valued")], ({ pvals }, [own, names]) =>
      pvals.push({ value: own, least: undefined, flags: names }),
    ),
  };
}

export function allocationLine(type: string): LineRule<{ allocation: KindSpec["allocation"] }> {
  return line(
    `${type}:commonness:min to max`,
    [integer("the commonness", 0, MAX_CHANCE), depths],
    (draft, [commonness, range]) => {
      draft.allocation = { ...range, commonness };
    },
  );
}

/** In older files, the third field of an `I` line is a pval. It must be 0 here, because `L` lines have the pvals. */
const oldPval = integer("the third field", 0, 0, "Write 0, and write the pval in an L line");

/** Maximum number of flags of all kinds together. Each kind inherits the flags of its type, even in a short file. */
const MAX_KIND_FLAGS = 2 ** 22;

export interface ItemContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly bases: readonly BaseSpec[];
}

export interface Version4Context extends ItemContext {
  /** Whether the files have the last form of version 4, with lines and fields that have no effect. */
  readonly isLast: boolean;
}

/** Gives each kind its full name, and the flags of its type. Returns no kinds if they have too many flags. */
export function completeKinds(report: FileReport, drafts: Iterable<KindDraft>, { flags, bases }: ItemContext) {
  const bits = new FlagBits(flags.specs);
  const baseOf = new Map(bases.map((base) => [base.tval, base]));
  const kinds: KindSpec[] = [];
  let count = 0;
  for (const draft of drafts) {
    const base = baseOf.get(draft.tval);
    count += draft.flags.length + (base?.flags.length ?? 0);
    if (count > MAX_KIND_FLAGS) {
      report.add("object.files", draft.place, {
        problem: "the kinds have too many flags in total, including the flags of their types",
        got: count,
        expected: `at most ${MAX_KIND_FLAGS} flags up to this kind`,
        remedy: "Remove flags from the types in object_base.txt",
      });
      return [];
    }
    kinds.push(completeKind(draft, base, bits));
  }
  return kinds;
}

function completeKind(draft: Omit<KindSpec, "fullName">, base: BaseSpec | undefined, bits: FlagBits): KindSpec {
  const noun = base?.name === "" ? undefined : base;
  const flags = bits.withoutContradictions([...new Set([...draft.flags, ...(base?.flags ?? [])])]);
  return { ...draft, fullName: withNoun(draft.name, noun), flags };
}

export class ArtifactKinds {
  readonly names: KindNames;
  readonly made: KindSpec[] = [];
  readonly #context: ItemContext;
  readonly #bits: FlagBits;
  readonly #svals = new Map<number, number>();
  #number = 0;

  constructor(kinds: readonly KindSpec[], context: ItemContext) {
    this.#context = context;
    this.names = new KindNames(kinds);
    this.#bits = new FlagBits(context.flags.specs);
    for (const { tval, sval, number } of kinds) {
      this.#svals.set(tval, Math.max(this.#svals.get(tval) ?? 0, sval));
      this.#number = Math.max(this.#number, number);
    }
  }

  /** Returns the sval of the kind with this name. Makes a missing kind. An empty name stands for the type's noun. */
  svalOf(at: Place, name: EditField, type: TypeSpec, place: KindSpec["place"]): number {
    const sval =
      this.names.find(name.text, type) ??
      this.made.find((kind) => kind.tval === type.tval && plainName(kind.name) === name.text)?.sval;
    if (sval !== undefined) return sval;
    if (name.text !== "" && readName(at, name) === undefined) return 0;
    const base = this.#context.bases.find(({ tval }) => tval === type.tval);
    const next = (this.#svals.get(type.tval) ?? 0) + 1;
    this.#number++;
    if (next > MAX_SVAL || this.#number > MAX_NUMBER || (name.text === "" && (base?.name ?? "") === "")) {
      reportAt(at, name, "object.files", {
        problem: "no new kind can be made for the artifact",
        expected: `the name of a kind, or a new name if the type has fewer than ${MAX_SVAL} kinds`,
        remedy: "Name a kind of object.txt",
      });
      return 0;
    }
    this.#svals.set(type.tval, next);
    const numbers = { level: 0, weight: 0, cost: 0, ac: 0, dice: 0, sides: 0, ...NO_POWERS };
    const head = { sval: next, number: this.#number, place };
    const full = name.text === "" ? `& ${base?.name}` : `& ${name.text}~`;
    const own = { name: full, type, tval: type.tval, allocation: undefined, pvals: [], text: {} };
    const flags = this.#context.flags.specs.some((flag) => flag.name === "INSTA_ART") ? ["INSTA_ART"] : [];
    this.made.push(completeKind({ ...head, ...numbers, ...own, flags }, base, this.#bits));
    return next;
  }
}

export function parseKinds(report: FileReport, file: EditFile, context: Version4Context): readonly KindSpec[] {
  const rules = {
    I: kindIdentity(context),
    A: allocationLine("A"),
    ...itemRules(context, randomValue),
    ...keptLines(["G", "C", "M", "E", "D"]),
  };
  const drafts = readRecords(report, readHeads(report, file, readNoun), rules, blankKind, "I");
  return completeKinds(report, drafts, context).sort(byNumber);
}

/** In the last form of version 4, kinds may share tval and sval, with a warning, because the game has such kinds. */
function kindIdentity({ types, isLast }: Version4Context): LineRule<KindDraft> {
  const taken = new Map<string, number>();
  return line(
    "I:tval or its word:sval",
    [types.wordOrNumber, readSval],
    (draft, [type, sval], at) => {
      Object.assign(draft, { type, tval: type.tval, sval });
      const key = `${type.tval}:${sval}`;
      const earlier = taken.get(key) ?? at.line;
      taken.set(key, earlier);
      if (earlier === at.line || type.tval === NO_TVAL) return;
      at.report[isLast ? "warn" : "add"](
        "object.duplicate",
        { line: at.line, column: at.fields[1].column },
        {
          problem: "two kinds have this tval and sval",
          got: key,
          expected: `a tval and an sval that differ from those in line ${earlier}`,
          remedy: "Give the kind a different sval",
        },
      );
    },
    [oldPval],
  );
}

const MAX_ALLOCATIONS = 3;
const ARTIFACT_SCALE = 1000;

export type ArtifactDraft = Draft<ArtifactSpec>;

/** `kinds` has the kinds of object.txt, `readAffix` reads an affix. */
interface ArtifactContext extends Version4Context {
  readonly kinds: readonly KindSpec[];
  readonly readAffix: Read<number>;
}

export function blankArtifact(): Omit<ArtifactDraft, keyof Head> {
  const { text, ...item } = blankItem({ toHit: 0, toDam: 0, toAc: 0, allocations: [] });
  return { ...item, requires: [], text };
}

/** Reads artifact.txt of version 4. Adds new kinds for artifacts after the given kinds. Cost: O(kinds + characters). */
export function parseArtifacts(report: FileReport, file: EditFile, context: ArtifactContext) {
  const made = new ArtifactKinds(context.kinds, context);
  const rules: LineRules<ArtifactDraft> = {
    I: artifactIdentity(context, made),
    A: ALLOCATION,
    Q: lines("Q:affix", [context.readAffix], ({ requires }, [affix]) => requires.push(affix)),
    ...itemRules(context, amount),
    ...keptLines(["D", "E", "M"]),
    ...unusedLines(context.isLast ? ["affix", "theme"] : [], "An artifact has its own name"),
  };
  const drafts = [...readRecords(report, readHeads(report, file), rules, blankArtifact, "I")];
  const artifacts = drafts.map((draft) => ({ ...draft, flags: [...new Set(draft.flags)] })).sort(byNumber);
  return { artifacts, kinds: [...context.kinds, ...made.made] };
}

function artifactIdentity({ types, isLast }: ArtifactContext, made: ArtifactKinds): LineRule<ArtifactDraft> {
  return line(
    "I:tval word:sval or name of a kind",
    [isLast ? types.wordOrNumber : types.word, anyField],
    (draft, [type, field], at) => {
      const isOld = /^-?\d+$/.test(field.text) || (!isLast && made.names.isMisspelt(field.text, type));
      const sval = isOld ? made.names.read(at, field, type) : made.svalOf(at, field, type, draft.place);
      if (sval !== undefined) Object.assign(draft, { tval: type.tval, sval });
    },
    [oldPval],
  );
}

const ALLOCATION: LineRule<ArtifactDraft> = lines(
  "A:probability:min to max",
  [integer("the probability", 0, ARTIFACT_SCALE), anyDepths],
  ({ allocations }, [probability, depths], at) => {
    if (allocations.length < MAX_ALLOCATIONS) allocations.push({ ...depths, probability });
    else {
      at.report.add("object.line", at, {
        problem: "the artifact has too many A lines",
        got: at.rest,
        expected: `at most ${MAX_ALLOCATIONS} A lines`,
        remedy: "Remove the lines with the lowest probabilities",
      });
    }
  },
);
