// written from docs/determinism.md alone
//
// Objects by the rules of Angband 4.2, in section 5, without limits and without requests. `files` is what the library
// parses the gamedata files to.

import { becomeArtifact, cleanUp, decisionsOf, isFor, limit, MODIFIERS, rollValue } from "./portObjects.mjs";

const WEAPONS = ["weapon", "launcher", "ammunition"];
const D5M5 = { base: 0, dice: 1, sides: 5, bonus: 5, negated: false };
const M10 = { base: 0, dice: 0, sides: 0, bonus: 10, negated: false };

const leastOf = ({ base, dice, sides, bonus, negated }) => (negated ? -(base + dice * sides + bonus) : base + dice);

function add(object, field, value, least = Number.NEGATIVE_INFINITY) {
  object[field] = limit(Math.max(object[field] + value, least), -32767, 32767);
}

function addPval(pvals, flag, value, least = Number.NEGATIVE_INFINITY) {
  const sum = limit(Math.max((pvals[flag] ?? 0) + value, least), -32767, 32767);
  if (sum === 0) delete pvals[flag];
  else pvals[flag] = sum;
}

/** A kind that a good object can have. */
function isSound({ type, flags, toHit, toDam, toAc }) {
  if (flags.includes("GOOD")) return true;
  if (type.group === "weapon" || type.group === "launcher") return leastOf(toHit) >= 0 && leastOf(toDam) >= 0;
  if (type.group === "armour") return leastOf(toAc) >= 0;
  return type.group === "ammunition" && type.word !== "shot";
}

function pickKind(kinds, level, quality, decide) {
  const drawn = kinds.filter(
    (kind) =>
      kind.allocation?.commonness > 0 &&
      kind.tval > 0 &&
      !kind.flags.includes("INSTA_ART") &&
      (quality === "normal" || isSound(kind)),
  );
  let e = level + (quality === "normal" ? 0 : 10);
  if (e > 0 && decide.below(20) === 0) e = 1 + Math.floor((100 * e) / (1 + decide.below(100)));
  e = Math.min(e, 100, Math.max(...drawn.map(({ allocation }) => allocation.most)));
  const here = drawn.filter(({ allocation }) => allocation.least <= e && e <= allocation.most);
  return here[decide.alias(here.map(({ allocation }) => allocation.commonness))];
}

/** The artifact that a try gives. */
function tryArtifacts(artifacts, { level, index, made, decide }) {
  if (level === 0) return undefined;
  for (const artifact of artifacts) {
    for (const { least, most, probability } of artifact.allocations) {
      if (probability === 0 || most < level) continue;
      if (least > level && decide.below(2 * (least - level)) !== 0) continue;
      if (decide.below(100) >= probability) continue;
      if (!made.has(artifact.number) || made.get(artifact.number) === index) return artifact;
    }
  }
  return undefined;
}

function pickEgo(affixes, kind, depth, decide) {
  const part = affixes.flatMap((affix) => {
    const line = affix.targets.find((target) => isFor(target, kind) && target.probability > 0);
    if (line === undefined || depth > line.most) return [];
    const min = line.usual;
    const isIn = min <= depth || decide.below(Math.max(2, Math.floor((min - depth) / 3))) === 0;
    return isIn ? [{ affix, weight: line.probability }] : [];
  });
  return part.length === 0 ? undefined : part[decide.prefix(part.map(({ weight }) => weight))].affix;
}

function applyEgo(object, ego, depth, { decide, types, files }) {
  const { flags, pvals } = object;
  let roll = 0;
  for (const { flags: names, alternative } of ego.randomFlags) {
    if (alternative?.first === 0) roll = decide.below(alternative.of);
    if (alternative !== undefined && (roll < alternative.first || roll >= alternative.first + alternative.share))
      continue;
    const lacking = [...types.keys()].filter((flag) => names.includes(flag) && !flags.has(flag));
    if (lacking.length > 0) flags.add(lacking[decide.below(lacking.length)]);
  }
  for (const field of MODIFIERS) add(object, field, rollValue(decide, ego[field], depth), ego.least[field]);
  for (const { value, least, flags: names } of ego.pvals) {
    const rolled = rollValue(decide, value, depth);
    for (const flag of names) addPval(pvals, flag, rolled, least);
  }
  for (const flag of ego.flags) flags.add(flag);
  for (const flag of ego.removes) flags.delete(flag);
  cleanUp(object, types, files);
}

/** Object `index`; `made` is a map from the numbers of the artifacts that were made to the objects that became them. */
export function makeEgoObject(key, files, index, { level, quality: asked, made }) {
  const { kinds, affixes, artifacts } = files;
  const types = new Map(files.flags.map(({ name, type }) => [name, type]));
  const decide = decisionsOf(key, index);
  const kindOf = ({ tval, sval }) => kinds.find((kind) => kind.tval === tval && kind.sval === sval);
  const isSpecial = (artifact) => kindOf(artifact).flags.includes("INSTA_ART");
  const object = { affixes: [], depths: [], affixLevel: -1, slots: 0 };
  const call = { level, index, made, decide };
  const finish = () => {
    const { tval, ...rest } = object;
    const flags = [...types.keys()].filter((flag) => object.flags.has(flag));
    return { ...rest, flags, words: decide.count() };
  };
  const become = (artifact) => {
    Object.assign(object, { kind: kindOf(artifact), tval: artifact.tval });
    becomeArtifact(object, artifact, object.kind, level, decide, types, files);
    made.set(artifact.number, index);
    return finish();
  };

  let quality = asked;
  if (decide.below(quality === "normal" ? 1000 : 10) === 0) {
    const artifact = tryArtifacts(artifacts.filter(isSpecial), call);
    if (artifact !== undefined) return become(artifact);
    if (quality === "normal") quality = "good";
  }
  const kind = pickKind(kinds, level, quality, decide);
  const { tval, ac, dice, sides, weight, type } = kind;
  Object.assign(object, { kind, tval, ac, dice, sides, weight, flags: new Set(kind.flags), pvals: {} });
  for (const field of MODIFIERS) object[field] = rollValue(decide, kind[field], level);
  for (const { value, flags } of kind.pvals) {
    const rolled = rollValue(decide, value, level);
    for (const flag of flags) addPval(object.pvals, flag, rolled);
  }

  let power = 1;
  if (quality !== "normal" || decide.below(100) < 33 + level) {
    power = quality === "great" || decide.below(100) < 30 ? 3 : 2;
  }
  const own = artifacts.filter((one) => !isSpecial(one) && kindOf(one) === kind);
  for (let tries = power < 3 ? 0 : quality === "great" ? 2 : 1; tries > 0; tries--) {
    const artifact = tryArtifacts(own, call);
    if (artifact !== undefined) return become(artifact);
  }
  object.affixLevel = power - 1;
  object.slots = power === 3 ? 1 : 0;

  const fields = WEAPONS.includes(type.group) ? ["toHit", "toDam"] : type.group === "armour" ? ["toAc"] : [];
  if (power >= 2) for (const field of fields) add(object, field, rollValue(decide, D5M5, level));
  if (power === 3) for (const field of fields) add(object, field, rollValue(decide, M10, level));
  if (power < 3) return finish();

  let depth = level;
  if (level > 0 && decide.below(20) === 0) {
    depth = Math.min(127, 1 + Math.floor((128 * level) / (1 + decide.below(128))));
  }
  const ego = pickEgo(affixes, kind, depth, decide);
  if (ego === undefined) return finish();
  applyEgo(object, ego, depth, { decide, types, files });
  object.affixes.push(ego);
  object.depths.push(depth);
  return finish();
}
