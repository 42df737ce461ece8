import type { ObjectFiles, TypeGroup, TypeSpec } from "../types.js";

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

/** The built-in types. A record of object_base.txt with the same word or number replaces a built-in type. */
export const TYPES: readonly TypeSpec[] = /* @__PURE__ */ BUILT_IN.flatMap(([group, types]) =>
  Object.entries(types).map(([word, tval]) => ({ tval, word, group })),
);

/** Records of object.txt with this tval are not objects. */
export const NO_TVAL = 0;
export const NO_TYPE: TypeSpec = { tval: NO_TVAL, word: "none", group: "other" };

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
