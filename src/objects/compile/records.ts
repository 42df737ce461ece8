import { error, fail } from "../../errors/index.js";
import type { PlanImage } from "../../kernel/index.js";
import {
  AffixPart,
  AffixRecord,
  ArtifactLine,
  ArtifactRecord,
  BONUS_LEVELS,
  BONUS_SUMS,
  BonusTable,
  EgoLine,
  FlagLine,
  KindRecord,
  ModifierLine,
  NO_LEAST,
  OBJECT_FLAGS,
  ObjectRecord,
  PvalLine,
  RandomBit,
  type RandomNumber,
  SIMPLE_VECTORS,
  THEMES_OF_WORD,
  ThemeLine,
  ThemeRecord,
  ThemeTarget,
  VECTOR_BYTES,
} from "../../kernel/layout.js";
import { GOOD_ENCHANTMENT, GREAT_ENCHANTMENT } from "../law/egos.js";
import { type FlagBits, losesFlags, wholeVectors } from "../law/flagBits.js";
import { mBonusOdds } from "../law/mBonus.js";
import { KindOrder } from "../law/reach.js";
import { isWeapon, NO_TVAL } from "../law/tvals.js";
import type {
  AffixSpec,
  AffixTarget,
  ArtifactSpec,
  KindSpec,
  ObjectFiles,
  PvalSpec,
  RandomValue,
  ThemeSpec,
} from "../types.js";

// assembly/objects/layout.ts draws the layout of each record.

interface Context {
  readonly files: ObjectFiles;
  readonly bits: FlagBits;
  readonly image: PlanImage;
  readonly numbers: RandomNumbers;
  readonly lists: FlagLists;
}

// ── kinds ──

/** Places the kinds. `mostEgos` is the greatest number of egos that one kind can get. */
export function placeKinds(context: Context, signatures: readonly number[]) {
  const { kinds, themes } = context.files;
  const order = new KindOrder(kinds);
  const reaching = new Map<KindSpec, number[]>(kinds.map((kind) => [kind, []]));
  for (const [theme, { targets }] of themes.entries()) {
    for (const kind of order.reachedBy(targets)) reaching.get(kind)?.push(theme);
  }
  const egos = context.files.rules === "4.2" ? new EgoParts(context, order) : undefined;
  const offsets = kinds.map((kind, i) => {
    const own = reaching.get(kind) ?? [];
    const record = kindRecord(context, kind, { index: i, signature: signatures[i], themes: own });
    return context.image.put(KindRecord, { ...record, ...egos?.of(kind, i) });
  });
  return { kinds: context.image.words(offsets), mostEgos: egos?.most ?? 0 };
}

function kindRecord(
  context: Context,
  kind: KindSpec,
  { index, signature, themes }: { index: number; signature: number; themes: readonly number[] },
): KindRecord {
  const rolled = modifiersOf(kind).filter(({ value }) => !isConstant(value));
  return {
    form: placeForm(context, {
      kind: index,
      artifact: 0,
      toHit: constantOf(kind.toHit),
      toDam: constantOf(kind.toDam),
      toAc: constantOf(kind.toAc),
      body: kind,
      flags: context.bits.mask(kind.flags),
    }),
    tval: kind.tval,
    signature,
    hasGood: Number(kind.flags.includes("GOOD")),
    pvals: placePvals(context, kind.pvals),
    pvalCount: kind.pvals.length,
    modifiers: placeModifiers(context, rolled),
    modifierCount: rolled.length,
    themes: placeThemeMask(context, themes),
    ...NO_EGO_PARTS,
  };
}

// ── the parts of a kind that only the rules of Angband 4.2 have ──

const NO_EGO_PARTS = {
  egos: 0,
  egoCount: 0,
  enchantments: 0,
  goodCount: 0,
  greatCount: 0,
  artifactLines: 0,
  artifactLineCount: 0,
};

/**
 * Maximum number of pairs of a kind and an ego. A `type` line matches up to 255 kinds, so a short file could otherwise
 * need gigabytes. The files of the game have some 5,000 pairs.
 */
const MAX_EGO_LINES = 2 ** 20;

class EgoParts {
  most = 0;
  readonly #context: Context;
  #lines = 0;
  readonly #egos = new Map<KindSpec, EgoLine[]>();
  /** The offset of each list of EgoLines. The key lists its egos. Kinds with the same egos share a list. */
  readonly #placed = new Map<string, number>();
  readonly #artifacts = new Map<number, ArtifactLine[]>();

  constructor(context: Context, order: KindOrder) {
    this.#context = context;
    for (const [affix, { targets }] of context.files.affixes.entries()) this.#addEgo(affix, targets, order);
    for (const line of linesOfArtifacts(context.files).ordinary) {
      const own = this.#artifacts.get(line.kind);
      if (own === undefined) this.#artifacts.set(line.kind, [line]);
      else own.push(line);
    }
  }

  #addEgo(affix: number, targets: readonly AffixTarget[], order: KindOrder): void {
    const seen = new Set<KindSpec>();
    for (const target of targets) {
      const { probability, usual = 0, most } = target;
      if (probability === 0) continue;
      for (const kind of order.reachedBy([target])) {
        if (seen.has(kind)) continue;
        seen.add(kind);
        this.#lines++;
        if (this.#lines > MAX_EGO_LINES) refuseEgos(this.#lines);
        const own = this.#egos.get(kind) ?? [];
        own.push({ affix, weight: probability, usual, most });
        this.#egos.set(kind, own);
      }
    }
  }

  of(kind: KindSpec, index: number): typeof NO_EGO_PARTS {
    const { image } = this.#context;
    const egos = this.#egos.get(kind) ?? [];
    const key = egos.map(({ affix }) => affix).join();
    const placed = this.#placed.get(key) ?? image.putAll(EgoLine, egos);
    this.#placed.set(key, placed);
    this.most = Math.max(this.most, egos.length);
    const artifacts = this.#artifacts.get(index) ?? [];
    const { good, great } = enchantmentsOf(kind);
    return {
      egos: placed,
      egoCount: egos.length,
      enchantments: placeModifiers(this.#context, [...good, ...great]),
      goodCount: good.length,
      greatCount: good.length + great.length,
      artifactLines: image.putAll(ArtifactLine, artifacts),
      artifactLineCount: artifacts.length,
    };
  }
}

function refuseEgos(got: number): never {
  return fail(
    error("object.files", {
      problem: "the egos match too many kinds",
      got,
      expected: `at most ${MAX_EGO_LINES} pairs of a kind and an ego`,
      remedy: "Use item lines in place of type lines, or fewer egos",
    }),
  );
}

/** Returns the modifiers of all good objects of a kind, and the additional modifiers of great objects. */
function enchantmentsOf({ type }: KindSpec) {
  const { toHit, toDam, toAc } = ObjectRecord.offsets;
  const fields = isWeapon(type) ? [toHit, toDam] : type.group === "armour" ? [toAc] : [];
  const modifiers = (value: RandomValue) => fields.map((field) => ({ value, least: undefined, field }));
  return { good: modifiers(GOOD_ENCHANTMENT), great: modifiers(GREAT_ENCHANTMENT) };
}

// ── affixes ──

export function placeAffixes(context: Context) {
  const { affixes, themes } = context.files;
  const index = indexOf(affixes);
  const excluded = affixes.map(() => new Set<number>());
  for (const [i, { excludes }] of affixes.entries()) {
    for (const other of excludes.flatMap((number) => index.get(number) ?? [])) {
      // an exclusion applies in both directions
      excluded[i].add(other);
      excluded[other].add(i);
    }
  }
  const byAffix = indicesBy(themes, ({ parts }) => parts.filter(({ weight }) => weight > 0).map((part) => part.affix));
  const offsets = affixes.map((affix, i) => {
    const own = byAffix.get(affix.number) ?? [];
    const record = affixRecord(context, affix, { excluded: [...excluded[i]], themes: own });
    return context.image.put(AffixRecord, record) | partsOf(affix);
  });
  return { affixes: context.image.words(offsets), hasExclusions: Number(excluded.some(({ size }) => size > 0)) };
}

function affixRecord(
  context: Context,
  affix: AffixSpec,
  { excluded, themes }: { readonly excluded: readonly number[]; readonly themes: readonly number[] },
): AffixRecord {
  const { bits, image } = context;
  const modifiers = modifiersOf(affix).filter(
    (one) => one.least !== undefined || !isConstant(one.value) || one.value.base !== 0,
  );
  // an alternative without flags still rolls its die, so it is kept
  const randomFlags = affix.randomFlags.filter(
    ({ flags, alternative }) => flags.length > 0 || alternative !== undefined,
  );
  const randomPvals = affix.randomPvals.filter(({ flags }) => flags.length > 0);
  const flagLines = randomFlags.map(({ count, flags, alternative }) => ({
    flags: context.lists.bits(flags),
    flagCount: flags.length,
    count,
    sides: alternative?.first === 0 ? alternative.of : 0,
    first: alternative?.first ?? 0,
    share: alternative?.share ?? 0,
  }));
  return {
    acPercent: affix.acPercent,
    weightPercent: affix.weightPercent,
    dice: affix.dice,
    sides: affix.sides,
    modifiers: placeModifiers(context, modifiers),
    modifierCount: modifiers.length,
    flags: placeMask(context, bits.mask(affix.flags)),
    removes: affix.removes.length === 0 ? 0 : placeMask(context, bits.mask(affix.removes)),
    randomFlags: image.putAll(FlagLine, flagLines),
    randomFlagCount: flagLines.length,
    pvals: placePvals(context, affix.pvals),
    pvalCount: affix.pvals.length,
    randomPvals: placePvals(context, randomPvals),
    randomPvalCount: randomPvals.length,
    excluded: image.place(Uint16Array.from(excluded)),
    excludedCount: excluded.length,
    themes: placeThemeMask(context, themes),
  };
}

/** Returns a bit for each optional part of an affix. They are the lower bits of its offset, because records are aligned. */
function partsOf(affix: AffixSpec): number {
  const { acPercent, weightPercent, dice, sides, removes } = affix;
  const has = (yes: boolean, part: AffixPart) => (yes ? part : 0);
  return (
    has(affix.randomFlags.length > 0, AffixPart.RANDOM_FLAGS) |
    has(affix.pvals.length > 0, AffixPart.PVALS) |
    has(affix.randomPvals.length > 0, AffixPart.RANDOM_PVALS) |
    has([acPercent, weightPercent, dice, sides, removes.length].some(Boolean), AffixPart.BODY)
  );
}

// ── themes ──

export function placeThemes({ files, image }: Context): number {
  const index = indexOf(files.affixes);
  return image.words(files.themes.map((theme) => image.put(ThemeRecord, themeRecord({ files, image }, theme, index))));
}

function themeRecord(
  { image, files }: Pick<Context, "image" | "files">,
  theme: ThemeSpec,
  index: ReadonlyMap<number, number>,
): ThemeRecord {
  const weights = new Uint32Array(files.affixes.length);
  let total = 0;
  const seen = new Set<number>();
  const lines = theme.parts.map(({ affix: number, weight, chance }) => {
    const affix = index.get(number) ?? 0;
    const comesAgain = Number(seen.has(number));
    seen.add(number);
    weights[affix] += weight;
    total += weight;
    return { affix, chance, comesAgain };
  });
  return {
    targets: image.putAll(ThemeTarget, theme.targets),
    targetCount: theme.targets.length,
    lines: image.putAll(ThemeLine, lines),
    lineCount: lines.length,
    weights: image.place(weights),
    total,
  };
}

// ── artifacts ──

export function placeArtifacts(context: Context) {
  const { files, image } = context;
  const kinds = kindsOfArtifacts(files);
  const index = indexOf(files.affixes);
  const offsets = files.artifacts.map((artifact, i) => {
    const required = [...new Set(artifact.requires.flatMap((number) => index.get(number) ?? []))].sort((a, b) => a - b);
    return image.put(ArtifactRecord, artifactRecord(context, artifact, { index: i, kind: kinds[i], required }));
  });
  const { special, requiring, ordinary } = linesOfArtifacts(files);
  // in Angband 4.2, the records of kinds have the ordinary artifacts
  const plain = files.rules === "4.2" ? special : ordinary;
  return {
    artifacts: image.words(offsets),
    lines: image.putAll(ArtifactLine, plain),
    lineCount: plain.length,
    requiringLines: image.putAll(ArtifactLine, requiring),
    requiringLineCount: requiring.length,
  };
}

/** The `A` lines of all artifacts that have a kind. Each list is in the order of the artifacts. */
interface ArtifactLines {
  readonly ordinary: readonly ArtifactLine[];
  /** The lines of special artifacts. An artifact of Angband 4.2 is special if its kind has the flag INSTA_ART. */
  readonly special: readonly ArtifactLine[];
  readonly requiring: readonly ArtifactLine[];
}

function linesOfArtifacts(files: ObjectFiles): ArtifactLines {
  const kinds = kindsOfArtifacts(files);
  const lines: Record<keyof ArtifactLines, ArtifactLine[]> = { ordinary: [], special: [], requiring: [] };
  for (const [artifact, { requires, allocations }] of files.artifacts.entries()) {
    const kind = kinds[artifact];
    // an artifact without a kind is never made
    if (kind < 0) continue;
    const isSpecial = files.rules === "4.2" && files.kinds[kind].flags.includes("INSTA_ART");
    const list = lines[requires.length > 0 ? "requiring" : isSpecial ? "special" : "ordinary"];
    for (const line of allocations) if (line.probability > 0) list.push({ artifact, kind, ...line });
  }
  return lines;
}

function artifactRecord(
  context: Context,
  artifact: ArtifactSpec,
  { index, kind, required }: { readonly index: number; readonly kind: number; readonly required: readonly number[] },
): ArtifactRecord {
  const { bits, image, files } = context;
  const flags = bits.mask(artifact.flags);
  if (kind >= 0) for (const [i, word] of context.lists.mask(files.kinds[kind].flags).entries()) flags[i] |= word;
  const { toHit, toDam, toAc } = artifact;
  return {
    kind: Math.max(kind, 0),
    form: placeForm(context, {
      kind: Math.max(kind, 0),
      artifact: index + 1,
      toHit,
      toDam,
      toAc,
      body: artifact,
      flags: bits.cleanUp(flags),
    }),
    pvals: placePvals(context, artifact.pvals),
    pvalCount: artifact.pvals.length,
    required: image.place(Uint16Array.from(required)),
    requiredCount: required.length,
  };
}

/** Returns the index of each artifact's kind; −1 for none. */
function kindsOfArtifacts({ kinds, artifacts }: ObjectFiles): readonly number[] {
  const index = new Map<string, number>();
  for (const [i, { tval, sval }] of kinds.entries()) {
    const key = `${tval}:${sval}`;
    if (tval !== NO_TVAL && !index.has(key)) index.set(key, i);
  }
  return artifacts.map(({ tval, sval }) => index.get(`${tval}:${sval}`) ?? -1);
}

// ── parts of several records ──

interface Form extends Pick<ObjectRecord, "kind" | "artifact" | "toHit" | "toDam" | "toAc"> {
  readonly body: Pick<KindSpec, "ac" | "dice" | "sides" | "weight">;
  readonly flags: Uint32Array<ArrayBuffer>;
}

function placeForm(
  { files, bits, image }: Context,
  { kind, artifact, toHit, toDam, toAc, body: { ac, dice, sides, weight }, flags }: Form,
): number {
  const { type, tval, sval } = files.kinds[kind];
  const form = image.reserve(objectBytes(files, bits));
  image.set(form, ObjectRecord, {
    kind,
    artifact,
    theme: 0,
    affixLevel: 0,
    slots: 0,
    affixCount: 0,
    toHit,
    toDam,
    toAc,
    ac,
    dice,
    sides,
    weight,
    tval,
    sval,
    isAmmunition: Number(losesFlags({ rules: files.rules, type })),
  });
  image.copy(form + OBJECT_FLAGS, flags);
  return form;
}

export function objectBytes(files: ObjectFiles, { flagBytes, pvalBytes }: FlagBits): number {
  return wholeVectors(OBJECT_FLAGS + flagBytes + pvalBytes + 2 * themeBytes(files));
}

export function themeBytes({ themes }: ObjectFiles): number {
  return (THEMES_OF_WORD / 8) * Math.ceil(themes.length / THEMES_OF_WORD);
}

function placeThemeMask({ files, image }: Context, themes: readonly number[]): number {
  const words = new Uint32Array(themeBytes(files) / 4);
  for (const i of themes) words[i >>> 5] |= 1 << (i & 31);
  return image.place(words);
}

export function placeMask({ image, bits }: Pick<Context, "image" | "bits">, mask: Uint32Array<ArrayBuffer>): number {
  const offset = image.reserve(bits.flagBytes);
  image.copy(offset, mask);
  return offset;
}

interface Modifier {
  readonly value: RandomValue;
  readonly least: number | undefined;
  readonly field: number;
}

function modifiersOf({
  least,
  ...values
}: Pick<AffixSpec, "toHit" | "toDam" | "toAc"> & Partial<Pick<AffixSpec, "least">>) {
  return (["toHit", "toDam", "toAc"] as const).map((name): Modifier => {
    return { value: values[name], least: least?.[name], field: ObjectRecord.offsets[name] };
  });
}

function placeModifiers({ image, numbers }: Context, modifiers: readonly Modifier[]): number {
  const lines = modifiers.map(({ value, least = NO_LEAST, field }) => ({ ...numbers.of(value), least, field }));
  return image.putAll(ModifierLine, lines);
}

function placePvals(
  { image, numbers, lists }: Context,
  pvals: readonly (PvalSpec & { readonly count?: number })[],
): number {
  const lines = pvals.map(({ value, least = NO_LEAST, flags, count = 0 }) => ({
    ...numbers.of(value),
    least,
    flags: lists.pvals(flags),
    flagCount: flags.length,
    count,
  }));
  return image.putAll(PvalLine, lines);
}

function indexOf(records: readonly { readonly number: number }[]): ReadonlyMap<number, number> {
  return new Map(records.map(({ number }, i) => [number, i]));
}

/** Maps each key to the ascending indices of its records. Cost: O(keys). */
function indicesBy<T>(records: readonly T[], keysOf: (record: T) => readonly number[]): ReadonlyMap<number, number[]> {
  const indices = new Map<number, number[]>();
  for (const [i, record] of records.entries()) {
    for (const key of new Set(keysOf(record))) {
      const own = indices.get(key);
      if (own === undefined) indices.set(key, [i]);
      else own.push(i);
    }
  }
  return indices;
}

/**
 * Places the lists of flags of a plan. Each array is sorted and placed once, because lines that name the same flag types
 * share one array, and so do artifacts of the same kind.
 */
export class FlagLists {
  readonly #image: PlanImage;
  readonly #bits: FlagBits;
  readonly #placed = new Map<readonly string[], number>();
  readonly #masks = new Map<readonly string[], Uint32Array<ArrayBuffer>>();

  constructor(image: PlanImage, bits: FlagBits) {
    this.#image = image;
    this.#bits = bits;
  }

  /** Places the bit numbers of flags without a value, in the order of the flag list. */
  bits(flags: readonly string[]): number {
    return this.#place(flags, () => Uint16Array.from(this.#bits.inOrder(flags)));
  }

  pvals(flags: readonly string[]): number {
    return this.#place(flags, () => Uint16Array.from(flags, (name) => this.#bits.pval(name)));
  }

  mask(flags: readonly string[]): Readonly<Uint32Array<ArrayBuffer>> {
    const mask = this.#masks.get(flags) ?? this.#bits.mask(flags);
    this.#masks.set(flags, mask);
    return mask;
  }

  #place(flags: readonly string[], read: () => Uint16Array<ArrayBuffer>): number {
    const offset = this.#placed.get(flags) ?? this.#image.place(read());
    this.#placed.set(flags, offset);
    return offset;
  }
}

// ── random values ──

function isConstant({ dice, bonus }: RandomValue): boolean {
  return dice === 0 && bonus === 0;
}

function constantOf(value: RandomValue): number {
  if (!isConstant(value)) return 0;
  return value.negated ? -value.base : value.base;
}

/** Makes the records of random values. Values with the same largest bonus share a table of m_bonus. */
export class RandomNumbers {
  readonly #image: PlanImage;
  readonly #bonuses = new Map<number, number>();

  constructor(image: PlanImage) {
    this.#image = image;
  }

  of({ base, dice, sides, bonus, negated }: RandomValue): RandomNumber {
    const sign = negated ? -1 : 1;
    const isSimple = dice <= 1 && vectorsOf(bonus) === SIMPLE_VECTORS;
    return {
      base: sign * base,
      dice,
      sides: Math.max(sides, 1),
      bonus: this.bonusTable(bonus),
      sign,
      bits: (bonus > 0 ? RandomBit.HAS_BONUS : 0) | (isSimple ? RandomBit.IS_SIMPLE : 0),
    };
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
    const offset = this.#image.reserve(BONUS_SUMS + sums.byteLength);
    this.#image.set(offset, BonusTable, { vectors, levelBytes: most === 0 ? 0 : VECTOR_BYTES * vectors });
    this.#image.copy(offset + BONUS_SUMS, sums);
    this.#bonuses.set(most, offset);
    return offset;
  }
}

/** Returns the number of vectors of m_bonus for one level: a running sum of the weights for each value 0 … `most`. */
function vectorsOf(most: number): number {
  return Math.max(SIMPLE_VECTORS, Math.ceil((most + 1) / (VECTOR_BYTES / 4)));
}
