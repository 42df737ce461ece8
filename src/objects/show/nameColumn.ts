import type { PhraseColumn, PhrasePart } from "../../formats/columns.js";
import type { ObjectPlan } from "../compile.js";
import { MOST_AFFIXES } from "../odds/law.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, ThemeSpec } from "../types.js";
import {
  affixTarget,
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

/** The columns of made objects on which their names depend; `MadeObjects` documents them. */
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
 * Returns the column of the objects' names. The parts are the number or the article, the words before the kind's name,
 * this name, the words after it, the dice, the bonuses to hit and to damage, the armour class, and the values of flags.
 * A text of a part is composed once, and not for each object that has it.
 *
 * @param naming - comes from `checkedNaming`.
 */
export function nameColumn(objects: NamedObjects, { files, bits }: ObjectPlan, naming: Naming): PhraseColumn {
  const isShown = (flag: string) => flagTest(objects.flags, bits.words, bits.hasBit(flag) ? bits.bit(flag) : undefined);
  return {
    kind: "phrase",
    name: "name",
    parts: [
      ...wordParts(objects, files, naming),
      dicePart(objects, files, { naming, isShown: isShown(SHOW_DICE) }),
      modifierPart(objects, isShown(SHOW_MODIFIERS)),
      armourPart(objects, files, naming),
      pvalPart(objects, bits.pvalNames),
    ],
  };
}

/** Whether an object has a flag. */
type FlagTest = (k: number) => boolean;

function flagTest(flags: Uint32Array, words: number, bit: number | undefined): FlagTest {
  if (bit === undefined) return () => false;
  const [word, mask] = [bit >>> 5, 1 << (bit & 31)];
  return (k) => (flags[k * words + word] & mask) !== 0;
}

/** The texts of a part. Entry 0 is "". Other texts end in a blank, which separates them from the next part. */
class PartTexts {
  readonly texts: string[] = [];
  readonly #indices = new Map<string, number>();

  constructor() {
    this.indexOf("");
  }

  /** Returns the index of a text, and adds it if it is new. */
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

function wordParts(objects: NamedObjects, files: ObjectFiles, naming: Naming): PhrasePart[] {
  const { length } = objects;
  const [leads, befores, afters] = [new PartTexts(), new PartTexts(), new PartTexts()];
  const bases = files.kinds.map((kind) => spaced([baseName(kind, naming)]));
  const letters = new Letters();
  const indices = () => new Uint32Array(length);
  const [lead, before, after] = [indices(), indices(), indices()];
  const source = new RowSource(objects, files);
  for (let k = 0; k < length; k++) {
    source.move(k);
    const { prefix, suffix } = sideWords(source, naming);
    before[k] = befores.indexOf(prefix);
    after[k] = afters.indexOf(suffix);
    const letter = letters.of(prefix) ?? letters.of(bases[objects.kind[k]]) ?? letters.of(suffix);
    lead[k] = leads.indexOf(leadOf(source, letter, naming));
  }
  return [
    { texts: leads.texts, indices: lead },
    { texts: befores.texts, indices: before },
    { texts: bases.map((base) => (base === "" ? "" : `${base} `)), indices: objects.kind },
    { texts: afters.texts, indices: after },
  ];
}

/** Remembers the first letter of each text. */
class Letters {
  readonly #known = new Map<string, string | undefined>();

  of(text: string): string | undefined {
    const known = this.#known.get(text);
    if (known !== undefined || this.#known.has(text)) return known;
    const letter = firstLetter(text);
    this.#known.set(text, letter);
    return letter;
  }
}

/** One of the objects. It is moved from object to object, so that none is composed. */
class RowSource implements NameSource {
  kind: KindSpec;
  artifact: ArtifactSpec | undefined;
  theme: ThemeSpec | undefined;
  affixes: AffixSpec[] = [];
  #k = 0;
  readonly #objects: NamedObjects;
  readonly #files: ObjectFiles;
  /** The level of each affix that was looked up, by the number of its kind, affix, affix level and depth. */
  readonly #levels: number[] = [];
  readonly #slots = new Sequences();

  constructor(objects: NamedObjects, files: ObjectFiles) {
    this.#objects = objects;
    this.#files = files;
    this.kind = files.kinds[0];
  }

  /** Moves to object k. */
  move(k: number): void {
    const { kind, artifact, theme, affixes, affixCount } = this.#objects;
    const files = this.#files;
    this.#k = k;
    this.kind = files.kinds[kind[k]];
    this.artifact = files.artifacts[artifact[k] - 1];
    this.theme = files.themes[theme[k] - 1];
    this.affixes = [];
    for (let place = 0; place < affixCount[k]; place++) {
      this.affixes.push(files.affixes[affixes[k * MOST_AFFIXES + place] - 1]);
    }
  }

  levelAt(place: number): number {
    const { kind, affixLevel, affixes, depths, making } = this.#objects;
    const at = this.#k * MOST_AFFIXES + place;
    let slot = EMPTY;
    for (const element of [kind[this.#k], affixes[at], affixLevel[this.#k], depths[at]]) {
      slot = this.#slots.add(slot, element);
    }
    this.#levels[slot] ??=
      affixTarget(
        {
          kind: this.kind,
          level: making.level,
          affixLevel: affixLevel[this.#k] - 1,
          affixes: this.affixes,
          depths: Array.from(depths.subarray(at - place, at + 1)),
        },
        place,
      )?.level ?? -1;
    return this.#levels[slot];
  }
}

// ── numbers ──

/** A part whose texts depend on numbers of the objects. Each text is composed when its numbers occur first. */
class NumberPart {
  readonly indices: Uint32Array;
  readonly #texts = new PartTexts();
  readonly #sequences = new Sequences();
  /** The index of the text of each sequence of numbers. It is missing if the text is not composed yet. */
  readonly #known: number[] = [];

  constructor(length: number) {
    this.indices = new Uint32Array(length);
  }

  get texts(): readonly string[] {
    return this.#texts.texts;
  }

  /** Returns the number of the sequence that adds a number to another sequence. */
  add(before: number, value: number): number {
    return this.#sequences.add(before, value);
  }

  /** Gives object k the text of a sequence. */
  set(k: number, sequence: number, textOf: (k: number) => string): void {
    this.#known[sequence] ??= this.#texts.indexOf(textOf(k));
    this.indices[k] = this.#known[sequence];
  }
}

function dicePart(
  { length, kind, dice, sides }: NamedObjects,
  { kinds }: ObjectFiles,
  { naming, isShown }: { readonly naming: Naming; readonly isShown: FlagTest },
): PhrasePart {
  const part = new NumberPart(length);
  const always = kinds.map((own) => hasDice(own, false, naming));
  const possible = kinds.map((own) => hasDice(own, true, naming));
  const textOf = (k: number) => diceText(dice[k], sides[k]);
  for (let k = 0; k < length; k++) {
    if (always[kind[k]] || (possible[kind[k]] && isShown(k)))
      part.set(k, part.add(part.add(EMPTY, dice[k]), sides[k]), textOf);
  }
  return part;
}

function modifierPart({ length, toHit, toDam }: NamedObjects, isShown: FlagTest): PhrasePart {
  const part = new NumberPart(length);
  const textOf = (k: number) => modifierText({ toHit: toHit[k], toDam: toDam[k] }, isShown(k));
  for (let k = 0; k < length; k++) {
    const shown = part.add(EMPTY, isShown(k) ? 1 : 0);
    part.set(k, part.add(part.add(shown, toHit[k]), toDam[k]), textOf);
  }
  return part;
}

function armourPart({ length, kind, ac, toAc }: NamedObjects, { kinds }: ObjectFiles, naming: Naming): PhrasePart {
  const part = new NumberPart(length);
  const textOf = (k: number) => armourText({ kind: kinds[kind[k]], ac: ac[k], toAc: toAc[k] }, naming);
  const isArmour = Uint8Array.from(kinds, ({ type }) => (type.group === "armour" ? 1 : 0));
  for (let k = 0; k < length; k++) {
    const group = part.add(EMPTY, isArmour[kind[k]]);
    part.set(k, part.add(part.add(group, ac[k]), toAc[k]), textOf);
  }
  return part;
}

function pvalPart({ length, pvals }: NamedObjects, names: readonly string[]): PhrasePart {
  const part = new NumberPart(length);
  const textOf = (k: number) => {
    const own = names.map((name, place): [string, number] => [name, pvals[k * names.length + place]]);
    return pvalsText(own.filter(([, value]) => value !== 0));
  };
  for (let k = 0; k < length; k++) {
    let sequence = EMPTY;
    for (let place = 0; place < names.length; place++) {
      const value = pvals[k * names.length + place];
      if (value !== 0) sequence = part.add(part.add(sequence, place), value);
    }
    part.set(k, sequence, textOf);
  }
  return part;
}
