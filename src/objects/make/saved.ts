import { error, fail } from "../../errors/index.js";
import { isValued } from "../compile/flagBits.js";
import { MOST_AFFIXES } from "../odds/law.js";
import type { MadeObject, ObjectFiles, Quality } from "../types.js";

/** An object to be kept: plain data, good as JSON. Records are said by their numbers. */
export interface SavedObject extends Omit<MadeObject, "kind" | "artifact" | "theme" | "affixes"> {
  /** SHA-256 of the edit files. */
  readonly files: string;
  /** The most affixes of an object, and how many flags there are, where it was saved. */
  readonly affixSlots: number;
  readonly flagCount: number;
  readonly kind: number;
  readonly artifact: number | null;
  readonly theme: number | null;
  readonly affixes: readonly number[];
}

/**
 * An object as plain data. `digest` is that of its edit files.
 *
 * @throws RollmillError as {@link ownObject}.
 */
export function saveObject(object: MadeObject, files: ObjectFiles, digest: string): SavedObject {
  const { kind, artifact, theme, affixes, ...rest } = ownObject(object, files);
  return {
    ...{ files: digest, affixSlots: MOST_AFFIXES, flagCount: files.flags.length },
    ...rest,
    kind: kind.number,
    artifact: artifact?.number ?? null,
    theme: theme?.number ?? null,
    affixes: affixes.map(({ number }) => number),
  };
}

/** The least and the most of a saved object's numbers, but for its affix level. */
const RANGES = {
  index: [0, 2 ** 32 - 1],
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
 * The object that was saved.
 *
 * @throws RollmillError `object.saved` where it is of other edit files, or damaged.
 */
export function loadObject(saved: unknown, files: ObjectFiles, digest: string): MadeObject {
  if (typeof saved !== "object" || saved === null)
    return refuse("it is no saved object", saved, "one that save() made");
  const from = saved as Fields;
  if (from.files !== digest) {
    return refuse("the object is of other edit files", from.files, `files of SHA-256 ${digest}`);
  }
  if (from.affixSlots !== MOST_AFFIXES || from.flagCount !== files.flags.length) {
    const expected = `${MOST_AFFIXES} affixes and ${files.flags.length} flags`;
    return refuse("the object has room for others", `${from.affixSlots} and ${from.flagCount}`, expected);
  }
  return readObject(from, files);
}

/**
 * A made object by the records of these very files: one of another mill under the same files, or a copy, is as good as one
 * of their own.
 *
 * @throws RollmillError `argument.type` for what is no object; `object.saved` where it is of other files, or damaged.
 */
export function ownObject(object: unknown, files: ObjectFiles): MadeObject {
  if (typeof object !== "object" || object === null) {
    return fail(
      error("argument.type", { problem: "it is no made object", got: object, expected: "one that make() made" }),
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
        ? Array.from(affixes, (affix) => numberIn(files.affixes, "affixes", affix))
        : affixes,
    },
    files,
  );
}

/** The number of a record that the files have, under the same name. */
function numberIn(
  records: readonly { readonly number: number; readonly name: string }[],
  what: string,
  record: unknown,
): number {
  const { number, name } = (record ?? {}) as { readonly number?: unknown; readonly name?: unknown };
  const own = records.find((candidate) => candidate.number === number && candidate.name === name);
  return own?.number ?? refuse(`${what}: there is no such record`, name ?? record, "a record of the files");
}

/** What is read: whatever it holds. */
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
  const affixes = listOf(from, "affixes", () => true).map((number) => recordOf(files.affixes, "affixes", number));
  if (affixes.length !== depths.length)
    return refuse("the object is damaged", depths.length, `${affixes.length} depths`);
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
  return refuse(`${name} is not usable`, value, `an integer from ${least} to ${most}`);
}

function listOf(
  from: Fields,
  name: "affixes" | "depths" | "flags",
  isSound: (value: unknown) => boolean,
): readonly unknown[] {
  const list = from[name];
  const most = name === "flags" ? Number.POSITIVE_INFINITY : MOST_AFFIXES;
  // (a list with holes is one of undefined)
  if (Array.isArray(list) && list.length <= most) {
    const values: readonly unknown[] = Array.from(list);
    if (values.every(isSound)) return values;
  }
  return refuse(`${name} are not usable`, list, "a list that save() made");
}

function recordOf<T extends { readonly number: number }>(records: readonly T[], what: string, number: unknown): T {
  const record = records.find((candidate) => candidate.number === number);
  return record ?? refuse(`${what}: there is no such record`, number, "the number of one in the files");
}

function qualityOf(value: unknown): Quality {
  if (value === "normal" || value === "good" || value === "great") return value;
  return refuse("the quality is not usable", value, "normal, good or great");
}

function pvalsOf(value: unknown, { flags }: ObjectFiles): Readonly<Record<string, number>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("pvals are not usable", value, "values by flag");
  }
  const valued = new Set(flags.filter(isValued).map(({ name }) => name));
  const isSound = ([name, number]: [string, unknown]) =>
    valued.has(name) && Number.isInteger(number) && number !== 0 && Math.abs(Number(number)) <= 32_767;
  const entries = Object.entries(value);
  const flaw = entries.find((entry) => !isSound(entry));
  if (flaw !== undefined)
    return refuse(`the pval ${flaw[0]} is not usable`, flaw[1], "a value but 0 of a flag that takes one");
  const own = new Map(entries);
  return Object.fromEntries(flags.flatMap(({ name }) => (own.has(name) ? [[name, own.get(name)]] : [])));
}

function refuse(problem: string, got: unknown, expected: string): never {
  const remedy = "Use what was made or saved as it is, with the files that it was made from";
  return fail(error("object.saved", { problem, got, expected, remedy }));
}
