import { NO_TVAL } from "../parse/tvals.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, ThemeSpec } from "../types.js";
import {
  type Context,
  constantOf,
  isConstant,
  placeAll,
  placeBits,
  placeForm,
  placeMask,
  placeModifiers,
  placePvals,
} from "./parts.js";
import { reaches } from "./reach.js";
import type { Signatures } from "./signatures.js";

// ── kinds: assembly/objects/kinds.ts ──

/** Places the kinds, and answers where their offsets are. */
export function placeKinds(context: Context, signatures: Signatures): number {
  const { kinds, themes } = context.files;
  const byTval = indicesBy(themes, ({ targets }) => targets.map(({ tval }) => tval));
  return placeAll(context, kinds, (kind, i) => {
    const ofTval = byTval.get(kind.tval) ?? [];
    const own = ofTval.filter((theme) => reaches(themes[theme].targets, kind));
    return kindWords(context, kind, { index: i, signature: signatures.of(kind), themes: own });
  });
}

function kindWords(
  context: Context,
  kind: KindSpec,
  {
    index,
    signature,
    themes,
  }: { readonly index: number; readonly signature: number; readonly themes: readonly number[] },
): number[] {
  const { bits, files, image } = context;
  const modifiers = [kind.toHit, kind.toDam, kind.toAc];
  const form = placeForm(context, {
    kind: index,
    artifact: 0,
    of: kind,
    modifiers: modifiers.map((value) => (isConstant(value) ? constantOf(value) : 0)),
    flags: bits.mask(kind.flags),
  });
  const rolled = modifiers.flatMap((value, which) => (isConstant(value) ? [] : [{ value, which, least: undefined }]));
  const themeBits = placeBits(image, files.themes.length, themes);
  return [
    ...[form, kind.tval, signature, Number(kind.flags.includes("GOOD"))],
    ...[placePvals(context, kind.pvals), kind.pvals.length, placeModifiers(context, rolled), rolled.length, themeBits],
  ];
}

// ── affixes: assembly/objects/affix.ts ──

const Part = { RANDOM_FLAGS: 1, PVALS: 2, RANDOM_PVALS: 4, BODY: 8 } as const;

/** Places the affixes, and answers where their offsets are. */
export function placeAffixes(context: Context) {
  const { affixes, themes } = context.files;
  const index = new Map(affixes.map(({ number }, i) => [number, i]));
  // exclusion holds both ways
  const excluded = affixes.map(() => new Set<number>());
  for (const [i, { excludes }] of affixes.entries()) {
    for (const other of excludes.flatMap((number) => index.get(number) ?? [])) {
      excluded[i].add(other);
      excluded[other].add(i);
    }
  }
  const byAffix = indicesBy(themes, ({ parts }) => parts.filter(({ weight }) => weight > 0).map((part) => part.affix));
  const offsets = affixes.map((affix, i) => {
    const own = byAffix.get(affix.number) ?? [];
    return (
      context.image.words(affixWords(context, affix, { excluded: [...excluded[i]], themes: own })) | partsOf(affix)
    );
  });
  return { at: context.image.words(offsets), excludes: excluded.some(({ size }) => size > 0) };
}

/** The words of an affix, given by index which others it excludes, and in which themes its lines weigh something. */
function affixWords(
  context: Context,
  affix: AffixSpec,
  { excluded, themes }: { readonly excluded: readonly number[]; readonly themes: readonly number[] },
): number[] {
  const { bits, image, files } = context;
  const { toHit, toDam, toAc, least } = affix;
  const modifiers = [
    { value: toHit, least: least.toHit, which: 0 },
    { value: toDam, least: least.toDam, which: 1 },
    { value: toAc, least: least.toAc, which: 2 },
  ].filter((one) => one.least !== undefined || !isConstant(one.value) || one.value.base !== 0);
  const randomFlags = affix.randomFlags.filter(({ flags }) => flags.length > 0);
  const randomPvals = affix.randomPvals.filter(({ flags }) => flags.length > 0);
  const flagLines = randomFlags.flatMap(({ count, flags }) => {
    return [count, flags.length, image.place(Uint16Array.from(bits.inOrder(flags))), 0];
  });
  return [
    ...[affix.acPercent, affix.weightPercent, affix.dice, affix.sides],
    ...[placeModifiers(context, modifiers), modifiers.length, placeMask(image, bits.mask(affix.flags))],
    ...[image.words(flagLines), randomFlags.length],
    ...[placePvals(context, affix.pvals), affix.pvals.length],
    ...[placePvals(context, randomPvals), randomPvals.length],
    ...[image.place(Uint16Array.from(excluded)), excluded.length, placeBits(image, files.themes.length, themes)],
  ];
}

/** The lower bits of an affix's offset: which of the parts that few have it has. */
function partsOf(affix: AffixSpec): number {
  const has = (yes: boolean, part: number) => (yes ? part : 0);
  return (
    has(affix.randomFlags.length > 0, Part.RANDOM_FLAGS) |
    has(affix.pvals.length > 0, Part.PVALS) |
    has(affix.randomPvals.length > 0, Part.RANDOM_PVALS) |
    has([affix.acPercent, affix.weightPercent, affix.dice, affix.sides].some(Boolean), Part.BODY)
  );
}

// ── themes: assembly/objects/themes.ts ──

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
  const seen = new Set<number>();
  const lines = theme.parts.flatMap(({ affix, weight, chance }) => {
    const at = index.get(affix) ?? 0;
    const again = seen.has(affix);
    seen.add(affix);
    weights[at] += weight;
    total += weight;
    return [at, chance, Number(again)];
  });
  return [
    ...[image.place(Uint16Array.from(targets)), theme.targets.length, image.words(lines), theme.parts.length],
    ...[image.place(weights), total],
  ];
}

// ── artifacts: assembly/objects/artifacts.ts ──

/** Places the artifacts and their A lines, and answers where they are; the lines of those that ask for affixes come second. */
export function placeArtifacts(context: Context) {
  const { files, image } = context;
  const kinds = kindsOfArtifacts(files);
  const index = new Map(files.affixes.map(({ number }, i) => [number, i]));
  const records = placeAll(context, files.artifacts, (artifact, i) => {
    // an index once, in the order of the files
    const required = [...new Set(artifact.requires.flatMap((number) => index.get(number) ?? []))].sort((a, b) => a - b);
    return artifactWords(context, artifact, { index: i, kind: kinds[i], required });
  });
  const linesOf = (requires: boolean) =>
    files.artifacts.flatMap((artifact, i) => {
      const kind = kinds[i];
      // what has no kind is never made
      if (kind < 0 || artifact.requires.length > 0 !== requires) return [];
      const live = artifact.allocations.filter(({ probability }) => probability > 0);
      return live.map(({ probability, least, most }) => [i, kind, probability, least, most]);
    });
  const [plain, ofAffixes] = [linesOf(false), linesOf(true)];
  return {
    records,
    ...{ lines: image.words(plain.flat()), lineCount: plain.length },
    ...{ linesOfAffixes: image.words(ofAffixes.flat()), lineOfAffixesCount: ofAffixes.length },
  };
}

function artifactWords(
  context: Context,
  artifact: ArtifactSpec,
  { index, kind, required }: { readonly index: number; readonly kind: number; readonly required: readonly number[] },
): number[] {
  const { bits, image, files } = context;
  const flags = bits.mask(artifact.flags);
  if (kind >= 0) for (const [i, word] of bits.mask(files.kinds[kind].flags).entries()) flags[i] |= word;
  const form = placeForm(context, {
    kind: Math.max(kind, 0),
    artifact: index + 1,
    of: artifact,
    modifiers: [artifact.toHit, artifact.toDam, artifact.toAc],
    flags: bits.cleanUp(flags),
  });
  return [
    ...[Math.max(kind, 0), form, placePvals(context, artifact.pvals), artifact.pvals.length],
    ...[image.place(Uint16Array.from(required)), required.length],
  ];
}

/** For each artifact the index of its kind; −1 where there is none. */
function kindsOfArtifacts({ kinds, artifacts }: ObjectFiles): readonly number[] {
  const index = new Map<string, number>();
  for (const [i, { tval, sval }] of kinds.entries()) {
    const key = `${tval}:${sval}`;
    if (tval !== NO_TVAL && !index.has(key)) index.set(key, i);
  }
  return artifacts.map(({ tval, sval }) => index.get(`${tval}:${sval}`) ?? -1);
}

/** The indices of records, in their order, by each of their keys. Cost: O(keys). */
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
