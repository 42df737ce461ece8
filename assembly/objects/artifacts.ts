// Artifacts. Each artifact is made at most once. Its claim (ClaimRecord) stores the index of the object that became the
// artifact. If the object with this index is made again, it becomes the same artifact.

import { planeOf } from "../core/words";
import { addPvals } from "./affixes";
import { tvalOf } from "./kinds";
import { ArtifactLine, ArtifactRecord, ClaimRecord, MOST_AFFIXES } from "./layout";
import { addAffix, hasAffix, keepCopy, takeAffixesOfCopy, takeForm } from "./object";
import { artifacts, Candidate, candidates, claims, head, inPlan, object, recordAt, request } from "./plan";
import { candidateOf } from "./themes";
import { Next } from "./words";

/** By the rules of Angband 4.2, the probability of an A line (ArtifactLine) is in percent. */
const PERCENTS: u32 = 100;

/** Rolls whether the object tries to become an artifact. */
export function triesForArtifact(): bool {
  return Next.below(request.tryOneIn) == 0;
}

/** Tries to turn object k into an artifact of the requested kind or type. Returns true if it became an artifact. */
export function becomeArtifact(k: u64): bool {
  clearCandidates();
  const depth = request.level;
  const any = !request.kind && !request.tval;
  const lines = inPlan(head.lines);
  for (let at = lines, end = endOf(lines, head.lineCount); at < end; at += offsetof<ArtifactLine>()) {
    const line = changetype<ArtifactLine>(at);
    if (line.most < depth || !(any || isRequested(line.kind))) continue;
    const least = line.least;
    // if the depth is less than the line's minimum, the line still passes with a small probability
    if (least <= depth || Next.below(head.outOfDepth * (least - depth)) == 0) addCandidate(line, k);
  }
  return choose(k);
}

/**
 * Tries A lines in their order, by the rules of Angband 4.2. A line succeeds if it passes its rolls and no other object
 * has become its artifact. The first line that succeeds turns object k into the line's artifact. Returns true if a line
 * succeeded.
 *
 * For each line, words are read before the claim of the line's artifact is checked. So claims do not change which words
 * the object reads later.
 */
export function becomeFirstArtifact(lines: usize, count: u32, k: u64): bool {
  const depth = request.level;
  if (!depth) return false;
  const any = !request.kind && !request.tval;
  for (let at = lines, end = endOf(lines, count); at < end; at += offsetof<ArtifactLine>()) {
    const line = changetype<ArtifactLine>(at);
    if (line.most < depth || !(any || isRequested(line.kind))) continue;
    if (line.least > depth && Next.below(2 * (line.least - depth)) != 0) continue;
    if (Next.below(PERCENTS) >= line.probability) continue;
    const claim = claimOf(line.artifact);
    if (claim.isMade && planeOf(claim.objectLow, claim.objectHigh) != k) continue;
    takeArtifact(line.artifact, k);
    return true;
  }
  return false;
}

/** Whether the object has all affixes that some artifact of its kind requires. */
export function callsForArtifact(): bool {
  const lines = inPlan(head.requiringLines);
  for (let at = lines, end = endOf(lines, head.requiringLineCount); at < end; at += offsetof<ArtifactLine>())
    if (isMet(changetype<ArtifactLine>(at))) return true;
  return false;
}

/**
 * Tries to turn object k into an artifact that requires affixes. If this succeeds, returns true, and the object keeps
 * its affixes.
 */
export function becomeRequiringArtifact(k: u64): bool {
  clearCandidates();
  const depth = request.level;
  const lines = inPlan(head.requiringLines);
  for (let at = lines, end = endOf(lines, head.requiringLineCount); at < end; at += offsetof<ArtifactLine>()) {
    const line = changetype<ArtifactLine>(at);
    if (line.most < depth || !isMet(line)) continue;
    const least = line.least;
    if (least <= depth || Next.below(head.outOfDepth * (least - depth)) == 0) addCandidate(line, k);
  }
  keepCopy();
  if (!choose(k)) return false;
  takeAffixesOfCopy();
  return true;
}

/** Turns object k into the requested artifact. Adds the affixes that this artifact requires. */
export function takeRequestedArtifact(k: u64): void {
  const index = request.artifact - 1;
  takeArtifact(index, k);
  const artifact = artifactAt(index);
  const required = inPlan(artifact.required);
  // a request never names an artifact with more than MOST_AFFIXES required affixes
  const n = min(artifact.requiredCount, MOST_AFFIXES);
  for (let i: usize = 0; i < <usize>n; ++i) addAffix(load<u16>(required + (i << 1)), request.level);
}

/**
 * Turns object k into an artifact, and claims the artifact. Rolls only the pvals, because all other values of an
 * artifact are fixed.
 */
function takeArtifact(index: u32, k: u64): void {
  const claim = claimOf(index);
  claim.isMade = 1;
  claim.objectLow = <u32>k;
  claim.objectHigh = <u32>(k >>> 32);
  const artifact = artifactAt(index);
  takeForm(inPlan(artifact.form));
  addPvals(inPlan(artifact.pvals), artifact.pvalCount, request.level);
}

function artifactAt(index: u32): ArtifactRecord {
  return changetype<ArtifactRecord>(recordAt(artifacts, index));
}

function claimOf(index: u32): ClaimRecord {
  return changetype<ClaimRecord>(claims + <usize>index * offsetof<ClaimRecord>());
}

function endOf(lines: usize, count: u32): usize {
  return lines + <usize>count * offsetof<ArtifactLine>();
}

function isRequested(kind: u32): bool {
  if (request.kind) return kind + 1 == request.kind;
  return !request.tval || tvalOf(kind) == request.tval;
}

/** Whether the object has the line's kind, and all affixes that the line's artifact requires. */
function isMet(line: ArtifactLine): bool {
  if (line.kind != object.kind) return false;
  const artifact = artifactAt(line.artifact);
  const required = inPlan(artifact.required);
  for (let i: usize = 0, n = <usize>artifact.requiredCount; i < n; ++i) {
    if (!hasAffix(load<u16>(required + (i << 1)))) return false;
  }
  return true;
}

// ── the artifacts whose lines passed ──

/** Stands for "no artifact". */
const NONE: u32 = 0xffffffff;
let endOfCandidates: usize = 0;
let total: u32 = 0;
/**
 * Index of the first artifact whose line passed and which object k itself has claimed, or NONE. Object k has a claim if
 * it was made before and became an artifact.
 */
let own: u32 = NONE;

function clearCandidates(): void {
  endOfCandidates = candidates;
  total = 0;
  own = NONE;
}

/**
 * Handles a line that passed. If its artifact is unclaimed, the artifact becomes a candidate. If object k has claimed
 * the artifact, the artifact becomes `own`.
 */
function addCandidate(line: ArtifactLine, k: u64): void {
  const claim = claimOf(line.artifact);
  if (claim.isMade) {
    if (own == NONE && planeOf(claim.objectLow, claim.objectHigh) == k) own = line.artifact;
    return;
  }
  total += line.probability;
  const candidate = changetype<Candidate>(endOfCandidates);
  candidate.id = line.artifact;
  candidate.sum = total;
  endOfCandidates += offsetof<Candidate>();
}

/**
 * Turns object k into artifact `own`. If `own` is NONE, turns object k into a candidate, chosen by weight. If there is
 * no candidate either, returns false. Reads one word in each of these cases. So claims do not change which words the
 * object reads later.
 */
function choose(k: u64): bool {
  const x = Next.below(max(total, 1));
  if (own == NONE) {
    if (!total) return false;
    own = candidateOf(x);
  }
  takeArtifact(own, k);
  return true;
}
