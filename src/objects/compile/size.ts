import { error, fail } from "../../errors/index.js";
import type { ObjectFiles } from "../types.js";
import type { FlagBits } from "./flagBits.js";
import { objectBytes } from "./parts.js";

/** The most bytes of each part of a plan that grows faster than its files do. */
const MOST_BYTES = 2 ** 26;
const WEIGHT_BYTES = 4;
const FLAG_OF_LIST_BYTES = 2;

/**
 * Refuses files whose plan would be too large, before any of it is made. Files of a game come to a hundredth of what may be.
 * Cost: O(affixes and their lines).
 *
 * @throws RollmillError `object.files` where affixes × themes are more than 2²⁴, the flags of all `R`, `R2` and `Z` lines more
 * than 2²⁵, or where kinds and artifacts × the bytes of an object, or affixes × those of a flag mask, come to more than 2²⁶.
 */
export function refuseTooLarge(files: ObjectFiles, bits: FlagBits): void {
  const { kinds, affixes, themes, artifacts, flags } = files;
  let listed = 0;
  for (const { randomFlags, randomPvals } of affixes) {
    for (const { flags: names } of [...randomFlags, ...randomPvals]) listed += names.length;
  }
  const records = kinds.length + artifacts.length;
  refuse(affixes.length * themes.length, WEIGHT_BYTES, {
    problem: "there are too many affixes for so many themes",
    got: `${affixes.length} affixes and ${themes.length} themes`,
    what: "affixes times themes",
  });
  refuse(records, objectBytes(files, bits), {
    problem: "there are too many kinds and artifacts for so many themes and flags",
    got: `${records} kinds and artifacts, ${themes.length} themes, ${flags.length} flags`,
    what: "kinds and artifacts",
  });
  refuse(affixes.length, bits.flagBytes, {
    problem: "there are too many affixes for so many flags",
    got: `${affixes.length} affixes and ${flags.length} flags`,
    what: "affixes",
  });
  refuse(listed, FLAG_OF_LIST_BYTES, {
    problem: "the R, R2 and Z lines are of too many flags",
    got: `${listed} flags`,
    what: "flags in all of these lines",
  });
}

function refuse(
  count: number,
  bytes: number,
  { problem, got, what }: { readonly problem: string; readonly got: string; readonly what: string },
): void {
  const most = Math.floor(MOST_BYTES / bytes);
  if (count <= most) return;
  fail(error("object.files", { problem, got, expected: `at most ${most} ${what}`, remedy: "Leave out some of them" }));
}
