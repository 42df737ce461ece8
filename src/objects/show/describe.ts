import type { MadeObject, ObjectFiles } from "../types.js";
import { type NumberChange, type ObjectChanges, objectChanges, type ValueChange } from "./changes.js";
import { plainName } from "./kindNames.js";
import { affixTarget, objectColour, objectName, signed } from "./names.js";
import { checkNaming, type Naming } from "./naming.js";

/** An affix of an object, in words. */
export interface AffixDescription {
  readonly name: string;
  readonly kind: "prefix" | "suffix";
  /** Name of the affix level under which it came; null where no `T` line of it fits, for what was put on it on request. */
  readonly level: string | null;
  /** The depth that it was chosen at, boosted or not. */
  readonly depth: number;
  /** "" where it has none. */
  readonly description: string;
}

/** An object in words and numbers: plain data, which JSON keeps as it is. */
export interface ObjectDescription {
  readonly name: string;
  /** The kind's name, without the marks of article and plural. */
  readonly kind: string;
  /** What it is drawn in; left out where neither an affix nor the kind has a colour. */
  readonly colour?: string;
  readonly artifact?: string;
  readonly theme?: string;
  /** In the order in which they came; one that came again stands there again. */
  readonly affixes: readonly AffixDescription[];
  /** What is said of the kind, of each of its affixes once, of the theme and of the artifact; what says nothing is left out. */
  readonly description: readonly string[];
  readonly changes: ObjectChanges;
}

/**
 * Describes an object: what it is called and made of, what its files say of it, and every change against its kind.
 * Cost: O(affixes of the files + flags), and that of {@link objectName}.
 *
 * @throws RollmillError as {@link checkNaming}.
 */
export function describeObject(object: MadeObject, files: ObjectFiles, naming?: Naming): ObjectDescription {
  const { kind, artifact, theme } = object;
  const affixes = object.affixes.map((affix, place): AffixDescription => {
    const level = affixTarget(object, place)?.level;
    return {
      name: affix.name,
      kind: affix.kind,
      level: level === undefined ? null : files.levels[level],
      depth: object.depths[place],
      description: affix.description,
    };
  });
  const colour = objectColour(object);
  const texts = [
    linesOf(kind.text),
    ...new Set(object.affixes.map(({ description }) => description)),
    theme?.description ?? "",
    linesOf(artifact?.text),
  ];
  return {
    name: objectName(object, naming === undefined ? {} : checkNaming(naming, files)),
    kind: plainName(kind.name),
    ...(colour === undefined ? {} : { colour }),
    ...(artifact === undefined ? {} : { artifact: artifact.name }),
    ...(theme === undefined ? {} : { theme: theme.name }),
    affixes,
    description: texts.filter((text) => text !== ""),
    changes: objectChanges(object),
  };
}

/** A description in lines for a terminal, without a line feed at the end: the name, and what else there is, indented. */
export function describeText({ name, kind, colour, theme, affixes, description, changes }: ObjectDescription): string {
  const came = affixes.map(({ name: affix, level, depth }) => {
    return `${affix} (${level === null ? "" : `${level}, `}depth ${depth})`;
  });
  const changed = changeLines(changes);
  const lines = [
    ...description,
    ...(colour === undefined ? [] : [`Colour: ${colour}`]),
    ...(came.length === 0 ? [] : [`Affixes: ${came.join(", ")}`]),
    ...(theme === undefined ? [] : [`Theme: ${theme}`]),
    ...(changed.length === 0 ? [] : [`Against the ${kind}:`, ...changed.map((line) => `  ${line}`)]),
  ];
  return [name, ...lines.map((line) => `  ${line}`)].join("\n");
}

function changeLines(changes: ObjectChanges): readonly string[] {
  const { ac, weight, dice, sides, toHit, toDam, toAc, flagsGained, flagsLost, pvals } = changes;
  return [
    ...numberLine("base armour class", ac),
    ...numberLine("weight", weight, pounds),
    ...numberLine("dice", dice),
    ...numberLine("sides", sides),
    ...valueLine("to-hit", toHit),
    ...valueLine("to-dam", toDam),
    ...valueLine("to-ac", toAc),
    ...Object.entries(pvals).flatMap(([flag, change]) => valueLine(flag, change)),
    ...(flagsGained.length === 0 ? [] : [`gained: ${flagsGained.join(", ")}`]),
    ...(flagsLost.length === 0 ? [] : [`lost: ${flagsLost.join(", ")}`]),
  ];
}

function numberLine(what: string, change: NumberChange | undefined, show: (value: number) => string = String) {
  return change === undefined ? [] : [`${what}: ${show(change.from)} to ${show(change.to)}`];
}

function valueLine(what: string, change: ValueChange | undefined): readonly string[] {
  if (change === undefined) return [];
  const { from, to } = change;
  const before = from.least === from.most ? signed(from.least) : `(${signed(from.least)} … ${signed(from.most)})`;
  return [`${what}: ${before} to ${signed(to)}`];
}

/** Tenths of a pound, in pounds. */
function pounds(tenths: number): string {
  return `${Math.trunc(tenths / 10)}.${tenths % 10} lb`;
}

/** The D lines as one text. */
function linesOf(text: Readonly<Record<string, readonly string[]>> | undefined): string {
  return (text?.D ?? []).map((line) => line.trim()).join(" ");
}
