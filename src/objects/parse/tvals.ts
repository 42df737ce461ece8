import { didYouMean } from "../../errors/index.js";
import type { EditField } from "../../formats/editFile.js";
import { type Place, reportAt } from "./report.js";

/**
 * Maps the word of each type to its number, the tval. object.txt uses the numbers, all other files the words. Source:
 * the game's own list of types.
 */
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

/** Ammunition has the tvals SHOT … BOLT, weapons have SHOT … SWORD, armour has BOOTS … DRAGON_ARMOUR. */
const [SHOT, BOLT, BOW, SWORD] = [16, 18, 19, 23];
const [BOOTS, DRAGON_ARMOUR] = [30, 38];

/** The tval of a record of object.txt that is not a kind of object. */
export const NO_TVAL = 0;

const NUMBERS: ReadonlySet<number> = new Set([NO_TVAL, ...TVALS.values()]);

/** Returns the number of a type; undefined for an unknown word. Accepts both spellings of "armour". */
export function tvalOf(word: string): number | undefined {
  return TVALS.get(word.toLowerCase().replace(/\barmor$/, "armour"));
}

/** Returns the word of a type, or its number if it has no word. */
export function tvalWord(tval: number): string {
  return [...TVALS].find(([, number]) => number === tval)?.[0] ?? String(tval);
}

/** Whether a type is a weapon: ammunition, a bow, a digger, or a melee weapon. */
export function isWeapon(tval: number): boolean {
  return tval >= SHOT && tval <= SWORD;
}

/** Whether a type is shot from a bow. */
export function isAmmunition(tval: number): boolean {
  return tval >= SHOT && tval <= BOLT;
}

/** Whether a type is armour. */
export function isArmour(tval: number): boolean {
  return tval >= BOOTS && tval <= DRAGON_ARMOUR;
}

/** Whether the names of objects of a type show their dice: all weapons except bows. */
export function showsDice(tval: number): boolean {
  return isWeapon(tval) && tval !== BOW;
}

/** Reads the word of a type. Returns its number, or reports an unknown word and returns undefined. */
export function readTvalWord(at: Place, field: EditField): number | undefined {
  const tval = tvalOf(field.text);
  if (tval !== undefined || at.report.isFull) return tval;
  reportAt(at, field, "object.name", {
    problem: "unknown type of object",
    got: field.text,
    expected: "a word such as sword, soft armour or ring",
    ...didYouMean(field.text, TVALS.keys(), `Use one of ${[...TVALS.keys()].join(", ")}`),
  });
  return undefined;
}

/** Reads the number of a type. Reports an unknown number and returns undefined. */
export function readTvalNumber(at: Place, field: EditField): number | undefined {
  if (/^\d{1,3}$/.test(field.text) && NUMBERS.has(Number(field.text))) return Number(field.text);
  const isNumber = /^\d+$/.test(field.text);
  const word = tvalOf(field.text);
  reportAt(at, field, isNumber ? "object.name" : "object.number", {
    problem: isNumber ? "no type of object has this number" : "the tval is not a number",
    got: field.text,
    expected: `one of ${[...NUMBERS].join(", ")}`,
    remedy: word === undefined ? "Write the number of the type, such as 23 for a sword" : `Write ${word}`,
  });
  return undefined;
}
