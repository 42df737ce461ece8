import type { EditField } from "../../formats/read/editFile.js";
import type { BaseSpec } from "../types.js";
import { type Place, reportAt } from "./report.js";
import { readName } from "./values.js";

/** A part of a name that has one form for one object and another form for several objects: `|one|several|`. */
const FORMS = /\|([^|]*)\|([^|]*)\|/g;

/**
 * Returns a kind's name for a number of objects, without the marks of the files:
 * - "& " marks the place of the article.
 * - "~" marks the place of the plural ending, which is "es" after s, h or x, else "s".
 * - `|fe|ves|` gives the ending for one object and the ending for several.
 *
 * Source: obj_desc_name_format of Angband's obj-desc.c.
 */
export function inNumber(name: string, number: number): string {
  const formed = name.replace(FORMS, (_, one: string, several: string) => (number === 1 ? one : several));
  const endingAfter = (letter: string) => (number === 1 ? "" : /[shx]/.test(letter) ? "es" : "s");
  const ended = formed.replace(/([^~]?)~+/gu, (_, before: string) => before + endingAfter(before));
  return ended
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:& ?)+/, "");
}

/** Returns a kind's name for one object: "& Cloak & Hood~" becomes "Cloak & Hood". Requests accept this name. */
export function plainName(name: string): string {
  return inNumber(name, 1);
}

export function takesArticle(name: string): boolean {
  return name.startsWith("&");
}

/**
 * Adds the noun of the kind's type to a kind's name, if the name lacks it: names of amulets, potions and similar kinds
 * without a mark do. For the type "Amulet~", "Protection" becomes "& Amulet~ of Protection". For the type "Magic
 * Book~", "[Magic for Beginners]" becomes "& Magic Book~ [Magic for Beginners]".
 *
 * @param base - The type; undefined if it has no noun.
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

/** Reads the name of a kind or a type. Reports an invalid name, or bars that do not form `|one|several|`. */
export function readNoun(at: Place, field: EditField): string | undefined {
  const name = readName(at, field);
  if (name === undefined || !name.replace(FORMS, "").includes("|")) return name;
  return reportAt(at, field, "object.line", {
    problem: "the forms of the name are incomplete",
    expected: "three bars for each pair of forms, such as Sta|ff|ves|",
    remedy: "Add the missing bar, or remove the extra bar",
  });
}
