import { FlagBits } from "../law/flagBits.js";
import { NO_TYPE } from "../law/tvals.js";
import type { BaseSpec, ItemSpec, KindSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import {
  type Draft,
  type Head,
  type Headed,
  ignored,
  type LineRule,
  type LineRules,
  line,
  lines,
  MAX_NUMBER,
  type UnusedLines,
} from "./lines.js";
import { KindNames } from "./names.js";
import { plainName, withNoun } from "./nouns.js";
import { type FileReport, type Place, type Read, reportAt } from "./report.js";
import {
  armourClass,
  constant,
  cost,
  depths,
  dice,
  integer,
  level,
  MAX_CHANCE,
  MAX_SVAL,
  randomValue,
  readName,
  weight,
} from "./values.js";

// What kinds and artifacts have in common, in both formats.

/** The fields of a record that its lines set. */
type Body<Spec> = Draft<Omit<Spec, keyof Head>>;

/**
 * Returns the fields of kinds and artifacts with their usual values. The order of keys counts here and in the records of
 * other files: the digest of a world hashes records as JSON.
 */
export function blankItem<T extends object>(more: T): Body<ItemSpec> & T {
  const numbers = { tval: 0, sval: 0, level: 0, weight: 0, cost: 0, ac: 0, dice: 0, sides: 0 };
  return { ...numbers, ...more, flags: [], pvals: [], text: {} };
}

export type KindDraft = Draft<Omit<KindSpec, "fullName">>;
export type KindRecord = Headed<Head> & { readonly draft: KindDraft };

export function blankKind(): Omit<KindDraft, keyof Head> {
  const none = constant(0);
  return { type: NO_TYPE, ...blankItem({ toHit: none, toDam: none, toAc: none, allocation: undefined }) };
}

/** Returns the rule for lines of flags without a value. */
export function flagLines(type: string, flags: FlagTable): LineRule<{ readonly flags: string[] }> {
  return lines(`${type}:flag | flag`, [flags.list("plain")], (draft, [names]) => draft.flags.push(...names));
}

/** The warning about balance and heft. Only lines in the last form of version 4 have these two fields. */
export const BALANCE = ["balance and heft have no effect", "Rollmill computes no blows"] as const;

interface Powers<T> {
  ac: number;
  dice: number;
  sides: number;
  toHit: T;
  toDam: T;
  toAc: T;
}

/**
 * Returns the rules of version 4 that kinds and artifacts share.
 *
 * @param value - Reads to-hit, to-dam and to-ac.
 * @param last - Counts lines without an effect. Set only for the last form of version 4.
 */
export function itemRules<T>(
  flags: FlagTable,
  value: (what: string) => Read<T>,
  last: UnusedLines | undefined,
): LineRules<Pick<Draft<ItemSpec>, "level" | "weight" | "cost" | "flags" | "pvals"> & Powers<T>> {
  const none: typeof dice = (at, field) => (field.text === "0" ? { dice: 0, sides: 0 } : dice(at, field));
  const more = (count: number): readonly Read<true>[] => (last === undefined ? [] : new Array(count).fill(ignored));
  return {
    // if a record has several P lines, the last one counts
    P: lines(
      "P:ac:dice:to-hit:to-dam:to-ac",
      [armourClass, last === undefined ? dice : none, value("to-hit"), value("to-dam"), value("to-ac")],
      (draft, [ac, own, toHit, toDam, toAc, balance], at) => {
        if (balance !== undefined) last?.add(at, ...BALANCE);
        Object.assign(draft, { ac, ...own, toHit, toDam, toAc });
      },
      more(2),
    ),
    W: line(
      "W:level:rarity:weight:cost",
      [level, integer("the rarity", 0, MAX_CHANCE), weight, cost],
      (draft, [own, , heavy, price, more], at) => {
        if (more === true) last?.add(at, "the fifth field of W lines has no effect", "No artifact is randomised");
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

/** Returns the rule for lines that set the commonness and the depths of a record. */
export function allocationLine(type: string): LineRule<{ allocation: KindSpec["allocation"] }> {
  return line(
    `${type}:commonness:min to max`,
    [integer("the commonness", 0, MAX_CHANCE), depths],
    (draft, [commonness, range]) => {
      draft.allocation = { ...range, commonness };
    },
  );
}

/**
 * Reads the third field of an `I` line. It is a pval in older files. It must be 0 here, because `L` lines give the
 * values of flags.
 */
export const oldPval = integer("the third field", 0, 0, "Write 0, and write the pval in an L line");

/**
 * Maximum number of flags in all kinds together. Each kind inherits the flags of its type, so a short file could
 * otherwise need gigabytes.
 */
const MAX_KIND_FLAGS = 2 ** 22;

interface KindContext {
  readonly flags: FlagTable;
  readonly bases: readonly BaseSpec[];
}

/** Gives each kind its full name, and the flags of its type. Returns no kinds if they have too many flags. */
export function completeKinds(
  report: FileReport,
  records: Iterable<KindRecord>,
  { flags, bases }: KindContext,
): readonly KindSpec[] {
  const bits = new FlagBits(flags.specs);
  const baseOf = new Map(bases.map((base) => [base.tval, base]));
  const kinds: KindSpec[] = [];
  let count = 0;
  for (const { head, record, draft } of records) {
    const base = baseOf.get(draft.tval);
    count += draft.flags.length + (base?.flags.length ?? 0);
    if (count > MAX_KIND_FLAGS) {
      report.add("object.files", record.head, {
        problem: "the kinds have too many flags in total, including the flags of their types",
        got: count,
        expected: `at most ${MAX_KIND_FLAGS} flags up to this kind`,
        remedy: "Remove flags from the types in object_base.txt",
      });
      return [];
    }
    if (head !== undefined) kinds.push(completeKind(draft, base, bits));
  }
  return kinds;
}

function completeKind(draft: Omit<KindSpec, "fullName">, base: BaseSpec | undefined, bits: FlagBits): KindSpec {
  const noun = base?.name === "" ? undefined : base;
  const flags = bits.withoutContradictions([...new Set([...draft.flags, ...(base?.flags ?? [])])]);
  return { ...draft, fullName: withNoun(draft.name, noun), flags };
}

/** Finds the kinds of artifacts, and makes the kinds that object.txt lacks. */
export class ArtifactKinds {
  readonly names: KindNames;
  /** The kinds that were made. */
  readonly made: KindSpec[] = [];
  readonly #context: KindContext;
  readonly #bits: FlagBits;
  /** For each tval, the greatest sval of its kinds. */
  readonly #svals = new Map<number, number>();
  #number = 0;

  constructor(kinds: readonly KindSpec[], context: KindContext) {
    this.#context = context;
    this.names = new KindNames(kinds);
    this.#bits = new FlagBits(context.flags.specs);
    for (const { tval, sval, number } of kinds) {
      this.#svals.set(tval, Math.max(this.#svals.get(tval) ?? 0, sval));
      this.#number = Math.max(this.#number, number);
    }
  }

  /** Returns the sval of the kind with this name. A kind that is made for an empty name gets the noun of its type. */
  svalOf(
    at: Place,
    name: { readonly text: string; readonly column: number },
    type: KindSpec["type"],
    { place }: Pick<Head, "place">,
  ): number {
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
    const none = constant(0);
    const numbers = { level: 0, weight: 0, cost: 0, ac: 0, dice: 0, sides: 0, toHit: none, toDam: none, toAc: none };
    const head = { sval: next, number: this.#number, place };
    const full = name.text === "" ? `& ${base?.name}` : `& ${name.text}~`;
    const own = { name: full, type, tval: type.tval, allocation: undefined, pvals: [], text: {} };
    const flags = this.#context.flags.specs.some((flag) => flag.name === "INSTA_ART") ? ["INSTA_ART"] : [];
    this.made.push(completeKind({ ...head, ...numbers, ...own, flags }, base, this.#bits));
    return next;
  }
}
