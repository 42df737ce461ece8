// The rules of Angband 4.2. An object gets at most one affix, its ego (docs/determinism.md).
//
//   special artifact? ─ kind ─ power ─▶ artifact of the kind? ─ enchantments ─▶ ego? ─▶ columns

import { addModifiers } from "./affixes";
import { kindTable, NONE, pickFrom } from "./allocation";
import { becomeFirstArtifact } from "./artifacts";
import { isAble, kindAt, takeKind, tvalOf } from "./kinds";
import {
  EgoLine,
  GOOD_SPECIAL_ONE_IN,
  GREAT_PERCENT,
  GREAT_POWER,
  GREAT_TRIES,
  KIND_BOOST_ONE_IN,
  KIND_BOOST_SIDES,
  KIND_DEEPER,
  LEAST_ODDS,
  LIFT_CASES,
  ObjectQuality,
  ODDS_STEP,
  POWER_BASE,
  SPECIAL_ONE_IN,
  TRIES,
} from "./layout";
import { clearObject } from "./object";
import { Candidate, candidates, head, inPlan, object, request } from "./plan";
import { candidateOf } from "./themes";
import { Next } from "./words";

/** Returns below(m) for the next word. This function is not inlined, unlike Next.below. This keeps the kernel small. */
function roll(m: u32): u32 {
  return Next.below(m);
}

/**
 * The quality of the current object. Begins as the requested quality. A normal object becomes good if it tries to
 * become a special artifact and fails.
 */
let quality: u32 = 0;

/**
 * Makes object k, but does not fill its slot. Returns true if the object is already finished, because it became an
 * artifact or its kind cannot have the requested affixes.
 */
export function takeKindOrArtifact(k: u64): bool {
  quality = request.quality;
  if (request.triesArtifacts && becomeSpecial(k)) return true;
  const kind = request.kind ? request.kind - 1 : pickKind();
  if (!isAble(kind)) {
    clearObject();
    return true;
  }
  takeKind(kind);
  const power = request.affixLevel ? request.affixLevel : rollPower();
  if (request.triesArtifacts && power >= GREAT_POWER && becomeOrdinary(k)) return true;
  object.affixLevel = power;
  object.slots = u32(power >= GREAT_POWER);
  enchant(power);
  return false;
}

/**
 * Rolls whether object k tries to become a special artifact. A normal object that tries and fails becomes good. Returns
 * true if it became an artifact.
 */
function becomeSpecial(k: u64): bool {
  if (roll(quality == ObjectQuality.NORMAL ? SPECIAL_ONE_IN : GOOD_SPECIAL_ONE_IN)) return false;
  if (becomeFirstArtifact(inPlan(head.lines), head.lineCount, k)) return true;
  if (quality == ObjectQuality.NORMAL) quality = ObjectQuality.GOOD;
  return false;
}

/** Tries to turn object k into an artifact of its kind. */
function becomeOrdinary(k: u64): bool {
  const kind = kindAt(object.kind);
  for (let tries = quality == ObjectQuality.GREAT ? GREAT_TRIES : TRIES; tries > 0; --tries) {
    if (becomeFirstArtifact(inPlan(kind.artifactLines), kind.artifactLineCount, k)) return true;
  }
  return false;
}

/** Picks kinds until one has the requested tval. */
function pickKind(): u32 {
  const isGood = quality != ObjectQuality.NORMAL;
  const usual = request.level + (isGood ? KIND_DEEPER : 0);
  let kind: u32;
  do {
    let depth = usual;
    if (usual && roll(KIND_BOOST_ONE_IN) == 0) {
      depth = 1 + (KIND_BOOST_SIDES * usual) / (1 + roll(KIND_BOOST_SIDES));
    }
    kind = pickFrom(kindTable(isGood, min(depth, KIND_BOOST_SIDES)));
  } while (request.tval && tvalOf(kind) != request.tval);
  return kind;
}

/** Rolls the power: 1 for an average object, 2 for a good one, 3 for a great one. */
function rollPower(): u32 {
  if (quality == ObjectQuality.NORMAL && roll(LIFT_CASES) >= POWER_BASE + request.level) return 1;
  return quality == ObjectQuality.GREAT || roll(LIFT_CASES) < GREAT_PERCENT ? GREAT_POWER : GREAT_POWER - 1;
}

/** Rolls the extra modifiers of good and great objects. */
function enchant(power: u32): void {
  if (power < GREAT_POWER - 1) return;
  const kind = kindAt(object.kind);
  const count = power >= GREAT_POWER ? kind.greatCount : kind.goodCount;
  addModifiers(inPlan(kind.enchantments), count, request.level);
}

/** Picks an ego for a slot at a depth. Returns NONE if no ego is possible. */
export function pickEgo(depth: u32): u32 {
  const kind = kindAt(object.kind);
  let end = candidates;
  let total: u32 = 0;
  let at = inPlan(kind.egos);
  for (let lines = kind.egoCount; lines > 0; --lines, at += offsetof<EgoLine>()) {
    const line = changetype<EgoLine>(at);
    if (depth > line.most) continue;
    if (depth < line.usual && roll(max(LEAST_ODDS, (line.usual - depth) / ODDS_STEP))) continue;
    total += line.weight;
    const candidate = changetype<Candidate>(end);
    candidate.id = line.affix;
    candidate.sum = total;
    end += offsetof<Candidate>();
  }
  return total ? candidateOf(roll(total)) : NONE;
}
