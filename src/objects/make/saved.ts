import { MAX_INDEX } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { checkParsed, copyList, isObject, readOptions, refuseArgument } from "../../spec/index.js";
import { isValued } from "../law/flagBits.js";
import { MOST_AFFIXES } from "../law/slots.js";
import { NO_TVAL } from "../law/tvals.js";
import { plainName } from "../parse/names.js";
import type { KindSpec, MadeObject, ObjectFiles } from "../types.js";
import { type Violation, violationOf } from "./validation.js";

/** A kind in a saved object. Kinds with the same name differ in type or sval. */
export interface SavedKind {
  /** The name without "& " and "~". */
  readonly name: string;
  /** The word of the kind's type, such as "sword". */
  readonly tval: string;
  readonly sval: number;
}

/** A theme or an artifact in a saved object. The number is used only if several records have this name. */
export interface SavedRecord {
  readonly name: string;
  readonly number: number;
}

/** A saved object: plain data that can be stored as JSON. It refers to records and affix levels by name. */
export interface SavedObject extends Omit<MadeObject, "kind" | "artifact" | "theme" | "affixes" | "affixLevel"> {
  /** Version of the format of saved objects: 2. */
  readonly format: typeof FORMAT;
  readonly kind: SavedKind;
  readonly artifact: SavedRecord | null;
  readonly theme: SavedRecord | null;
  /** The name of each affix, or its name and number if several affixes of the files have this name. */
  readonly affixes: readonly (string | SavedRecord)[];
  /** The name of the affix level; null for an artifact without affixes. */
  readonly affixLevel: string | null;
}

/** Options of `saveObject`. */
export interface SaveOptions {
  /**
   * With "skip", the object may have numbers, flags and affixes that the files cannot produce. Use it if your program
   * changes objects, or if the files have changed since the object was made. By default, such an object is an error.
   */
  readonly laws?: "skip" | undefined;
}

/** Options of `loadObject`. */
export interface LoadOptions extends SaveOptions {
  /**
   * What to do if the files lack an affix, a theme, a flag or an affix level of the object. Default: throw an error
   * with the missing name. With "drop", `loadObject` removes the record or flag and keeps the numbers. A missing affix
   * level becomes the lowest level, and `laws` are not checked. If the kind or the artifact is missing, it returns
   * undefined.
   */
  readonly missing?: "drop" | undefined;
}

const FORMAT = 2;

/**
 * Turns an object into plain data that can be stored as JSON. {@link loadObject} restores it, even with other files
 * that have records with the same names. The object may be a copy, or come from another mill.
 *
 * Cost: O(flags + affixes × `T` lines + lines of the theme).
 *
 * @param files - The files of the maker: `maker.files`.
 * @throws RollmillError `argument.type` for anything but files and an object. `object.saved` if the object is damaged,
 * has a record that the files lack, or could not have been made from the files. `argument.option`.
 */
export function saveObject(files: ObjectFiles, object: MadeObject, options: SaveOptions = {}): SavedObject {
  const { laws } = readSkip(files, "saveObject", options, ["laws"]);
  const own = ownObject(object, files);
  if (laws !== "skip") refuseViolation(violationOf(own, files));
  const { kind, artifact, theme, affixes, affixLevel, ...rest } = own;
  const reference = ({ name, number }: SavedRecord) => ({ name, number });
  return {
    format: FORMAT,
    ...rest,
    kind: kindRef(kind),
    artifact: artifact === undefined ? null : reference(artifact),
    theme: theme === undefined ? null : reference(theme),
    affixes: affixes.map((one) => (recordsNamed(files.affixes, one.name).length === 1 ? one.name : reference(one))),
    affixLevel: files.levels[affixLevel] ?? null,
  };
}

/**
 * Restores an object from the value that {@link saveObject} returned. The files may have changed since then: records
 * are found by name. With `missing: "drop"`, returns undefined if the files lack the object's kind or artifact. Does
 * not mark an artifact as made: the snapshot of the mill stores which artifacts were made.
 *
 * Cost: O(kinds + flags + affixes × `T` lines + lines of the theme).
 *
 * @param files - The files of the maker: `maker.files`.
 * @throws RollmillError `object.saved` if the saved object is damaged, has a record that the files lack, or could not
 * have been made from the files; `argument.type`, `argument.option`.
 */
export function loadObject(
  files: ObjectFiles,
  saved: unknown,
  options: LoadOptions & { readonly missing: "drop" },
): MadeObject | undefined;
export function loadObject(
  files: ObjectFiles,
  saved: unknown,
  options?: LoadOptions & { readonly missing?: undefined },
): MadeObject;
export function loadObject(files: ObjectFiles, saved: unknown, options: LoadOptions = {}): MadeObject | undefined {
  const { laws, missing } = readSkip(files, "loadObject", options, ["laws", "missing"]);
  if (!isObject(saved)) {
    const expected = "an object that saveObject returned";
    return refuse({ problem: "the value is not a saved object", got: saved, expected, path: "" });
  }
  if (saved.format !== FORMAT) {
    const expected = `format ${FORMAT}, as in the objects that saveObject returns`;
    return refuse({ problem: "the saved object has an unknown format", got: saved.format, expected, path: "format" });
  }
  const lost: Lost[] = [];
  const object = readObject(saved, files, lost);
  if (lost.length > 0 && missing !== "drop") refuseLost(lost[0]);
  if (lost.length === 0 && laws !== "skip") refuseViolation(violationOf(object as MadeObject, files));
  return object;
}

function readSkip(files: ObjectFiles, call: string, options: LoadOptions, known: readonly (keyof LoadOptions)[]) {
  checkParsed("objects", { name: "files", value: files, parser: "parseObjects" });
  const read = readOptions(call, options, known);
  if (read.laws !== undefined && read.laws !== "skip") refuseArgument("laws", read.laws, '"skip"');
  if (read.missing !== undefined && read.missing !== "drop") refuseArgument("missing", read.missing, '"drop"');
  return read;
}

export function ownObject(object: unknown, files: ObjectFiles): MadeObject {
  if (!isObject(object)) {
    const expected = "an object that make() returned";
    return fail(error("argument.type", { problem: "the value is not a made object", got: object, expected }));
  }
  const { kind, artifact, theme, affixes, affixLevel } = object;
  const references = {
    kind: kindRef(kind),
    artifact: recordRef(artifact),
    theme: recordRef(theme),
    affixes: Array.isArray(affixes) ? affixes.map(recordRef) : affixes,
    affixLevel: affixLevel === -1 ? null : typeof affixLevel === "number" ? files.levels[affixLevel] : affixLevel,
  };
  const lost: Lost[] = [];
  const own = readObject({ ...object, ...references }, files, lost);
  return lost.length > 0 || own === undefined ? refuseLost(lost[0]) : own;
}

function kindRef(kind: unknown): SavedKind {
  const { name, type, sval } = (kind ?? {}) as KindSpec;
  return { name: typeof name === "string" ? plainName(name) : name, tval: type?.word, sval };
}

function recordRef(record: unknown): unknown {
  return record === undefined ? null : isObject(record) ? { name: record.name, number: record.number } : {};
}

type Fields = Partial<Record<keyof SavedObject, unknown>>;

type Lost = { readonly what: string; readonly name: unknown; readonly path: string };

const RANGES = {
  index: [0, MAX_INDEX - 1],
  level: [0, 255],
  slots: [0, MOST_AFFIXES],
  added: [0, MOST_AFFIXES],
  toHit: [-32_767, 32_767],
  toDam: [-32_767, 32_767],
  toAc: [-32_767, 32_767],
  ac: [0, 32_767],
  dice: [0, 32_767],
  sides: [0, 32_767],
  weight: [0, 65_535],
  words: [0, 2 ** 32 - 1],
} as const;

const MAX_ENTRIES = 65_535;

/** Adds records and flags that the files lack to the list `lost`. Returns undefined if the kind or artifact is lost. */
function readObject(from: Fields, files: ObjectFiles, lost: Lost[]): MadeObject | undefined {
  const names = Object.keys(RANGES) as (keyof typeof RANGES)[];
  const numbers = Object.fromEntries(names.map((name) => [name, numberIn(from[name], name, RANGES[name])])) as Record<
    keyof typeof RANGES,
    number
  >;
  const affixes = affixesOf(from, numbers.added, { files, lost });
  const { quality } = from;
  if (quality !== "normal" && quality !== "good" && quality !== "great") {
    return refuseField("quality", quality, '"normal", "good" or "great"');
  }
  const kind = kindOf(from.kind, { files, lost });
  const artifact = recordNamed(files.artifacts, from.artifact, { what: "artifact", lost });
  const theme = recordNamed(files.themes, from.theme, { what: "theme", lost });
  const affixLevel = from.affixLevel === null ? -1 : files.levels.indexOf(from.affixLevel as string);
  if (affixLevel < 0 && from.affixLevel !== null) {
    lost.push({ what: "affix level", name: from.affixLevel, path: "affixLevel" });
  }
  const level = from.affixLevel === null ? -1 : Math.max(affixLevel, 0);
  const flags = flagsOf(from.flags, { files, lost });
  const pvals = pvalsOf(from.pvals, { files, lost });
  if (kind === undefined || (artifact === undefined && from.artifact !== null)) return undefined;
  return { ...numbers, ...affixes, affixLevel: level, quality, kind, artifact, theme, flags, pvals };
}

type Source = { readonly files: ObjectFiles; readonly lost: Lost[] };

function affixesOf(from: Fields, added: number, { files, lost }: Source) {
  const given = listIn(from.affixes, "affixes", MOST_AFFIXES);
  const depths = listIn(from.depths, "depths", MOST_AFFIXES);
  if (given.length !== depths.length) {
    const problem = "the object does not have one depth for each affix";
    return refuse({ problem, got: depths.length, expected: `${given.length} depths`, path: "depths" });
  }
  if (added > given.length) {
    const problem = "the number of added affixes is greater than the number of affixes";
    return refuse({ problem, got: added, expected: `at most ${given.length}`, path: "added" });
  }
  const found = given.flatMap((reference, i) => {
    const depth = numberIn(depths[i], `depths[${i}]`, [0, 2 ** 16 - 1]);
    const named = isObject(reference) ? reference : { name: reference };
    const affix = recordNamed(files.affixes, named, { what: "affix", lost, path: `affixes[${i}]` });
    return affix === undefined ? [] : [{ affix, depth, isAdded: i >= given.length - added }];
  });
  return {
    affixes: found.map(({ affix }) => affix),
    depths: found.map(({ depth }) => depth),
    added: found.filter(({ isAdded }) => isAdded).length,
  };
}

const recordsByName = new WeakMap<readonly unknown[], ReadonlyMap<unknown, readonly unknown[]>>();

function recordsNamed<T extends { readonly name: string }>(
  records: readonly T[],
  name: unknown,
  keyOf: (record: T) => string | undefined = (record) => record.name,
): readonly T[] {
  let groups = recordsByName.get(records) as Map<unknown, T[]> | undefined;
  if (groups === undefined) {
    groups = new Map();
    for (const record of records) {
      const key = keyOf(record);
      const group = groups.get(key);
      if (group !== undefined) group.push(record);
      else if (key !== undefined) groups.set(key, [record]);
    }
    recordsByName.set(records, groups);
  }
  return groups.get(name) ?? [];
}

/** Finds the kind of an object by name. If several kinds have the name, the type and the sval decide. */
function kindOf(value: unknown, { files, lost }: Source): KindSpec | undefined {
  const { name, tval, sval } = (value ?? {}) as Partial<SavedKind>;
  const named = recordsNamed(files.kinds, name, (one) => (one.tval === NO_TVAL ? undefined : plainName(one.name)));
  const kind = named.length === 1 ? named[0] : named.find((one) => one.type.word === tval && one.sval === sval);
  if (kind === undefined) lost.push({ what: "kind", name: name ?? value, path: "kind" });
  return kind;
}

/** Finds a record by name. If several records have the name, the number decides. Returns undefined for null. */
function recordNamed<T extends SavedRecord>(
  records: readonly T[],
  value: unknown,
  { what, lost, path = what }: { readonly what: string; readonly lost: Lost[]; readonly path?: string },
): T | undefined {
  if (value === null) return undefined;
  const { name, number } = (value ?? {}) as Partial<SavedRecord>;
  const named = recordsNamed(records, name);
  const found = named.length === 1 ? named[0] : named.find((record) => record.number === number);
  if (found === undefined) lost.push({ what, name: name ?? value, path });
  return found;
}

function flagsOf(value: unknown, { files, lost }: Source): readonly string[] {
  const own = new Set(listIn(value, "flags", MAX_ENTRIES));
  const flags = files.flags.flatMap((flag) => (!isValued(flag) && own.delete(flag.name) ? [flag.name] : []));
  for (const name of own) lost.push({ what: "flag without a value", name, path: "flags" });
  return flags;
}

function pvalsOf(value: unknown, { files, lost }: Source): Readonly<Record<string, number>> {
  if (!isObject(value)) return refuseField("pvals", value, "an object with a value for each flag");
  const own = new Map(Object.entries(value));
  for (const [name, pval] of own) {
    const most = RANGES.toHit[1];
    if (typeof pval === "number" && Number.isInteger(pval) && pval !== 0 && Math.abs(pval) <= most) continue;
    return refuseField(`pvals.${name}`, pval, `an integer from ${-most} to ${most}, but not 0`);
  }
  const pvals = files.flags.flatMap((flag) => {
    const pval = own.get(flag.name);
    return isValued(flag) && own.delete(flag.name) ? [[flag.name, pval]] : [];
  });
  for (const name of own.keys()) lost.push({ what: "flag with a value", name, path: `pvals.${name}` });
  return Object.fromEntries(pvals);
}

function numberIn(value: unknown, path: string, [least, most]: readonly [number, number]): number {
  if (typeof value === "number" && Number.isInteger(value) && least <= value && value <= most) return value;
  return refuseField(path, value, `an integer from ${least} to ${most}`);
}

function listIn(value: unknown, path: string, most: number): readonly unknown[] {
  const copy = Array.isArray(value) ? copyList(value, most) : undefined;
  return copy ?? refuseField(path, value, "a list that saveObject returned");
}

function refuseField(path: string, got: unknown, expected: string): never {
  return refuse({ problem: `invalid field ${JSON.stringify(path)}`, got, expected, path });
}

function refuseLost({ what, name, path }: Lost): never {
  return fail(
    error("object.saved", {
      problem: `the files have no such ${what}`,
      got: name,
      expected: "the name of a record in the files",
      remedy: 'Add it to the files, or load the object with the option "missing" set to "drop"',
      where: { path },
    }),
  );
}

function refuseViolation(violation: Violation | undefined): void {
  if (violation === undefined) return;
  const { path, ...finding } = violation;
  const remedy = 'Pass the object unchanged, or set the option "laws" to "skip"';
  fail(error("object.saved", { ...finding, remedy, where: { path } }));
}

function refuse({ path, ...finding }: Violation): never {
  return fail(error("object.saved", { ...finding, remedy: "Pass the object unchanged", where: { path } }));
}
