import { didYouMean, error, fail, failOnErrors, type Issue } from "../../errors/index.js";
import { isObject } from "../../spec/index.js";
import { isLegal, type SlotPlace } from "../odds/law.js";
import { inNumber, takesArticle } from "../parse/nouns.js";
import { showsDice } from "../parse/tvals.js";
import type { AffixSpec, AffixTarget, KindSpec, MadeObject, ObjectFiles } from "../types.js";

/** A name that replaces several affixes in the names of objects. */
export interface SyntheticName {
  /** Names of affixes that the object must have, 1 to 1,000. A name that is listed twice must occur twice. */
  readonly affixes: readonly string[];
  readonly name: string;
  /** The place of the synthetic name: a prefix stands before the name of the object's kind, a suffix after it. */
  readonly kind: "prefix" | "suffix";
}

/** Options for the names of objects. */
export interface Naming {
  /**
   * Selects the affixes that the name shows.
   * - `"best"` (default): on each side of the kind's name, the affix of the highest affix level. If several affixes
   *   have this level, the first of them.
   * - `"all"`: all affixes, in the order of the rolls.
   * - `"synthetic"`: the name in {@link synthetic} that replaces the most affixes. On the other side of the kind's
   *   name, the best affix that this name does not replace.
   */
  readonly affixes?: "best" | "all" | "synthetic" | undefined;
  /**
   * How `"all"` writes a repeated affix. `"stars"` (default) gives "Sharp and *Sharp*", and `"count"` gives "Sharp
   * (x2)".
   */
  readonly repeats?: "stars" | "count" | undefined;
  /** The names for `"synthetic"`, at most 10,000. The list is checked once: do not change it later. */
  readonly synthetic?: readonly SyntheticName[] | undefined;
  /** Whether to omit the base armour class. The to-ac bonus stays. Default false. */
  readonly hideAc?: boolean | undefined;
  /** Whether to omit the dice. Default false. */
  readonly hideDice?: boolean | undefined;
  /** Number of equal objects, 0 or more: "3 Iron Shots". Default 1. */
  readonly number?: number | undefined;
}

const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  affixes: ["best", "all", "synthetic"],
  repeats: ["stars", "count"],
  hideAc: [true, false],
  hideDice: [true, false],
};
const FIELDS = [...Object.keys(CHOICES), "synthetic", "number"];

const MOST_NAMES = 10_000;
const MOST_PARTS = 1_000;

/** The checked lists of synthetic names. Millions of names can be composed with one list. */
const known = new WeakMap<ObjectFiles, WeakSet<object>>();

/**
 * Checks a naming, and that the files have its affixes. Returns the naming.
 *
 * Cost: O(1). The first call with a list of synthetic names also costs O(affixes + names).
 *
 * @throws RollmillError with every issue found: `argument.option` (unknown field), `argument.type` (a field with an
 * invalid value), `object.name` (an affix that the files do not have).
 */
export function checkedNaming(given: Naming, files: ObjectFiles): Naming {
  if (!isObject(given)) return fail(invalid("naming", given, "an object"));
  const issues = Object.entries(given).flatMap(([field, value]) => checkField(field, value));
  const { synthetic, number = 1 } = given;
  if (!Number.isSafeInteger(number) || Number(number) < 0) {
    issues.push(invalid("number", number, "an integer of 0 or more"));
  }
  if (synthetic !== undefined) issues.push(...checkSynthetic(synthetic, files));
  failOnErrors(issues);
  return given;
}

function checkSynthetic(list: unknown, files: ObjectFiles): readonly Issue[] {
  if (!Array.isArray(list) || list.length > MOST_NAMES) {
    return [invalid("synthetic", list, `an array of at most ${MOST_NAMES} objects {affixes, name, kind}`)];
  }
  const checked = known.get(files) ?? new WeakSet();
  if (checked.has(list)) return [];
  const names = new Set(files.affixes.map(({ name }) => name));
  const issues = Array.from(list).flatMap((entry, i) => checkEntry(entry, `synthetic[${i}]`, names));
  if (issues.length === 0) known.set(files, checked.add(list));
  return issues;
}

function checkField(field: string, value: unknown): readonly Issue[] {
  if (!FIELDS.includes(field)) {
    const expected = `one of ${FIELDS.join(", ")}`;
    const where = { path: field };
    return [
      error("argument.option", { problem: "unknown field", got: field, expected, ...didYouMean(field, FIELDS), where }),
    ];
  }
  const allowed = CHOICES[field] ?? [value];
  if (value === undefined || allowed.includes(value)) return [];
  return [invalid(field, value, allowed.map((choice) => JSON.stringify(choice)).join(" or "))];
}

function checkEntry(entry: unknown, path: string, names: ReadonlySet<string>): readonly Issue[] {
  if (!isObject(entry)) return [invalid(path, entry, "an object {affixes, name, kind}")];
  const { affixes, name, kind } = entry;
  const issues: Issue[] = [];
  if (typeof name !== "string" || name.trim() === "") issues.push(invalid(`${path}.name`, name, "a name"));
  if (kind !== "prefix" && kind !== "suffix") issues.push(invalid(`${path}.kind`, kind, '"prefix" or "suffix"'));
  if (!Array.isArray(affixes) || affixes.length === 0 || affixes.length > MOST_PARTS) {
    return [...issues, invalid(`${path}.affixes`, affixes, `an array of 1 to ${MOST_PARTS} names of affixes`)];
  }
  Array.from(affixes).forEach((affix: unknown, i) => {
    if (typeof affix !== "string") issues.push(invalid(`${path}.affixes[${i}]`, affix, "the name of an affix"));
    else if (!names.has(affix)) issues.push(unknownAffix(affix, `${path}.affixes[${i}]`, names));
  });
  return issues;
}

function unknownAffix(got: string, path: string, names: ReadonlySet<string>): Issue {
  return error("object.name", {
    problem: "unknown affix",
    got,
    expected: "the name of an affix of ego_item.txt",
    ...didYouMean(got, names, "Use the name of an affix in the file"),
    where: { path },
  });
}

function invalid(path: string, got: unknown, expected: string): Issue {
  return error("argument.type", { problem: "invalid value", got, expected, where: { path } });
}

type Side = AffixSpec["kind"];
const SIDES: readonly Side[] = ["prefix", "suffix"];

/** The parts of an object that decide which words are in its name. */
export interface NameSource extends Pick<MadeObject, "kind" | "artifact" | "theme" | "affixes"> {
  /** Returns the level of the `T` line that gave the object the affix at index `place`; −1 if no line did. */
  levelAt(place: number): number;
}

/** Returns the name of an object; `maker.nameOf` documents the rules. The naming comes from {@link checkedNaming}. */
export function objectName(object: MadeObject, naming: Naming = {}): string {
  const { kind, artifact, theme, affixes, level, affixLevel, depths } = object;
  const levelAt = (place: number) => affixLevelOf(affixes[place], { kind, level, affixLevel, depth: depths[place] });
  const { prefix, suffix } = sideWords({ kind, artifact, theme, affixes, levelAt }, naming);
  const words = [prefix, baseName(kind, naming), suffix];
  const letter = words.map(firstLetter).find((found) => found !== undefined);
  return spaced([leadOf(object, letter, naming), ...words, ...numbersOf(object, naming)]);
}

export function baseName(kind: KindSpec, { number = 1 }: Naming): string {
  return inNumber(kind.fullName, number);
}

/** Returns the text on each side of the kind's name; "" for no text. */
export function sideWords(source: NameSource, naming: Naming): Record<Side, string> {
  const { artifact } = source;
  return artifact === undefined ? affixWords(source, naming) : { prefix: "", suffix: artifact.name };
}

/**
 * Returns the colour of the last affix with a colour, else the colour of the kind; undefined if neither has a colour.
 */
export function objectColour({ affixes, kind }: Pick<MadeObject, "affixes" | "kind">): string | undefined {
  const lent = affixes.findLast(({ colour }) => colour !== undefined)?.colour;
  const { G, graphics = G } = kind.text;
  if (lent !== undefined) return lent;
  // the line has the form symbol:colour, and the symbol itself may be a colon
  const line = graphics?.at(-1) ?? "";
  const colon = line.lastIndexOf(":");
  return colon < 1 ? undefined : line.slice(colon + 1).trim() || undefined;
}

/**
 * Returns the `T` line by which an object got its affix at index `place`. This is the affix's first line that matches
 * (docs/determinism.md). If no line matches, returns undefined, for example for an affix that was added on request.
 */
export function affixTarget(object: MadeObject, place: number): AffixTarget | undefined {
  const { kind, level, affixLevel } = object;
  return targetOf(object.affixes[place], { kind, level, affixLevel, depth: object.depths[place] });
}

/** Returns the level of the `T` line by which an affix gets into a slot; −1 if no line matches. */
export function affixLevelOf(affix: AffixSpec, slot: SlotPlace): number {
  return targetOf(affix, slot)?.level ?? -1;
}

function targetOf({ targets }: AffixSpec, slot: SlotPlace): AffixTarget | undefined {
  return targets.find((target) => isLegal(target, slot));
}

/**
 * Whether an affix belongs to the theme of an object. If it does, the name and the description show the theme instead
 * of the affix.
 */
export function isOfTheme({ theme }: Pick<MadeObject, "theme">, { number }: AffixSpec): boolean {
  return theme?.parts.some(({ affix }) => affix === number) ?? false;
}

function ownAffixes(source: NameSource): readonly AffixSpec[] {
  return source.theme === undefined ? source.affixes : source.affixes.filter((affix) => !isOfTheme(source, affix));
}

function affixWords(source: NameSource, naming: Naming): Record<Side, string> {
  const { theme } = source;
  const words: Record<Side, string> = { prefix: "", suffix: "" };
  if (theme !== undefined) words[theme.kind] = theme.name;
  const open = theme === undefined ? SIDES : SIDES.filter((side) => side !== theme.kind);
  const isSynthetic = naming.affixes === "synthetic";
  const entry = isSynthetic ? widest(ownAffixes(source), naming.synthetic ?? [], open) : undefined;
  if (entry !== undefined) words[entry.kind] = entry.name;
  for (const side of open) {
    if (side === entry?.kind) continue;
    words[side] =
      naming.affixes === "all" ? all(ownAffixes(source), side, naming) : best(source, side, entry?.affixes ?? []);
  }
  return words;
}

/**
 * Returns the synthetic name that replaces the most affixes. If several names replace equally many affixes, returns the
 * first of these names. `open` lists the sides of the kind's name that no theme takes. Ignores synthetic names on the
 * other sides.
 */
function widest(
  affixes: readonly AffixSpec[],
  entries: readonly SyntheticName[],
  open: readonly Side[],
): SyntheticName | undefined {
  const names = affixes.map(({ name }) => name);
  const times = (list: readonly string[], name: string) => list.filter((other) => other === name).length;
  let found: SyntheticName | undefined;
  for (const entry of entries) {
    const { affixes: parts, kind } = entry;
    if (parts.length > names.length) continue;
    const isPossible = open.includes(kind) && parts.every((name) => times(names, name) >= times(parts, name));
    if (isPossible && parts.length > (found?.affixes.length ?? 0)) found = entry;
  }
  return found;
}

/**
 * Returns the name of the affix with the highest level on a side. If several affixes have this level, returns the name
 * of the first. Ignores affixes of the theme, and affixes whose names are in `covered`. Returns "" if no affix is left.
 * Looks up no levels if only one affix is left.
 */
function best(source: NameSource, side: Side, covered: readonly string[]): string {
  const { affixes } = source;
  let found: number | undefined;
  for (let place = 0; place < affixes.length; place++) {
    const { kind, name } = affixes[place];
    if (kind !== side || covered.includes(name) || isOfTheme(source, affixes[place])) continue;
    if (found === undefined || source.levelAt(place) > source.levelAt(found)) found = place;
  }
  return found === undefined ? "" : affixes[found].name;
}

/** Returns the names of all affixes on a side as one text, in the order of their first occurrence. */
function all(affixes: readonly AffixSpec[], side: Side, { repeats = "stars" }: Naming): string {
  const times = new Map<string, number>();
  for (const { kind, name } of affixes) if (kind === side) times.set(name, (times.get(name) ?? 0) + 1);
  const groups = [...times].map(([name, count]) => {
    if (repeats === "count") return [count === 1 ? name : `${name} (x${count})`];
    return Array.from({ length: count }, (_, stars) => starred(name, stars));
  });
  return side === "prefix" ? groups.map(enumerated).join(" ") : groups.flat().join(", ");
}

/** Adds stars to a name: "of the Ferry" becomes "of the *Ferry*" with one star. */
function starred(name: string, stars: number): string {
  const marks = "*".repeat(stars);
  return name.replace(/^(of (?:the )?)?(.*)$/su, (_, lead: string | undefined, word: string) => {
    return `${lead ?? ""}${marks}${word}${marks}`;
  });
}

function enumerated(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * Returns the words at the start of the name: the number, or the article.
 *
 * @param letter - The first letter after these words, as {@link firstLetter} returns it.
 */
export function leadOf(
  { kind, artifact }: Pick<MadeObject, "kind" | "artifact">,
  letter: string | undefined,
  { number = 1 }: Naming,
): string {
  if (number !== 1) return number === 0 ? "no more" : String(number);
  if (artifact !== undefined) return "the";
  if (!takesArticle(kind.fullName)) return "";
  return letter !== undefined && /^[aeiou]$/i.test(letter) ? "an" : "a";
}

/** Returns the first letter of a text, without an accent; undefined if the text has no letter. */
export function firstLetter(text: string): string | undefined {
  return /\p{L}/u.exec(text.normalize("NFD"))?.[0];
}

function numbersOf(object: MadeObject, naming: Naming): readonly string[] {
  const { kind, flags, dice, sides, pvals } = object;
  return [
    hasDice(kind, flags.includes(SHOW_DICE), naming) ? diceText(dice, sides) : "",
    modifierText(object, flags.includes(SHOW_MODIFIERS)),
    armourText(object, naming),
    pvalsText(Object.entries(pvals)),
  ];
}

/** The name of an object with this flag shows the dice. */
export const SHOW_DICE = "SHOW_DICE";
/** The name of an object with this flag shows the bonuses to hit and to damage, even if both are 0. */
export const SHOW_MODIFIERS = "SHOW_MODS";

/** Whether the names of a kind show the dice. `isShown` is true if the object has the flag SHOW_DICE. */
export function hasDice({ type }: KindSpec, isShown: boolean, { hideDice = false }: Naming): boolean {
  return !hideDice && (isShown || showsDice(type));
}

export function diceText(dice: number, sides: number): string {
  return `(${dice}d${sides})`;
}

/** Returns the bonuses to hit and to damage; "" if both are 0 and `isShown` is false. */
export function modifierText({ toHit, toDam }: Pick<MadeObject, "toHit" | "toDam">, isShown: boolean): string {
  return toHit !== 0 || toDam !== 0 || isShown ? `(${signed(toHit)},${signed(toDam)})` : "";
}

/** Returns the armour class and the to-ac bonus; "" if the name shows neither. */
export function armourText(
  { kind, ac, toAc }: Pick<MadeObject, "kind" | "ac" | "toAc">,
  { hideAc = false }: Naming,
): string {
  const hasArmour = ac > 0 || (kind.type.group === "armour" && toAc !== 0);
  if (hasArmour && !hideAc) return `[${ac},${signed(toAc)}]`;
  return toAc === 0 ? "" : `[${signed(toAc)}]`;
}

/**
 * Returns the flags with their values: `<+2 STR, -1 SPEED>`. If all values are equal, returns one value and no flags:
 * `<+2>`. Returns "" if there are no flags.
 */
export function pvalsText(pvals: readonly (readonly [flag: string, value: number])[]): string {
  if (pvals.length === 0) return "";
  const [[, shared]] = pvals;
  if (pvals.every(([, value]) => value === shared)) return `<${signed(shared)}>`;
  return `<${pvals.map(([flag, value]) => `${signed(value)} ${flag}`).join(", ")}>`;
}

/** Formats a number with its sign: "+0", "-3". */
export function signed(value: number): string {
  return value < 0 ? `${value}` : `+${value}`;
}

/** Joins texts with blanks. Several blanks in a row become one, and blanks at the ends are removed. */
export function spaced(parts: readonly string[]): string {
  return parts.join(" ").replace(/\s+/g, " ").trim();
}
