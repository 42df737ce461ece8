import { error, fail } from "../../errors/index.js";
import type { PlanImage } from "../../kernel/index.js";
import {
  BONUS_LEVELS,
  BONUS_SUMS,
  BonusTable,
  ModifierLine,
  NO_LEAST,
  OBJECT_FLAGS,
  ObjectRecord,
  PvalLine,
  RandomBit,
  type RandomNumber,
  SIMPLE_VECTORS,
  THEMES_OF_WORD,
  VECTOR_BYTES,
} from "../../kernel/layout.js";
import { type FlagBits, losesFlags, wholeVectors } from "../law/flagBits.js";
import { mBonusOdds } from "../law/mBonus.js";
import { KindOrder } from "../law/reach.js";
import type { AffixSpec, KindSpec, ObjectFiles, PvalSpec, RandomValue } from "../types.js";

type Modifier = { readonly value: RandomValue; readonly least: number | undefined; readonly field: number };

interface Form extends Pick<ObjectRecord, "kind" | "artifact" | "toHit" | "toDam" | "toAc"> {
  readonly body: Pick<KindSpec, "ac" | "dice" | "sides" | "weight">;
  readonly flags: Uint32Array<ArrayBuffer>;
}

export class PlanParts {
  readonly files: ObjectFiles;
  readonly bits: FlagBits;
  readonly image: PlanImage;
  readonly order: KindOrder;
  /** The index of each artifact's kind; −1 for an artifact without a kind. */
  readonly artifactKinds: readonly number[];
  /** Lines that name the same flag types share a list of flags. Artifacts of the same kind share a mask. */
  readonly #lists = new Map<readonly string[], number>();
  readonly #masks = new Map<readonly string[], Uint32Array<ArrayBuffer>>();
  /** Maps a largest bonus to the offset of the BonusTable that all values with this bonus share. */
  readonly #bonuses = new Map<number, number>();

  constructor(files: ObjectFiles, bits: FlagBits, image: PlanImage) {
    [this.files, this.bits, this.image] = [files, bits, image];
    this.order = new KindOrder(files.kinds);
    const indices = new Map<KindSpec | undefined, number>(files.kinds.map((kind, i) => [kind, i]));
    this.artifactKinds = files.artifacts.map((artifact) => indices.get(this.order.kindOf(artifact)) ?? -1);
  }

  form({ kind, artifact, toHit, toDam, toAc, body: { ac, dice, sides, weight }, flags }: Form): number {
    const { files, bits, image } = this;
    const { type, tval, sval } = files.kinds[kind];
    const form = image.reserve(objectBytes(files, bits));
    const isAmmunition = Number(losesFlags({ rules: files.rules, type }));
    const numbers = { toHit, toDam, toAc, ac, dice, sides, weight, tval, sval, isAmmunition };
    image.set(form, ObjectRecord, { kind, artifact, theme: 0, affixLevel: 0, slots: 0, affixCount: 0, ...numbers });
    image.copy(form + OBJECT_FLAGS, flags);
    return form;
  }

  themeMask(themes: readonly number[]): number {
    const words = new Uint32Array(themeBytes(this.files) / 4);
    for (const i of themes) words[i >>> 5] |= 1 << (i & 31);
    return this.image.place(words);
  }

  mask(mask: Uint32Array<ArrayBuffer>): number {
    const offset = this.image.reserve(this.bits.flagBytes);
    this.image.copy(offset, mask);
    return offset;
  }

  modifiers(modifiers: readonly Modifier[]): number {
    const lines = modifiers.map(({ value, least = NO_LEAST, field }) => ({ ...this.#random(value), least, field }));
    return this.image.putAll(ModifierLine, lines);
  }

  pvals(pvals: readonly (PvalSpec & { readonly count?: number })[]): number {
    const lines = pvals.map(({ value, least = NO_LEAST, flags, count = 0 }) => {
      const pvalsOf = () => Uint16Array.from(flags, (name) => this.bits.pval(name));
      return { ...this.#random(value), least, flags: this.#list(flags, pvalsOf), flagCount: flags.length, count };
    });
    return this.image.putAll(PvalLine, lines);
  }

  /** Places the bit numbers of flags without a value, in the order of the flag list. */
  bitList(flags: readonly string[]): number {
    return this.#list(flags, () => Uint16Array.from(this.bits.inOrder(flags)));
  }

  maskOf(flags: readonly string[]): Readonly<Uint32Array<ArrayBuffer>> {
    const mask = this.#masks.get(flags) ?? this.bits.mask(flags);
    this.#masks.set(flags, mask);
    return mask;
  }

  bonusTable(most: number): number {
    const known = this.#bonuses.get(most);
    if (known !== undefined) return known;
    const vectors = vectorsOf(most);
    const numbersOfLevel = (VECTOR_BYTES / 4) * vectors;
    const levels = most === 0 ? 1 : BONUS_LEVELS;
    const sums = new Uint32Array(levels * numbersOfLevel).fill(2 ** 32 - 1);
    for (let level = 0; level < levels && most > 0; level++) {
      let sum = 0;
      for (const [value, weight] of mBonusOdds(most, level).entries()) {
        sum += weight;
        sums[level * numbersOfLevel + value] = sum;
      }
    }
    const offset = this.image.reserve(BONUS_SUMS + sums.byteLength);
    this.image.set(offset, BonusTable, { vectors, levelBytes: most === 0 ? 0 : VECTOR_BYTES * vectors });
    this.image.copy(offset + BONUS_SUMS, sums);
    this.#bonuses.set(most, offset);
    return offset;
  }

  #list(flags: readonly string[], read: () => Uint16Array<ArrayBuffer>): number {
    const offset = this.#lists.get(flags) ?? this.image.place(read());
    this.#lists.set(flags, offset);
    return offset;
  }

  #random({ base, dice, sides, bonus, negated }: RandomValue): RandomNumber {
    const sign = negated ? -1 : 1;
    const isSimple = dice <= 1 && vectorsOf(bonus) === SIMPLE_VECTORS;
    const bits = (bonus > 0 ? RandomBit.HAS_BONUS : 0) | (isSimple ? RandomBit.IS_SIMPLE : 0);
    return { base: sign * base, dice, sides: Math.max(sides, 1), bonus: this.bonusTable(bonus), sign, bits };
  }
}

/** Returns how many vectors each level of a BonusTable has. They hold a running sum of weights for 0 … `most`. */
function vectorsOf(most: number): number {
  return Math.max(SIMPLE_VECTORS, Math.ceil((most + 1) / (VECTOR_BYTES / 4)));
}

export function modifiersOf({
  least,
  ...values
}: Pick<AffixSpec, "toHit" | "toDam" | "toAc"> & Partial<Pick<AffixSpec, "least">>): readonly Modifier[] {
  return (["toHit", "toDam", "toAc"] as const).map((name) => {
    return { value: values[name], least: least?.[name], field: ObjectRecord.offsets[name] };
  });
}

export function objectBytes(files: ObjectFiles, { flagBytes, pvalBytes }: FlagBits): number {
  return wholeVectors(OBJECT_FLAGS + flagBytes + pvalBytes + 2 * themeBytes(files));
}

export function themeBytes({ themes }: ObjectFiles): number {
  return (THEMES_OF_WORD / 8) * Math.ceil(themes.length / THEMES_OF_WORD);
}

export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

export function refuseAbove(most: number, got: number, finding: Record<"problem" | "of" | "remedy", string>): void {
  const { problem, of, remedy } = finding;
  if (got > most) fail(error("object.files", { problem, got, expected: `at most ${most} ${of}`, remedy }));
}
