import { didYouMean } from "../../errors/index.js";
import type { EditField } from "../../formats/editFile.js";
import { type Place, reportAt } from "./report.js";

/** What each tval is called in every file but object.txt, which has the numbers. Source: the game's own list of types. */
const TVALS: ReadonlyMap<string, number> = new Map([
  ["skeleton", 1],
  ["bottle", 2],
  ["junk", 3],
  ["spike", 5],
  ["chest", 7],
  ["shot", 16],
  ["arrow", 17],
  ["bolt", 18],
  ["bow", 19],
  ["digger", 20],
  ["hafted", 21],
  ["polearm", 22],
  ["sword", 23],
  ["boots", 30],
  ["gloves", 31],
  ["helm", 32],
  ["crown", 33],
  ["shield", 34],
  ["cloak", 35],
  ["soft armour", 36],
  ["hard armour", 37],
  ["dragon armour", 38],
  ["light", 39],
  ["amulet", 40],
  ["ring", 45],
  ["staff", 55],
  ["wand", 65],
  ["rod", 66],
  ["scroll", 70],
  ["potion", 75],
  ["flask", 77],
  ["food", 80],
  ["magic book", 90],
  ["prayer book", 91],
  ["gold", 100],
]);

/** Where weapons and armour begin and end. */
const [SHOT, BOW, SWORD] = [16, 19, 23];
const [BOOTS, DRAGON_ARMOUR] = [30, 38];

/** The tval of a record that stands for no object. */
export const NO_TVAL = 0;

const NUMBERS: ReadonlySet<number> = new Set([NO_TVAL, ...TVALS.values()]);

/** The number of a type's word, either spelling of "armour"; undefined where there is none. */
export function tvalOf(word: string): number | undefined {
  return TVALS.get(word.toLowerCase().replace(/\barmor$/, "armour"));
}

/** The word of a type's number, the number where it has none. */
export function tvalWord(tval: number): string {
  return [...TVALS].find(([, number]) => number === tval)?.[0] ?? String(tval);
}

/** Whether a type is ammunition, bows, diggers or what is wielded. */
export function isWeapon(tval: number): boolean {
  return tval >= SHOT && tval <= SWORD;
}

/** Whether a type is worn as armour. */
export function isArmour(tval: number): boolean {
  return tval >= BOOTS && tval <= DRAGON_ARMOUR;
}

/** Whether the dice of a type say what it does: weapons but bows. */
export function showsDice(tval: number): boolean {
  return isWeapon(tval) && tval !== BOW;
}

/** Reads a type's word. */
export function readTvalWord(at: Place, field: EditField): number | undefined {
  const tval = tvalOf(field.text);
  if (tval !== undefined || at.report.isFull) return tval;
  reportAt(at, field, "object.name", {
    problem: "no type of object is called so",
    got: field.text,
    expected: "a word such as sword, soft armour or ring",
    ...didYouMean(field.text, TVALS.keys(), `The words are ${[...TVALS.keys()].join(", ")}`),
  });
  return undefined;
}

/** Reads a type's number. */
export function readTvalNumber(at: Place, field: EditField): number | undefined {
  if (/^\d{1,3}$/.test(field.text) && NUMBERS.has(Number(field.text))) return Number(field.text);
  const isNumber = /^\d+$/.test(field.text);
  const word = tvalOf(field.text);
  reportAt(at, field, isNumber ? "object.name" : "object.number", {
    problem: isNumber ? "no type of object has this number" : "the tval is no number",
    got: field.text,
    expected: `one of ${[...NUMBERS].join(", ")}`,
    remedy: word === undefined ? "Write the number of the type here, as 23 for a sword" : `Write ${word}`,
  });
  return undefined;
}
