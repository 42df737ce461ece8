import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { error, fail } from "../errors/index.js";
import { failToRead } from "../files/problem.js";
import { refuseArgument } from "../spec/index.js";
import { type Place, placeOf } from "./place.js";

const VERSION = /^(\d{4}-\d\d-\d\d)(?:\.json|\.sqlite)?$/;

/**
 * Returns the version of the words that was valid on a date: the last version in the folder that is not newer.
 *
 * @param asOf - The date, such as 2026-11-22.
 * @throws RollmillError `argument.range` for anything but a date; `recipe.tables` if the place is not a folder, or has
 * no such version; `file.read`.
 */
export async function versionAsOf(place: Place, asOf: string): Promise<Place> {
  if (typeof asOf !== "string" || !isDate(asOf)) {
    refuseArgument("asOf", asOf, "a date such as 2026-11-22", "argument.range");
  }
  const where = { file: place.shown };
  if (place.kind !== "folder") {
    const problem = "only a folder can have versions of the words by date";
    fail(error("recipe.tables", { problem, got: place.kind, remedy: "Leave out the date, or name the folder", where }));
  }
  const names = await readdir(place.path).catch((cause: unknown) => failToRead(place.path, cause));
  const versions = names.filter((name) => VERSION.test(name)).sort();
  const found = versions.filter((name) => name.slice(0, asOf.length) <= asOf).at(-1);
  if (found !== undefined) return placeOf(join(place.path, found));
  const problem = `the folder has no version of the words from ${asOf} or earlier`;
  const expected =
    versions.length === 0
      ? "folders or files with names such as 2026-11-22 or 2026-11-22.json"
      : `${versions[0]} or later`;
  return fail(error("recipe.tables", { problem, expected, where }));
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
