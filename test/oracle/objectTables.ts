/** What can come on an object and how heavily it weighs, asked of the files anew each time: no words are read here. */

import type {
  AffixSpec,
  ArtifactSpec,
  KindSpec,
  MadeObject,
  ObjectFiles,
  Quality,
  ThemeSpec,
} from "../../src/objects/types.js";
import { sum } from "./objectWords.js";

/** What legality is asked about. */
export type Candidate = Pick<MadeObject, "level" | "kind" | "affixes" | "affixLevel">;

/** Families by tval, both ends included. */
const [AMMUNITION, WEAPONS, ARMOUR] = [
  [16, 18],
  [16, 23],
  [30, 38],
];
/** Types of flags that ammunition keeps. */
const AMMUNITION_TYPES = ["SLAY", "VSLAY", "KILL", "BRAND", "VBRAND", "IGNORE", "HATES", "INT"];
/** Half percents: the most that one theme's odds come to. */
const CERTAIN = 200;

const within = (tval: number, [least, most]: readonly number[]) => least <= tval && tval <= most;

/** Whether a tval is that of shots, arrows or bolts. */
export function isAmmunition(tval: number): boolean {
  return within(tval, AMMUNITION);
}

/** Remembers what a pure function of a record or of the files gave. */
export function remembered<K extends object, V>(derive: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    const value = known.get(of) ?? derive(of);
    known.set(of, value);
    return value;
  };
}

const typesOf = remembered(({ flags }: ObjectFiles) => new Map(flags.map(({ name, type }) => [name, type])));

const drawableOf = remembered(
  (files: ObjectFiles) =>
    new Map((["normal", "good", "great"] as const).map((quality) => [quality, findDrawable(files, quality)])),
);

const affixesByKind = remembered((files: ObjectFiles) =>
  remembered((kind: KindSpec) =>
    files.affixes.filter(({ targets }) => targets.some((target) => isAbout(target, kind))),
  ),
);

/** The affixes with a T line about a kind, at any depth, in the order of their numbers. */
export function affixesAbout(files: ObjectFiles, kind: KindSpec): readonly AffixSpec[] {
  return affixesByKind(files)(kind);
}

const themesByKind = remembered((files: ObjectFiles) =>
  remembered((kind: KindSpec) => files.themes.filter(({ targets }) => targets.some((target) => isAbout(target, kind)))),
);

/** The themes with a T line about a kind, at any depth, in the order of their numbers. */
export function themesAbout(files: ObjectFiles, kind: KindSpec): readonly ThemeSpec[] {
  return themesByKind(files)(kind);
}

const requiringByKind = remembered((files: ObjectFiles) =>
  remembered((kind: KindSpec) =>
    files.artifacts.filter(
      ({ tval, sval, requires }) => tval === kind.tval && sval === kind.sval && requires.length > 0,
    ),
  ),
);

const flagsByKind = remembered((files: ObjectFiles) =>
  remembered((kind: KindSpec) => withoutContradictions(files, new Set(kind.flags))),
);

/** The flags of a kind, without those that contradict others. */
export function flagsOfKind(files: ObjectFiles, kind: KindSpec): ReadonlySet<string> {
  return flagsByKind(files)(kind);
}

/** The kinds that can be drawn at some depth, in the order of their numbers. */
export function drawableKinds(files: ObjectFiles, quality: Quality): readonly KindSpec[] {
  return drawableOf(files).get(quality) ?? [];
}

function findDrawable(files: ObjectFiles, quality: Quality): readonly KindSpec[] {
  return files.kinds.filter((kind) => {
    if (kind.allocation === undefined || kind.allocation.commonness === 0) return false;
    if (kind.tval === 0 || kind.flags.includes("INSTA_ART")) return false;
    return (
      quality === "normal" || kind.flags.includes("GOOD") || within(kind.tval, WEAPONS) || within(kind.tval, ARMOUR)
    );
  });
}

/** Those of them that can be drawn at depth `drawn`, which counts as the deepest of all where it is deeper; and their weights. */
export function kindsAt(kinds: readonly KindSpec[], drawn: number): { kinds: KindSpec[]; weights: number[] } {
  const depth = Math.min(drawn, Math.max(...kinds.map(({ allocation }) => allocation?.most ?? 0)));
  const found = kinds.filter(({ allocation: a }) => a !== undefined && a.least <= depth && depth <= a.most);
  return { kinds: found, weights: found.map(({ allocation }) => allocation?.commonness ?? 0) };
}

/** The kind that an artifact is of; undefined where there is none. */
export function kindOf(files: ObjectFiles, { tval, sval }: ArtifactSpec): KindSpec | undefined {
  return files.kinds.find((kind) => kind.tval !== 0 && kind.tval === tval && kind.sval === sval);
}

/** The artifacts that an object may be before it has a kind, in the order of their numbers. */
export function artifactsOf(
  files: ObjectFiles,
  { kind, tval }: { readonly kind?: KindSpec | undefined; readonly tval?: number | undefined },
): ArtifactSpec[] {
  return files.artifacts.filter((artifact) => {
    if (artifact.requires.length > 0 || kindOf(files, artifact) === undefined) return false;
    if (kind !== undefined) return artifact.tval === kind.tval && artifact.sval === kind.sval;
    return tval === undefined || artifact.tval === tval;
  });
}

/** The artifacts that an object may be for the affixes that it has got. */
export function artifactsByAffixes(files: ObjectFiles, { kind, affixes }: Candidate): ArtifactSpec[] {
  const has = new Set(affixes.map(({ number }) => number));
  return requiringByKind(files)(kind).filter(({ requires }) => requires.every((number) => has.has(number)));
}

/** Whether a T line is about a kind, whatever the depth. */
export function isAbout(
  { tval, leastSval, mostSval }: { readonly tval: number; readonly leastSval: number; readonly mostSval: number },
  kind: KindSpec,
): boolean {
  return tval === kind.tval && leastSval <= kind.sval && kind.sval <= mostSval;
}

/** What an affix weighs for an object, at depth D: the first T line that fits says it. */
export function affixWeight(affix: AffixSpec, { level, kind, affixLevel }: Candidate, depth: number): number {
  const line = affix.targets.find(
    (target) => isAbout(target, kind) && target.least <= depth && level <= target.most && target.level <= affixLevel,
  );
  return line?.probability ?? 0;
}

/** Whether an affix that the object has keeps this one away: X lines hold both ways. */
export function isExcluded(affix: AffixSpec, { affixes }: Candidate): boolean {
  return affixes.some((other) => other.excludes.includes(affix.number) || affix.excludes.includes(other.number));
}

/** A theme's half percents on an object, at depth D: 0 where it does not count. */
export function themeOdds(theme: ThemeSpec, { level, kind, affixes }: Candidate, depth: number): number {
  const fits = theme.targets.some((target) => isAbout(target, kind) && target.least <= depth && level <= target.most);
  const has = [...new Set(affixes.map(({ number }) => number))];
  const weights = has.map((number) =>
    sum(theme.parts.filter(({ affix }) => affix === number).map(({ weight }) => weight)),
  );
  if (!fits || weights.filter((weight) => weight > 0).length < 2) return 0;
  const all = sum(theme.parts.map(({ weight }) => weight));
  return Math.min(CERTAIN, Math.floor((8 * sum(weights) ** 2) / all));
}

/** The flags without those that contradict others: IM_x beats RES_x and VULN_x, which cancel each other. */
export function withoutContradictions(files: ObjectFiles, flags: ReadonlySet<string>): Set<string> {
  const types = typesOf(files);
  const has = (flag: string, ...oneOf: string[]) => flags.has(flag) && oneOf.includes(types.get(flag) ?? "");
  const kept = new Set(flags);
  for (const flag of flags) {
    const element = flag.replace(/^(IM|RES|VULN)_/, "");
    if (element === flag) continue;
    const immune = has(`IM_${element}`, "IMM");
    const resists = has(`RES_${element}`, "LRES", "HRES");
    const vulnerable = has(`VULN_${element}`, "VULN");
    if (resists && (immune || vulnerable)) kept.delete(`RES_${element}`);
    if (vulnerable && (immune || resists)) kept.delete(`VULN_${element}`);
  }
  return kept;
}

/** The flags that ammunition keeps. */
export function ammunitionFlags(files: ObjectFiles, flags: ReadonlySet<string>): Set<string> {
  const kept = files.flags.filter(({ name, type }) => flags.has(name) && AMMUNITION_TYPES.includes(type));
  return new Set(kept.map(({ name }) => name));
}
