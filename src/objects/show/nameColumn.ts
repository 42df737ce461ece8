import type { PhraseColumn, PhraseSegment } from "../../formats/tables/columns.js";
import type { ObjectPlan } from "../compile.js";
import { MOST_AFFIXES } from "../law/slots.js";
import { showsDice } from "../law/tvals.js";
import { inNumber } from "../parse/nouns.js";
import type { AffixSpec, KindSpec, ObjectFiles } from "../types.js";
import {
  armourText,
  diceText,
  leadText,
  modifierText,
  type Named,
  pvalText,
  SHOW_DICE,
  SHOW_MODIFIERS,
  sideWords,
  slotTarget,
  spaced,
} from "./names.js";
import type { Naming } from "./naming.js";
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
  flagsOf(k: number): readonly string[];
}

/**
 * Returns the column of the objects' names, in the segments of {@link objectName}. Objects share the texts of segments:
 * each text is composed once for all objects with the same numbers.
 *
 * @param naming - A result of `checkedNaming`.
 */
export function nameColumn(objects: NamedObjects, plan: ObjectPlan, naming: Naming): PhraseColumn {
  const { kinds } = plan.files;
  const isBest = (naming.affixes ?? "best") === "best";
  const words = isBest ? bestWords(objects, plan) : allWords(objects, plan, naming);
  const bases = kinds.map(({ fullName }) => spaced([inNumber(fullName, naming.number ?? 1)]));
  const segment = (textOf: (object: Named, k: number) => string) =>
    new NumberSegment(objects.length, (k) => textOf(new NamedRow(objects, plan, k), k));
  const isShown = (flag: string) => flagTest(objects, plan, flag);
  const leadOf = (object: Named, k: number) => {
    const { before, after, befores, afters } = words;
    return leadText(object, [before.texts[befores[k]], bases[objects.kind[k]], after.texts[afters[k]]], naming);
  };
  return {
    kind: "phrase",
    name: "name",
    segments: [
      setLeads(segment(leadOf), objects, words),
      { texts: words.before.texts, indices: words.befores },
      { texts: bases.map((base) => (base === "" ? "" : `${base} `)), indices: objects.kind },
      { texts: words.after.texts, indices: words.afters },
      setDice(
        segment((object) => diceText(object, naming)),
        objects,
        { kinds, isShown: isShown(SHOW_DICE) },
      ),
      setModifiers(segment(modifierText), objects, isShown(SHOW_MODIFIERS)),
      setArmour(
        segment((object) => armourText(object, naming)),
        objects,
        kinds,
      ),
      setPvals(segment(pvalText), objects, plan.bits.pvalNames.length),
    ],
  };
}

type FlagTest = (k: number) => boolean;

// Each segment has its own loop, so that the compiler inlines what the loop calls.

/** An article depends on the kind, and on the first word with a letter. */
function setLeads(segment: NumberSegment, { length, kind, artifact }: NamedObjects, words: WordColumns): NumberSegment {
  const { befores, afters } = words;
  const hasLetter = words.before.texts.map((text) => /\p{L}/u.test(text));
  for (let k = 0; k < length; k++) {
    const own = segment.add(segment.add(EMPTY, kind[k]), artifact[k]);
    segment.set(k, segment.add(own, hasLetter[befores[k]] ? befores[k] : -1 - afters[k]));
  }
  return segment;
}

function setDice(
  segment: NumberSegment,
  { length, kind, dice, sides }: NamedObjects,
  { kinds, isShown }: { readonly kinds: readonly KindSpec[]; readonly isShown: FlagTest },
): NumberSegment {
  const always = kinds.map(({ type }) => showsDice(type));
  for (let k = 0; k < length; k++) {
    if (always[kind[k]] || isShown(k)) segment.set(k, segment.add(segment.add(EMPTY, dice[k]), sides[k]));
  }
  return segment;
}

function setModifiers(
  segment: NumberSegment,
  { length, toHit, toDam }: NamedObjects,
  isShown: FlagTest,
): NumberSegment {
  for (let k = 0; k < length; k++) {
    const shown = segment.add(EMPTY, isShown(k) ? 1 : 0);
    segment.set(k, segment.add(segment.add(shown, toHit[k]), toDam[k]));
  }
  return segment;
}

function setArmour(
  segment: NumberSegment,
  { length, kind, ac, toAc }: NamedObjects,
  kinds: readonly KindSpec[],
): NumberSegment {
  const isArmour = Uint8Array.from(kinds, ({ type }) => (type.group === "armour" ? 1 : 0));
  for (let k = 0; k < length; k++) {
    const group = segment.add(EMPTY, isArmour[kind[k]]);
    segment.set(k, segment.add(segment.add(group, ac[k]), toAc[k]));
  }
  return segment;
}

function setPvals(segment: NumberSegment, { length, pvals }: NamedObjects, count: number): NumberSegment {
  for (let k = 0; k < length; k++) {
    let key = EMPTY;
    for (let i = 0; i < count; i++) {
      const value = pvals[k * count + i];
      if (value !== 0) key = segment.add(segment.add(key, i), value);
    }
    segment.set(k, key);
  }
  return segment;
}

/** A segment whose texts depend on numbers of the objects. Objects with the same numbers share a text. */
class NumberSegment implements PhraseSegment {
  readonly indices: Uint32Array;
  readonly #texts = new SegmentTexts();
  readonly #sequences = new Sequences();
  /** The index of the text of each sequence, once it is composed. */
  readonly #known: number[] = [];
  readonly #textOf: (k: number) => string;

  constructor(length: number, textOf: (k: number) => string) {
    this.indices = new Uint32Array(length);
    this.#textOf = textOf;
  }

  get texts(): readonly string[] {
    return this.#texts.texts;
  }

  /** Appends an integer to the sequence with the number `before`. Returns the number of the longer sequence. */
  add(before: number, element: number): number {
    return this.#sequences.add(before, element);
  }

  set(k: number, sequence: number): void {
    this.#known[sequence] ??= this.#texts.indexOf(this.#textOf(k));
    this.indices[k] = this.#known[sequence];
  }
}

/**
 * The different texts of a segment. Text 0 is "". Every other text ends in a blank, which separates it from the next
 * segment.
 */
class SegmentTexts {
  readonly texts: string[] = [""];
  readonly #indices = new Map<string, number>([["", 0]]);

  indexOf(text: string): number {
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    const own = spaced([text]);
    const index = this.texts.push(own === "" ? "" : `${own} `) - 1;
    this.#indices.set(text, index);
    return index;
  }
}

class NamedRow implements Named {
  readonly level: number;
  readonly kind: Named["kind"];
  readonly artifact: Named["artifact"];
  readonly theme: Named["theme"];
  readonly affixLevel: number;
  readonly toHit: number;
  readonly toDam: number;
  readonly toAc: number;
  readonly ac: number;
  readonly dice: number;
  readonly sides: number;
  readonly #objects: NamedObjects;
  readonly #plan: ObjectPlan;
  readonly #k: number;

  constructor(objects: NamedObjects, plan: ObjectPlan, k: number) {
    const { files } = plan;
    this.level = objects.making.level;
    this.kind = files.kinds[objects.kind[k]];
    this.artifact = files.artifacts[objects.artifact[k] - 1];
    this.theme = files.themes[objects.theme[k] - 1];
    this.affixLevel = objects.affixLevel[k] - 1;
    this.toHit = objects.toHit[k];
    this.toDam = objects.toDam[k];
    this.toAc = objects.toAc[k];
    this.ac = objects.ac[k];
    this.dice = objects.dice[k];
    this.sides = objects.sides[k];
    [this.#objects, this.#plan, this.#k] = [objects, plan, k];
  }

  get affixes() {
    return Array.from(this.#slots(this.#objects.affixes), (i) => this.#plan.files.affixes[i - 1]);
  }

  get depths() {
    return Array.from(this.#slots(this.#objects.depths));
  }

  get flags() {
    return this.#objects.flagsOf(this.#k);
  }

  get pvals() {
    const { pvalNames } = this.#plan.bits;
    const first = this.#k * pvalNames.length;
    const values = pvalNames.map((name, i) => [name, this.#objects.pvals[first + i]] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== 0));
  }

  #slots(values: Uint16Array): Uint16Array {
    const first = this.#k * MOST_AFFIXES;
    return values.subarray(first, first + this.#objects.affixCount[this.#k]);
  }
}

function flagTest({ flags }: NamedObjects, { bits }: ObjectPlan, flag: string): FlagTest {
  if (!bits.hasBit(flag)) return () => false;
  const { words } = bits;
  const [word, mask] = [bits.bit(flag) >>> 5, 1 << (bits.bit(flag) & 31)];
  return (k) => (flags[k * words + word] & mask) !== 0;
}

// ── the words on both sides of the kind's name ──

interface WordColumns {
  readonly before: SegmentTexts;
  readonly after: SegmentTexts;
  readonly befores: Uint32Array;
  readonly afters: Uint32Array;
}

function wordColumns(length: number): WordColumns {
  const [before, after] = [new SegmentTexts(), new SegmentTexts()];
  return { before, after, befores: new Uint32Array(length), afters: new Uint32Array(length) };
}

/** Composes the words once for all objects with the same records, affix level and depths. */
function allWords(objects: NamedObjects, plan: ObjectPlan, naming: Naming): WordColumns {
  const { length, kind, artifact, theme, affixLevel, affixCount, affixes, depths } = objects;
  const columns = wordColumns(length);
  const known: (readonly [before: number, after: number])[] = [];
  const sequences = new Sequences();
  for (let k = 0; k < length; k++) {
    let key = sequences.add(sequences.add(EMPTY, kind[k]), artifact[k]);
    key = sequences.add(sequences.add(key, theme[k]), affixLevel[k]);
    for (let place = k * MOST_AFFIXES; place < k * MOST_AFFIXES + affixCount[k]; place++) {
      key = sequences.add(sequences.add(key, affixes[place]), depths[place]);
    }
    if (known[key] === undefined) {
      const { prefix, suffix } = sideWords(new NamedRow(objects, plan, k), naming);
      known[key] = [columns.before.indexOf(prefix), columns.after.indexOf(suffix)];
    }
    [columns.befores[k], columns.afters[k]] = known[key];
  }
  return columns;
}

/** Does what {@link allWords} does for the naming "best". Faster, because it composes no strings for single objects. */
function bestWords(objects: NamedObjects, { files }: ObjectPlan): WordColumns {
  const { length, artifact, theme, affixes, affixCount } = objects;
  const columns = wordColumns(length);
  const { before, after, befores, afters } = columns;
  const indexOf = ({ kind, name }: Pick<AffixSpec, "kind" | "name">) =>
    (kind === "prefix" ? before : after).indexOf(name);
  const ofAffix = [0, ...files.affixes.map(indexOf)];
  const ofTheme = [0, ...files.themes.map(indexOf)];
  const ofArtifact = [0, ...files.artifacts.map(({ name }) => after.indexOf(name))];
  const sideOf = [undefined, ...files.affixes.map(({ kind }) => kind)];
  const themed = [undefined, ...files.themes].map((own) => {
    const numbers = new Set(own?.parts.map(({ affix }) => affix));
    return new Set(files.affixes.flatMap(({ number }, i) => (numbers.has(number) ? [i + 1] : [])));
  });
  const levelAt = levelReader(objects, files);
  const wordOn = (side: AffixSpec["kind"], k: number) => {
    const own = theme[k];
    if (own !== 0 && files.themes[own - 1].kind === side) return ofTheme[own];
    let best = -1;
    for (let place = k * MOST_AFFIXES; place < k * MOST_AFFIXES + affixCount[k]; place++) {
      if (sideOf[affixes[place]] !== side || themed[own].has(affixes[place])) continue;
      if (best < 0 || levelAt(k, place) > levelAt(k, best)) best = place;
    }
    return best < 0 ? 0 : ofAffix[affixes[best]];
  };
  for (let k = 0; k < length; k++) {
    const isArtifact = artifact[k] !== 0;
    befores[k] = isArtifact ? 0 : wordOn("prefix", k);
    afters[k] = isArtifact ? ofArtifact[artifact[k]] : wordOn("suffix", k);
  }
  return columns;
}

function levelReader({ kind, affixLevel, affixes, depths, making }: NamedObjects, files: ObjectFiles) {
  const sequences = new Sequences();
  const known: number[] = [];
  return (k: number, place: number): number => {
    const slot = sequences.add(sequences.add(EMPTY, kind[k]), affixLevel[k]);
    const key = sequences.add(sequences.add(slot, affixes[place]), depths[place]);
    if (known[key] === undefined) {
      const { level } = making;
      const own = { kind: files.kinds[kind[k]], level, affixLevel: affixLevel[k] - 1, depth: depths[place] };
      known[key] = slotTarget(files.affixes[affixes[place] - 1], own)?.level ?? -1;
    }
    return known[key];
  };
}
