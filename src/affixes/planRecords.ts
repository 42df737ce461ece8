import type { PlanImage } from "../kernel/index.js";
import { type FlagBits, wholeVectors } from "./flagBits.js";
import { MAX_M_BONUS_LEVEL, mBonusOdds } from "./mBonus.js";
import type { Signatures } from "./signatures.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, PvalSpec, RandomValue, ThemeSpec } from "./types.js";

/** What records are placed with. */
interface Context {
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

/** Random values, and the tables of m_bonus that they need: see assembly/kernel/objectValues.ts. */
export class Values {
  readonly #image: PlanImage;
  readonly #bonuses = new Map<number, number>();

  constructor(image: PlanImage) {
    this.#image = image;
  }

  /** The four words of a value. */
  words({ base, dice, sides, bonus, negated }: RandomValue): number[] {
    const sign = negated ? -1 : 1;
    return [sign * base, dice | (sides << 16), bonus === 0 ? 0 : this.bonusTable(bonus), sign];
  }

  /** The offset of the table of m_bonus(`most`, …). */
  bonusTable(most: number): number {
    const known = this.#bonuses.get(most);
    if (known !== undefined) return known;
    const vectors = Math.ceil((most + 1) / 4);
    const numbers = new Uint32Array(4 + (MAX_M_BONUS_LEVEL + 1) * 4 * vectors).fill(2 ** 32 - 1);
    numbers[0] = vectors;
    for (let level = 0; level <= MAX_M_BONUS_LEVEL; level++) {
      let sum = 0;
      for (const [value, weight] of mBonusOdds(most, level).entries()) {
        sum += weight;
        numbers[4 + level * 4 * vectors + value] = sum;
      }
    }
    const offset = this.#image.place(numbers);
    this.#bonuses.set(most, offset);
    return offset;
  }
}

// ── kinds: assembly/kernel/objectKinds.ts ──

/** Places the kinds, and answers where their offsets are. */
export function placeKinds(context: Context, signatures: Signatures): number {
  return placeAll(context, context.files.kinds, (kind) => kindWords(context, kind, signatures.of(kind)));
}

function kindWords(context: Context, kind: KindSpec, signature: number): number[] {
  const { bits, values } = context;
  const index = context.files.kinds.indexOf(kind);
  const form = placeForm(context, {
    kind: index,
    artifact: 0,
    of: kind,
    modifiers: [0, 0, 0],
    flags: flagsOf(bits, kind),
  });
  return [
    ...[form, kind.tval, signature, Number(kind.flags.includes("GOOD"))],
    ...[placePvals(context, kind.pvals), kind.pvals.length],
    ...[kind.toHit, kind.toDam, kind.toAc].flatMap((value) => values.words(value)),
  ];
}

/** An object as it is before anything is rolled: assembly/kernel/objectRecord.ts. */
function placeForm(
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

/** A kind's flags. */
function flagsOf(bits: FlagBits, { flags }: KindSpec): Uint32Array<ArrayBuffer> {
  return bits.cleanUp(bits.mask(flags));
}

/** Bytes of an object in the kernel. */
export function objectBytes({ themes }: ObjectFiles, bits: FlagBits): number {
  const { flagBytes, pvalBytes } = bits;
  return wholeVectors(FLAGS_AT + flagBytes + pvalBytes + 16 * Math.ceil(themes.length / 64));
}

// ── affixes: assembly/kernel/objectAffix.ts ──

const Part = { RANDOM_FLAGS: 8, PVALS: 16, RANDOM_PVALS: 32, BODY: 64, EXCLUSIONS: 128 } as const;

/** Places the affixes, and answers where their offsets are. */
export function placeAffixes(context: Context): number {
  const { affixes } = context.files;
  const index = new Map(affixes.map(({ number }, i) => [number, i]));
  // exclusion holds both ways
  const excluded = affixes.map(() => new Set<number>());
  for (const [i, { excludes }] of affixes.entries()) {
    for (const other of excludes.flatMap((number) => index.get(number) ?? [])) {
      excluded[i].add(other);
      excluded[other].add(i);
    }
  }
  return placeAll(context, affixes, (affix, i) => affixWords(context, affix, [...excluded[i]]));
}

function affixWords(context: Context, affix: AffixSpec, excluded: readonly number[]): number[] {
  const { bits, image, values, files } = context;
  const modifiers = [affix.toHit, affix.toDam, affix.toAc];
  const leasts = [affix.least.toHit, affix.least.toDam, affix.least.toAc];
  const randomFlags = affix.randomFlags.filter(({ flags }) => flags.length > 0);
  const randomPvals = affix.randomPvals.filter(({ flags }) => flags.length > 0);
  const flagLines = randomFlags.flatMap(({ count, flags }) => {
    return [count, flags.length, image.place(Uint16Array.from(inOrder(files, flags), (name) => bits.bit(name))), 0];
  });
  return [
    partsOf(affix, leasts, excluded.length),
    ...[affix.acPercent, affix.weightPercent, affix.dice, affix.sides],
    ...leasts.map((least) => least ?? NO_LEAST),
    ...modifiers.flatMap((value) => values.words(value)),
    ...[placeMask(image, bits.mask(affix.flags)), image.words(flagLines), randomFlags.length],
    ...[placePvals(context, affix.pvals), affix.pvals.length],
    ...[placePvals(context, randomPvals), randomPvals.length],
    ...[image.place(Uint16Array.from(excluded)), excluded.length, placeThemesOf(context, affix)],
  ];
}

function partsOf(affix: AffixSpec, leasts: readonly (number | undefined)[], excluded: number): number {
  const isThere = (value: RandomValue, least: number | undefined) =>
    least !== undefined || value.base !== 0 || value.dice > 0 || value.bonus > 0;
  const has = (yes: boolean, part: number) => (yes ? part : 0);
  return (
    has(isThere(affix.toHit, leasts[0]), 1) |
    has(isThere(affix.toDam, leasts[1]), 2) |
    has(isThere(affix.toAc, leasts[2]), 4) |
    has(affix.randomFlags.length > 0, Part.RANDOM_FLAGS) |
    has(affix.pvals.length > 0, Part.PVALS) |
    has(affix.randomPvals.length > 0, Part.RANDOM_PVALS) |
    has(excluded > 0, Part.EXCLUSIONS) |
    has([affix.acPercent, affix.weightPercent, affix.dice, affix.sides].some(Boolean), Part.BODY)
  );
}

/** A bit for each theme in which the affix's lines weigh something. */
function placeThemesOf({ image, files: { themes } }: Context, { number }: AffixSpec): number {
  const words = new Uint32Array(2 * Math.ceil(themes.length / 64));
  for (const [i, theme] of themes.entries()) {
    if (theme.parts.some(({ affix, weight }) => affix === number && weight > 0)) words[i >>> 5] |= 1 << (i & 31);
  }
  return image.place(words);
}

// ── themes: assembly/kernel/objectThemes.ts ──

/** Places the themes, and answers where their offsets are. */
export function placeThemes(context: Context): number {
  const index = new Map(context.files.affixes.map(({ number }, i) => [number, i]));
  return placeAll(context, context.files.themes, (theme) => themeWords(context, theme, index));
}

function themeWords({ image, files }: Context, theme: ThemeSpec, index: ReadonlyMap<number, number>): number[] {
  const targets = theme.targets.flatMap(({ tval, leastSval, mostSval, least, most }) => {
    return [tval, leastSval, mostSval, least, most, 0];
  });
  const weights = new Uint32Array(files.affixes.length);
  let total = 0;
  const lines = theme.parts.flatMap(({ affix, weight, chance }, i) => {
    const at = index.get(affix) ?? 0;
    weights[at] += weight;
    total += weight;
    return [at, chance, Number(theme.parts.slice(0, i).some((part) => part.affix === affix))];
  });
  return [
    ...[image.place(Uint16Array.from(targets)), theme.targets.length, image.words(lines), theme.parts.length],
    ...[image.place(weights), total],
  ];
}

// ── artifacts: assembly/kernel/objectArtifacts.ts ──

/** Places the artifacts, and answers where their offsets are. */
export function placeArtifacts(context: Context): number {
  return placeAll(context, context.files.artifacts, (artifact) => artifactWords(context, artifact));
}

function artifactWords(context: Context, artifact: ArtifactSpec): number[] {
  const { bits, image, files } = context;
  const kind = kindOfArtifact(files, artifact);
  const flags = bits.mask(artifact.flags);
  if (kind >= 0) for (const [i, word] of flagsOf(bits, files.kinds[kind]).entries()) flags[i] |= word;
  const form = placeForm(context, {
    kind: Math.max(kind, 0),
    artifact: files.artifacts.indexOf(artifact) + 1,
    of: artifact,
    modifiers: [artifact.toHit, artifact.toDam, artifact.toAc],
    flags: bits.cleanUp(flags),
  });
  // what has no kind is never made
  const lines = kind < 0 ? [] : artifact.allocations.filter(({ probability }) => probability > 0);
  const required = kind < 0 ? [] : artifact.requires;
  const indices = files.affixes.flatMap(({ number }, i) => (required.includes(number) ? [i] : []));
  return [
    ...[Math.max(kind, 0), image.words(lines.flatMap(({ probability, least, most }) => [probability, least, most]))],
    ...[lines.length, image.place(Uint16Array.from(indices)), indices.length],
    form,
    ...[placePvals(context, artifact.pvals), artifact.pvals.length],
  ];
}

/** The index of an artifact's kind; −1 where there is none. */
export function kindOfArtifact({ kinds }: ObjectFiles, { tval, sval }: ArtifactSpec): number {
  return tval === 0 ? -1 : kinds.findIndex((kind) => kind.tval === tval && kind.sval === sval);
}

// ── what they share ──

/** Places records of words, and then their offsets: answers where these are. */
function placeAll<T>({ image }: Context, records: readonly T[], wordsOf: (record: T, index: number) => number[]) {
  return image.words(records.map((record, i) => image.place(Int32Array.from(wordsOf(record, i)))));
}

/** Lines of flags with a value. */
function placePvals(
  { bits, image, values }: Pick<Context, "bits" | "image" | "values">,
  lines: readonly (PvalSpec & { readonly count?: number })[],
): number {
  return image.place(
    Int32Array.from(
      lines.flatMap(({ value, least = NO_LEAST, flags, count = 0 }) => {
        const indices = image.place(Uint16Array.from(flags, (name) => bits.pval(name)));
        return [...values.words(value), least, flags.length, indices, count];
      }),
    ),
  );
}

function placeMask(image: PlanImage, mask: Uint32Array<ArrayBuffer>): number {
  const whole = new Uint32Array(4 * Math.ceil(mask.length / 4));
  whole.set(mask);
  return image.place(whole);
}

/** Flags in the order of the flag list. */
function inOrder({ flags }: ObjectFiles, names: readonly string[]): readonly string[] {
  return flags.filter(({ name }) => names.includes(name)).map(({ name }) => name);
}
