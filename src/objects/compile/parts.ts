import type { PlanImage } from "../../kernel/index.js";
import type { KindSpec, ObjectFiles, PvalSpec, RandomValue } from "../types.js";
import { type FlagBits, wholeVectors } from "./flagBits.js";
import type { Values } from "./values.js";

/** What records are placed with. */
export interface Context {
  readonly files: ObjectFiles;
  readonly bits: FlagBits;
  readonly image: PlanImage;
  readonly values: Values;
}

/** A minimum that is none. */
const NO_LEAST = -(2 ** 31);
/** Where an object has its flags. */
const FLAGS_AT = 96;
/** Tvals of ammunition, the first and the last. */
const AMMUNITION = [16, 18] as const;

/** An object as it is before anything is rolled: assembly/objects/record.ts. */
export function placeForm(
  { files, bits, image }: Context,
  {
    kind,
    artifact,
    of: { ac, dice, sides, weight },
    modifiers,
    flags,
  }: {
    readonly kind: number;
    readonly artifact: number;
    readonly of: Pick<KindSpec, "ac" | "dice" | "sides" | "weight">;
    readonly modifiers: readonly number[];
    readonly flags: Uint32Array<ArrayBuffer>;
  },
): number {
  const { tval, sval } = files.kinds[kind];
  const isAmmunition = AMMUNITION[0] <= tval && tval <= AMMUNITION[1];
  const form = new Int32Array(objectBytes(files, bits) / 4);
  form.set([kind, artifact, 0, 0, 0, 0, ...modifiers, ac, dice, sides, weight, tval, sval, Number(isAmmunition)]);
  form.set(flags, FLAGS_AT / 4);
  return image.place(form);
}

/** Bytes of an object in the kernel. */
export function objectBytes({ themes }: ObjectFiles, bits: FlagBits): number {
  const { flagBytes, pvalBytes } = bits;
  return wholeVectors(FLAGS_AT + flagBytes + pvalBytes + 16 * Math.ceil(themes.length / 64));
}

/** `count` bits in words of 64, of which those of some indices are set. */
export function placeBits(image: PlanImage, count: number, set: readonly number[]): number {
  const words = new Uint32Array(2 * Math.ceil(count / 64));
  for (const i of set) words[i >>> 5] |= 1 << (i & 31);
  return image.place(words);
}

/** Places records of words, and then their offsets: answers where these are. */
export function placeAll<T>(context: Context, records: readonly T[], wordsOf: (record: T, index: number) => number[]) {
  return context.image.words(records.map((record, i) => context.image.words(wordsOf(record, i))));
}

/** Modifiers: 0 is to-hit, 1 to-dam, 2 to-ac. */
export function placeModifiers(
  { image, values }: Pick<Context, "image" | "values">,
  modifiers: readonly { readonly value: RandomValue; readonly least: number | undefined; readonly which: number }[],
): number {
  return image.words(
    modifiers.flatMap(({ value, least = NO_LEAST, which }) => [...values.words(value), least, which, 0, 0]),
  );
}

export function isConstant({ dice, bonus }: RandomValue): boolean {
  return dice === 0 && bonus === 0;
}

export function constantOf({ base, negated }: RandomValue): number {
  return negated ? -base : base;
}

/** Lines of flags with a value. */
export function placePvals(
  { bits, image, values }: Pick<Context, "bits" | "image" | "values">,
  lines: readonly (PvalSpec & { readonly count?: number })[],
): number {
  return image.words(
    lines.flatMap(({ value, least = NO_LEAST, flags, count = 0 }) => {
      const indices = image.place(Uint16Array.from(flags, (name) => bits.pval(name)));
      return [...values.words(value), least, flags.length, indices, count];
    }),
  );
}

export function placeMask(image: PlanImage, mask: Uint32Array<ArrayBuffer>): number {
  const whole = new Uint32Array(4 * Math.ceil(mask.length / 4));
  whole.set(mask);
  return image.place(whole);
}
