import { checkInteger } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { MAX_DEPTH } from "../parse/values.js";
import type { ObjectFiles, Quality } from "../types.js";

const QUALITIES: readonly unknown[] = ["normal", "good", "great"] satisfies readonly Quality[];

/** Checks a real depth. @throws RollmillError `argument.range` where it is no integer of 0 … 255. */
export function checkLevel(level: unknown): void {
  checkInteger("level", level, 0, MAX_DEPTH);
}

/** Checks a quality. @throws RollmillError `argument.type` for one that there is not. */
export function checkQuality(quality: unknown): void {
  if (QUALITIES.includes(quality)) return;
  const expected = QUALITIES.map((one) => JSON.stringify(one)).join(" or ");
  fail(error("argument.type", { problem: "quality is not usable", got: quality, expected }));
}

/** Checks the depth of a slot. @throws RollmillError `argument.range` where it is no integer of 0 or more. */
export function checkDepth(depth: unknown): void {
  checkInteger("depth", depth, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * Checks where a slot is.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, or an affix level that the files do not have.
 */
export function checkSlot(
  { levels }: Pick<ObjectFiles, "levels">,
  { level, affixLevel }: { readonly level: unknown; readonly affixLevel: unknown },
): void {
  checkLevel(level);
  checkInteger("affixLevel", affixLevel, 0, levels.length - 1);
}
