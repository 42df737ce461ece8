import type { EditField } from "../../formats/editFile.js";
import type { BaseSpec } from "../types.js";
import { readName } from "./records.js";
import { type Place, reportAt } from "./report.js";

/** A part of a name with one form for one object and another form for several: `|one|several|`. */
const FORMS = /\|([^|]*)\|([^|]*)\|/g;

/**
 * Returns a kind's name for a number of objects, without the marks of the files. "& " marks the place of the article,
 * "~" the place of the plural ending, and `|fe|ves|` gives both endings. The plural ending is "es" after s, h or x, else
 * "s". Source: obj_desc_name_format of Angband's obj-desc.c.
 */
export function inNumber(name: string, number: number): string {
  const formed = name.replace(FORMS, (_, one: string, several: string) => (number === 1 ? one : several));
  const ended = formed.replace(/([^~]?)~+/gu, (_, before: string) => before + endingAfter(before, number));
  return ended
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:& ?)+/, "");
}

function endingAfter(letter: string, number: number): string {
  if (number === 1) return "";
  return /[shx]/.test(letter) ? "es" : "s";
}

/**
 * Returns a kind's name for one object, without the marks of the files: "& Cloak & Hood~" becomes "Cloak & Hood".
 * Requests accept this name.
 */
export function plainName(name: string): string {
  return inNumber(name, 1);
}

/** Whether a name takes the article "a" or "an". */
export function takesArticle(name: string): boolean {
  return name.startsWith("&");
}

/**
 * Returns the name of a kind with the noun of its type. A name that has a mark has a noun of its own, and so have the
 * names of weapons and armour. The files of the game leave the noun out of the names of amulets, potions and the like:
 * the kind "Protection" of the type "Amulet~" is "& Amulet~ of Protection", and the kind "[Magic for Beginners]" of the
 * type "Magic Book~" is "& Magic Book~ [Magic for Beginners]".
 *
 * @param base - The type; undefined if it has no record in object_base.txt.
 */
export function withNoun(name: string, base: Pick<BaseSpec, "name" | "group"> | undefined): string {
  if (base === undefined || base.group !== "other" || hasMark(name)) return name;
  const noun = base.name;
  const counted = hasMark(noun) && !takesArticle(noun) ? `& ${noun}` : noun;
  return name.startsWith("[") ? `${counted} ${name}` : `${counted} of ${name}`;
}

function hasMark(name: string): boolean {
  return takesArticle(name) || /[~|]/.test(name);
}

/** Reads the name of a kind or a type. Reports an invalid name, or a form that is not `|one|several|`. */
export function readNoun(at: Place, field: EditField): string | undefined {
  const name = readName(at, field);
  if (name === undefined || !name.replace(FORMS, "").includes("|")) return name;
  reportAt(at, field, "object.line", {
    problem: "the forms of the name are incomplete",
    got: name,
    expected: "three bars for each pair of forms, such as Sta|ff|ves|",
    remedy: "Add the missing bar, or remove the extra bar",
  });
  return undefined;
}
