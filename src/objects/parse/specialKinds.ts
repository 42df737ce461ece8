import { FlagBits } from "../compile/flagBits.js";
import type { BaseSpec, KindSpec, TypeSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import { plainName, withNoun } from "./nouns.js";
import { constant, type Head, MAX_NUMBER, MAX_SVAL, readName } from "./records.js";
import { type Place, reportAt } from "./report.js";
import { findSort, type NamedSorts, sortsOf } from "./sorts.js";

interface SpecialContext {
  readonly flags: FlagTable;
  readonly bases: readonly BaseSpec[];
}

/** Gives a kind its full name, and the flags of its type. */
export function completeKind(
  draft: Omit<KindSpec, "fullName" | "flags"> & { readonly flags: Iterable<string> },
  base: BaseSpec | undefined,
  bits: FlagBits,
): KindSpec {
  const noun = base === undefined || base.name === "" ? undefined : base;
  const all = [...new Set([...draft.flags, ...(base?.flags ?? [])])];
  return { ...draft, fullName: withNoun(draft.name, noun), flags: bits.withoutContradictions(all) };
}

export class SpecialKinds {
  readonly kinds: KindSpec[] = [];
  readonly #context: SpecialContext;
  readonly #sorts: NamedSorts;
  readonly #bits: FlagBits;
  /** For each tval, the greatest sval of its kinds. */
  readonly #svals = new Map<number, number>();
  #number = 0;

  constructor({ kinds, ...context }: SpecialContext & { readonly kinds: readonly KindSpec[] }) {
    this.#context = context;
    this.#sorts = sortsOf(kinds);
    this.#bits = new FlagBits(context.flags.specs);
    for (const { tval, sval, number } of kinds) {
      this.#svals.set(tval, Math.max(this.#svals.get(tval) ?? 0, sval));
      this.#number = Math.max(this.#number, number);
    }
  }

  /**
   * Returns the sval of the kind with this name. Makes the kind if object.txt lacks it. If the name is empty, the new
   * kind gets the noun of its type as its name.
   */
  svalOf(at: Place, name: { readonly text: string; readonly column: number }, type: TypeSpec, head: Head): number {
    const sval = findSort(name.text, this.#sorts, type);
    if (sval !== undefined) return sval;
    const own = this.kinds.find((kind) => kind.tval === type.tval && plainName(kind.name) === name.text);
    if (own !== undefined) return own.sval;
    if (name.text !== "" && readName(at, name) === undefined) return 0;
    const noun = this.#context.bases.find(({ tval }) => tval === type.tval)?.name ?? "";
    const next = (this.#svals.get(type.tval) ?? 0) + 1;
    this.#number++;
    if (next > MAX_SVAL || this.#number > MAX_NUMBER || (name.text === "" && noun === "")) {
      reportAt(at, name, "object.files", {
        problem: "no new kind can be made for the artifact",
        got: name.text,
        expected: `the name of a kind, or a new name if the type has fewer than ${MAX_SVAL} kinds`,
        remedy: "Name a kind of object.txt",
      });
      return 0;
    }
    this.#svals.set(type.tval, next);
    const full = name.text === "" ? `& ${noun}` : `& ${name.text}~`;
    this.kinds.push(this.#kind(full, type, { sval: next, number: this.#number, place: head.place }));
    return next;
  }

  #kind(name: string, type: TypeSpec, own: Pick<KindSpec, "number" | "sval" | "place">): KindSpec {
    const none = constant(0);
    const body = { level: 0, weight: 0, cost: 0, ac: 0, dice: 0, sides: 0, toHit: none, toDam: none, toAc: none };
    const flags = this.#context.flags.specs.some((flag) => flag.name === "INSTA_ART") ? ["INSTA_ART"] : [];
    const kind = {
      ...own,
      ...body,
      name,
      type,
      tval: type.tval,
      allocation: undefined,
      pvals: [],
      text: {},
    };
    const base = this.#context.bases.find(({ tval }) => tval === type.tval);
    return completeKind({ ...kind, flags }, base, this.#bits);
  }
}
