import { toNumber } from "../../src/fractions.js";
import { kindOdds } from "../../src/objects/law/kinds.js";
import { type AffixOdds, affixLevelOdds, slotOdds } from "../../src/objects/law/slots.js";
import { affixOdds, twoSlotThemeOdds } from "../../src/objects/odds/themes.js";
import type { AffixSpec, KindSpec, ObjectFiles, Quality } from "../../src/objects/types.js";
import { depthOdds } from "./oddsFiles.js";
import type { DrawnCounts, KindCounts } from "./statisticsCounts.js";

/** A frequency to compare with its law; `wrong` are laws that the counts must not be compatible with. */
export interface Frequency {
  readonly counts: readonly number[];
  readonly law: readonly number[];
  readonly wrong: readonly (readonly number[])[];
}

/** What was asked of the objects. */
export interface Place {
  readonly level: number;
  readonly quality: Quality;
}

/** A slot at an affix level of an object that may have a first affix. */
interface Slot {
  readonly kind: KindSpec;
  readonly level: number;
  readonly affixLevel: number;
  readonly first?: AffixSpec | undefined;
}

const knownOdds = new WeakMap<ObjectFiles, Map<string, AffixOdds>>();

/** The exact chances of a slot, which several laws use. */
export function slotAffixes(files: ObjectFiles, { kind, level, affixLevel, first }: Slot): AffixOdds {
  const known = knownOdds.get(files) ?? new Map<string, AffixOdds>();
  knownOdds.set(files, known);
  const key = `${kind.number} ${level} ${affixLevel} ${first?.number}`;
  const odds = known.get(key) ?? affixOdds(files, { kind, level, affixLevel, has: first && [first] });
  known.set(key, odds);
  return odds;
}

/** The kinds for which the law of depths, or of numbers of affixes, shows in the objects as it is. */
export function kindsToCount(files: ObjectFiles, { level, quality }: Place) {
  const drawn = [...kindOdds(files, { level, quality }).kinds.keys()];
  const levels = affixLevelOdds(level, quality, files.levels.length);
  const possible = [...levels.keys()].filter((affixLevel) => levels[affixLevel].numerator > 0n);
  const whole = drawn.filter((kind) =>
    possible.every((affixLevel) => slotAffixes(files, { kind, level, affixLevel }).none.numerator === 0n),
  );
  const themeless = drawn.filter(({ tval }) =>
    files.themes.every(({ targets }) => targets.every((target) => target.tval !== tval)),
  );
  return { whole: new Set(whole), themeless: new Set(themeless) };
}

/** The chance of each affix level. */
export const levelLaw = ({ level, quality }: Place, files: ObjectFiles) =>
  affixLevelOdds(level, quality, files.levels.length).map(toNumber);

/** The chance of each number of slots. */
export const slotLaw = ({ level, quality }: Place, hasGood = false) => slotOdds(level, quality, hasGood).map(toNumber);

/** All pairs, the second one running faster. */
const product = (a: readonly number[], b: readonly number[]) => a.flatMap((p) => b.map((q) => p * q));

/** Laws in which one entry has taken one part in `parts` from the next one that is possible, for each entry. */
function shifted(law: readonly number[], parts: number): number[][] {
  const possible = [...law.keys()].filter((i) => law[i] > 0);
  return possible.map((from, i) => {
    const to = possible[(i + 1) % possible.length];
    const moved = Math.min(law[from], law[to]) / parts;
    return law.with(from, law[from] - moved).with(to, law[to] + moved);
  });
}

/** Depths, with the law of a slot's and those that are wrong: one boost in 19 or in 21, and a divisor less. */
function depthsOf(counts: ReadonlyMap<number, number>, level: number): Frequency {
  const law = depthOdds(level);
  const depths = [...new Set([...law.keys(), ...counts.keys()])].sort((a, b) => a - b);
  const wrong = [
    [21, 128],
    [19, 128],
    [20, 127],
  ].map(([oneIn, sides]) => depths.map((depth) => boosted(depth, level, { oneIn, sides })));
  return {
    counts: depths.map((depth) => counts.get(depth) ?? 0),
    law: depths.map((depth) => toNumber(law.get(depth) ?? { numerator: 0n, denominator: 1n })),
    wrong,
  };
}

function boosted(depth: number, level: number, { oneIn, sides }: { oneIn: number; sides: number }): number {
  const divisors = Array.from({ length: sides }, (_, i) => i + 1);
  const cases = divisors.filter((divisor) => 1 + Math.floor((128 * level) / divisor) === depth).length;
  return cases / sides / oneIn + (depth === level ? 1 - 1 / oneIn : 0);
}

/** Everything that objects of all kinds tell. */
export function drawnFrequencies(counts: DrawnCounts, files: ObjectFiles, place: Place): Map<string, Frequency> {
  const law = kindLaw(files, place);
  const next = { ...place, level: place.level + 1 };
  const levels = levelLaw(place, files);
  const slots = slotLaw(place);
  const found = new Map<string, Frequency>([
    ["kind", { counts: counts.kinds, law, wrong: [kindLaw(files, next), ...shifted(law, 50)] }],
    [
      "affix level and slots",
      {
        counts: counts.plain.flat(),
        law: product(levels, slots),
        wrong: [
          product(levelLaw(next, files), slots),
          ...shifted(levels, 50).map((other) => product(other, slots)),
          ...shifted(slots, 50).map((other) => product(levels, other)),
        ],
      },
    ],
    ["depth of the first affix", depthsOf(counts.depths, place.level)],
    ["first affix of a kind", firstOfKinds(counts, files, place)],
  ]);
  if (counts.good.flat().some((seen) => seen > 0)) {
    const good = product(levels, slotLaw(place, true));
    found.set("slots of good kinds", { counts: counts.good.flat(), law: good, wrong: [product(levels, slots)] });
  }
  if (counts.numbers.some((seen) => seen > 0)) {
    found.set("number of affixes", { counts: counts.numbers, law: slots, wrong: shifted(slots, 20) });
  }
  return found;
}

/** The chance of each kind. */
export function kindLaw(files: ObjectFiles, place: Place): number[] {
  const { kinds } = kindOdds(files, place);
  return files.kinds.map((kind) => toNumber(kinds.get(kind) ?? { numerator: 0n, denominator: 1n }));
}

/** The law of a slot's affix over the affix levels, the empty slot first. */
function affixLaw(files: ObjectFiles, kind: KindSpec, place: Place): number[] {
  const law = new Array<number>(files.affixes.length + 1).fill(0);
  levelLaw(place, files).forEach((chance, affixLevel) => {
    if (chance === 0) return;
    const { affixes, none } = slotAffixes(files, { kind, level: place.level, affixLevel });
    law[0] += chance * toNumber(none);
    for (const [affix, odds] of affixes) law[files.affixes.indexOf(affix) + 1] += chance * toNumber(odds);
  });
  return law;
}

function firstOfKinds({ firsts }: DrawnCounts, files: ObjectFiles, place: Place): Frequency {
  const lawAt = (at: Place) => {
    const chances = kindLaw(files, place).map((chance, i) => (files.kinds[i].flags.includes("GOOD") ? 0 : chance));
    const all = chances.reduce((sum, chance) => sum + chance, 0);
    return files.kinds.flatMap((kind, i) =>
      chances[i] === 0
        ? new Array<number>(files.affixes.length + 1).fill(0)
        : affixLaw(files, kind, at).map((chance) => (chance * chances[i]) / all),
    );
  };
  return { counts: firsts.flat(), law: lawAt(place), wrong: [lawAt({ ...place, level: place.level + 1 })] };
}

/** Everything that objects of one kind tell, into whose slots an affix always comes. */
export function kindFrequencies(
  counts: KindCounts,
  files: ObjectFiles,
  asked: Place & { readonly kind: KindSpec },
): Map<string, Frequency> {
  const heavier = withOneMore(files, asked.kind);
  const next = { ...asked, level: asked.level + 1 };
  return new Map([
    [
      "first affix",
      {
        counts: counts.firsts.flat(),
        law: firstLaw(files, asked),
        wrong: [firstLaw(files, next), firstLaw(heavier, asked)],
      },
    ],
    [
      "first two affixes",
      {
        counts: counts.pairs.flat(),
        law: pairLaw(files, asked),
        wrong: [pairLaw(heavier, asked), pairLaw(unexcluding(files), asked)],
      },
    ],
    ["depth of the second affix", depthsOf(counts.depths, asked.level)],
    [
      "theme of two slots",
      {
        counts: counts.themes.flat(),
        law: themeLaw(files, asked),
        wrong: [themeLaw(heavier, asked), themeLaw(fainter(files), asked), themeLaw(unexcluding(files), asked)],
      },
    ],
  ]);
}

const overLevels = (
  files: ObjectFiles,
  place: Place,
  lawAt: (affixLevel: number) => readonly number[],
): readonly number[] =>
  levelLaw(place, files).flatMap((chance, affixLevel) => lawAt(affixLevel).map((odds) => odds * chance));

function firstLaw(files: ObjectFiles, { kind, ...place }: Place & { readonly kind: KindSpec }) {
  return overLevels(files, place, (affixLevel) => {
    const { affixes, none } = slotAffixes(files, { kind, level: place.level, affixLevel });
    return [toNumber(none), ...files.affixes.map((affix) => oddsIn(affixes, affix))];
  });
}

/** A chance among exact ones, 0 where it is not there. */
export const oddsIn = <T>(odds: ReadonlyMap<T, { numerator: bigint; denominator: bigint }>, of: T) =>
  toNumber(odds.get(of) ?? { numerator: 0n, denominator: 1n });

function pairLaw(files: ObjectFiles, { kind, ...place }: Place & { readonly kind: KindSpec }) {
  const { level } = place;
  return overLevels(files, place, (affixLevel) => {
    const first = slotAffixes(files, { kind, level, affixLevel });
    return files.affixes.flatMap((affix) => {
      const chance = oddsIn(first.affixes, affix);
      if (chance === 0) return files.affixes.map(() => 0);
      const second = slotAffixes(files, { kind, level, affixLevel, first: affix });
      return files.affixes.map((other) => chance * oddsIn(second.affixes, other));
    });
  });
}

/** The chance of each theme after two slots, none first, [affix level][theme]. */
export function themeLaw(files: ObjectFiles, { kind, ...place }: Place & { readonly kind: KindSpec }) {
  return overLevels(files, place, (affixLevel) => {
    const { odds, none } = twoSlotThemeOdds(files, { kind, level: place.level, affixLevel });
    const themes = new Map(odds.map(({ result, probability }) => [result, probability]));
    return [toNumber(none), ...files.themes.map((theme) => oddsIn(themes, theme))];
  });
}

// ── files that are a little wrong ──

/** The commonest affix of a kind weighs one more. */
function withOneMore(files: ObjectFiles, kind: KindSpec): ObjectFiles {
  const weight = ({ targets }: AffixSpec) =>
    Math.max(0, ...targets.filter(({ tval }) => tval === kind.tval).map(({ probability }) => probability));
  const commonest = files.affixes.reduce((best, affix) => (weight(affix) > weight(best) ? affix : best));
  const heavier = {
    ...commonest,
    targets: commonest.targets.map((target) => ({ ...target, probability: target.probability + 1 })),
  };
  return { ...files, affixes: files.affixes.map((affix) => (affix === commonest ? heavier : affix)) };
}

/** Without `X` lines. */
function unexcluding(files: ObjectFiles): ObjectFiles {
  return { ...files, affixes: files.affixes.map((affix) => ({ ...affix, excludes: [] })) };
}

/** Every theme's first part weighs one less. */
function fainter(files: ObjectFiles): ObjectFiles {
  const themes = files.themes.map((theme) => ({
    ...theme,
    parts: theme.parts.map((part, i) => (i === 0 ? { ...part, weight: Math.max(0, part.weight - 1) } : part)),
  }));
  return { ...files, themes };
}
