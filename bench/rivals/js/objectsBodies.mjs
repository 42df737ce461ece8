// Artifacts and kinds for the objects of affixes.mjs: the linear searches for them, and what they write to the columns.

import { fieldOf } from "./objectsValues.mjs";

/** {becomeArtifact(k), takeKind(k), kinds} over tables of inputs/objectsTables.mjs. */
export function jsBodies(tables, columns, { below, bonus, randomValue, within, addPvals }) {
  const [level, deepest, flagWords, , , kindsBonus] = tables.sizes;
  const { kind: kindOut, artifact: artifactOut, affixLevel: affixLevelOut, slots: slotsOut } = columns;
  const { toHit, toDam, toAc, ac, dice, sides, weight, flags } = columns;

  // ── artifacts ──

  const artifact = (field) => fieldOf(tables.artifacts, 12, field);
  const [artifactKind, artifactAc, artifactDice, artifactSides] = [artifact(0), artifact(1), artifact(2), artifact(3)];
  const [artifactWeight, artifactHit, artifactDam, artifactToAc] = [artifact(4), artifact(5), artifact(6), artifact(7)];
  const [artifactPvals, artifactPvalLines] = [artifact(8), artifact(9)];
  const [artifactFirst, artifactLines] = [artifact(10), artifact(11)];
  const [rarity, shallowest, lowest] = [0, 1, 2].map((field) => fieldOf(tables.artifactLines, 3, field));
  const artifactFlags = Uint32Array.from(tables.artifactFlags);
  const isMade = new Uint8Array(artifactKind.length);
  const passing = new Int32Array(artifactKind.length);

  function becomeArtifact(k) {
    let total = 0;
    for (let a = 0; a < passing.length; a++) {
      let sum = 0;
      if (isMade[a] === 0) {
        for (let line = artifactFirst[a], end = line + artifactLines[a]; line < end; line++) {
          if (lowest[line] < level) continue;
          if (shallowest[line] <= level || below(2 * (shallowest[line] - level)) === 0) sum += rarity[line];
        }
      }
      passing[a] = sum;
      total += sum;
    }
    if (total === 0) return false;
    let x = below(total);
    let a = 0;
    while (x >= passing[a]) x -= passing[a++];
    isMade[a] = 1;
    kindOut[k] = artifactKind[a];
    artifactOut[k] = a + 1;
    affixLevelOut[k] = 0;
    slotsOut[k] = 0;
    toHit[k] = artifactHit[a];
    toDam[k] = artifactDam[a];
    toAc[k] = artifactToAc[a];
    ac[k] = artifactAc[a];
    dice[k] = artifactDice[a];
    sides[k] = artifactSides[a];
    weight[k] = artifactWeight[a];
    for (let w = 0; w < flagWords; w++) flags[k * flagWords + w] = artifactFlags[a * flagWords + w];
    addPvals(k, artifactPvals[a], artifactPvalLines[a], level);
    return true;
  }

  // ── kinds ──

  const kind = (field) => fieldOf(tables.kinds, 16, field);
  const [tvalOf, svalOf, isGood, isAmmunition] = [kind(0), kind(1), kind(2), kind(3)];
  const [kindAc, kindDice, kindSides, kindWeight] = [kind(4), kind(5), kind(6), kind(7)];
  const [kindHit, kindDam, kindToAc, kindPvals, kindPvalLines] = [kind(8), kind(9), kind(10), kind(11), kind(12)];
  const kindFlags = Uint32Array.from(tables.kindFlags);
  const [commonness, allocated, allocatedTo] = [kind(13), kind(14), kind(15)];
  const kindCount = tvalOf.length;
  // what each kind weighs at each level, and all of them
  const weightAt = new Int16Array((deepest + 1) * kindCount);
  const totalAt = new Int32Array(deepest + 1);
  for (let depth = 0; depth <= deepest; depth++) {
    for (let i = 0; i < kindCount; i++) {
      const isThere = allocated[i] <= depth && depth <= allocatedTo[i];
      weightAt[depth * kindCount + i] = isThere ? commonness[i] : 0;
      totalAt[depth] += weightAt[depth * kindCount + i];
    }
  }

  function pickKind() {
    const wanted = level + 5 + bonus(kindsBonus, 5, level);
    const depth = Math.min(wanted, deepest);
    let x = below(totalAt[depth]);
    const first = depth * kindCount;
    let i = first;
    while (x >= weightAt[i]) x -= weightAt[i++];
    return i - first;
  }

  function takeKind(k) {
    const i = pickKind();
    kindOut[k] = i;
    artifactOut[k] = 0;
    ac[k] = kindAc[i];
    dice[k] = kindDice[i];
    sides[k] = kindSides[i];
    weight[k] = kindWeight[i];
    toHit[k] = within(randomValue(kindHit[i], level));
    toDam[k] = within(randomValue(kindDam[i], level));
    toAc[k] = within(randomValue(kindToAc[i], level));
    for (let w = 0; w < flagWords; w++) flags[k * flagWords + w] = kindFlags[i * flagWords + w];
    if (kindPvalLines[i] > 0) addPvals(k, kindPvals[i], kindPvalLines[i], level);
    return i;
  }

  return { becomeArtifact, takeKind, kinds: { tvalOf, svalOf, isGood, isAmmunition } };
}
