import { didYouMean } from "../../errors/index.js";
import type { EditField } from "../../formats/read/editFile.js";
import { comparable, NO_TVAL, NO_TYPE, TYPES } from "../law/tvals.js";
import type { TypeGroup, TypeSpec } from "../types.js";
import { type Place, reportAt, reportUnknown } from "./report.js";

const GROUPS: readonly TypeGroup[] = ["weapon", "launcher", "ammunition", "armour", "other"];

/** Types without a number in the files get this number and the numbers after it. Numbers in the files are smaller. */
const FIRST_FREE_TVAL = 256;

export class TypeTable {
  readonly specs: readonly TypeSpec[];
  readonly #byWord = new Map<string, TypeSpec>();
  readonly #byNumber = new Map<number, TypeSpec>([[NO_TVAL, NO_TYPE]]);

  /** @param own - The types of object_base.txt. No two of them share a word or a number. */
  constructor(own: readonly TypeSpec[]) {
    const words = new Set(own.map(({ word }) => comparable(word)));
    const numbers = new Set(own.map(({ tval }) => tval));
    const kept = TYPES.filter(({ word, tval }) => !words.has(word) && !numbers.has(tval));
    this.specs = [...own, ...kept].sort((a, b) => a.tval - b.tval);
    for (const type of this.specs) {
      this.#byWord.set(comparable(type.word), type);
      this.#byNumber.set(type.tval, type);
    }
  }

  word = (at: Place, field: EditField): TypeSpec | undefined =>
    this.#byWord.get(comparable(field.text)) ??
    reportUnknown(at, field, {
      problem: "unknown type of object",
      expected: "the word of a type, such as sword",
      ...didYouMean(field.text, this.#byWord.keys(), "Define the type in object_base.txt with a line N:word:name"),
    });

  /** Reads the number or the word of a type. The number 0 stands for no type. */
  wordOrNumber = (at: Place, field: EditField): TypeSpec | undefined => {
    if (!/^\d+$/.test(field.text)) return this.word(at, field);
    const type = this.#byNumber.get(Number(field.text));
    if (type !== undefined && type.tval < FIRST_FREE_TVAL) return type;
    return reportUnknown(at, field, {
      problem: "no type of object has this number",
      expected: "the number of a type, or 0 for no type",
      remedy: "Define the type in object_base.txt with the lines N:word:name and I:number, or use another type",
    });
  };
}

/** A type as object_base.txt describes it. The number and the group may be missing. */
export interface StatedType {
  readonly word: string;
  readonly tval: number | undefined;
  readonly group: TypeGroup | undefined;
}

/** The missing numbers and groups are those of the built-in type with the same word, or of the same number. */
export function completed<T extends StatedType>(types: readonly T[]): readonly (T & TypeSpec)[] {
  let free = FIRST_FREE_TVAL;
  return types.map((stated) => {
    const { word } = stated;
    const named = TYPES.find((type) => type.word === comparable(word));
    const tval = stated.tval ?? named?.tval ?? free++;
    const group = stated.group ?? (named ?? TYPES.find((type) => type.tval === tval))?.group ?? "other";
    const first = { tval, word, group };
    return { ...first, ...stated, tval, group };
  });
}

export const IDENTITY_FORM = `I:tval[:${GROUPS.join(" or ")}]`;

export function readGroup(at: Place, field: EditField): TypeGroup | undefined {
  const finding = {
    problem: "unknown group of types",
    expected: `one of ${GROUPS.join(", ")}`,
    ...didYouMean(field.text, GROUPS, "Write one of these"),
  };
  return GROUPS.find((known) => known === field.text) ?? reportAt(at, field, "object.name", finding);
}
