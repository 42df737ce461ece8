// Artifacts: each is made once. Which object made which is kept, so that an object made again takes its own again.
//
//   artifact   +0 kind   +4 an object of it, before its pvals are rolled   +8 pvals   +12 how many   +16 Q lines, u16   +20 how many
//   A line     +0 artifact   +4 kind   +8 probability   +12 min   +16 max                                       20 bytes
//   claim      +0 whether it was made   +4 the object that did                                                    8 bytes
//
// A lines stand in the order of the artifacts' numbers, those of artifacts without Q lines and those of artifacts with apart.

import { addPvals } from "./affix";
import { askedKind, askedTval, GOOD, GREAT, level, mustArtifact, quality } from "./asked";
import { tvalOf } from "./kinds";
import {
  artifacts,
  claims,
  inPlan,
  lineCount,
  lineOfAffixesCount,
  lines,
  linesOfAffixes,
  record,
  weights,
} from "./plan";
import { addAffix, get, hasAffix, KIND, keepCopy, MOST_AFFIXES, takeAffixesOfCopy, takeForm } from "./record";
import { Next } from "./words";

const OWN_KIND: usize = 0;
const FORM: usize = 4;
const PVALS: usize = 8;
const PVAL_COUNT: usize = 12;
const REQUIRED: usize = 16;
const REQUIRED_COUNT: usize = 20;

const KIND_OF_LINE: usize = 4;
const PROBABILITY: usize = 8;
const MIN: usize = 12;
const MAX: usize = 16;
const LINE_BYTES: usize = 20;
const CLAIM_BYTES: usize = 8;

/** One object in so many tries for an artifact. */
const NORMAL_ONE_IN: u32 = 400;
const GOOD_ONE_IN: u32 = 50;
const GREAT_ONE_IN: u32 = 15;

/** Whether this object tries for an artifact. */
export function triesForArtifact(): bool {
  const wanted = quality();
  return Next.below(wanted == GREAT ? GREAT_ONE_IN : wanted == GOOD ? GOOD_ONE_IN : NORMAL_ONE_IN) == 0;
}

/** Tries for an artifact of any kind asked for; whether object k became one. */
export function becomeArtifact(k: u32): bool {
  clearPassed();
  const depth = level();
  const any = !askedKind() && !askedTval();
  for (let line = lines, end = lines + <usize>lineCount * LINE_BYTES; line < end; line += LINE_BYTES) {
    if (load<u32>(line, MAX) < depth || !(any || isAskedFor(load<u32>(line, KIND_OF_LINE)))) continue;
    const least = load<u32>(line, MIN);
    // most lines are too deep for now, and fail
    if (least <= depth || Next.below(2 * (least - depth)) == 0) pass(line, k);
  }
  return choose(k);
}

/** Whether an artifact asks for just such an object: its kind, with affixes that this one has. */
export function callsForArtifact(): bool {
  for (let line = linesOfAffixes, end = endOfLinesOfAffixes(); line < end; line += LINE_BYTES)
    if (isMet(line)) return true;
  return false;
}

/** Tries for an artifact that asks for affixes; whether object k became one, which keeps its affixes. */
export function becomeArtifactOfAffixes(k: u32): bool {
  clearPassed();
  const depth = level();
  for (let line = linesOfAffixes, end = endOfLinesOfAffixes(); line < end; line += LINE_BYTES) {
    const least = load<u32>(line, MIN);
    if (load<u32>(line, MAX) < depth || !isMet(line)) continue;
    if (least <= depth || Next.below(2 * (least - depth)) == 0) pass(line, k);
  }
  keepCopy();
  if (!choose(k)) return false;
  takeAffixesOfCopy();
  return true;
}

/** Makes object k the artifact that was asked for, with the affixes that it requires. */
export function takeAskedArtifact(k: u32): void {
  const index = mustArtifact() - 1;
  takeArtifact(index, k);
  const artifact = record(artifacts, index);
  const required = inPlan(artifact, REQUIRED);
  // (one that requires more than an object has room for is refused before it is asked for)
  const n = min(load<u32>(artifact, REQUIRED_COUNT), MOST_AFFIXES);
  for (let i: usize = 0; i < <usize>n; ++i) addAffix(load<u16>(required + (i << 1)), level());
}

/** Makes object k the artifact, whose words are its pvals' alone. */
function takeArtifact(index: u32, k: u32): void {
  store<u32>(claimOf(index), 1);
  store<u32>(claimOf(index), k, 4);
  const artifact = record(artifacts, index);
  takeForm(inPlan(artifact, FORM));
  addPvals(inPlan(artifact, PVALS), load<u32>(artifact, PVAL_COUNT), level());
}

function isAskedFor(kind: u32): bool {
  if (askedKind()) return kind + 1 == askedKind();
  return !askedTval() || tvalOf(kind) == askedTval();
}

function endOfLinesOfAffixes(): usize {
  return linesOfAffixes + <usize>lineOfAffixesCount * LINE_BYTES;
}

/** Whether the object has all that a line's artifact asks for. */
function isMet(line: usize): bool {
  if (load<u32>(line, KIND_OF_LINE) != get(KIND)) return false;
  const artifact = record(artifacts, load<u32>(line));
  const required = inPlan(artifact, REQUIRED);
  for (let i: usize = 0, n = <usize>load<u32>(artifact, REQUIRED_COUNT); i < n; ++i) {
    if (!hasAffix(load<u16>(required + (i << 1)))) return false;
  }
  return true;
}

// ── the lines that passed, and what they weigh: of artifacts that nobody made ──

/** No artifact. */
const NONE: u32 = 0xffffffff;
let passed: usize = 0;
let total: u32 = 0;
/** An artifact that passed, and that this very object made before. */
let own: u32 = NONE;

function clearPassed(): void {
  passed = 0;
  total = 0;
  own = NONE;
}

/** Notes a line that passed: one in depth, or one that is too deep for now and was lucky. */
function pass(line: usize, k: u32): void {
  const artifact = load<u32>(line);
  if (load<u32>(claimOf(artifact))) {
    if (own == NONE && load<u32>(claimOf(artifact), 4) == k) own = artifact;
    return;
  }
  total += load<u32>(line, PROBABILITY);
  store<u32>(weights + passed, artifact);
  store<u32>(weights + passed, total, 4);
  passed += 8;
}

/** One word chooses, whether or not there is a choice: what was made before moves no word that follows. */
function choose(k: u32): bool {
  const x = Next.below(max(total, 1));
  if (own == NONE) {
    if (!total) return false;
    let at = weights;
    while (load<u32>(at, 4) <= x) at += 8;
    own = load<u32>(at);
  }
  takeArtifact(own, k);
  return true;
}

function claimOf(i: u32): usize {
  return claims + <usize>i * CLAIM_BYTES;
}
