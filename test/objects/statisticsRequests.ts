import { kindOdds } from "../../src/objects/law/kinds.js";
import { mBonusOdds } from "../../src/objects/law/mBonus.js";
import type { AffixSpec, KindSpec, ObjectFiles, RandomValue } from "../../src/objects/types.js";
import { kindLaw, levelLaw, oddsIn, type Place, slotAffixes, slotLaw } from "./statisticsLaws.js";

/** Kinds of a type. */
export function kindsOfType(files: ObjectFiles, place: Place, tval: number): readonly number[] {
  const { kinds } = kindOdds(files, { ...place, tval });
  return files.kinds.map((kind) => oddsIn(kinds, kind));
}

/**
 * Kind and affix level, [kind][affix level], of objects with one slot that have an affix: their chance times that of the
 * affix there (or what `weigh` makes of that), over all of it.
 */
export function kindsWith(
  files: ObjectFiles,
  place: Place,
  affix: AffixSpec,
  weigh = (odds: number) => odds,
): readonly number[] {
  const levels = levelLaw(place, files);
  const chances = kindLaw(files, place).map((chance, i) => chance * slotLaw(place, hasGood(files.kinds[i]))[1]);
  const parts = files.kinds.flatMap((kind, i) =>
    levels.map((chance, affixLevel) =>
      chances[i] === 0 || chance === 0
        ? 0
        : chances[i] *
          chance *
          weigh(oddsIn(slotAffixes(files, { kind, level: place.level, affixLevel }).affixes, affix)),
    ),
  );
  const all = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / all);
}

const hasGood = ({ flags }: KindSpec) => flags.includes("GOOD");

// ── random values ──

/** The law of a random value at a depth, by value. */
function valueLaw({ base, dice, sides, bonus, negated }: RandomValue, depth: number): Map<number, number> {
  let law = new Map([[base, 1]]);
  const die = new Map(Array.from({ length: sides }, (_, i) => [i + 1, 1 / sides]));
  for (let i = 0; i < dice; i++) law = sumLaw(law, die);
  law = sumLaw(law, new Map(Array.from(mBonusOdds(bonus, depth), (weight, value) => [value, weight / 2 ** 31])));
  return new Map([...law].map(([value, chance]) => [negated ? -value : value, chance]));
}

/** "to-hit to-dam to-ac" of objects of a kind with an affix that has no minima, at a depth. */
export function modifierLaw(kind: KindSpec, affix: AffixSpec, depth: number): Map<string, number> {
  const law = new Map<string, number>();
  const [hits, dams, acs] = (["toHit", "toDam", "toAc"] as const).map((field) =>
    sumLaw(valueLaw(kind[field], depth), valueLaw(affix[field], depth)),
  );
  for (const [hit, p] of hits) {
    for (const [dam, q] of dams) for (const [ac, r] of acs) law.set(`${hit} ${dam} ${ac}`, p * q * r);
  }
  return law;
}

function sumLaw(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): Map<number, number> {
  const law = new Map<number, number>();
  for (const [x, p] of a) for (const [y, q] of b) law.set(x + y, (law.get(x + y) ?? 0) + p * q);
  return law;
}

// ── artifacts ──

const TRIES = { normal: 400, good: 50, great: 15 };

/** The chance of each artifact for an object of any kind, none last, where those of `made` are made already. */
export function artifactLaw(
  { artifacts, kinds }: ObjectFiles,
  { level, quality }: Place,
  made: ReadonlySet<number>,
): readonly number[] {
  const lines = artifacts.flatMap(({ number, tval, sval, requires, allocations }, i) =>
    made.has(number) || requires.length > 0 || !kinds.some((kind) => kind.tval === tval && kind.sval === sval)
      ? []
      : allocations
          .filter(({ most, probability }) => most >= level && probability > 0)
          .map(({ least, probability }) => ({
            ...{ i, probability, passes: least <= level ? 1 : 1 / (2 * (least - level)) },
          })),
  );
  const law = new Array<number>(artifacts.length).fill(0);
  const choose = (at: number, passed: typeof lines, chance: number): void => {
    if (chance === 0) return;
    if (at < lines.length) {
      choose(at + 1, [...passed, lines[at]], chance * lines[at].passes);
      choose(at + 1, passed, chance * (1 - lines[at].passes));
      return;
    }
    const total = passed.reduce((sum, { probability }) => sum + probability, 0);
    for (const { i, probability } of passed) law[i] += (chance * probability) / total;
  };
  choose(0, [], 1 / TRIES[quality]);
  return [...law, 1 - law.reduce((sum, chance) => sum + chance, 0)];
}
