/** Objects in the making: what a kind, an artifact, an affix and a theme do to one. */

import type {
  AffixSpec,
  ArtifactSpec,
  KindSpec,
  MadeObject,
  ObjectFiles,
  PvalSpec,
  Quality,
  RandomValue,
  ThemeSpec,
} from "../../src/objects/types.js";
import { ammunitionFlags, flagsOfKind, isAmmunition, remembered, withoutContradictions } from "./objectTables.js";
import type { ObjectWords } from "./objectWords.js";

/** An object that is being made. */
export interface Draft {
  index: number;
  level: number;
  quality: Quality;
  kind: KindSpec;
  artifact: ArtifactSpec | undefined;
  theme: ThemeSpec | undefined;
  affixes: AffixSpec[];
  depths: number[];
  affixLevel: number;
  slots: number;
  added: number;
  toHit: number;
  toDam: number;
  toAc: number;
  ac: number;
  dice: number;
  sides: number;
  weight: number;
  flags: Set<string>;
  pvals: Map<string, number>;
}

/** What is known before the kind is. */
export type Asked = Pick<Draft, "index" | "level" | "quality">;

/** The ends that values stop at. */
const MODIFIER = 32_767;
const WEIGHT = 65_535;
const PERCENT = 100;

const clamped = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const modifier = (value: number) => clamped(value, -MODIFIER, MODIFIER);
const amount = (value: number) => clamped(value, 0, MODIFIER);
const raised = (value: number, least: number | undefined) => Math.max(value, least ?? value);

/** An object of a kind, its modifiers and values rolled. */
export function startKind(files: ObjectFiles, words: ObjectWords, asked: Asked, kind: KindSpec): Draft {
  const roll = (value: RandomValue, what: string) => words.roll(value, asked.level, `kind, ${what}`);
  const draft: Draft = {
    index: asked.index,
    level: asked.level,
    quality: asked.quality,
    kind,
    artifact: undefined,
    theme: undefined,
    affixes: [],
    depths: [],
    affixLevel: 0,
    slots: 0,
    added: 0,
    toHit: modifier(roll(kind.toHit, "to-hit")),
    toDam: modifier(roll(kind.toDam, "to-dam")),
    toAc: modifier(roll(kind.toAc, "to-ac")),
    ac: kind.ac,
    dice: kind.dice,
    sides: kind.sides,
    weight: kind.weight,
    flags: new Set(flagsOfKind(files, kind)),
    pvals: new Map(),
  };
  addPvals(draft, words, { pvals: kind.pvals, depth: asked.level, what: "kind" });
  return draft;
}

/** The artifact that an object has become: everything its own but the flags of its kind. */
export function becomeArtifact(files: ObjectFiles, words: ObjectWords, draft: Draft, artifact: ArtifactSpec): Draft {
  const { toHit, toDam, toAc, ac, dice, sides, weight } = artifact;
  const ofKind = flagsOfKind(files, draft.kind);
  const made: Draft = {
    ...copyOf(draft),
    ...{ artifact, toHit, toDam, toAc, ac, dice, sides, weight },
    flags: withoutContradictions(files, new Set([...ofKind, ...artifact.flags])),
    pvals: new Map(),
  };
  addPvals(made, words, { pvals: artifact.pvals, depth: draft.level, what: artifact.name });
  return made;
}

/** An artifact that was made at once, without an object before it. */
export function startArtifact(
  files: ObjectFiles,
  words: ObjectWords,
  asked: Asked,
  { artifact, kind }: { readonly artifact: ArtifactSpec; readonly kind: KindSpec },
): Draft {
  const nothing: Draft = {
    ...{ index: asked.index, level: asked.level, quality: asked.quality, kind },
    ...{ artifact: undefined, theme: undefined, affixes: [], depths: [], affixLevel: -1, slots: 0, added: 0 },
    ...{ toHit: 0, toDam: 0, toAc: 0, ac: 0, dice: 0, sides: 0, weight: 0, flags: new Set(), pvals: new Map() },
  };
  return becomeArtifact(files, words, nothing, artifact);
}

/** What an affix does, at depth D; it is not recorded here. */
export function applyAffix(
  files: ObjectFiles,
  words: ObjectWords,
  draft: Draft,
  { affix, depth }: { readonly affix: AffixSpec; readonly depth: number },
): void {
  const inOrder = (flags: readonly string[]) =>
    files.flags.map(({ name }) => name).filter((name) => flags.includes(name));
  for (const { count, flags } of affix.randomFlags) {
    for (let time = 0; time < count; time++) {
      const lacking = inOrder(flags).filter((flag) => !draft.flags.has(flag));
      if (lacking.length > 0) draft.flags.add(lacking[words.below(lacking.length, `${affix.name}, flag`)]);
    }
  }
  for (const what of ["toHit", "toDam", "toAc"] as const) {
    const least = affix.least[what];
    const rolled = raised(words.roll(affix[what], depth, `${affix.name}, ${SPELT[what]}`), least);
    draft[what] = raised(modifier(draft[what] + rolled), least);
  }
  addPvals(draft, words, { pvals: affix.pvals, depth, what: affix.name });
  for (const { count, flags, value, least } of affix.randomPvals) {
    for (let time = 0; time < count; time++) {
      const free = inOrder(flags).filter((flag) => (draft.pvals.get(flag) ?? 0) === 0);
      if (free.length === 0) continue;
      const flag = free[words.below(free.length, `${affix.name}, pval flag`)];
      addPvals(draft, words, { pvals: [{ value, least, flags: [flag] }], depth, what: affix.name });
    }
  }
  for (const flag of affix.flags) draft.flags.add(flag);
  draft.ac = amount(Math.floor((draft.ac * (PERCENT + affix.acPercent)) / PERCENT));
  draft.weight = clamped(Math.floor((draft.weight * (PERCENT + affix.weightPercent)) / PERCENT), 0, WEIGHT);
  if (affix.dice !== 0 || affix.sides !== 0) {
    draft.dice = Math.max(1, amount(draft.dice + affix.dice));
    draft.sides = Math.max(1, amount(draft.sides + affix.sides));
  }
  cleanUp(files, draft);
}

const SPELT = { toHit: "to-hit", toDam: "to-dam", toAc: "to-ac" };

/** The affixes that come with a theme, at depth D; none of them is recorded. */
export function applyTheme(
  files: ObjectFiles,
  words: ObjectWords,
  draft: Draft,
  { theme, depth }: { readonly theme: ThemeSpec; readonly depth: number },
): void {
  const seen = new Set<number>();
  draft.theme = theme;
  for (const { affix: number, chance } of theme.parts) {
    const isLater = seen.has(number);
    seen.add(number);
    if (!isLater && draft.affixes.some((affix) => affix.number === number)) continue;
    const affix = files.affixes.find((candidate) => candidate.number === number);
    if (affix === undefined) throw new Error(`affix ${number} of theme ${theme.number} is missing`);
    if (chance < PERCENT && words.below(PERCENT, `${theme.name}: ${affix.name}, chance`) >= chance) continue;
    applyAffix(files, words, draft, { affix, depth });
  }
}

function addPvals(
  draft: Draft,
  words: ObjectWords,
  { pvals, depth, what }: { readonly pvals: readonly PvalSpec[]; readonly depth: number; readonly what: string },
): void {
  for (const { value, least, flags } of pvals) {
    const rolled = raised(words.roll(value, depth, `${what}, ${flags.join(" and ")}`), least);
    for (const flag of flags) {
      draft.pvals.set(flag, raised(modifier((draft.pvals.get(flag) ?? 0) + rolled), least));
    }
  }
}

function cleanUp(files: ObjectFiles, draft: Draft): void {
  draft.flags = withoutContradictions(files, draft.flags);
  if (!isAmmunition(draft.kind.tval)) return;
  draft.flags = ammunitionFlags(files, draft.flags);
  const kept = ammunitionFlags(files, new Set(draft.pvals.keys()));
  draft.pvals = new Map([...draft.pvals].filter(([flag]) => kept.has(flag)));
  draft.ac = 0;
  draft.toAc = 0;
}

/** A copy that changes apart from its original. */
export function copyOf(draft: Draft): Draft {
  return {
    ...draft,
    affixes: [...draft.affixes],
    depths: [...draft.depths],
    flags: new Set(draft.flags),
    pvals: new Map(draft.pvals),
  };
}

/** An object as others see it: flags in the order of the flag list, values that are not 0. */
export function madeOf(files: ObjectFiles, draft: Draft, words: number): MadeObject {
  const places = placesOf(files);
  const inOrder = (names: Iterable<string>) =>
    [...names].filter((name) => places.has(name)).sort((a, b) => placeIn(places, a) - placeIn(places, b));
  const valued = inOrder(draft.pvals.keys()).filter((name) => draft.pvals.get(name) !== 0);
  return {
    ...draft,
    words,
    affixes: [...draft.affixes],
    depths: [...draft.depths],
    flags: inOrder(draft.flags),
    pvals: Object.fromEntries(valued.map((name) => [name, draft.pvals.get(name) ?? 0])),
  };
}

/** Where each flag is in the flag list. */
const placesOf = remembered(({ flags }: ObjectFiles) => new Map(flags.map(({ name }, i) => [name, i])));
const placeIn = (places: ReadonlyMap<string, number>, name: string) => places.get(name) ?? 0;

/** A made object, to go on with. */
export function draftOf(object: MadeObject): Draft {
  return {
    ...object,
    affixes: [...object.affixes],
    depths: [...object.depths],
    flags: new Set(object.flags),
    pvals: new Map(Object.entries(object.pvals)),
  };
}
