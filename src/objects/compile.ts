import { PlanImage } from "../kernel/index.js";
import {
  AffixPart,
  AffixRecord,
  ArtifactLine,
  ArtifactRecord,
  EgoLine,
  FlagLine,
  KindRecord,
  ObjectHead,
  ObjectRecord,
  ObjectRoom,
  ThemeLine,
  ThemeRecord,
  ThemeTarget,
} from "../kernel/layout.js";
import { AllocationTables, placeKindTables, Signatures } from "./compile/allocation.js";
import { addTo, modifiersOf, objectBytes, PlanParts, refuseAbove, themeBytes } from "./compile/parts.js";
import { GOOD_ENCHANTMENT, GREAT_ENCHANTMENT } from "./law/egos.js";
import { FlagBits } from "./law/flagBits.js";
import { isWeapon } from "./law/tvals.js";
import type { AffixSpec, KindSpec, ObjectFiles, RandomValue } from "./types.js";

export interface ObjectPlan {
  readonly files: ObjectFiles;
  readonly bits: FlagBits;
  /** The bytes of the plan. A drawing in assembly/objects/layout.ts shows their layout. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** Offset of the record ObjectRoom in the image. The kernel stores the addresses of its arrays in this record. */
  readonly room: number;
}

/**
 * Compiles edit files into a plan.
 * Cost: mostly the alias tables. Each different set of affixes that a kind can get at a real depth, a boosted depth and
 * an affix level needs a table. The rest is O(affixes × themes + (kinds + artifacts) × (themes + flags)).
 * @throws RollmillError `object.files` if the plan would be too large (docs/formats/objects.md has the limits).
 * `kernel.memory` if it would exceed 1 GiB.
 */
export function compileObjects(files: ObjectFiles): ObjectPlan {
  const bits = new FlagBits(files.flags);
  refuseTooLarge(files, bits);
  const image = new PlanImage();
  const head = image.reserve(ObjectHead.bytes);
  const room = image.reserve(ObjectRoom.bytes);
  const tables = new AllocationTables(image);
  const isOneAffix = files.rules === "4.2";
  const signatures = new Signatures(image, tables, files);
  const signatureOfKind = files.kinds.map((kind) => (isOneAffix ? 0 : signatures.of(kind)));
  const { artifacts, kinds, slots, themes } = files.constants;
  const parts = new PlanParts(files, bits, image);
  image.set(head, ObjectHead, {
    room,
    ...placeKinds(parts, signatureOfKind),
    kindCount: files.kinds.length,
    isOneAffix: Number(isOneAffix),
    ...placeAffixes(parts),
    themes: placeThemes(parts),
    themeCount: files.themes.length,
    ...placeArtifacts(parts),
    artifactCount: files.artifacts.length,
    flagCount: files.flags.length,
    flagBytes: bits.flagBytes,
    pvalBytes: bits.pvalBytes,
    flagStride: bits.words * Uint32Array.BYTES_PER_ELEMENT,
    pvalStride: bits.pvalNames.length * Int16Array.BYTES_PER_ELEMENT,
    elementWords: bits.elementWords,
    themeBytes: themeBytes(files),
    objectBytes: objectBytes(files, bits),
    ammunition: parts.mask(bits.ammunition),
    ammunitionPvals: image.place(bits.ammunitionPvals),
    levelCount: files.levels.length,
    kindBonus: parts.bonusTable(kinds.bonus),
    outOfDepth: artifacts.outOfDepth,
    fewerSlots: slots.fewerIfGood,
    mostSlots: slots.limit,
    boostOneIn: slots.boostOneIn,
    themeFactor: themes.factor,
    themeParts: themes.leastAffixes,
    ...placeKindTables(image, tables, files),
    // must be last, because the parts above add tables
    ...tables.place(),
  });
  return { files, bits, image: image.bytes, room };
}

/** Some parts of a plan grow faster than the files. Each may have at most this many bytes. A game uses a hundredth. */
const MAX_BYTES = 2 ** 26;

export function refuseTooLarge(files: ObjectFiles, bits: FlagBits): void {
  const { kinds, affixes, themes, artifacts, flags } = files;
  const refuse = (count: number, bytes: number, of: string, given: string) =>
    refuseAbove(Math.floor(MAX_BYTES / bytes), count, {
      problem: `too many ${of} for files with ${given}`,
      of,
      remedy: `Remove records, so that there are fewer ${of}`,
    });
  const pairs = `${affixes.length} affixes and ${themes.length} themes`;
  refuse(affixes.length * themes.length, Uint32Array.BYTES_PER_ELEMENT, "pairs of an affix and a theme", pairs);
  const given = `${themes.length} themes and ${flags.length} flags`;
  refuse(kinds.length + artifacts.length, objectBytes(files, bits), "kinds and artifacts", given);
  refuse(affixes.length, bits.flagBytes, "affixes", `${flags.length} flags`);
}

/** In the result, `mostEgos` is the greatest number of egos that one kind can get. */
function placeKinds(parts: PlanParts, signatures: readonly number[]) {
  const { files, bits, image } = parts;
  const { kinds, themes } = files;
  const reaching = new Map<KindSpec, number[]>();
  for (const [theme, { targets }] of themes.entries()) {
    for (const kind of parts.order.reachedBy(targets)) addTo(reaching, kind, theme);
  }
  const egos = files.rules === "4.2" ? egoParts(parts) : () => NO_EGO_PARTS;
  let mostEgos = 0;
  const offsets = kinds.map((kind, i) => {
    const rolled = modifiersOf(kind).filter(({ value }) => !isConstant(value));
    const [toHit, toDam, toAc] = [constantOf(kind.toHit), constantOf(kind.toDam), constantOf(kind.toAc)];
    const form = { kind: i, artifact: 0, toHit, toDam, toAc, body: kind, flags: bits.mask(kind.flags) };
    const record = {
      form: parts.form(form),
      tval: kind.tval,
      signature: signatures[i],
      hasGood: Number(kind.flags.includes("GOOD")),
      pvals: parts.pvals(kind.pvals),
      pvalCount: kind.pvals.length,
      modifiers: parts.modifiers(rolled),
      modifierCount: rolled.length,
      themes: parts.themeMask(reaching.get(kind) ?? []),
      ...egos(kind, i),
    };
    mostEgos = Math.max(mostEgos, record.egoCount);
    return image.put(KindRecord, record);
  });
  return { kinds: image.words(offsets), mostEgos };
}

function isConstant({ dice, bonus }: RandomValue): boolean {
  return dice === 0 && bonus === 0;
}

function constantOf(value: RandomValue): number {
  if (!isConstant(value)) return 0;
  return value.negated ? -value.base : value.base;
}

const NO_EGO_PARTS = {
  egos: 0,
  egoCount: 0,
  enchantments: 0,
  goodCount: 0,
  greatCount: 0,
  artifactLines: 0,
  artifactLineCount: 0,
};

/** Limits the pairs of a kind and an ego: a `type` line matches up to 255 kinds. The game has some 5,000 pairs. */
const MAX_EGO_LINES = 2 ** 20;
const TOO_MANY_EGOS = {
  problem: "the egos match too many kinds",
  of: "pairs of a kind and an ego",
  remedy: 'Write "item" lines in place of "type" lines, or remove egos',
};

function egoParts(parts: PlanParts): (kind: KindSpec, index: number) => typeof NO_EGO_PARTS {
  const { files, image, order } = parts;
  const egosOf = new Map<KindSpec, EgoLine[]>();
  let lines = 0;
  for (const [affix, { targets }] of files.affixes.entries()) {
    const seen = new Set<KindSpec>();
    for (const { probability: weight, usual = 0, most, ...sorts } of targets) {
      for (const kind of weight === 0 ? [] : order.reachedBy([sorts])) {
        if (seen.has(kind)) continue;
        seen.add(kind);
        refuseAbove(MAX_EGO_LINES, ++lines, TOO_MANY_EGOS);
        addTo(egosOf, kind, { affix, weight, usual, most });
      }
    }
  }
  const artifactsOf = new Map<number, ArtifactLine[]>();
  for (const line of linesOfArtifacts(parts).ordinary) addTo(artifactsOf, line.kind, line);
  /** Offsets of lists of EgoLines. The keys are the egos of each list: kinds with the same egos share a list. */
  const placed = new Map<string, number>();
  return (kind, index) => {
    const egos = egosOf.get(kind) ?? [];
    const key = egos.map(({ affix }) => affix).join();
    const offset = placed.get(key) ?? image.putAll(EgoLine, egos);
    placed.set(key, offset);
    const artifacts = artifactsOf.get(index) ?? [];
    const { good, great } = enchantmentsOf(kind);
    return {
      egos: offset,
      egoCount: egos.length,
      enchantments: parts.modifiers([...good, ...great]),
      goodCount: good.length,
      greatCount: good.length + great.length,
      artifactLines: image.putAll(ArtifactLine, artifacts),
      artifactLineCount: artifacts.length,
    };
  };
}

function enchantmentsOf({ type }: KindSpec) {
  const { toHit, toDam, toAc } = ObjectRecord.offsets;
  const fields = isWeapon(type) ? [toHit, toDam] : type.group === "armour" ? [toAc] : [];
  const modifiers = (value: RandomValue) => fields.map((field) => ({ value, least: undefined, field }));
  return { good: modifiers(GOOD_ENCHANTMENT), great: modifiers(GREAT_ENCHANTMENT) };
}

function placeAffixes(parts: PlanParts) {
  const { affixes, themes } = parts.files;
  const index = indexOf(affixes);
  const excluded = affixes.map(() => new Set<number>());
  for (const [i, { excludes }] of affixes.entries()) {
    for (const other of excludes.flatMap((number) => index.get(number) ?? [])) {
      // an exclusion applies in both directions
      excluded[i].add(other);
      excluded[other].add(i);
    }
  }
  const themesOf = new Map<number, number[]>();
  for (const [theme, { parts: lines }] of themes.entries()) {
    const numbers = new Set(lines.flatMap(({ weight, affix }) => (weight > 0 ? [affix] : [])));
    for (const number of numbers) addTo(themesOf, number, theme);
  }
  const offsets = affixes.map((affix, i) => {
    const record = affixRecord(parts, affix, [...excluded[i]], themesOf.get(affix.number) ?? []);
    return parts.image.put(AffixRecord, record) | partBits(affix);
  });
  return { affixes: parts.image.words(offsets), hasExclusions: Number(excluded.some(({ size }) => size > 0)) };
}

function affixRecord(parts: PlanParts, affix: AffixSpec, excluded: readonly number[], themes: readonly number[]) {
  const { bits, image } = parts;
  const { acPercent, weightPercent, dice, sides, pvals } = affix;
  const modifiers = modifiersOf(affix).filter(
    ({ least, value }) => least !== undefined || !isConstant(value) || value.base !== 0,
  );
  // keeps a line without flags if it has an alternative, because the alternative still rolls its die
  const kept = affix.randomFlags.filter(({ flags, alternative }) => flags.length > 0 || alternative !== undefined);
  const flagLines = kept.map(({ count, flags, alternative }) => ({
    flags: parts.bitList(flags),
    flagCount: flags.length,
    count,
    sides: alternative?.first === 0 ? alternative.of : 0,
    first: alternative?.first ?? 0,
    share: alternative?.share ?? 0,
  }));
  const randomPvals = affix.randomPvals.filter(({ flags }) => flags.length > 0);
  return {
    acPercent,
    weightPercent,
    dice,
    sides,
    modifiers: parts.modifiers(modifiers),
    modifierCount: modifiers.length,
    flags: parts.mask(bits.mask(affix.flags)),
    removes: affix.removes.length === 0 ? 0 : parts.mask(bits.mask(affix.removes)),
    randomFlags: image.putAll(FlagLine, flagLines),
    randomFlagCount: flagLines.length,
    pvals: parts.pvals(pvals),
    pvalCount: pvals.length,
    randomPvals: parts.pvals(randomPvals),
    randomPvalCount: randomPvals.length,
    excluded: image.place(Uint16Array.from(excluded)),
    excludedCount: excluded.length,
    themes: parts.themeMask(themes),
  };
}

/** Returns a bit for each optional part that an affix has. They fit in the low bits of the affix's aligned offset. */
function partBits(affix: AffixSpec): number {
  const { acPercent, weightPercent, dice, sides, removes, randomFlags, pvals, randomPvals } = affix;
  const has = (yes: boolean, part: AffixPart) => (yes ? part : 0);
  return (
    has(randomFlags.length > 0, AffixPart.RANDOM_FLAGS) |
    has(pvals.length > 0, AffixPart.PVALS) |
    has(randomPvals.length > 0, AffixPart.RANDOM_PVALS) |
    has([acPercent, weightPercent, dice, sides, removes.length].some(Boolean), AffixPart.BODY)
  );
}

function placeThemes({ files, image }: PlanParts): number {
  const index = indexOf(files.affixes);
  const offsets = files.themes.map(({ parts, targets }) => {
    const weights = new Uint32Array(files.affixes.length);
    let total = 0;
    const seen = new Set<number>();
    const lines = parts.map(({ affix: number, weight, chance }) => {
      const affix = index.get(number) ?? 0;
      const comesAgain = Number(seen.has(number));
      seen.add(number);
      weights[affix] += weight;
      total += weight;
      return { affix, chance, comesAgain };
    });
    return image.put(ThemeRecord, {
      targets: image.putAll(ThemeTarget, targets),
      targetCount: targets.length,
      lines: image.putAll(ThemeLine, lines),
      lineCount: lines.length,
      weights: image.place(weights),
      total,
    });
  });
  return image.words(offsets);
}

function placeArtifacts(parts: PlanParts) {
  const { files, bits, image, artifactKinds: kinds } = parts;
  const index = indexOf(files.affixes);
  const offsets = files.artifacts.map((artifact, i) => {
    const { toHit, toDam, toAc, pvals, requires } = artifact;
    const required = [...new Set(requires.flatMap((number) => index.get(number) ?? []))].sort((a, b) => a - b);
    const flags = bits.mask(artifact.flags);
    const own = kinds[i] < 0 ? undefined : parts.maskOf(files.kinds[kinds[i]].flags);
    for (const [word, bitsOfKind] of own?.entries() ?? []) flags[word] |= bitsOfKind;
    const kind = Math.max(kinds[i], 0);
    const form = { kind, artifact: i + 1, toHit, toDam, toAc, body: artifact, flags: bits.cleanUp(flags) };
    return image.put(ArtifactRecord, {
      kind,
      form: parts.form(form),
      pvals: parts.pvals(pvals),
      pvalCount: pvals.length,
      required: image.place(Uint16Array.from(required)),
      requiredCount: required.length,
    });
  });
  const { special, requiring, ordinary } = linesOfArtifacts(parts);
  // in Angband 4.2, the record of each kind lists its ordinary artifacts, so the head lists only special ones
  const plain = files.rules === "4.2" ? special : ordinary;
  return {
    artifacts: image.words(offsets),
    lines: image.putAll(ArtifactLine, plain),
    lineCount: plain.length,
    requiringLines: image.putAll(ArtifactLine, requiring),
    requiringLineCount: requiring.length,
  };
}

/** Makes three lists of the `A` or `alloc` lines of artifacts. In Angband 4.2, those of INSTA_ART kinds are special. */
function linesOfArtifacts({ files, artifactKinds }: PlanParts) {
  const lines = { ordinary: [] as ArtifactLine[], special: [] as ArtifactLine[], requiring: [] as ArtifactLine[] };
  for (const [artifact, { requires, allocations }] of files.artifacts.entries()) {
    const kind = artifactKinds[artifact];
    if (kind < 0) continue;
    const isSpecial = files.rules === "4.2" && files.kinds[kind].flags.includes("INSTA_ART");
    const list = lines[requires.length > 0 ? "requiring" : isSpecial ? "special" : "ordinary"];
    for (const line of allocations) if (line.probability > 0) list.push({ artifact, kind, ...line });
  }
  return lines;
}

function indexOf(records: readonly { readonly number: number }[]): ReadonlyMap<number, number> {
  return new Map(records.map(({ number }, i) => [number, i]));
}
