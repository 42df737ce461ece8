import { didYouMean, likely } from "../../errors/index.js";
import type { EditField } from "../../formats/read/editFile.js";
import type { KindSpec, TypeSpec } from "../types.js";
import { plainName } from "./nouns.js";
import { type Place, reportUnknown } from "./report.js";
import { readSval } from "./values.js";

// Names by which lines refer to affixes and kinds.

export class AffixNames {
  readonly #byName: ReadonlyMap<string, number>;
  /** Maps each name in lower case to its affix. If names differ only in case, maps to undefined. */
  readonly #byAnyCase = new Map<string, number | undefined>();
  readonly #numbers: ReadonlySet<number>;

  constructor(affixes: readonly { readonly number: number; readonly name: string }[]) {
    this.#byName = new Map(affixes.map(({ name, number }) => [name, number]));
    this.#numbers = new Set(this.#byName.values());
    for (const [name, number] of this.#byName) {
      const key = name.toLowerCase();
      this.#byAnyCase.set(key, this.#byAnyCase.has(key) ? undefined : number);
    }
  }

  /** Reads the name or the number of an affix. A name may be in another case, unless names differ only in case. */
  read = (at: Place, field: EditField): number | undefined => {
    const named = this.#byName.get(field.text) ?? this.#byAnyCase.get(field.text.toLowerCase());
    const number = named ?? (/^\d{1,5}$/.test(field.text) ? Number(field.text) : undefined);
    if (number !== undefined && this.#numbers.has(number)) return number;
    return reportUnknown(at, field, {
      problem: "unknown affix",
      expected: "the name or the number of an affix",
      ...didYouMean(field.text, this.#byName.keys(), "Add the affix to ego_item.txt, or name another affix"),
    });
  };
}

/** Finds the sval of a kind by its type and its full name or its name in object.txt. The last kind of a name counts. */
export class KindNames {
  readonly #svals = new Map<number, Map<string, number>>();

  constructor(kinds: readonly KindSpec[]) {
    for (const { tval, name, fullName, sval } of kinds) {
      const own = this.#svals.get(tval) ?? new Map<string, number>();
      this.#svals.set(tval, own.set(plainName(fullName), sval).set(plainName(name), sval));
    }
  }

  find(name: string, { tval }: TypeSpec): number | undefined {
    return this.#svals.get(tval)?.get(plainName(name));
  }

  /** Whether a name is empty, or no kind of the type has this name, but a kind has a similar name. */
  isMisspelt(name: string, type: TypeSpec): boolean {
    if (name === "") return true;
    return this.find(name, type) === undefined && likely(name, this.#namesOf(type)) !== undefined;
  }

  read(at: Place, field: EditField, type: TypeSpec): number | undefined {
    if (/^-?\d+$/.test(field.text)) return readSval(at, field);
    const sval = this.find(field.text, type);
    if (sval !== undefined) return sval;
    return reportUnknown(at, field, {
      problem: `no kind of type ${type.word} has this name`,
      expected: "an sval, or the name of a kind of this type",
      ...didYouMean(field.text, this.#namesOf(type), "Name a kind of object.txt, or write its sval"),
    });
  }

  #namesOf({ tval }: TypeSpec): Iterable<string> {
    return this.#svals.get(tval)?.keys() ?? [];
  }
}
