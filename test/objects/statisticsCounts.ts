import type { MadeObjects } from "../../src/objects/index.js";
import { MOST_AFFIXES } from "../../src/objects/law/slots.js";
import type { KindSpec, ObjectFiles } from "../../src/objects/types.js";

/** The most slots of an object, and 0. */
const SLOT_NUMBERS = 9;

const zeros = (n: number) => new Array<number>(n).fill(0);

/** Counts of objects of all kinds by what is decided about them until the first affix. */
export class DrawnCounts {
  objects = 0;
  readonly kinds: number[];
  /** [affix level][slots], of kinds without GOOD and of those with it. */
  readonly plain: number[][];
  readonly good: number[][];
  /** How many affixes, of kinds whose slots are all filled. */
  readonly numbers = zeros(SLOT_NUMBERS);
  /** Depth of the first affix, of kinds to which some affix comes at every depth and affix level. */
  readonly depths = new Map<number, number>();
  /** [kind][affix + 1, or 0], of objects with one slot of kinds without GOOD. */
  readonly firsts: number[][];
  readonly #hasGood: readonly boolean[];
  readonly #isWhole: readonly boolean[];
  readonly #isFilled: readonly boolean[];

  /** Of kinds of `whole` no slot stays empty; to those of `themeless` no theme comes. */
  constructor(
    { kinds, affixes, levels }: ObjectFiles,
    { whole, themeless }: { whole: ReadonlySet<KindSpec>; themeless: ReadonlySet<KindSpec> },
  ) {
    this.kinds = zeros(kinds.length);
    this.firsts = kinds.map(() => zeros(affixes.length + 1));
    this.plain = levels.map(() => zeros(SLOT_NUMBERS));
    this.good = levels.map(() => zeros(SLOT_NUMBERS));
    this.#hasGood = kinds.map(({ flags }) => flags.includes("GOOD"));
    this.#isWhole = kinds.map((kind) => whole.has(kind));
    this.#isFilled = kinds.map((kind) => whole.has(kind) && themeless.has(kind));
  }

  add(objects: MadeObjects): void {
    const { kind, affixLevel, slots, affixCount, affixes, depths } = objects;
    for (let k = 0; k < objects.length; k++) {
      const [own, first] = [kind[k], k * MOST_AFFIXES];
      this.kinds[own]++;
      if (this.#hasGood[own]) this.good[affixLevel[k] - 1][slots[k]]++;
      else {
        this.plain[affixLevel[k] - 1][slots[k]]++;
        if (slots[k] === 1) this.firsts[own][affixes[first]]++;
      }
      if (this.#isFilled[own]) this.numbers[affixCount[k]]++;
      if (this.#isWhole[own] && slots[k] > 0) {
        this.depths.set(depths[first], (this.depths.get(depths[first]) ?? 0) + 1);
      }
    }
    this.objects += objects.length;
  }
}

/** Counts of objects of one kind, which always gets an affix into a slot. */
export class KindCounts {
  objects = 0;
  /** [affix level][first affix + 1]. */
  readonly firsts: number[][];
  /** [depth of the second affix]. */
  readonly depths = new Map<number, number>();
  /** [affix level][first affix · affixes + second affix]. */
  readonly pairs: number[][];
  /** [affix level][theme + 1, or 0], of objects with two slots. */
  readonly themes: number[][];
  /** By theme: [affix level · 9 + slots]. */
  readonly withTheme: number[][];
  /** By affix: [affix level · 9 + slots], of objects that have it. */
  readonly withAffix: number[][];
  /** By affix that is alone, at the real depth: "to-hit to-dam to-ac". */
  readonly modifiers: Map<string, number>[];
  /** [affix level · 9 + slots]. */
  readonly cells: number[];
  readonly #affixes: number;

  constructor({ affixes, themes, levels }: ObjectFiles) {
    this.#affixes = affixes.length;
    this.cells = zeros(SLOT_NUMBERS * levels.length);
    this.firsts = levels.map(() => zeros(affixes.length + 1));
    this.pairs = levels.map(() => zeros(affixes.length ** 2));
    this.themes = levels.map(() => zeros(themes.length + 1));
    this.withTheme = themes.map(() => zeros(SLOT_NUMBERS * levels.length));
    this.withAffix = affixes.map(() => zeros(SLOT_NUMBERS * levels.length));
    this.modifiers = affixes.map(() => new Map());
  }

  add(objects: MadeObjects): void {
    const { affixLevel, slots, theme, affixCount, affixes, depths } = objects;
    for (let k = 0; k < objects.length; k++) {
      const [level, at] = [affixLevel[k] - 1, k * MOST_AFFIXES];
      const cell = level * SLOT_NUMBERS + slots[k];
      this.cells[cell]++;
      if (slots[k] > 0) this.firsts[level][affixes[at]]++;
      if (slots[k] > 1) {
        this.pairs[level][(affixes[at] - 1) * this.#affixes + affixes[at + 1] - 1]++;
        this.depths.set(depths[at + 1], (this.depths.get(depths[at + 1]) ?? 0) + 1);
      }
      if (slots[k] === 2) this.themes[level][theme[k]]++;
      if (theme[k] > 0) this.withTheme[theme[k] - 1][cell]++;
      // no view of the object's affixes: to make one takes longer than to count them
      for (let i = 0; i < affixCount[k]; i++) {
        if (affixes.indexOf(affixes[at + i], at) === at + i) this.withAffix[affixes[at + i] - 1][cell]++;
      }
      if (affixCount[k] === 1 && depths[at] === objects.making.level) this.#addModifiers(objects, k);
    }
    this.objects += objects.length;
  }

  #addModifiers({ affixes, toHit, toDam, toAc }: MadeObjects, k: number): void {
    const counts = this.modifiers[affixes[k * MOST_AFFIXES] - 1];
    const value = `${toHit[k]} ${toDam[k]} ${toAc[k]}`;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
}
