import { isLegal } from "../odds/law.js";
import { isArmour, showsDice } from "../parse/tvals.js";
import type { AffixSpec, AffixTarget, MadeObject } from "../types.js";
import { plainName } from "./kindNames.js";
import type { Naming, SyntheticName } from "./naming.js";

/** Before the kind's name or behind it. */
type Side = AffixSpec["kind"];
const SIDES: readonly Side[] = ["prefix", "suffix"];

/**
 * What an object is called: "a Keen Ashen Longsword of the Ferry (2d5) (+7,+9)", "the Kris 'Oar' (3d3) (+5,+6)".
 *
 * - "the" before an artifact; else, where the kind's name begins with "& ", "an" before a vowel and "a" before anything else.
 * - An artifact has its own name behind the kind's, and none of its affixes'. A theme has its side to itself; on the other one,
 *   and without a theme on both, stand affixes as `naming` says. Prefixes follow one another, suffixes have commas between them.
 * - Dice of weapons but bows, or with the flag SHOW_DICE; (to-hit,to-dam) where either is not 0, or with the flag SHOW_MODS;
 *   [armour class,to-ac] of what has armour, [to-ac] of what else adds to it; `<+2>` where all pvals are the same, else
 *   `<+2 STR, -1 SPEED>`.
 *
 * Cost: O(affixes · `T` lines of one), with synthetic names O(affixes · their affixes) more.
 *
 * @param naming - As {@link checkNaming} leaves it; an affix in it that does not exist is never there.
 */
export function objectName(object: MadeObject, naming: Naming = {}): string {
  const { kind, artifact } = object;
  const base = plainName(kind.name);
  const { prefix, suffix } =
    artifact === undefined ? affixWords(object, naming) : { prefix: "", suffix: artifact.name };
  const words = spaced([prefix, base, suffix]);
  return spaced([articleOf(object, words), words, ...numbersOf(object, naming)]);
}

/** What an object is drawn in: the colour of the last affix that has one, else the kind's; undefined where neither has. */
export function objectColour({ affixes, kind }: Pick<MadeObject, "affixes" | "kind">): string | undefined {
  const lent = affixes.findLast(({ colour }) => colour !== undefined)?.colour;
  // a kind's G line is symbol:colour, and the symbol may be a colon
  return lent ?? /^.+?:\s*([^:]+?)\s*$/s.exec(kind.text.G?.at(-1) ?? "")?.[1];
}

/**
 * Under which `T` line the affix at a place of an object's affixes came: the first that fits, as docs/determinism.md says;
 * undefined where none does, for what was put on it on request.
 */
export function affixTarget(object: MadeObject, place: number): AffixTarget | undefined {
  const { kind, level, affixLevel } = object;
  const slot = { kind, level, affixLevel, depth: object.depths[place] };
  return object.affixes[place].targets.find((target) => isLegal(target, slot));
}

/** What stands on either side of the kind's name. */
function affixWords(object: MadeObject, naming: Naming): Record<Side, string> {
  const { theme } = object;
  const words: Record<Side, string> = { prefix: "", suffix: "" };
  if (theme !== undefined) words[theme.kind] = theme.name;
  const open = SIDES.filter((side) => side !== theme?.kind);
  const entry = naming.affixes === "synthetic" ? widest(object, naming.synthetic ?? [], open) : undefined;
  if (entry !== undefined) words[entry.kind] = entry.name;
  for (const side of open) {
    if (side === entry?.kind) continue;
    words[side] = naming.affixes === "all" ? all(object, side, naming) : best(object, side, entry?.affixes ?? []);
  }
  return words;
}

/** The synthetic name of the most affixes, all of which the object has; the first of those. */
function widest(
  { affixes }: MadeObject,
  entries: readonly SyntheticName[],
  open: readonly Side[],
): SyntheticName | undefined {
  const names = affixes.map(({ name }) => name);
  const times = (list: readonly string[], name: string) => list.filter((other) => other === name).length;
  let found: SyntheticName | undefined;
  for (const entry of entries) {
    const { affixes: parts, kind } = entry;
    const stands = open.includes(kind) && parts.every((name) => times(names, name) >= times(parts, name));
    if (stands && parts.length > (found?.affixes.length ?? 0)) found = entry;
  }
  return found;
}

/** The affix of the highest level on a side, the first of those; "" where none is left. */
function best(object: MadeObject, side: Side, covered: readonly string[]): string {
  let found = "";
  let highest = Number.NEGATIVE_INFINITY;
  object.affixes.forEach(({ kind, name }, place) => {
    if (kind !== side || covered.includes(name)) return;
    const level = affixTarget(object, place)?.level ?? -1;
    if (level > highest) [found, highest] = [name, level];
  });
  return found;
}

/** All affixes on a side, in the order in which each of them came first. */
function all({ affixes }: MadeObject, side: Side, { repeats = "stars" }: Naming): string {
  const times = new Map<string, number>();
  for (const { kind, name } of affixes) if (kind === side) times.set(name, (times.get(name) ?? 0) + 1);
  const groups = [...times].map(([name, count]) => {
    if (repeats === "count") return [count === 1 ? name : `${name} (x${count})`];
    return Array.from({ length: count }, (_, stars) => starred(name, stars));
  });
  return side === "prefix" ? groups.map(enumerated).join(" ") : groups.flat().join(", ");
}

/** "of the Ferry" with stars is "of the *Ferry*". */
function starred(name: string, stars: number): string {
  const marks = "*".repeat(stars);
  return name.replace(/^(of (?:the )?)?(.*)$/su, (_, lead: string | undefined, word: string) => {
    return `${lead ?? ""}${marks}${word}${marks}`;
  });
}

/** "a", "a and b", "a, b and c". */
function enumerated(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function articleOf({ kind, artifact }: MadeObject, words: string): string {
  if (artifact !== undefined) return "the";
  if (!kind.name.startsWith("& ")) return "";
  // the first letter decides, whatever marks stand before or on it
  const [first] = /\p{L}/u.exec(words.normalize("NFD")) ?? [""];
  return /^[aeiou]$/i.test(first) ? "an" : "a";
}

function numbersOf(object: MadeObject, { hideAc = false, hideDice = false }: Naming): readonly string[] {
  const { kind, flags, dice, sides, toHit, toDam, toAc, ac } = object;
  const numbers: string[] = [];
  if (!hideDice && (showsDice(kind.tval) || flags.includes("SHOW_DICE"))) numbers.push(`(${dice}d${sides})`);
  if (toHit !== 0 || toDam !== 0 || flags.includes("SHOW_MODS")) numbers.push(`(${signed(toHit)},${signed(toDam)})`);
  const hasArmour = ac > 0 || (isArmour(kind.tval) && toAc !== 0);
  if (hasArmour && !hideAc) numbers.push(`[${ac},${signed(toAc)}]`);
  else if (toAc !== 0) numbers.push(`[${signed(toAc)}]`);
  const pvals = Object.entries(object.pvals);
  if (pvals.length > 0) numbers.push(`<${pvalsText(pvals)}>`);
  return numbers;
}

function pvalsText(pvals: readonly (readonly [flag: string, value: number])[]): string {
  const [[, shared]] = pvals;
  if (pvals.every(([, value]) => value === shared)) return signed(shared);
  return pvals.map(([flag, value]) => `${signed(value)} ${flag}`).join(", ");
}

/** A number that always has a sign: "+0", "-3". */
export function signed(value: number): string {
  return value < 0 ? `${value}` : `+${value}`;
}

/** The parts that are not empty, with single blanks between and within them. */
function spaced(parts: readonly string[]): string {
  return parts.join(" ").replace(/\s+/g, " ").trim();
}
