import { failOnErrors } from "../errors/index.js";
import { checkParsed, checkText, readEntries } from "../spec/index.js";
import { RECIPE_SPEC, type RecipeSpec } from "./parse.js";
import { requestable, unknownSlot } from "./resolve/requests.js";

const MOST_FIELDS = 100_000;

const PREFIX = /^(?:request|attributes?)\[/;

/**
 * Reads the requests of a submitted form. The field `attribute[type]=sword` requests the word "sword" for the slot
 * "type". The prefixes `attributes` and `request` work too. Of several fields for a slot, the last one is used, as in
 * PHP. Ignores empty fields and other fields. Does not check the words.
 *
 * @param params - The fields, at most 100,000.
 * @throws RollmillError `argument.type`, `argument.range`; `recipe.request` for a slot that is unknown or cannot be
 * requested.
 */
export function requestFromForm(params: URLSearchParams, spec: RecipeSpec): { readonly [slot: string]: string } {
  checkParsed(RECIPE_SPEC, { name: "spec", value: spec, parser: "parseRecipe" });
  const known = new Set(requestable(spec).map(({ slot }) => slot));
  const asked = new Map<string, string>();
  for (const [i, entry] of readEntries<unknown>("params", params, { of: "fields", most: MOST_FIELDS }).entries()) {
    const [field, word] = Array.isArray(entry) ? entry : [];
    checkText(`name of field ${i}`, field);
    checkText(field, word);
    const prefix = PREFIX.exec(field);
    if (prefix === null) continue;
    const slot = field.slice(prefix[0].length).replace(/\]$/, "");
    asked.set(slot, word);
  }
  const filled = [...asked].filter(([, word]) => word !== "");
  const issues = filled.filter(([slot]) => !known.has(slot)).map(([slot]) => unknownSlot(spec, slot));
  failOnErrors(issues);
  return Object.fromEntries(filled);
}
