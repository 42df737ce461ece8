import { didYouMean, error, fail, failOnErrors, type Issue } from "../../errors/index.js";
import { isObject } from "../../spec/index.js";
import { isLegal, type SlotPlace } from "../law/slots.js";
import { showsDice } from "../law/tvals.js";
import { inNumber, takesArticle } from "../parse/names.js";
import type { AffixSpec, AffixTarget, ArtifactSpec, KindSpec, MadeObject, ObjectFiles, TypeSpec } from "../types.js";

export const MODIFIERS = [
  ["to-hit", "toHit"],
  ["to-dam", "toDam"],
  ["to-ac", "toAc"],
] as const;

type Side = AffixSpec["kind"];
type SideWords = Record<Side, string>;

interface NumberPair {
  readonly names: readonly ["dice", "sides"] | readonly ["toHit", "toDam"] | readonly ["ac", "toAc"];
  /** `text` gets true for objects with this flag, and for objects of the types that `isMarked` accepts. */
  readonly flag?: string;
  isMarked(type: TypeSpec): boolean;
  /** Returns the text of two numbers; "" to show nothing. */
  text(isMarked: boolean, numbers: readonly [number, number], naming: Naming): string;
}

export const PAIRS: readonly NumberPair[] = [
  {
    names: ["dice", "sides"],
    flag: "SHOW_DICE",
    isMarked: showsDice,
    text: (isMarked, [dice, sides], { hideDice = false }) => (isMarked && !hideDice ? `(${dice}d${sides})` : ""),
  },
  {
    names: ["toHit", "toDam"],
    flag: "SHOW_MODS",
    isMarked: () => false,
    text: (isMarked, [toHit, toDam]) =>
      isMarked || toHit !== 0 || toDam !== 0 ? `(${signed(toHit)},${signed(toDam)})` : "",
  },
  {
    names: ["ac", "toAc"],
    isMarked: ({ group }) => group === "armour",
    text: (isArmour, [ac, toAc], { hideAc = false }) => {
      if (!hideAc && (ac > 0 || (isArmour && toAc !== 0))) return `[${ac},${signed(toAc)}]`;
      return toAc === 0 ? "" : `[${signed(toAc)}]`;
    },
  },
];

/** Returns the name of an object; `nameOf` documents the rules. The naming must come from `checkedNaming`. */
export function objectName(object: MadeObject, naming: Naming = {}): string {
  const { kind, artifact, flags } = object;
  const { prefix, suffix } = sideWords(object, naming);
  const words = [prefix, inNumber(kind.fullName, naming.number ?? 1), suffix];
  const pairs = PAIRS.map(({ names: [first, second], flag, isMarked, text }) =>
    text(isMarked(kind.type) || (flag !== undefined && flags.includes(flag)), [object[first], object[second]], naming),
  );
  const lead = leadText(kind, artifact, words, naming);
  return spaced([lead, ...words, ...pairs, pvalText(Object.entries(object.pvals))]);
}

/** Returns the number of objects, or the article, which depends on the first letter of the words after it. */
export function leadText(
  { fullName }: KindSpec,
  artifact: ArtifactSpec | undefined,
  words: readonly string[],
  { number = 1 }: Naming,
): string {
  if (number !== 1) return number === 0 ? "no more" : String(number);
  if (artifact !== undefined) return "the";
  if (!takesArticle(fullName)) return "";
  const letter = /\p{L}/u.exec(words.find((text) => /\p{L}/u.test(text)) ?? "")?.[0] ?? "";
  // a vowel may have an accent
  return /^[aeiou]/i.test(letter.normalize("NFD")) ? "an" : "a";
}

export function sideWords(object: MadeObject, naming: Naming): SideWords {
  const { artifact, theme } = object;
  if (artifact !== undefined) return { prefix: "", suffix: artifact.name };
  const words: SideWords = { prefix: "", suffix: "" };
  if (theme !== undefined) words[theme.kind] = theme.name;
  const open = (["prefix", "suffix"] as const).filter((side) => side !== theme?.kind);
  const own = theme === undefined ? object.affixes : object.affixes.filter((affix) => !isOfTheme(object, affix));
  const entry = naming.affixes === "synthetic" ? widest(own, naming.synthetic ?? [], open) : undefined;
  if (entry !== undefined) words[entry.kind] = entry.name;
  for (const side of open) {
    if (side === entry?.kind) continue;
    words[side] = naming.affixes === "all" ? all(own, side, naming) : best(object, side, entry?.affixes ?? []);
  }
  return words;
}

/** Returns the flags with their values: `<+2 STR, -1 SPEED>`. If all values are equal, returns only the value. */
export function pvalText(pvals: readonly (readonly [flag: string, value: number])[]): string {
  if (pvals.length === 0) return "";
  const [[, shared]] = pvals;
  if (pvals.every(([, value]) => value === shared)) return `<${signed(shared)}>`;
  return `<${pvals.map(([flag, value]) => `${signed(value)} ${flag}`).join(", ")}>`;
}

export function signed(value: number): string {
  return value < 0 ? `${value}` : `+${value}`;
}

/** Joins the parts with blanks. Removes repeated blanks, and blanks at the ends. */
export function spaced(parts: readonly string[]): string {
  return parts.join(" ").replace(/\s+/g, " ").trim();
}

export function objectColour({ affixes, kind }: Pick<MadeObject, "affixes" | "kind">): string | undefined {
  const lent = affixes.findLast(({ colour }) => colour !== undefined)?.colour;
  const { G, graphics = G } = kind.text;
  if (lent !== undefined) return lent;
  // the line has the form symbol:colour, and the symbol itself may be a colon
  const line = graphics?.at(-1) ?? "";
  const colon = line.lastIndexOf(":");
  return colon < 1 ? undefined : line.slice(colon + 1).trim() || undefined;
}

/** Returns the first `T` line of an affix that matches a slot; undefined if the affix was added on request. */
export function slotTarget({ targets }: AffixSpec, slot: SlotPlace): AffixTarget | undefined {
  return targets.find((target) => isLegal(target, slot));
}

export function affixTarget(object: MadeObject, place: number): AffixTarget | undefined {
  const { kind, level, affixLevel } = object;
  return slotTarget(object.affixes[place], { kind, level, affixLevel, depth: object.depths[place] });
}

/** Whether an affix belongs to the theme of an object. The name then shows the theme instead of the affix. */
export function isOfTheme({ theme }: Pick<MadeObject, "theme">, { number }: AffixSpec): boolean {
  return theme?.parts.some(({ affix }) => affix === number) ?? false;
}

/** Of the synthetic names on the `open` sides, returns the first one that replaces the most affixes. */
function widest(affixes: readonly AffixSpec[], entries: readonly SyntheticName[], open: readonly Side[]) {
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

/** Returns the name of the first affix with the highest level on a side. Skips `covered` affixes and theme affixes. */
function best(object: MadeObject, side: Side, covered: readonly string[]): string {
  const { affixes } = object;
  const levelAt = (place: number) => affixTarget(object, place)?.level ?? -1;
  let found = -1;
  for (const [place, affix] of affixes.entries()) {
    if (affix.kind !== side || covered.includes(affix.name) || isOfTheme(object, affix)) continue;
    if (found < 0 || levelAt(place) > levelAt(found)) found = place;
  }
  return found < 0 ? "" : affixes[found].name;
}

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

/** A name that replaces several affixes in the names of objects. */
export interface SyntheticName {
  /** Names of affixes that the object must have, 1 to 1,000. A name that is listed twice must occur twice. */
  readonly affixes: readonly string[];
  readonly name: string;
  /** The place of the synthetic name: a prefix goes before the name of the object's kind, a suffix after it. */
  readonly kind: "prefix" | "suffix";
}

/** Options for the names of objects. */
export interface Naming {
  /**
   * Selects the affixes that the name shows.
   * - `"best"` (default): on each side of the kind's name, the first affix of the highest affix level.
   * - `"all"`: all affixes, in the order of the rolls.
   * - `"synthetic"`: the name in {@link synthetic} that replaces the most affixes. On the other side, the best affix
   *   that this name does not replace.
   */
  readonly affixes?: "best" | "all" | "synthetic" | undefined;
  /** How `"all"` shows a repeated affix: "Sharp and *Sharp*" with `"stars"` (default), "Sharp (x2)" with `"count"`. */
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

const CHOICES: Readonly<Record<string, readonly unknown[] | undefined>> = {
  affixes: ["best", "all", "synthetic"],
  repeats: ["stars", "count"],
  hideAc: [true, false],
  hideDice: [true, false],
  synthetic: undefined,
  number: undefined,
};
const FIELDS = Object.keys(CHOICES);

const MAX_NAMES = 10_000;
const MAX_PARTS = 1_000;

/** Lists of synthetic names that were checked. Each is checked once, because it can serve for millions of names. */
const known = new WeakMap<ObjectFiles, WeakSet<object>>();

/** Checks a naming, and returns it. Cost: O(1); the first call with a list of synthetic names checks its names. */
export function checkedNaming(given: Naming, files: ObjectFiles): Naming {
  if (!isObject(given)) return fail(invalid("naming", given, "an object"));
  failOnErrors(Object.entries(given).flatMap(([field, value]) => checkField(field, value, files)));
  return given;
}

function checkField(field: string, value: unknown, files: ObjectFiles): readonly Issue[] {
  if (!FIELDS.includes(field)) {
    const expected = `one of ${FIELDS.join(", ")}`;
    const finding = { problem: "unknown field", got: field, expected, ...didYouMean(field, FIELDS) };
    return [error("argument.option", { ...finding, where: { path: field } })];
  }
  if (value === undefined) return [];
  if (field === "synthetic") return checkSynthetic(value, files);
  if (field === "number") {
    return Number.isSafeInteger(value) && Number(value) >= 0 ? [] : [invalid(field, value, "an integer of 0 or more")];
  }
  const allowed = CHOICES[field] ?? [];
  if (allowed.includes(value)) return [];
  return [invalid(field, value, allowed.map((choice) => JSON.stringify(choice)).join(" or "))];
}

function checkSynthetic(list: unknown, files: ObjectFiles): readonly Issue[] {
  if (!Array.isArray(list) || list.length > MAX_NAMES) {
    return [invalid("synthetic", list, `an array of at most ${MAX_NAMES} objects {affixes, name, kind}`)];
  }
  const checked = known.get(files) ?? new WeakSet();
  if (checked.has(list)) return [];
  const names = new Set(files.affixes.map(({ name }) => name));
  const issues = Array.from(list).flatMap((entry, i) => checkEntry(entry, `synthetic[${i}]`, names));
  if (issues.length === 0) known.set(files, checked.add(list));
  return issues;
}

function checkEntry(entry: unknown, path: string, names: ReadonlySet<string>): readonly Issue[] {
  if (!isObject(entry)) return [invalid(path, entry, "an object {affixes, name, kind}")];
  const { affixes, name, kind } = entry;
  const issues: Issue[] = [];
  if (typeof name !== "string" || name.trim() === "") issues.push(invalid(`${path}.name`, name, "a name"));
  if (kind !== "prefix" && kind !== "suffix") issues.push(invalid(`${path}.kind`, kind, '"prefix" or "suffix"'));
  if (!Array.isArray(affixes) || affixes.length === 0 || affixes.length > MAX_PARTS) {
    return [...issues, invalid(`${path}.affixes`, affixes, `an array of 1 to ${MAX_PARTS} names of affixes`)];
  }
  for (const [i, affix] of affixes.entries()) {
    const at = `${path}.affixes[${i}]`;
    if (typeof affix !== "string") issues.push(invalid(at, affix, "the name of an affix"));
    else if (!names.has(affix)) {
      const expected = "the name of an affix of ego_item.txt";
      const hint = didYouMean(affix, names, "Use the name of an affix in the file");
      const finding = { problem: "unknown affix", got: affix, expected, ...hint };
      issues.push(error("object.name", { ...finding, where: { path: at } }));
    }
  }
  return issues;
}

function invalid(path: string, got: unknown, expected: string): Issue {
  return error("argument.type", { problem: "invalid value", got, expected, where: { path } });
}
