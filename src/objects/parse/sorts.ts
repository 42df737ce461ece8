import { didYouMean, likely } from "../../errors/index.js";
import type { EditField } from "../../formats/read/editFile.js";
import type { KindSpec, TypeSpec } from "../types.js";
import { plainName } from "./nouns.js";
import { MAX_SVAL, readInteger } from "./records.js";
import { type Place, reportUnknown } from "./report.js";

/**
 * Maps a tval and the name of a kind to the kind's sval. Both the full name and the name in object.txt work. If two
 * kinds share a name, the later kind counts.
 */
export type NamedSorts = ReadonlyMap<number, ReadonlyMap<string, number>>;

export function sortsOf(kinds: readonly KindSpec[]): NamedSorts {
  const sorts = new Map<number, Map<string, number>>();
  for (const { tval, name, fullName, sval } of kinds) {
    const own = sorts.get(tval) ?? new Map<string, number>();
    sorts.set(tval, own.set(plainName(fullName), sval).set(plainName(name), sval));
  }
  return sorts;
}

/** Returns the sval of the kind with this name; undefined if the type has no such kind. Ignores marks such as "~". */
export function findSort(name: string, sorts: NamedSorts, { tval }: TypeSpec): number | undefined {
  return sorts.get(tval)?.get(plainName(name));
}

/** Whether a name is empty, or no kind of the type has this name, but a kind has a similar name. */
export function isMisspelt(name: string, sorts: NamedSorts, type: TypeSpec): boolean {
  if (name === "") return true;
  if (findSort(name, sorts, type) !== undefined) return false;
  return likely(name, sorts.get(type.tval)?.keys() ?? []) !== undefined;
}

/** Reads an sval, or the name of a kind, and returns the sval. Reports an unknown name and returns undefined. */
export function readSort(at: Place, field: EditField, sorts: NamedSorts, type: TypeSpec): number | undefined {
  if (/^-?\d+$/.test(field.text)) return readInteger(at, field, { what: "the sval", least: 0, most: MAX_SVAL });
  const sval = findSort(field.text, sorts, type);
  if (sval !== undefined) return sval;
  const known = sorts.get(type.tval) ?? new Map<string, number>();
  reportUnknown(at, field, {
    code: "object.name",
    problem: `no kind of type ${type.word} has this name`,
    describe: () => ({
      expected: "an sval, or the name of a kind of this type",
      ...didYouMean(field.text, known.keys(), "Name a kind of object.txt, or write its sval"),
    }),
  });
  return undefined;
}
