// Artifacts: each is made once. Which object made which is kept, so that an object made again takes its own again.
//
//   artifact   +0 kind   +4 A lines   +8 how many   +12 Q lines, u16   +16 how many
//              +20 an object of it, before its pvals are rolled   +24 pvals   +28 how many
//
//   A line     +0 probability   +4 min   +8 max                                                           12 bytes
//   claim      +0 whether it was made   +4 the object that did                                             8 bytes

import { addPvals } from "./objectAffix";
import { askedKind, askedTval, GOOD, GREAT, level, quality } from "./objectAsked";
import { tvalOf } from "./objectKinds";
import { artifactCount, artifacts, claims, inPlan, record, weights } from "./objectPlan";
import { AFFIX_COUNT, get, hasAffix, KIND, keepCopy, takeAffixesOfCopy, takeForm } from "./objectRecord";
import { nextBelow } from "./objectWords";

const OWN_KIND: usize = 0;
const LINES: usize = 4;
const LINE_COUNT: usize = 8;
const REQUIRED: usize = 12;
const REQUIRED_COUNT: usize = 16;
const FORM: usize = 20;
const PVALS: usize = 24;
const PVAL_COUNT: usize = 28;

const MIN: usize = 4;
const MAX: usize = 8;
const LINE_BYTES: usize = 12;
const CLAIM_BYTES: usize = 8;

/** One object in so many tries for an artifact. */
const NORMAL_ONE_IN: u32 = 400;
const GOOD_ONE_IN: u32 = 50;
const GREAT_ONE_IN: u32 = 15;

/** Whether this object tries for an artifact. */
export function triesForArtifact(): bool {
  const wanted = quality();
  return nextBelow(wanted == GREAT ? GREAT_ONE_IN : wanted == GOOD ? GOOD_ONE_IN : NORMAL_ONE_IN) == 0;
}

/** Tries for an artifact of any kind asked for; whether object k became one. */
export function becomeArtifact(k: u32): bool {
  for (let i: u32 = 0; i < artifactCount; ++i) {
    const artifact = record(artifacts, i);
    const passes = load<u32>(artifact, REQUIRED_COUNT) == 0 && isAskedFor(artifact);
    store<u32>(weights + ((<usize>i) << 2), passes ? passing(artifact) : 0);
  }
  return choose(k);
}

/** Whether an artifact asks for just such an object: its kind, with affixes that this one has. */
export function callsForArtifact(): bool {
  for (let i: u32 = 0; i < artifactCount; ++i) if (isMet(record(artifacts, i))) return true;
  return false;
}

/** Tries for an artifact that asks for affixes; whether object k became one, which keeps its affixes. */
export function becomeArtifactOfAffixes(k: u32): bool {
  for (let i: u32 = 0; i < artifactCount; ++i) {
    const artifact = record(artifacts, i);
    store<u32>(weights + ((<usize>i) << 2), isMet(artifact) ? passing(artifact) : 0);
  }
  keepCopy();
  if (!choose(k)) return false;
  takeAffixesOfCopy();
  return true;
}

/** Makes object k the artifact, whose words are its pvals' alone. */
export function takeArtifact(index: u32, k: u32): void {
  store<u32>(claimOf(index), 1);
  store<u32>(claimOf(index), k, 4);
  const artifact = record(artifacts, index);
  takeForm(inPlan(artifact, FORM));
  addPvals(inPlan(artifact, PVALS), load<u32>(artifact, PVAL_COUNT), level());
}

function isAskedFor(artifact: usize): bool {
  const kind = load<u32>(artifact, OWN_KIND);
  if (askedKind()) return kind + 1 == askedKind();
  return !askedTval() || tvalOf(kind) == askedTval();
}

function isMet(artifact: usize): bool {
  const n = load<u32>(artifact, REQUIRED_COUNT);
  if (!n || load<u32>(artifact, OWN_KIND) != get(KIND) || !get(AFFIX_COUNT)) return false;
  const required = inPlan(artifact, REQUIRED);
  for (let i: usize = 0; i < <usize>n; ++i) if (!hasAffix(load<u16>(required + (i << 1)))) return false;
  return true;
}

/** The sum of the probabilities of its A lines that are in depth; those too deep for now pass at random. */
function passing(artifact: usize): u32 {
  const depth = level();
  let sum: u32 = 0;
  let line = inPlan(artifact, LINES);
  for (let n = load<u32>(artifact, LINE_COUNT); n > 0; --n, line += LINE_BYTES) {
    if (load<u32>(line, MAX) < depth) continue;
    const least = load<u32>(line, MIN);
    if (least <= depth || nextBelow(2 * (least - depth)) == 0) sum += load<u32>(line);
  }
  return sum;
}

/** One word chooses, whether or not there is a choice: what was made before moves no word that follows. */
function choose(k: u32): bool {
  let total: u32 = 0;
  let own: u32 = artifactCount;
  for (let i: u32 = 0; i < artifactCount; ++i) {
    const weight = load<u32>(weights + ((<usize>i) << 2));
    if (!weight) continue;
    if (!load<u32>(claimOf(i))) total += weight;
    else if (load<u32>(claimOf(i), 4) == k && own == artifactCount) own = i;
  }
  let x = nextBelow(max(total, 1));
  if (own == artifactCount) {
    if (!total) return false;
    for (own = 0; ; ++own) {
      const weight: u32 = load<u32>(claimOf(own)) ? 0 : load<u32>(weights + ((<usize>own) << 2));
      if (x < weight) break;
      x -= weight;
    }
  }
  takeArtifact(own, k);
  return true;
}

function claimOf(i: u32): usize {
  return claims + <usize>i * CLAIM_BYTES;
}
