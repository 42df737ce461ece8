import type { PhraseColumn, PhraseSegment } from "../../formats/tables/columns.js";
import type { ObjectPlan } from "../compile.js";
import { MOST_AFFIXES } from "../odds/law.js";
import type { AffixSpec, ObjectFiles, ThemeSpec } from "../types.js";
import {
  affixLevelOf,
  armourText,
  baseName,
  diceText,
  firstLetter,
  hasDice,
  leadOf,
  modifierText,
  type NameSource,
  type Naming,
  pvalsText,
  SHOW_DICE,
  SHOW_MODIFIERS,
  sideWords,
  spaced,
} from "./names.js";
import { EMPTY, Sequences } from "./sequences.js";

/** The fields of `MadeObjects` that names depend on. `MadeObjects` documents them. */
export interface NamedObjects {
  readonly length: number;
  readonly making: { readonly level: number };
  readonly kind: Uint16Array;
  readonly artifact: Uint16Array;
  readonly theme: Uint16Array;
  readonly affixLevel: Uint16Array;
  readonly affixCount: Uint16Array;
  readonly affixes: Uint16Array;
  readonly depths: Uint16Array;
  readonly toHit: Int16Array;
  readonly toDam: Int16Array;
  readonly toAc: Int16Array;
  readonly ac: Uint16Array;
  readonly dice: Uint16Array;
  readonly sides: Uint16Array;
  readonly flags: Uint32Array;
  readonly pvals: Int16Array;
}

/**
 * Returns the column of the objects' names. A name consists of these segments:
 * - the number or the article
 * - the words before the kind's name
 * - the kind's name
 * - the words after the kind's name
 * - the dice
 * - the bonuses to hit and to damage
 * - the armour class
 * - the values of flags
 *
 * Objects share the texts of segments. Each text is composed once.
 *
 * @param naming - A result of `checkedNaming`.
 */
export function nameColumn(objects: NamedObjects, { files, bits }: ObjectPlan, naming: Naming): PhraseColumn {
  const isShown = (flag: string) => flagTest(objects.flags, bits.words, bits.hasBit(flag) ? bits.bit(flag) : undefined);
  return {
    kind: "phrase",
    name: "name",
    segments: [
      ...wordSegments(objects, files, naming),
      diceSegment(objects, files, { naming, isShown: isShown(SHOW_DICE) }),
      modifierSegment(objects, isShown(SHOW_MODIFIERS)),
      armourSegment(objects, files, naming),
      pvalSegment(objects, bits.pvalNames),
    ],
  };
}

type FlagTest = (k: number) => boolean;

function flagTest(flags: Uint32Array, words: number, bit: number | undefined): FlagTest {
  if (bit === undefined) return () => false;
  const [word, mask] = [bit >>> 5, 1 << (bit & 31)];
  return (k) => (flags[k * words + word] & mask) !== 0;
}

/**
 * The different texts of a segment. Text 0 is "". Every other text ends in a blank, which separates it from the next
 * segment.
 */
class SegmentTexts {
  readonly texts: string[] = [];
  readonly #indices = new Map<string, number>();

  constructor() {
    this.indexOf("");
  }

  /** Returns the index of a text. Adds the text if it is new. */
  indexOf(text: string): number {
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    const own = spaced([text]);
    const index = this.texts.push(own === "" ? "" : `${own} `) - 1;
    this.#indices.set(text, index);
    return index;
  }
}

// ── words ──

interface SideColumns {
  readonly before: SegmentTexts;
  readonly after: SegmentTexts;
  readonly befores: Uint32Array;
  readonly afters: Uint32Array;
}

function wordSegments(objects: NamedObjects, files: ObjectFiles, naming: Naming): PhraseSegment[] {
  const { length, kind } = objects;
  const sides: SideColumns = {
    before: new SegmentTexts(),
    after: new SegmentTexts(),
    befores: new Uint32Array(length),
    afters: new Uint32Array(length),
  };
  if ((naming.affixes ?? "best") === "best") placeBest(objects, files, sides);
  else placeAll(objects, files, { sides, naming });
  const bases = files.kinds.map((own) => spaced([baseName(own, naming)]));
  const { before, after, befores, afters } = sides;
  return [
    leadSegment(objects, files, { sides, bases, naming }),
    { texts: before.texts, indices: befores },
    { texts: bases.map((base) => (base === "" ? "" : `${base} `)), indices: kind },
    { texts: after.texts, indices: afters },
  ];
}

/**
 * Stores the words that {@link sideWords} returns for each object. Calls {@link sideWords} only once for all objects
 * that have the same records, affix level and depths.
 */
function placeAll(
  objects: NamedObjects,
  files: ObjectFiles,
  { sides, naming }: { readonly sides: SideColumns; readonly naming: Naming },
): void {
  const { length, kind, artifact, theme, affixLevel, affixCount, affixes, depths } = objects;
  const { before, after, befores, afters } = sides;
  const known: (readonly [before: number, after: number])[] = [];
  const sequences = new Sequences();
  for (let k = 0; k < length; k++) {
    let sequence = sequences.add(sequences.add(EMPTY, kind[k]), artifact[k]);
    sequence = sequences.add(sequences.add(sequence, theme[k]), affixLevel[k]);
    for (let place = k * MOST_AFFIXES; place < k * MOST_AFFIXES + affixCount[k]; place++) {
      sequence = sequences.add(sequences.add(sequence, affixes[place]), depths[place]);
    }
    if (known[sequence] === undefined) {
      const { prefix, suffix } = sideWords(sourceAt(objects, files, k), naming);
      known[sequence] = [before.indexOf(prefix), after.indexOf(suffix)];
    }
    [befores[k], afters[k]] = known[sequence];
  }
}

function sourceAt(objects: NamedObjects, files: ObjectFiles, k: number): NameSource {
  const from = k * MOST_AFFIXES;
  const affixes = Array.from(objects.affixes.subarray(from, from + objects.affixCount[k]), (i) => files.affixes[i - 1]);
  const kind = files.kinds[objects.kind[k]];
  const { level } = objects.making;
  const affixLevel = objects.affixLevel[k] - 1;
  return {
    kind,
    artifact: files.artifacts[objects.artifact[k] - 1],
    theme: files.themes[objects.theme[k] - 1],
    affixes,
    levelAt: (place) => affixLevelOf(affixes[place], { kind, level, affixLevel, depth: objects.depths[from + place] }),
  };
}

/**
 * Stores the words of each object for the naming "best". The words equal those of {@link sideWords}. This function is
 * faster, because it makes and compares no strings for single objects.
 */
function placeBest(objects: NamedObjects, files: ObjectFiles, { before, after, befores, afters }: SideColumns): void {
  const { length, artifact, theme, affixes, affixCount } = objects;
  const listOn = (side: AffixSpec["kind"]) => (side === "prefix" ? before : after);
  const indexOf = ({ kind, name }: Pick<AffixSpec, "kind" | "name">) => listOn(kind).indexOf(name);
  const ofAffix = [0, ...files.affixes.map(indexOf)];
  const ofTheme = [0, ...files.themes.map(indexOf)];
  const ofArtifact = [0, ...files.artifacts.map(({ name }) => after.indexOf(name))];
  const sideOf = [undefined, ...files.affixes.map(({ kind }) => kind)];
  const themed = [NO_AFFIXES, ...files.themes.map((own) => themedAffixes(own, files))];
  const levels = new AffixLevels(objects, files);
  const wordOn = (side: AffixSpec["kind"], k: number) => {
    const own = theme[k];
    if (own !== 0 && files.themes[own - 1].kind === side) return ofTheme[own];
    let best = -1;
    for (let place = k * MOST_AFFIXES; place < k * MOST_AFFIXES + affixCount[k]; place++) {
      if (sideOf[affixes[place]] !== side || themed[own].has(affixes[place])) continue;
      if (best < 0 || levels.at(k, place) > levels.at(k, best)) best = place;
    }
    return best < 0 ? 0 : ofAffix[affixes[best]];
  };
  for (let k = 0; k < length; k++) {
    const isArtifact = artifact[k] !== 0;
    befores[k] = isArtifact ? 0 : wordOn("prefix", k);
    afters[k] = isArtifact ? ofArtifact[artifact[k]] : wordOn("suffix", k);
  }
}

const NO_AFFIXES: ReadonlySet<number> = new Set();

function themedAffixes({ parts }: ThemeSpec, { affixes }: ObjectFiles): ReadonlySet<number> {
  const numbers = new Set(parts.map(({ affix }) => affix));
  return new Set(affixes.flatMap(({ number }, i) => (numbers.has(number) ? [i + 1] : [])));
}

/**
 * Caches the level of the `T` line by which an object got an affix. The affix, the kind and the affix level of the
 * object, and the depth of the slot decide which line this is.
 */
class AffixLevels {
  readonly #objects: NamedObjects;
  readonly #files: ObjectFiles;
  readonly #known: number[] = [];
  readonly #sequences = new Sequences();

  constructor(objects: NamedObjects, files: ObjectFiles) {
    this.#objects = objects;
    this.#files = files;
  }

  /**
   * Returns the level of the `T` line by which object k got an affix. `place` is the index of the affix in the column
   * `affixes`.
   */
  at(k: number, place: number): number {
    const { kind, affixLevel, affixes, depths } = this.#objects;
    const slot = this.#sequences.add(this.#sequences.add(EMPTY, kind[k]), affixLevel[k]);
    const sequence = this.#sequences.add(this.#sequences.add(slot, affixes[place]), depths[place]);
    this.#known[sequence] ??= this.#levelOf(k, place);
    return this.#known[sequence];
  }

  #levelOf(k: number, place: number): number {
    const { kind, affixLevel, affixes, depths, making } = this.#objects;
    const affix = this.#files.affixes[affixes[place] - 1];
    const { level } = making;
    const slot = { kind: this.#files.kinds[kind[k]], level, affixLevel: affixLevel[k] - 1, depth: depths[place] };
    return affixLevelOf(affix, slot);
  }
}

/** Returns the segment of the numbers and articles. An article depends on the kind and the next letter of the name. */
function leadSegment(
  { length, kind, artifact }: NamedObjects,
  { kinds, artifacts }: ObjectFiles,
  { sides, bases, naming }: { readonly sides: SideColumns; readonly bases: readonly string[]; readonly naming: Naming },
): PhraseSegment {
  const segment = new NumberSegment(length);
  const ofBase = bases.map(firstLetter);
  const ofBefore = sides.before.texts.map(firstLetter);
  const ofAfter = sides.after.texts.map(firstLetter);
  const textOf = (k: number) => {
    const letter = ofBefore[sides.befores[k]] ?? ofBase[kind[k]] ?? ofAfter[sides.afters[k]];
    return leadOf({ kind: kinds[kind[k]], artifact: artifacts[artifact[k] - 1] }, letter, naming);
  };
  for (let k = 0; k < length; k++) {
    const own = segment.add(segment.add(EMPTY, kind[k]), artifact[k]);
    const hasBefore = ofBefore[sides.befores[k]] !== undefined;
    segment.set(k, hasBefore ? segment.add(own, sides.befores[k]) : segment.add(own, -1 - sides.afters[k]), textOf);
  }
  return segment;
}

// ── numbers ──

/** A segment whose texts depend on numbers of the objects. Objects with the same numbers share a text. */
class NumberSegment {
  readonly indices: Uint32Array;
  readonly #texts = new SegmentTexts();
  readonly #sequences = new Sequences();
  /** Maps the number of a sequence to the index of the text for this sequence. Undefined until the text is composed. */
  readonly #known: number[] = [];

  constructor(length: number) {
    this.indices = new Uint32Array(length);
  }

  get texts(): readonly string[] {
    return this.#texts.texts;
  }

  /** Appends `value` to the sequence that has the number `before`. Returns the number of the longer sequence. */
  add(before: number, value: number): number {
    return this.#sequences.add(before, value);
  }

  /** Sets the text of object k to the text of a sequence. `textOf` composes the text if the sequence is new. */
  set(k: number, sequence: number, textOf: (k: number) => string): void {
    this.#known[sequence] ??= this.#texts.indexOf(textOf(k));
    this.indices[k] = this.#known[sequence];
  }
}

function diceSegment(
  { length, kind, dice, sides }: NamedObjects,
  { kinds }: ObjectFiles,
  { naming, isShown }: { readonly naming: Naming; readonly isShown: FlagTest },
): PhraseSegment {
  const segment = new NumberSegment(length);
  const always = kinds.map((own) => hasDice(own, false, naming));
  const possible = kinds.map((own) => hasDice(own, true, naming));
  const textOf = (k: number) => diceText(dice[k], sides[k]);
  for (let k = 0; k < length; k++) {
    if (always[kind[k]] || (possible[kind[k]] && isShown(k)))
      segment.set(k, segment.add(segment.add(EMPTY, dice[k]), sides[k]), textOf);
  }
  return segment;
}

function modifierSegment({ length, toHit, toDam }: NamedObjects, isShown: FlagTest): PhraseSegment {
  const segment = new NumberSegment(length);
  const textOf = (k: number) => modifierText({ toHit: toHit[k], toDam: toDam[k] }, isShown(k));
  for (let k = 0; k < length; k++) {
    const shown = segment.add(EMPTY, isShown(k) ? 1 : 0);
    segment.set(k, segment.add(segment.add(shown, toHit[k]), toDam[k]), textOf);
  }
  return segment;
}

function armourSegment(
  { length, kind, ac, toAc }: NamedObjects,
  { kinds }: ObjectFiles,
  naming: Naming,
): PhraseSegment {
  const segment = new NumberSegment(length);
  const textOf = (k: number) => armourText({ kind: kinds[kind[k]], ac: ac[k], toAc: toAc[k] }, naming);
  const isArmour = Uint8Array.from(kinds, ({ type }) => (type.group === "armour" ? 1 : 0));
  for (let k = 0; k < length; k++) {
    const group = segment.add(EMPTY, isArmour[kind[k]]);
    segment.set(k, segment.add(segment.add(group, ac[k]), toAc[k]), textOf);
  }
  return segment;
}

function pvalSegment({ length, pvals }: NamedObjects, names: readonly string[]): PhraseSegment {
  const segment = new NumberSegment(length);
  const textOf = (k: number) => {
    const own = names.map((name, place): [string, number] => [name, pvals[k * names.length + place]]);
    return pvalsText(own.filter(([, value]) => value !== 0));
  };
  for (let k = 0; k < length; k++) {
    let sequence = EMPTY;
    for (let place = 0; place < names.length; place++) {
      const value = pvals[k * names.length + place];
      if (value !== 0) sequence = segment.add(segment.add(sequence, place), value);
    }
    segment.set(k, sequence, textOf);
  }
  return segment;
}
