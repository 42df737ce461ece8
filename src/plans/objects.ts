import { MOST_AFFIXES } from "../kernel/layout.js";
import type { ObjectPlan } from "../objects/compile.js";
import type { ObjectMaker, ObjectOptions } from "../objects/index.js";
import { requestRecord } from "../objects/kernel.js";
import { MadeObjects } from "../objects/make/madeObjects.js";
import { REQUEST_OPTIONS, readCallOptions } from "../objects/make/request.js";

/** The numbers of a result before its affixes. */
const COLUMNS = [
  "kind",
  "artifact",
  "theme",
  "affixLevel",
  "slots",
  "affixCount",
  "toHit",
  "toDam",
  "toAc",
  "ac",
  "dice",
  "sides",
  "weight",
] as const;

/** Options of `makeMany` that a plan file can contain. */
export const OBJECT_OPTIONS = ["level", "good", "great", "kind", "affixLevel", "artifacts"] as const;

/** Returns the first option that a plan file cannot contain. */
export function foreignOption(given: ObjectOptions): string | undefined {
  const options = readCallOptions("bake", given, REQUEST_OPTIONS);
  const isOwn = (name: string) => OBJECT_OPTIONS.some((own) => own === name);
  return REQUEST_OPTIONS.find((name) => options[name] !== undefined && !isOwn(name));
}

/** Returns the words of a request, in the order of docs/formats/plans.md. */
export function requestWords(maker: ObjectMaker, given: ObjectOptions): number[] {
  const request = requestRecord(maker.files, maker.requestOf(given));
  const { level, quality, kind, affixLevel, tryOneIn, kindDepth, lifts, liftChance, secondOneIn } = request;
  const { slotSides, addedSlots, extraSides, triesArtifacts } = request;
  const rolls = [tryOneIn, kindDepth, lifts, liftChance, secondOneIn, slotSides, addedSlots, extraSides];
  return [level, quality, kind, affixLevel, ...rolls, triesArtifacts];
}

export function imageWords({ image }: ObjectPlan): Uint32Array {
  return new Uint32Array(image.slice().buffer);
}

export function objectLabels(plan: ObjectPlan) {
  const { vocabulary, flagNames, pvalNames, flagWords } = new MadeObjects(plan, 0);
  const places: Record<string, readonly [first: number, count: number]> = {};
  let next: number = COLUMNS.length;
  for (const [name, count] of Object.entries({
    affixes: MOST_AFFIXES,
    depths: MOST_AFFIXES,
    flags: flagWords,
    pvals: pvalNames.length,
  })) {
    places[name] = [next, count];
    next += count;
  }
  const kinds = plan.files.affixes.map(({ kind }) => kind);
  return { columns: COLUMNS, places, ...vocabulary, affixKinds: ["", ...kinds], flags: flagNames, pvals: pvalNames };
}
