import { checkParsed } from "../../spec/index.js";
import { rangeOf } from "../law/mBonus.js";
import { ownObject } from "../make/saved.js";
import { plainName } from "../parse/names.js";
import type { DepthRange, ItemSpec, KindSpec, MadeObject, ObjectBody, ObjectFiles } from "../types.js";
import {
  affixTarget,
  checkedNaming,
  isOfTheme,
  MODIFIERS,
  type Naming,
  objectColour,
  objectName,
  signed,
} from "./names.js";

/** The description of an affix of an object. */
export interface AffixDescription {
  readonly name: string;
  readonly kind: "prefix" | "suffix";
  /** The affix level of the `T` line that matched, by name; null if the affix was added on request. */
  readonly level: string | null;
  /** The depth of the affix's slot: the real depth or a boosted depth. */
  readonly depth: number;
  /** Whether the affix belongs to the theme of the object. */
  readonly isOfTheme: boolean;
  /** The description in the files; "" if the affix has none. */
  readonly description: string;
}

/** The description of an object as plain data, for JSON. */
export interface ObjectDescription {
  readonly name: string;
  /** The kind's full name, without the marks for article and plural. */
  readonly kind: string;
  /** The colour of an affix or of the kind. Left out if neither the kind nor an affix has a colour. */
  readonly colour?: string;
  readonly artifact?: string;
  readonly theme?: string;
  /** The affixes in the order of the rolls. An affix can occur twice. */
  readonly affixes: readonly AffixDescription[];
  /** The descriptions of the kind, of the affixes outside the theme (each once), of the theme and of the artifact. */
  readonly description: readonly string[];
  readonly changes: ObjectChanges;
}

export function describeObject(object: MadeObject, files: ObjectFiles, naming: Naming = {}): ObjectDescription {
  const { kind, artifact, theme } = object;
  const affixes = object.affixes.map((affix, place): AffixDescription => {
    const level = affixTarget(object, place)?.level;
    return {
      name: affix.name,
      kind: affix.kind,
      level: level === undefined ? null : files.levels[level],
      depth: object.depths[place],
      isOfTheme: isOfTheme(object, affix),
      description: affix.description,
    };
  });
  const colour = objectColour(object);
  const texts = [
    fileDescription(kind.text),
    ...new Set(affixes.filter((affix) => !affix.isOfTheme).map(({ description }) => description)),
    theme?.description ?? "",
    fileDescription(artifact?.text ?? {}),
  ];
  return {
    name: objectName(object, checkedNaming(naming, files)),
    kind: plainName(kind.fullName),
    ...(colour === undefined ? {} : { colour }),
    ...(artifact === undefined ? {} : { artifact: artifact.name }),
    ...(theme === undefined ? {} : { theme: theme.name }),
    affixes,
    description: texts.filter((text) => text !== ""),
    changes: objectChanges(object),
  };
}

/** Formats a description as text: the name, then the other lines, indented. The text does not end with a line feed. */
export function describeText({ name, kind, colour, theme, affixes, description, changes }: ObjectDescription): string {
  const listed = (isOfTheme: boolean) =>
    affixes
      .filter((affix) => affix.isOfTheme === isOfTheme)
      .map(({ name: affix, level, depth }) => `${affix} (${level === null ? "" : `${level}, `}depth ${depth})`)
      .join(", ");
  const [own, ofTheme] = [listed(false), listed(true)];
  const changed = changeLines(changes);
  const lines = [
    ...description,
    ...(colour === undefined ? [] : [`Colour: ${colour}`]),
    ...(own === "" ? [] : [`Affixes: ${own}`]),
    ...(theme === undefined ? [] : [`Theme: ${theme}${ofTheme === "" ? "" : `, from ${ofTheme}`}`]),
    ...(changed.length === 0 ? [] : [`Against the ${kind}:`, ...changed.map((line) => `  ${line}`)]),
  ];
  return [name, ...lines.map((line) => `  ${line}`)].join("\n");
}

function changeLines(changes: ObjectChanges): readonly string[] {
  const { flagsGained, flagsLost, pvals } = changes;
  const numbers = NUMBERS.flatMap(([what, name]) => {
    const [change, show] = [changes[name], name === "weight" ? pounds : String];
    return change === undefined ? [] : [`${what}: ${show(change.from)} to ${show(change.to)}`];
  });
  const values = MODIFIERS.map(([what, name]) => [what, changes[name]] as const);
  return [
    ...numbers,
    ...[...values, ...Object.entries(pvals)].flatMap(([what, change]) => valueLine(what, change)),
    ...(flagsGained.length === 0 ? [] : [`gained: ${flagsGained.join(", ")}`]),
    ...(flagsLost.length === 0 ? [] : [`lost: ${flagsLost.join(", ")}`]),
  ];
}

function valueLine(what: string, change: ValueChange | undefined): readonly string[] {
  if (change === undefined) return [];
  const { from, to } = change;
  const before = from.least === from.most ? signed(from.least) : `(${signed(from.least)} … ${signed(from.most)})`;
  return [`${what}: ${before} to ${signed(to)}`];
}

export function pounds(tenths: number): string {
  return `${Math.trunc(tenths / 10)}.${tenths % 10} lb`;
}

export function fileDescription({ D, desc = [] }: ItemSpec["text"]): string {
  return (D ?? desc).map((line) => line.trim()).join(" ");
}

/** A change from the kind's range of values, with both ends inclusive, to the object's value. */
export interface ValueChange {
  readonly from: { readonly least: number; readonly most: number };
  readonly to: number;
}

/** A change from the kind's number to the object's number. */
export interface NumberChange {
  readonly from: number;
  readonly to: number;
}

/** The differences between an object and its kind. Numbers that are random in the kind are always listed. */
export interface ObjectChanges {
  /** Base armour class. */
  readonly ac?: NumberChange;
  /** Weight in tenths of a pound. */
  readonly weight?: NumberChange;
  readonly dice?: NumberChange;
  readonly sides?: NumberChange;
  readonly toHit?: ValueChange;
  readonly toDam?: ValueChange;
  readonly toAc?: ValueChange;
  /** Flags without a value that the object has and its kind lacks, in the order of the object's flags. */
  readonly flagsGained: readonly string[];
  /** Flags without a value that the kind has and the object lacks, in the order of the kind's flags. */
  readonly flagsLost: readonly string[];
  /** The changes of flags with a value. The keys are the object's flags, then the flags that only the kind has. */
  readonly pvals: Readonly<Record<string, ValueChange>>;
}

const NUMBERS = [
  ["base armour class", "ac"],
  ["weight", "weight"],
  ["dice", "dice"],
  ["sides", "sides"],
] as const;

function objectChanges(object: MadeObject): ObjectChanges {
  const { kind } = object;
  const numbers = NUMBERS.filter(([, name]) => object[name] !== kind[name]);
  const values = MODIFIERS.map(([, name]) => [name, { from: rangeOf(kind[name]), to: object[name] }] as const);
  const pvals = pvalRanges(kind.pvals);
  const valued = [...new Set([...Object.keys(object.pvals), ...pvals.keys()])].map((flag) => {
    return [flag, { from: pvals.get(flag) ?? NONE, to: object.pvals[flag] ?? 0 }] as const;
  });
  return {
    ...Object.fromEntries(numbers.map(([, name]) => [name, { from: kind[name], to: object[name] }])),
    ...Object.fromEntries(values.filter(([, change]) => differs(change))),
    flagsGained: object.flags.filter((flag) => !kind.flags.includes(flag)),
    flagsLost: kind.flags.filter((flag) => !object.flags.includes(flag)),
    pvals: Object.fromEntries(valued.filter(([, change]) => differs(change))),
  };
}

function differs({ from, to }: ValueChange): boolean {
  return from.least !== to || from.most !== to;
}

const NONE: DepthRange = { least: 0, most: 0 };

/** Returns the range of values of each flag. If several lines name a flag, their ranges add up. */
function pvalRanges(pvals: KindSpec["pvals"]): ReadonlyMap<string, DepthRange> {
  const ranges = new Map<string, DepthRange>();
  for (const { value, flags } of pvals) {
    const { least, most } = rangeOf(value);
    for (const flag of flags) {
      const before = ranges.get(flag) ?? NONE;
      ranges.set(flag, { least: before.least + least, most: before.most + most });
    }
  }
  return ranges;
}

/** An object as a row of plain values, for JSON and CSV. */
export interface ObjectRow extends ObjectBody {
  readonly index: number;
  readonly name: string;
  /** The kind's full name, without the marks for article and plural. */
  readonly kind: string;
  /** The type of the kind, such as "sword". Kinds of different types can have the same name. */
  readonly tval: string;
  /** The colour of an affix or of the kind; null if neither the kind nor an affix has a colour. */
  readonly colour: string | null;
  readonly artifact: string | null;
  readonly theme: string | null;
  /** The names of the affixes, in the order of the rolls. An affix can occur twice. */
  readonly affixes: readonly string[];
  /** Name of the affix level; null for an artifact without affixes. */
  readonly affixLevel: string | null;
}

export function objectRow(object: MadeObject, files: ObjectFiles, naming: Naming = {}): ObjectRow {
  const { index, kind, artifact, theme, toHit, toDam, toAc, ac, dice, sides, weight } = object;
  const numbers = { toHit, toDam, toAc, ac, dice, sides, weight };
  return {
    index,
    name: objectName(object, checkedNaming(naming, files)),
    kind: plainName(kind.fullName),
    tval: kind.type.word,
    colour: objectColour(object) ?? null,
    artifact: artifact?.name ?? null,
    theme: theme?.name ?? null,
    affixes: object.affixes.map(({ name }) => name),
    affixLevel: files.levels[object.affixLevel] ?? null,
    ...numbers,
    flags: [...object.flags],
    pvals: { ...object.pvals },
  };
}

/**
 * Returns the name of an object, such as "a Keen Ashen Longsword of the Ferry (2d5) (+7,+9)" or "the Kris 'Oar' (3d3)
 * (+5,+6)". A name has these parts:
 *
 * - The article: "the" for an artifact. Other objects have "a" or "an" if the name of their kind begins with "& ".
 * - The kind's name, then an artifact's own name. A theme's name is before or after the kind's name, and replaces the
 *   affixes on this side. On a side without a theme, `naming` selects the affixes that are shown.
 * - The dice, for weapons except bows, and for objects with the flag SHOW_DICE.
 * - (to-hit,to-dam), unless both are 0. The flag SHOW_MODS shows them even if both are 0.
 * - [armour class,to-ac], unless both are 0. Without an armour class, only [to-ac].
 * - The values of flags: `<+2>` if all are equal, else `<+2 STR, -1 SPEED>`.
 *
 * Cost: O(flags + affixes × `T` lines); with synthetic names, also O(names × their affixes).
 *
 * @param files - The files of the maker: `maker.files`.
 * @param object - An object that a maker made or loaded, or a copy of such an object with changed numbers.
 * @throws RollmillError `argument.type`, `argument.option`, `object.name` for an invalid naming; `argument.type` if
 * `files` or `object` has a wrong type; `object.saved` if the object is damaged, or has a record that the files lack.
 */
export function nameOf(files: ObjectFiles, object: MadeObject, naming: Naming = {}): string {
  return objectName(checkedObject(files, object), checkedNaming(naming, files));
}

/** Returns an object as a row of plain values, for JSON and CSV. Throws the errors of {@link nameOf}. */
export function rowOf(files: ObjectFiles, object: MadeObject, naming?: Naming): ObjectRow {
  return objectRow(checkedObject(files, object), files, naming);
}

/**
 * Describes an object: its name, the descriptions in the files, and all differences from its kind. Throws the errors
 * of {@link nameOf}.
 */
export function descriptionOf(files: ObjectFiles, object: MadeObject, naming?: Naming): ObjectDescription {
  return describeObject(checkedObject(files, object), files, naming);
}

/**
 * Returns the colour of the last affix that has a colour, else the colour of the kind, else undefined.
 *
 * @throws RollmillError `argument.type`, `object.saved` as in {@link nameOf}.
 */
export function colourOf(files: ObjectFiles, object: MadeObject): string | undefined {
  return objectColour(checkedObject(files, object));
}

function checkedObject(files: ObjectFiles, object: MadeObject): MadeObject {
  checkParsed("objects", { name: "files", value: files, parser: "parseObjects" });
  return ownObject(object, files);
}
