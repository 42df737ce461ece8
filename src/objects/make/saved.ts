import { MAX_INDEX } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { isValued } from "../compile/flagBits.js";
import { MOST_AFFIXES } from "../odds/law.js";
import type { MadeObject, ObjectFiles, Quality } from "../types.js";

/** A saved object: plain data that can be stored as JSON. It refers to records by their numbers. */
export interface SavedObject extends Omit<MadeObject, "kind" | "artifact" | "theme" | "affixes"> {
  /** SHA-256 of the edit files. */
  readonly files: string;
  /** The maximum number of affixes of any object, at the time of saving. */
  readonly affixSlots: number;
  /** Number of flags in the flag list, at the time of saving. */
  readonly flagCount: number;
  readonly kind: number;
  readonly artifact: number | null;
  readonly theme: number | null;
  readonly affixes: readonly number[];
}

/**
 * Turns an object into plain data.
 *
 * @throws The errors of {@link ownObject}.
 */
export function saveObject(object: MadeObject, files: ObjectFiles): SavedObject {
  const { kind, artifact, theme, affixes, ...rest } = ownObject(object, files);
  return {
    files: files.digest,
    affixSlots: MOST_AFFIXES,
    flagCount: files.flags.length,
    ...rest,
    kind: kind.number,
    artifact: artifact?.number ?? null,
    theme: theme?.number ?? null,
    affixes: affixes.map(({ number }) => number),
  };
}

/** The ranges of a saved object's numbers, both ends inclusive. */
const RANGES = {
  index: [0, MAX_INDEX - 1],
  level: [0, 255],
  slots: [0, MOST_AFFIXES],
  toHit: [-32_767, 32_767],
  toDam: [-32_767, 32_767],
  toAc: [-32_767, 32_767],
  ac: [0, 32_767],
  dice: [0, 32_767],
  sides: [0, 32_767],
  weight: [0, 65_535],
  words: [0, 2 ** 32 - 1],
} as const;

/**
 * Restores a saved object.
 *
 * @throws RollmillError `object.saved` if it belongs to other edit files, or is damaged.
 */
export function loadObject(saved: unknown, files: ObjectFiles): MadeObject {
  if (typeof saved !== "object" || saved === null)
    return refuse("the value is not a saved object", saved, "an object that save() returned");
  const from = saved as Fields;
  if (typeof from.files !== "string")
    return refuse("the value is not a saved object", saved, "an object that save() returned");
  if (from.files !== files.digest) {
    const expected = `files whose SHA-256 begins with ${files.digest.slice(0, 12)}`;
    return refuse("the object was made from other edit files", `${from.files.slice(0, 12)}…`, expected);
  }
  if (from.affixSlots !== MOST_AFFIXES)
    return refuse("the object was saved with another number of affix slots", from.affixSlots, String(MOST_AFFIXES));
  if (from.flagCount !== files.flags.length)
    return refuse("the object was saved with another number of flags", from.flagCount, String(files.flags.length));
  return readObject(from, files);
}

/**
 * Checks a made object. Returns it with its records replaced by the equal records of `files`, because the object may be
 * a copy, or come from another mill with the same files.
 *
 * @throws RollmillError `argument.type` for anything but an object; `object.saved` if it belongs to other files, or is
 * damaged.
 */
export function ownObject(object: unknown, files: ObjectFiles): MadeObject {
  if (typeof object !== "object" || object === null) {
    return fail(
      error("argument.type", {
        problem: "the value is not a made object",
        got: object,
        expected: "an object that make() returned",
      }),
    );
  }
  const { kind, artifact, theme, affixes, ...rest } = object as Partial<Record<keyof MadeObject, unknown>>;
  return readObject(
    {
      ...rest,
      kind: numberIn(files.kinds, "kind", kind),
      artifact: artifact === undefined ? null : numberIn(files.artifacts, "artifact", artifact),
      theme: theme === undefined ? null : numberIn(files.themes, "theme", theme),
      affixes: Array.isArray(affixes)
        ? Array.from(affixes, (affix) => numberIn(files.affixes, "affix", affix))
        : affixes,
    },
    files,
  );
}

/** Returns the number of a record. Refuses it unless the files have a record with the same number and name. */
function numberIn(
  records: readonly { readonly number: number; readonly name: string }[],
  what: string,
  record: unknown,
): number {
  const { number, name } = (record ?? {}) as { readonly number?: unknown; readonly name?: unknown };
  const own = records.find((candidate) => candidate.number === number && candidate.name === name);
  return own?.number ?? refuse(`unknown ${what}`, name ?? record, "a record of the files");
}

/** A saved object before it is checked. */
type Fields = Partial<Record<keyof SavedObject, unknown>>;

function readObject(from: Fields, files: ObjectFiles): MadeObject {
  const numbers = Object.entries(RANGES).map(([name, range]) => [
    name,
    numberOf(from, name as keyof SavedObject, range),
  ]);
  const depths = listOf(
    from,
    "depths",
    (depth) => Number.isInteger(depth) && Number(depth) >= 0 && Number(depth) < 2 ** 16,
  );
  const affixes = listOf(from, "affixes", () => true).map((number) => recordOf(files.affixes, "affix", number));
  if (affixes.length !== depths.length)
    return refuse("the object does not have one depth for each affix", depths.length, `${affixes.length} depths`);
  const plain = new Set<unknown>(files.flags.flatMap((flag) => (isValued(flag) ? [] : [flag.name])));
  const flags = new Set(listOf(from, "flags", (name) => plain.has(name)));
  return {
    ...(Object.fromEntries(numbers) as Record<keyof typeof RANGES, number>),
    affixLevel: numberOf(from, "affixLevel", [-1, files.levels.length - 1]),
    quality: qualityOf(from.quality),
    kind: recordOf(files.kinds, "kind", from.kind),
    artifact: from.artifact === null ? undefined : recordOf(files.artifacts, "artifact", from.artifact),
    theme: from.theme === null ? undefined : recordOf(files.themes, "theme", from.theme),
    affixes,
    depths: depths as number[],
    flags: files.flags.flatMap(({ name }) => (flags.has(name) ? [name] : [])),
    pvals: pvalsOf(from.pvals, files),
  };
}

function numberOf(from: Fields, name: keyof SavedObject, [least, most]: readonly [number, number]): number {
  const value = from[name];
  if (typeof value === "number" && Number.isInteger(value) && least <= value && value <= most) return value;
  return refuse(`invalid field ${JSON.stringify(name)}`, value, `an integer from ${least} to ${most}`);
}

function listOf(
  from: Fields,
  name: "affixes" | "depths" | "flags",
  isSound: (value: unknown) => boolean,
): readonly unknown[] {
  const list = from[name];
  const most = name === "flags" ? Number.POSITIVE_INFINITY : MOST_AFFIXES;
  // Array.from fills holes with undefined, so that isSound sees them
  if (Array.isArray(list) && list.length <= most) {
    const values: readonly unknown[] = Array.from(list);
    if (values.every(isSound)) return values;
  }
  return refuse(`invalid field ${JSON.stringify(name)}`, list, "a list that save() returned");
}

function recordOf<T extends { readonly number: number }>(records: readonly T[], what: string, number: unknown): T {
  const record = records.find((candidate) => candidate.number === number);
  return record ?? refuse(`unknown ${what}`, number, "the number of a record in the files");
}

function qualityOf(value: unknown): Quality {
  if (value === "normal" || value === "good" || value === "great") return value;
  return refuse('invalid field "quality"', value, '"normal", "good" or "great"');
}

function pvalsOf(value: unknown, { flags }: ObjectFiles): Readonly<Record<string, number>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse('invalid field "pvals"', value, "an object with a value for each flag");
  }
  const valued = new Set(flags.filter(isValued).map(({ name }) => name));
  const isSound = ([name, number]: [string, unknown]) =>
    valued.has(name) && Number.isInteger(number) && number !== 0 && Math.abs(Number(number)) <= 32_767;
  const entries = Object.entries(value);
  const flaw = entries.find((entry) => !isSound(entry));
  if (flaw !== undefined)
    return refuse(
      `invalid pval of the flag ${flaw[0]}`,
      flaw[1],
      "a value other than 0, for a flag that takes a value",
    );
  const own = new Map(entries);
  return Object.fromEntries(flags.flatMap(({ name }) => (own.has(name) ? [[name, own.get(name)]] : [])));
}

function refuse(problem: string, got: unknown, expected: string): never {
  const remedy = "Pass the object unchanged, with the files that it was made from";
  return fail(error("object.saved", { problem, got, expected, remedy }));
}
