import { didYouMean } from "../../errors/index.js";
import type { EditField } from "../../formats/read/editFile.js";
import type { ObjectFiles, TypeGroup, TypeSpec } from "../types.js";
import { type Place, reportAt, reportUnknown } from "./report.js";

/** The built-in types of each group. Source: the game's own list of types. Its edit files do not contain the list. */
const BUILT_IN: readonly (readonly [group: TypeGroup, types: Readonly<Record<string, number>>])[] = [
  ["ammunition", { shot: 16, arrow: 17, bolt: 18 }],
  ["launcher", { bow: 19 }],
  ["weapon", { digger: 20, hafted: 21, polearm: 22, sword: 23 }],
  ["armour", { boots: 30, gloves: 31, helm: 32, crown: 33, shield: 34, cloak: 35 }],
  ["armour", { "soft armour": 36, "hard armour": 37, "dragon armour": 38 }],
  ["other", { skeleton: 1, bottle: 2, junk: 3, spike: 5, chest: 7, light: 39, amulet: 40, ring: 45 }],
  ["other", { staff: 55, wand: 65, rod: 66, scroll: 70, potion: 75, flask: 77, food: 80 }],
  ["other", { "magic book": 90, "prayer book": 91, gold: 100 }],
];

/** A record of object_base.txt with the same word or number replaces a built-in type. */
export const TYPES: readonly TypeSpec[] = /* @__PURE__ */ BUILT_IN.flatMap(([group, types]) =>
  Object.entries(types).map(([word, tval]) => ({ tval, word, group })),
);

const GROUPS: readonly TypeGroup[] = ["weapon", "launcher", "ammunition", "armour", "other"];

/** Records of object.txt with this tval are not objects. */
export const NO_TVAL = 0;
export const NO_TYPE: TypeSpec = { tval: NO_TVAL, word: "none", group: "other" };

/** Types without a number in the files get this number and the numbers after it. Numbers in the files are smaller. */
const FIRST_FREE_TVAL = 256;

export function isWeapon({ group }: TypeSpec): boolean {
  return group === "weapon" || group === "launcher" || group === "ammunition";
}

export function showsDice({ group }: TypeSpec): boolean {
  return group === "weapon" || group === "ammunition";
}

/** Prepares a word for comparisons: lower case, and "armour" instead of "armor". */
export function comparable(word: string): string {
  return word.toLowerCase().replace(/\barmor$/, "armour");
}

export function typeWord({ types }: Pick<ObjectFiles, "types">, tval: number): string {
  return types.find((type) => type.tval === tval)?.word ?? String(tval);
}

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
