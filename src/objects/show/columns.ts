import type { Column, IntegerValues, PhraseColumn, PhraseSegment, WordColumn } from "../../formats/tables/columns.js";
import type { ObjectPlan } from "../compile.js";
import type { FlagBits } from "../law/flagBits.js";
import { MOST_AFFIXES } from "../law/slots.js";
import { inNumber } from "../parse/names.js";
import type { AffixSpec, MadeObject, ObjectFiles } from "../types.js";
import { leadText, type Naming, objectColour, PAIRS, pvalText, sideWords, slotTarget, spaced } from "./names.js";

interface ObjectArrays
  extends Readonly<Record<"kind" | "artifact" | "theme" | "affixLevel" | "affixCount" | "affixes", Uint16Array>>,
    Readonly<Record<"depths" | "ac" | "dice" | "sides" | "slots" | "weight", Uint16Array>>,
    Readonly<Record<"toHit" | "toDam" | "toAc" | "pvals", Int16Array>> {
  readonly length: number;
  readonly from: number;
  readonly making: { readonly level: number };
  readonly flags: Uint32Array;
  readonly vocabulary: Readonly<
    Record<"kind" | "tval" | "artifact" | "theme" | "affixes" | "affixLevel", readonly string[]>
  >;
  at(k: number): MadeObject;
}

/** Returns the columns that `MadeObjects.columns` documents. The naming must come from `checkedNaming`. */
export function objectColumns(objects: ObjectArrays, plan: ObjectPlan, naming: Naming): Column[] {
  const { from, length, vocabulary } = objects;
  const columns: Column[] = [
    integerColumn(
      "index",
      Uint32Array.from({ length }, (_, k) => from + k),
    ),
    nameColumn(objects, plan, naming),
    wordColumn("kind", vocabulary.kind, objects.kind),
    wordColumn("tval", vocabulary.tval, objects.kind),
    colourColumn(objects, plan),
    wordColumn("artifact", vocabulary.artifact, objects.artifact),
    wordColumn("theme", vocabulary.theme, objects.theme),
    ...transposed(objects.affixes, length, MOST_AFFIXES).map((affixes, place) =>
      wordColumn(`affix_${place + 1}`, vocabulary.affixes, affixes),
    ),
    wordColumn("affix_level", vocabulary.affixLevel, objects.affixLevel),
    integerColumn("slots", objects.slots),
    integerColumn("to_hit", objects.toHit),
    integerColumn("to_dam", objects.toDam),
    integerColumn("to_ac", objects.toAc),
    integerColumn("ac", objects.ac),
    integerColumn("dice", objects.dice),
    integerColumn("sides", objects.sides),
    integerColumn("weight", objects.weight),
    flagColumn(objects, plan.bits),
  ];
  const taken = new Set(columns.map(({ name }) => name));
  const { pvalNames } = plan.bits;
  const values = transposed(objects.pvals, objects.length, pvalNames.length);
  const pvals = pvalNames.map((name, place) => integerColumn(taken.has(name) ? `flag.${name}` : name, values[place]));
  return [...columns, ...pvals];
}

/** Returns a column of words. If word 0 is empty, it becomes null. */
function wordColumn(name: string, vocabulary: readonly string[], indices: Uint16Array): WordColumn {
  return { kind: "word", name, words: vocabulary.map((word, i) => (i === 0 && word === "" ? null : word)), indices };
}

function colourColumn({ length, kind, affixes, affixCount }: ObjectArrays, { files }: ObjectPlan): WordColumn {
  const words: (string | null)[] = [null];
  const indexOf = (colour: string | undefined) => {
    if (colour === undefined) return 0;
    return words.includes(colour) ? words.indexOf(colour) : words.push(colour) - 1;
  };
  const ofKind = files.kinds.map((own) => indexOf(objectColour({ kind: own, affixes: [] })));
  const ofAffix = [0, ...files.affixes.map(({ colour }) => indexOf(colour))];
  const indices = new Uint32Array(length);
  for (let k = 0; k < length; k++) {
    let place = k * MOST_AFFIXES + affixCount[k] - 1;
    while (place >= k * MOST_AFFIXES && ofAffix[affixes[place]] === 0) place--;
    indices[k] = place >= k * MOST_AFFIXES ? ofAffix[affixes[place]] : ofKind[kind[k]];
  }
  return { kind: "word", name: "colour", words, indices };
}

function flagColumn({ length, flags }: ObjectArrays, bits: FlagBits): WordColumn {
  const words: string[] = [];
  const known: number[] = [];
  const sequences = new Sequences();
  const indices = new Uint32Array(length);
  for (let k = 0; k < length; k++) {
    let sequence = EMPTY;
    for (let word = 0; word < bits.words; word++) sequence = sequences.add(sequence, flags[k * bits.words + word]);
    known[sequence] ??= words.push(bits.namesIn(flags, k * bits.words).join("|")) - 1;
    indices[k] = known[sequence];
  }
  return { kind: "word", name: "flags", words, indices };
}

function integerColumn(name: string, values: IntegerValues): Column {
  return { kind: "integer", name, values };
}

/** Splits the `stride` numbers of each object into `stride` arrays. */
function transposed<T extends Int16Array | Uint16Array>(values: T, length: number, stride: number): T[] {
  return Array.from({ length: stride }, (_, place) => {
    // `slice` makes an array of the right type and length; the loop replaces its numbers
    const own = values.slice(0, length) as T;
    for (let k = 0, i = place; k < length; k++, i += stride) own[k] = values[i];
    return own;
  });
}

/** Composes names as `objectName` does, in segments. Objects with the same numbers share the text of a segment. */
function nameColumn(objects: ObjectArrays, plan: ObjectPlan, naming: Naming): PhraseColumn {
  const isBest = (naming.affixes ?? "best") === "best";
  const sides = isBest ? bestWords(objects, plan.files) : allWords(objects, naming);
  const bases = plan.files.kinds.map(({ fullName }) => spaced([inNumber(fullName, naming.number ?? 1)]));
  return {
    kind: "phrase",
    name: "name",
    segments: [
      leadSegment(objects, plan.files, { ...sides, bases, naming }),
      sides.before,
      { texts: bases.map((base) => (base === "" ? "" : `${base} `)), indices: objects.kind },
      sides.after,
      ...PAIRS.map((pair) => pairSegment(objects, plan, pair, naming)),
      pvalSegment(objects, plan),
    ],
  };
}

/** Text 0 is "". Every other text ends in a blank, which separates it from the next segment. */
class Segment implements PhraseSegment {
  readonly texts: string[] = [""];
  readonly indices: Uint32Array;
  readonly #known = new Map<string, number>([["", 0]]);

  constructor(length: number) {
    this.indices = new Uint32Array(length);
  }

  indexOf(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const own = spaced([text]);
    const index = this.texts.push(own === "" ? "" : `${own} `) - 1;
    this.#known.set(text, index);
    return index;
  }
}

/** Puts two numbers of 16 bits into one element of a sequence. */
function packed(high: number, low: number): number {
  return (high << 16) | (low & 0xffff);
}

/** Composes the articles. Objects share one if their kind, artifact and first word with a letter are the same. */
function leadSegment(
  { length, kind, artifact }: ObjectArrays,
  { kinds, artifacts }: ObjectFiles,
  { before, after, bases, naming }: SideSegments & { readonly bases: readonly string[]; readonly naming: Naming },
): PhraseSegment {
  const [segment, sequences] = [new Segment(length), new Sequences()];
  const known: number[] = [];
  const hasLetter = before.texts.map((text) => /\p{L}/u.test(text));
  for (let k = 0; k < length; k++) {
    const [first, last] = [before.indices[k], after.indices[k]];
    const key = sequences.add(sequences.add(EMPTY, packed(kind[k], artifact[k])), hasLetter[first] ? first : -1 - last);
    if (known[key] === undefined) {
      const words = [before.texts[first], bases[kind[k]], after.texts[last]];
      known[key] = segment.indexOf(leadText(kinds[kind[k]], artifacts[artifact[k] - 1], words, naming));
    }
    segment.indices[k] = known[key];
  }
  return segment;
}

function pairSegment(
  objects: ObjectArrays,
  { files, bits }: ObjectPlan,
  { names, flag, isMarked, text }: (typeof PAIRS)[number],
  naming: Naming,
): PhraseSegment {
  const { length, kind, flags } = objects;
  const [first, second] = [objects[names[0]], objects[names[1]]];
  const [segment, sequences] = [new Segment(length), new Sequences()];
  const known: number[] = [];
  const marks = Uint8Array.from(files.kinds, ({ type }) => Number(isMarked(type)));
  const { words } = bits;
  const bit = flag !== undefined && bits.hasBit(flag) ? bits.bit(flag) : undefined;
  const [word, mask] = bit === undefined ? [0, 0] : [bit >>> 5, 1 << (bit & 31)];
  for (let k = 0; k < length; k++) {
    const mark = (flags[k * words + word] & mask) === 0 ? marks[kind[k]] : 1;
    const key = sequences.add(mark, packed(first[k], second[k]));
    known[key] ??= segment.indexOf(text(mark === 1, [first[k], second[k]], naming));
    segment.indices[k] = known[key];
  }
  return segment;
}

function pvalSegment({ length, pvals }: ObjectArrays, { bits: { pvalNames } }: ObjectPlan): PhraseSegment {
  const [segment, sequences] = [new Segment(length), new Sequences()];
  const known: number[] = [];
  const count = pvalNames.length;
  for (let k = 0; k < length; k++) {
    let key = EMPTY;
    for (let i = 0; i < count; i++) {
      const value = pvals[k * count + i];
      if (value !== 0) key = sequences.add(key, packed(i, value));
    }
    if (known[key] === undefined) {
      const values = pvalNames.map((name, i) => [name, pvals[k * count + i]] as const);
      known[key] = segment.indexOf(pvalText(values.filter(([, value]) => value !== 0)));
    }
    segment.indices[k] = known[key];
  }
  return segment;
}

type SideSegments = { readonly before: Segment; readonly after: Segment };

/** Composes the words on both sides of the kind's name, once for all objects with equal records, levels and depths. */
function allWords(objects: ObjectArrays, naming: Naming): SideSegments {
  const { length, kind, artifact, theme, affixLevel, affixCount, affixes, depths } = objects;
  const [before, after, sequences] = [new Segment(length), new Segment(length), new Sequences()];
  const known: (readonly [before: number, after: number])[] = [];
  for (let k = 0; k < length; k++) {
    let key = sequences.add(EMPTY, packed(kind[k], artifact[k]));
    key = sequences.add(key, packed(theme[k], affixLevel[k]));
    for (let place = k * MOST_AFFIXES; place < k * MOST_AFFIXES + affixCount[k]; place++) {
      key = sequences.add(key, packed(affixes[place], depths[place]));
    }
    if (known[key] === undefined) {
      const { prefix, suffix } = sideWords(objects.at(k), naming);
      known[key] = [before.indexOf(prefix), after.indexOf(suffix)];
    }
    [before.indices[k], after.indices[k]] = known[key];
  }
  return { before, after };
}

/** Does what {@link allWords} does for the naming "best". Faster, because it composes no strings for single objects. */
function bestWords(objects: ObjectArrays, files: ObjectFiles): SideSegments {
  const { length, artifact, theme, affixes, affixCount } = objects;
  const [before, after] = [new Segment(length), new Segment(length)];
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
    before.indices[k] = isArtifact ? 0 : wordOn("prefix", k);
    after.indices[k] = isArtifact ? ofArtifact[artifact[k]] : wordOn("suffix", k);
  }
  return { before, after };
}

/** Returns a function that looks up the affix level of the `T` line by which an object got an affix; −1 for none. */
function levelReader({ kind, affixLevel, affixes, depths, making: { level } }: ObjectArrays, files: ObjectFiles) {
  const sequences = new Sequences();
  const known: number[] = [];
  return (k: number, place: number): number => {
    const slot = sequences.add(EMPTY, packed(kind[k], affixLevel[k]));
    const key = sequences.add(slot, packed(affixes[place], depths[place]));
    if (known[key] === undefined) {
      const own = { kind: files.kinds[kind[k]], level, affixLevel: affixLevel[k] - 1, depth: depths[place] };
      known[key] = slotTarget(files.affixes[affixes[place] - 1], own)?.level ?? -1;
    }
    return known[key];
  };
}

const FIRST_SLOTS = 2 ** 10;
const MULTIPLIER = 0x9e3779b1;

export const EMPTY = 0;

/** Assigns a number to each sequence of 32-bit integers. Memory: at least 24 bytes per sequence and per prefix. */
export class Sequences {
  count = 1;
  /** An open hash table, at least half empty. A slot has a sequence's number (or 0), last element and prefix number. */
  #numbers = new Int32Array(FIRST_SLOTS);
  #elements = new Int32Array(FIRST_SLOTS);
  #befores = new Int32Array(FIRST_SLOTS);

  add(before: number, element: number): number {
    const slot = this.#slotOf(before, element | 0);
    if (this.#numbers[slot] !== 0) return this.#numbers[slot];
    const number = this.count++;
    this.#numbers[slot] = number;
    this.#elements[slot] = element;
    this.#befores[slot] = before;
    if (2 * this.count > this.#numbers.length) this.#grow();
    return number;
  }

  #slotOf(before: number, element: number): number {
    const numbers = this.#numbers;
    const mask = numbers.length - 1;
    const hash = Math.imul(Math.imul(before, MULTIPLIER) ^ element, MULTIPLIER);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (numbers[slot] !== 0 && (this.#befores[slot] !== before || this.#elements[slot] !== element)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [numbers, elements, befores] = [this.#numbers, this.#elements, this.#befores];
    this.#numbers = new Int32Array(2 * numbers.length);
    this.#elements = new Int32Array(2 * numbers.length);
    this.#befores = new Int32Array(2 * numbers.length);
    for (const [i, number] of numbers.entries()) {
      if (number === 0) continue;
      const slot = this.#slotOf(befores[i], elements[i]);
      this.#numbers[slot] = number;
      this.#elements[slot] = elements[i];
      this.#befores[slot] = befores[i];
    }
  }
}
