/**
 * The exact odds of whole objects by brute force: every decision of docs/determinism.md, section 5, one after another,
 * with every outcome and its fraction. Objects are told apart by the list of their affixes, in order. For tiny files only.
 */

import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../src/fractions.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality, ThemeSpec } from "../../src/objects/types.js";
import {
  affixesAbout,
  affixWeight,
  artifactsByAffixes,
  artifactsOf,
  type Candidate,
  isExcluded,
  kindOf,
  themeOdds,
  themesAbout,
} from "./objectTables.js";
import { sum } from "./objectWords.js";

/** What is asked, and the chances of the kinds that can be drawn. */
export interface OddsQuestion {
  readonly level: number;
  readonly quality: Quality;
  readonly kind?: KindSpec | undefined;
  readonly kinds: ReadonlyMap<KindSpec, Fraction>;
  readonly affixLevel?: number | undefined;
  readonly artifacts: boolean;
}

/** An object in the end. */
export interface EndObject {
  readonly kind: KindSpec;
  readonly affixes: readonly AffixSpec[];
  readonly theme: ThemeSpec | undefined;
  readonly artifact: ArtifactSpec | undefined;
  readonly chance: Fraction;
}

const TRY = { normal: 400n, good: 50n, great: 15n };
const MORE_SLOTS = { normal: [0], good: [1, 2], great: [3, 4] };
const times = (...chances: readonly Fraction[]) => chances.reduce(multiply, ONE);
const plus = (chances: readonly Fraction[]) => chances.reduce(add, ZERO);
const part = (n: number, of: number) => fraction(BigInt(n), BigInt(of));
const rest = (chance: Fraction) => subtract(ONE, chance);

/** Every object that can come, with its chance; objects that are alike may be listed more than once. */
export function everyObject(files: ObjectFiles, asked: OddsQuestion): readonly EndObject[] {
  const { kind, level, quality, artifacts } = asked;
  const tried = fraction(1n, TRY[quality]);
  const first = artifacts ? choices(artifactsOf(files, { kind }), level) : new Map<ArtifactSpec, Fraction>();
  const ends: EndObject[] = [...first].map(([artifact, chance]) => {
    const own = kindOf(files, artifact);
    if (own === undefined) throw new Error("an artifact without a kind");
    return { kind: own, affixes: [], theme: undefined, artifact, chance: times(tried, chance) };
  });
  const ordinary = rest(plus(ends.map(({ chance }) => chance)));
  for (const [drawn, chance] of asked.kinds) {
    for (const [affixLevel, lifted] of affixLevels(files, asked)) {
      for (const [slots, rolled] of slotCounts(asked, drawn)) {
        const weight = times(ordinary, chance, lifted, rolled);
        const start = { level, kind: drawn, affixLevel };
        ends.push(...filled(files, start, slots).map((end) => ({ ...end, chance: times(weight, end.chance) })));
      }
    }
  }
  return artifacts ? ends.flatMap((end) => lateArtifacts(files, end, { level, tried })) : ends;
}

/** The chance of each artifact in one try: every way in which lines can pass. */
function choices(artifacts: readonly ArtifactSpec[], level: number): Map<ArtifactSpec, Fraction> {
  const lines = artifacts.flatMap((artifact) =>
    artifact.allocations
      .filter(({ probability, most }) => probability > 0 && level <= most)
      .map(({ probability, least }) => ({ artifact, probability, over: least - level })),
  );
  const found = new Map<ArtifactSpec, Fraction>();
  for (let passed = 0; passed < 2 ** lines.length; passed++) {
    const isIn = (i: number) => ((passed >> i) & 1) === 1;
    const chance = times(
      ...lines.map(({ over }, i) => {
        const pass = over <= 0 ? ONE : part(1, 2 * over);
        return isIn(i) ? pass : rest(pass);
      }),
    );
    const able = lines.filter((_, i) => isIn(i));
    const total = sum(able.map(({ probability }) => probability));
    for (const { artifact, probability } of able) {
      found.set(artifact, add(found.get(artifact) ?? ZERO, times(chance, part(probability, total))));
    }
  }
  return found;
}

function affixLevels({ levels }: ObjectFiles, { level, quality, affixLevel }: OddsQuestion): Map<number, Fraction> {
  if (affixLevel !== undefined) return new Map([[affixLevel, ONE]]);
  const found = new Map<number, Fraction>();
  for (let lift = 0; lift < 100; lift++) {
    for (let second = 0; second < 4; second++) {
      let own = lift < 10 + level ? 1 : 0;
      if (quality === "great" || (quality === "good" && second === 0)) own++;
      const index = Math.min(own, levels.length - 1);
      found.set(index, add(found.get(index) ?? ZERO, part(1, 400)));
    }
  }
  return found;
}

function slotCounts({ level, quality }: OddsQuestion, { flags }: KindSpec): Map<number, Fraction> {
  const found = new Map<number, Fraction>();
  const sides = 2 + Math.floor(level / 25);
  for (let roll = 0; roll < sides; roll++) {
    for (const more of MORE_SLOTS[quality]) {
      const slots = Math.min(8, Math.max(0, roll + more - (flags.includes("GOOD") ? 1 : 0)));
      found.set(slots, add(found.get(slots) ?? ZERO, part(1, sides * MORE_SLOTS[quality].length)));
    }
  }
  return found;
}

type Half = Omit<EndObject, "artifact">;

/** Every way to fill the slots. */
function filled(files: ObjectFiles, start: Omit<Candidate, "affixes">, slots: number): EndObject[] {
  let open: readonly Half[] = [{ kind: start.kind, affixes: [], theme: undefined, chance: ONE }];
  const ends: Half[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const next = new Map<string, Half>();
    for (const half of open) {
      for (const one of afterSlot(files, { ...start, affixes: half.affixes })) {
        const key = `${one.theme?.number} ${one.affixes.map(({ number }) => number)}`;
        const chance = add(next.get(key)?.chance ?? ZERO, times(half.chance, one.chance));
        next.set(key, { ...one, chance });
      }
    }
    ends.push(...[...next.values()].filter(({ theme }) => theme !== undefined));
    open = [...next.values()].filter(({ theme }) => theme === undefined);
  }
  return [...ends, ...open].map((end) => ({ ...end, artifact: undefined }));
}

/** Every outcome of one slot. */
function afterSlot(files: ObjectFiles, draft: Candidate): Half[] {
  const { kind, affixes } = draft;
  return [...depths(draft.level)].flatMap(([depth, cases]): Half[] => {
    const at = part(cases, 2560);
    const legal = affixesAbout(files, kind).filter((affix) => affixWeight(affix, draft, depth) > 0);
    const free = legal.filter((affix) => !isExcluded(affix, draft));
    const total = sum(free.map((affix) => affixWeight(affix, draft, depth)));
    if (total === 0) return [{ kind, affixes, theme: undefined, chance: at }];
    return free.flatMap((affix) => {
      const picked = times(at, part(affixWeight(affix, draft, depth), total));
      const grown = { ...draft, affixes: [...affixes, affix] };
      const themes = themesAbout(files, kind);
      const odds = themes.map((theme) => themeOdds(theme, grown, depth));
      const all = sum(odds);
      const comes = part(Math.min(200, all), 200);
      const without = { kind, affixes: grown.affixes, theme: undefined, chance: times(picked, rest(comes)) };
      if (all === 0) return [without];
      return [
        without,
        ...themes.map((theme, i) => ({ ...without, theme, chance: times(picked, comes, part(odds[i], all)) })),
      ].filter(({ chance }) => chance.numerator > 0n);
    });
  });
}

/** The depths of a slot, and their cases of 20 · 128. */
function depths(level: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let boost = 0; boost < 20; boost++) {
    for (let roll = 0; roll < 128; roll++) {
      const depth = level > 0 && boost === 0 ? 1 + Math.floor((128 * level) / (1 + roll)) : level;
      found.set(depth, (found.get(depth) ?? 0) + 1);
    }
  }
  return found;
}

/** What artifacts that require affixes make of an object. */
function lateArtifacts(
  files: ObjectFiles,
  end: EndObject,
  { level, tried }: { readonly level: number; readonly tried: Fraction },
): EndObject[] {
  if (end.theme !== undefined || end.artifact !== undefined) return [end];
  const able = artifactsByAffixes(files, { level, kind: end.kind, affixes: end.affixes, affixLevel: 0 });
  const become = [...choices(able, level)].map(([artifact, chance]) => {
    return { ...end, artifact, chance: times(end.chance, tried, chance) };
  });
  return [...become, { ...end, chance: subtract(end.chance, plus(become.map(({ chance }) => chance))) }];
}

/** The chance that the theme of an object adds an affix: at least one of its lines applies. */
export function addedBy(theme: ThemeSpec, object: EndObject, affix: AffixSpec): Fraction {
  const isThere = object.affixes.includes(affix);
  const lines = theme.parts.filter((line) => line.affix === affix.number);
  const fails = lines.map(({ chance }, i) => (i === 0 && isThere ? ONE : rest(part(chance, 100))));
  return rest(times(...fails));
}
