import { checkInteger, checkRange } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { excludeEachOther, MOST_AFFIXES } from "../odds/law.js";
import type { AffixSpec, ArtifactSpec, MadeObject } from "../types.js";
import type { Asked } from "./ask.js";

/** An object's words are a plane: its index is 0 … 2^32 − 1. */
const MOST_OBJECTS = 2 ** 32;

/**
 * Checks a range of objects.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkObjects(from: number, count: number): void {
  checkRange(from, count);
  if (from + count <= MOST_OBJECTS) return;
  const expected = `objects up to index ${MOST_OBJECTS - 1}`;
  fail(error("argument.range", { problem: "there are not so many objects", got: from + count - 1, expected }));
}

/**
 * Checks up to which object a maker at object `next` is to replay.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkReplay(next: number, to: number): void {
  checkInteger("to", to, 0, MOST_OBJECTS);
  checkObjects(next, to - next);
}

/** Says that a maker is called amid a call of its own. */
export function refuseAmid(name: string): never {
  const remedy = "Call it when it is done, or use another maker";
  return fail(error("argument.busy", { problem: `${name} is amid making objects`, remedy }));
}

/** Whether an object has the affixes asked for, each as often as it is, and the theme. */
export function isAsAsked(object: MadeObject, asked: Asked): boolean {
  if (asked.theme !== undefined && object.theme !== asked.theme) return false;
  const times = (affixes: readonly AffixSpec[], affix: AffixSpec) => affixes.filter((other) => other === affix).length;
  return asked.affixes.every((affix) => times(asked.affixes, affix) <= times(object.affixes, affix));
}

/** Refuses one more affix for an object that can take none, or not this one. */
export function refuseFull(object: MadeObject, added: AffixSpec): void {
  const excluding = object.affixes.find((own) => excludeEachOther(own, added));
  const refuse = (problem: string, expected: string) =>
    fail(error("object.request", { problem, got: added.name, expected, remedy: "Add it to another object" }));
  if (object.artifact !== undefined) refuse("an artifact takes no affix", "an object that is none");
  if (object.theme !== undefined) refuse("an object with a theme takes no affix", "an object without one");
  if (object.affixes.length >= MOST_AFFIXES) refuse("the object is full", `fewer than ${MOST_AFFIXES} affixes`);
  if (excluding !== undefined) {
    refuse(`the affix does not go with ${JSON.stringify(excluding.name)}`, "an affix that goes with the object's");
  }
}

/** Says that an object was not met. */
export function giveUp(asked: Asked, index: number): never {
  const wanted = [...asked.affixes, ...(asked.theme === undefined ? [] : [asked.theme])].map(({ name }) => name);
  return fail(
    error("object.impossible", {
      problem: `object ${index} was not met in ${asked.attempts} attempts`,
      got: wanted.join(", "),
      expected: "affixes and a theme that come together more often",
      remedy: "Raise attempts, name a kind that they come to, or ask for less",
    }),
  );
}

/** Refuses an artifact for several objects, and for one where another is it. `claimant` says which object an artifact is. */
export function refuseClaimed(
  { artifact }: Asked,
  { from, count }: { readonly from: number; readonly count: number },
  claimant: (artifact: ArtifactSpec) => number | undefined,
): void {
  if (artifact === undefined) return;
  const object = claimant(artifact);
  if (count <= 1 && (object ?? from) === from) return;
  fail(
    error("object.impossible", {
      problem: `the artifact ${JSON.stringify(artifact.name)} is made once in a mill`,
      got: count > 1 ? `${count} objects` : `object ${from}, where object ${object} is it`,
      expected: "one object",
      remedy: "Ask for one, in another mill or under another name",
    }),
  );
}
