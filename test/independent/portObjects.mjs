// written from docs/determinism.md alone
//
// Objects by the rules of section 5, without limits and without requests. `files` is what the library parses the edit
// files to, and `constants` what JSON.parse makes of constants.json.

import { aliasBy, belowBy, buildAlias, extrasOf, integerWeights, prefixBy, word } from "./port.mjs";

/** What holds for every constant that the file leaves out. */
const USUAL = {
  artifacts: { oneIn: { normal: 400, good: 50, great: 15 }, outOfDepth: 2 },
  kinds: { deeper: { good: 5, great: 10 }, bonus: 5 },
  affixLevel: { percent: 10, percentPerLevel: 1, goodOneIn: 4 },
  slots: {
    most: 1,
    levelsPerSlot: 25,
    good: { least: 1, most: 2 },
    great: { least: 3, most: 4 },
    fewerIfGood: 1,
    limit: 8,
    boostOneIn: 20,
  },
  themes: { factor: 8, leastAffixes: 2 },
};
const filled = (usual, own) =>
  typeof usual === "object"
    ? Object.fromEntries(Object.entries(usual).map(([key, part]) => [key, filled(part, own?.[key])]))
    : (own ?? usual);
const AMMUNITION = [16, 17, 18];
const RESISTANCES = ["LRES", "HRES", "ORES"];
const ON_AMMUNITION = ["SLAY", "VSLAY", "KILL", "BRAND", "VBRAND", "IGNORE", "HATES", "INT"];
export const MODIFIERS = ["toHit", "toDam", "toAc"];

const total = (weights) => weights.reduce((sum, weight) => sum + weight, 0);
export const limit = (value, least, most) => Math.min(most, Math.max(least, value));
export const isFor = (line, { tval, sval }) => line.tval === tval && line.leastSval <= sval && sval <= line.mostSval;
const excludes = (a, b) => a.excludes.includes(b.number) || b.excludes.includes(a.number);

/** The values H₀ … H₂₅₅ of m_bonus. */
export function halfNormal() {
  const integrals = Array.from({ length: 256 }, (_, k) => {
    const square = BigInt(k + 1) ** 2n;
    let t = BigInt(k + 1) << 122n;
    let sum = 0n;
    for (let n = 0n; n < 80n; n++) {
      if (n > 0n) t = (t * square) / (8192n * n);
      const part = t / (2n * n + 1n);
      sum += n % 2n === 0n ? part : -part;
    }
    return sum;
  });
  const last = integrals[255];
  return integrals.map((integral) => Number((2n ** 21n * integral + last) / (2n * last)));
}

const H = halfNormal();
const known = new Map();

/** The weights W₀ … W_m of m_bonus(m, D). */
export function mBonusWeights(m, D) {
  const d = Math.min(D, 127);
  const id = `${m} ${d}`;
  if (!known.has(id)) known.set(id, weightsOf(m, m * d));
  return known.get(id);
}

function weightsOf(m, product) {
  const weights = Array.from({ length: m + 1 }, () => 0);
  const roundings = (number, divisor) => [
    [Math.floor(number / divisor) + 1, number % divisor],
    [Math.floor(number / divisor), divisor - (number % divisor)],
  ];
  for (const [a, A] of roundings(product, 128)) {
    for (const [s, B] of roundings(m, 4)) {
      for (let h = 0; h < 512; h++) {
        const k = Math.floor(h / 2);
        const C = H[k] - (k === 0 ? 0 : H[k - 1]);
        const off = Math.floor((s * (2 * h + 1) + 128) / 256);
        for (const v of [a + off, a - off]) weights[limit(v, 0, m)] += A * B * C;
      }
    }
  }
  return weights;
}

/** The decisions of an object, each with the next word. */
export function decisionsOf(key, index) {
  let words = 0;
  const read = () => {
    const at = words++;
    return [word(key, index, at), extrasOf(key, index, at)];
  };
  return {
    count: () => words,
    skip: () => words++,
    below: (m) => Number(belowBy(...read(), BigInt(m))),
    prefix: (weights) => prefixBy(...read(), integerWeights(weights)),
    alias: (weights) => aliasBy(...read(), buildAlias(weights)),
    mBonus: (m, level) => {
      const [w] = read();
      const odds = mBonusWeights(m, level);
      let v = 0;
      for (let sum = odds[0]; sum <= Math.floor(w / 2); sum += odds[v]) v++;
      return v;
    },
  };
}

export function rollValue(decide, { base, dice, sides, bonus, negated }, level) {
  let sum = base;
  for (let n = 0; n < dice; n++) sum += 1 + decide.below(sides);
  if (bonus > 0) sum += decide.mBonus(bonus, level);
  return negated ? -sum : sum;
}

/** Takes away the flags that contradict each other, and what ammunition cannot have. */
export function cleanUp(object, types, { rules } = {}) {
  const { flags, pvals } = object;
  const isOf = (flag, of) => flags.has(flag) && of.includes(types.get(flag));
  for (const flag of [...types.keys()]) {
    const [, x] = /^IM_(.*)$/.exec(flag) ?? [];
    if (x === undefined || !isOf(flag, ["IMM"])) continue;
    if (isOf(`RES_${x}`, RESISTANCES)) flags.delete(`RES_${x}`);
    if (isOf(`VULN_${x}`, ["VULN"])) flags.delete(`VULN_${x}`);
  }
  for (const flag of [...types.keys()]) {
    const [, x] = /^RES_(.*)$/.exec(flag) ?? [];
    if (x === undefined || !isOf(flag, RESISTANCES) || !isOf(`VULN_${x}`, ["VULN"])) continue;
    flags.delete(flag);
    flags.delete(`VULN_${x}`);
  }
  if (rules === "4.2" || !AMMUNITION.includes(object.tval)) return;
  for (const flag of [...flags]) if (!ON_AMMUNITION.includes(types.get(flag))) flags.delete(flag);
  for (const flag of Object.keys(pvals)) if (!ON_AMMUNITION.includes(types.get(flag))) delete pvals[flag];
  object.ac = 0;
  object.toAc = 0;
}

function addPval(object, flag, value, least = Number.NEGATIVE_INFINITY) {
  const sum = Math.max((object.pvals[flag] ?? 0) + Math.max(value, least), least);
  object.pvals[flag] = limit(sum, -32767, 32767);
  if (object.pvals[flag] === 0) delete object.pvals[flag];
}

function applyAffix(object, affix, depth, decide, types) {
  const inOrder = (flags) => [...types.keys()].filter((flag) => flags.includes(flag));
  const has = (flag) => object.flags.has(flag) || object.pvals[flag] !== undefined;
  for (const { count, flags } of affix.randomFlags) {
    for (let n = 0; n < count; n++) {
      const lacking = inOrder(flags).filter((flag) => !has(flag));
      if (lacking.length > 0) object.flags.add(lacking[decide.below(lacking.length)]);
    }
  }
  for (const modifier of MODIFIERS) {
    const least = affix.least[modifier] ?? Number.NEGATIVE_INFINITY;
    const roll = Math.max(rollValue(decide, affix[modifier], depth), least);
    object[modifier] = limit(Math.max(object[modifier] + roll, least), -32767, 32767);
  }
  for (const { value, least, flags } of affix.pvals) {
    const roll = rollValue(decide, value, depth);
    for (const flag of flags) addPval(object, flag, roll, least);
  }
  for (const { count, value, least, flags } of affix.randomPvals) {
    for (let n = 0; n < count; n++) {
      const without = inOrder(flags).filter((flag) => object.pvals[flag] === undefined);
      if (without.length === 0) continue;
      const flag = without[decide.below(without.length)];
      addPval(object, flag, rollValue(decide, value, depth), least);
    }
  }
  for (const flag of affix.flags) object.flags.add(flag);
  object.ac = limit(Math.floor((object.ac * (100 + affix.acPercent)) / 100), 0, 32767);
  object.weight = limit(Math.floor((object.weight * (100 + affix.weightPercent)) / 100), 0, 65535);
  if (affix.dice !== 0 || affix.sides !== 0) {
    object.dice = limit(object.dice + affix.dice, 1, 32767);
    object.sides = limit(object.sides + affix.sides, 1, 32767);
  }
  cleanUp(object, types);
}

/** The p of a theme in 200, for an object with `affixes`. */
function themeOdds(theme, kind, affixes, depth, level, { factor, leastAffixes }) {
  if (!theme.targets.some((line) => isFor(line, kind) && line.least <= depth && level <= line.most)) return 0;
  const owned = theme.parts.filter((part) => affixes.some(({ number }) => number === part.affix));
  const weightOf = (number) => total(owned.filter((part) => part.affix === number).map((part) => part.weight));
  if ([...new Set(owned.map((part) => part.affix))].filter((number) => weightOf(number) > 0).length < leastAffixes)
    return 0;
  const w = total(owned.map((part) => part.weight));
  return Math.min(200, Math.floor((factor * w * w) / total(theme.parts.map((part) => part.weight))));
}

function applyTheme(object, theme, depth, decide, { affixes, types }) {
  const seen = new Set();
  for (const part of theme.parts) {
    const isFirst = !seen.has(part.affix);
    seen.add(part.affix);
    if (isFirst && object.affixes.some(({ number }) => number === part.affix)) continue;
    if (part.chance < 100 && decide.below(100) >= part.chance) continue;
    const affix = affixes.find(({ number }) => number === part.affix);
    applyAffix(object, affix, depth, decide, types);
  }
}

/** The artifact that comes of the lines of `artifacts`, which are those that may come here. */
function chooseArtifact(artifacts, level, index, made, decide, outOfDepth) {
  const passed = [];
  for (const artifact of artifacts) {
    for (const { least, most, probability } of artifact.allocations) {
      if (probability <= 0 || most < level) continue;
      if (least <= level || decide.below(outOfDepth * (least - level)) === 0) passed.push({ artifact, probability });
    }
  }
  const own = passed.find(({ artifact }) => made.get(artifact.number) === index);
  const free = passed.filter(({ artifact }) => !made.has(artifact.number));
  if (own !== undefined || free.length === 0) {
    decide.skip();
    return own?.artifact;
  }
  return free[decide.prefix(free.map(({ probability }) => probability))].artifact;
}

export function becomeArtifact(object, artifact, kind, level, decide, types, files) {
  const { ac, dice, sides, weight, toHit, toDam, toAc } = artifact;
  const flags = new Set([...kind.flags, ...artifact.flags]);
  Object.assign(object, { artifact, ac, dice, sides, weight, toHit, toDam, toAc, flags, pvals: {} });
  for (const { value, flags: ofLine } of artifact.pvals) {
    const roll = rollValue(decide, value, level);
    for (const flag of ofLine) addPval(object, flag, roll);
  }
  cleanUp(object, types, files);
}

function pickKind(kinds, level, quality, decide, { deeper, bonus }) {
  const isFit = ({ tval, flags }) =>
    quality === "normal" || flags.includes("GOOD") || (tval >= 16 && tval <= 23) || (tval >= 30 && tval <= 38);
  const all = kinds.filter(
    (kind) => kind.allocation?.commonness > 0 && kind.tval > 0 && !kind.flags.includes("INSTA_ART") && isFit(kind),
  );
  const deepest = Math.max(...all.map(({ allocation }) => allocation.most));
  let more = quality === "normal" ? 0 : deeper[quality];
  if (quality !== "normal" && bonus > 0) more += decide.mBonus(bonus, level);
  const e = Math.min(level + more, deepest);
  const here = all.filter(({ allocation }) => allocation.least <= e && e <= allocation.most);
  return here[decide.alias(here.map(({ allocation }) => allocation.commonness))];
}

/** Object `index`; `made` is a map from the numbers of the artifacts that were made to the objects that became them. */
export function makeObject(key, files, index, { level, quality, made, constants = {} }) {
  const rules = filled(USUAL, constants);
  const byNumber = (records) => [...records].sort((a, b) => a.number - b.number);
  const [kinds, affixes, themes, artifacts] = [files.kinds, files.affixes, files.themes, files.artifacts].map(byNumber);
  const types = new Map(files.flags.map(({ name, type }) => [name, type]));
  const decide = decisionsOf(key, index);
  const kindOf = ({ tval, sval }) => kinds.find((kind) => kind.tval === tval && kind.sval === sval);
  const object = { affixes: [], depths: [], affixLevel: undefined, slots: 0 };
  const finish = () => {
    if (object.artifact !== undefined) made.set(object.artifact.number, index);
    const flags = [...types.keys()].filter((flag) => object.flags.has(flag));
    const { tval, affixLevel, ...rest } = object;
    // (the library counts levels from 0, and an object without one has -1)
    return { ...rest, affixLevel: (affixLevel ?? 0) - 1, flags, words: decide.count() };
  };
  const become = (artifact) => {
    object.kind = kindOf(artifact);
    object.tval = artifact.tval;
    becomeArtifact(object, artifact, object.kind, level, decide, types);
  };

  if (decide.below(rules.artifacts.oneIn[quality]) === 0) {
    const those = artifacts.filter((one) => kindOf(one) !== undefined && one.requires.length === 0);
    const artifact = chooseArtifact(those, level, index, made, decide, rules.artifacts.outOfDepth);
    if (artifact !== undefined) {
      become(artifact);
      return finish();
    }
  }

  const kind = pickKind(kinds, level, quality, decide, rules.kinds);
  const { tval, ac, dice, sides, weight } = kind;
  Object.assign(object, { kind, tval, ac, dice, sides, weight, flags: new Set(kind.flags), pvals: {} });
  for (const modifier of MODIFIERS) object[modifier] = rollValue(decide, kind[modifier], level);
  for (const { value, flags } of kind.pvals) {
    const roll = rollValue(decide, value, level);
    for (const flag of flags) addPval(object, flag, roll);
  }

  let affixLevel = 1;
  const { percent, percentPerLevel, goodOneIn } = rules.affixLevel;
  if (decide.below(100) < percent + percentPerLevel * level) affixLevel++;
  if (quality === "great" || (quality === "good" && decide.below(goodOneIn) === 0)) affixLevel++;
  object.affixLevel = Math.min(affixLevel, files.levels.length);

  const { most, levelsPerSlot, fewerIfGood, limit: mostSlots, boostOneIn, ...added } = rules.slots;
  let slots = decide.below(1 + most + Math.floor(level / levelsPerSlot));
  if (quality !== "normal")
    slots += added[quality].least + decide.below(1 + added[quality].most - added[quality].least);
  if (kind.flags.includes("GOOD")) slots -= fewerIfGood;
  object.slots = limit(slots, 0, mostSlots);

  for (let slot = 0; slot < object.slots && object.theme === undefined; slot++) {
    let depth = level;
    if (level > 0 && decide.below(boostOneIn) === 0) depth = 1 + Math.floor((128 * level) / (1 + decide.below(128)));
    const weights = affixes.map(({ targets }) => {
      const line = targets.find(
        (one) => isFor(one, kind) && one.least <= depth && level <= one.most && one.level + 1 <= object.affixLevel,
      );
      return line?.probability ?? 0;
    });
    const here = affixes.map((affix, i) => ({ affix, weight: weights[i] })).filter((one) => one.weight > 0);
    if (here.length === 0) continue;
    let { affix } = here[decide.alias(here.map((one) => one.weight))];
    if (object.affixes.some((other) => excludes(affix, other))) {
      const left = here.filter((one) => !object.affixes.some((other) => excludes(one.affix, other)));
      if (left.length === 0) continue;
      affix = left[decide.prefix(left.map((one) => one.weight))].affix;
    }
    applyAffix(object, affix, depth, decide, types);
    object.affixes.push(affix);
    object.depths.push(depth);

    const odds = themes.map((theme) => themeOdds(theme, kind, object.affixes, depth, level, rules.themes));
    if (total(odds) === 0 || decide.below(200) >= total(odds)) continue;
    object.theme = themes[decide.prefix(odds)];
    applyTheme(object, object.theme, depth, decide, { affixes, types });
  }

  const hasAll = ({ requires }) => requires.every((number) => object.affixes.some((affix) => affix.number === number));
  const those = artifacts.filter(
    (one) => one.requires.length > 0 && one.tval === kind.tval && one.sval === kind.sval && hasAll(one),
  );
  if (object.theme === undefined && those.length > 0 && decide.below(rules.artifacts.oneIn[quality]) === 0) {
    const artifact = chooseArtifact(those, level, index, made, decide, rules.artifacts.outOfDepth);
    if (artifact !== undefined) become(artifact);
  }
  return finish();
}
