import { failOnErrors } from "../errors/index.js";
import { requestable, unknownSlot } from "./requests.js";
import type { RecipeSpec } from "./types.js";

/** The names that a form's fields may have before the slot in brackets. */
const PREFIX = /^(?:request|attributes?)\[/;

/**
 * The request of a submitted form: `attribute[type]=sword` (or `attributes[type]`, `request[type]`) asks for the sword. The
 * last field of a slot counts, as in PHP; an empty one asks for nothing. Fields of other names are not looked at. Whether
 * the words exist is up to the recipe.
 *
 * @throws RollmillError `recipe.request` for slots that are not there or cannot be asked for.
 */
export function requestFromForm(params: URLSearchParams, spec: RecipeSpec): { readonly [slot: string]: string } {
  const known = new Set(requestable(spec).map(({ slot }) => slot));
  const asked = new Map<string, string>();
  for (const [field, word] of params) {
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
