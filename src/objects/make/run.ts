import { checkInteger, checkRange, forEachBatch, type LongCall } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import type { KernelObjects } from "../kernel.js";
import { excludeEachOther, MOST_AFFIXES } from "../odds/law.js";
import type { AffixSpec, ArtifactSpec, MadeObject } from "../types.js";
import { type Asked, checkPower } from "./ask.js";
import { MadeObjects } from "./madeObjects.js";

/** Indices of objects are 0 … 2^32 − 1, because the planes of their random words have 32 bits. */
export const MOST_OBJECTS = 2 ** 32;
/** Maximum number of attempts in one call of the kernel. The signal is checked between calls. */
const ATTEMPTS_OF_CALL = 1 << 16;

/**
 * A part of a batch: the index of its first object, the place of that object in the columns, and the number of objects.
 */
interface Part {
  readonly index: number;
  readonly done: number;
  readonly count: number;
}

/**
 * Makes objects into columns, batch by batch, starting at index `from`.
 *
 * @throws RollmillError `object.impossible` if the attempts run out; `object.request` if `limit.power` does not return
 * a number. Also throws any error of `limit.power`, and the reason of an aborted signal.
 */
export function makeAll(
  kernelObjects: KernelObjects,
  out: MadeObjects,
  { from, asked }: { readonly from: number; readonly asked: Asked },
  call: LongCall,
): void {
  const { batch } = kernelObjects;
  const makePart = asked.limit?.power === undefined ? makeBatch : makeJudged;
  forEachBatch({ from, total: out.length }, call, (part) => {
    for (let first = 0; first < part.count; first += batch) {
      const count = Math.min(batch, part.count - first);
      const done = part.done + first;
      makePart(kernelObjects, out, { index: from + done, done, count }, { asked, signal: call.signal });
    }
  });
}

/**
 * Makes the artifacts of objects `from` … `to` − 1, without the objects.
 *
 * @throws The errors of {@link makeAll}.
 */
export function replayAll(
  kernelObjects: KernelObjects,
  { from, to, asked }: { readonly from: number; readonly to: number; readonly asked: Asked },
  call: LongCall,
): void {
  const one = new MadeObjects(kernelObjects.plan, 1);
  forEachBatch({ from, total: to - from }, call, ({ done, count }) => {
    const index = from + done;
    if (asked.limit?.power === undefined) kernelObjects.replay(kernelObjects.begin(asked), index, count);
    else
      for (let k = 0; k < count; k++)
        makeJudged(kernelObjects, one, { index: index + k, done: 0, count: 1 }, { asked });
  });
}

interface Attempts {
  readonly asked: Asked;
  readonly signal?: AbortSignal | undefined;
}

/** Makes a part. An object that needs many attempts takes several calls of the kernel. */
function makeBatch(
  kernelObjects: KernelObjects,
  out: MadeObjects,
  { index, done, count }: Part,
  { asked, signal }: Attempts,
): void {
  const hasRequest = asked.affixes.length > 0 || asked.theme !== undefined;
  let [made, from, tried] = [0, 0, 0];
  while (made < count) {
    const most = hasRequest ? Math.min(ATTEMPTS_OF_CALL, asked.attempts - tried) : ATTEMPTS_OF_CALL;
    const address = kernelObjects.begin(asked);
    const answer = kernelObjects.make(address, { first: index + made, count: count - made, from, most });
    kernelObjects.copy(address, out, { done: done + made, count: answer.done });
    made += answer.done;
    if (made === count) return;
    tried = answer.done > 0 ? answer.attempts : tried + answer.attempts;
    from = answer.words;
    if (tried >= asked.attempts) giveUp(asked, index + made);
    signal?.throwIfAborted();
  }
}

/** Makes a part, one object at a time. `limit.power` judges each object. */
function makeJudged(
  kernelObjects: KernelObjects,
  out: MadeObjects,
  { index, done, count }: Part,
  { asked, signal }: Attempts,
): void {
  const one = new MadeObjects(kernelObjects.plan, 1);
  one.making = { level: asked.level, quality: asked.quality };
  const { most, power } = asked.limit ?? { most: 0 };
  for (let k = 0; k < count; k++) {
    one.from = index + k;
    let from = 0;
    for (let tried = 1; ; tried++) {
      const address = kernelObjects.begin(asked);
      from = kernelObjects.makeJudged(address, { index: index + k, from }, () => {
        kernelObjects.copy(address, one, { done: 0, count: 1 });
        return power !== undefined && checkPower(power(one.at(0))) > most;
      });
      kernelObjects.copy(address, one, { done: 0, count: 1 });
      if (fits(one.at(0), asked)) break;
      if (tried >= asked.attempts) giveUp(asked, index + k);
      signal?.throwIfAborted();
    }
    kernelObjects.copy(kernelObjects.begin(asked), out, { done: done + k, count: 1 });
  }
}

/** Whether an object has the requested affixes, each at least as often as requested, and the requested theme. */
function fits(object: MadeObject, asked: Asked): boolean {
  if (asked.theme !== undefined && object.theme !== asked.theme) return false;
  const times = (affixes: readonly AffixSpec[], affix: AffixSpec) => affixes.filter((other) => other === affix).length;
  return asked.affixes.every((affix) => times(asked.affixes, affix) <= times(object.affixes, affix));
}

function giveUp(asked: Asked, index: number): never {
  const wanted = [...asked.affixes, ...(asked.theme === undefined ? [] : [asked.theme])].map(({ name }) => name);
  return fail(
    error("object.impossible", {
      problem: `object ${index} did not fit the request in ${asked.attempts} attempts`,
      got: wanted.join(", "),
      expected: "affixes and a theme that are more likely together",
      remedy: "Raise attempts, name a kind that can get them, or request fewer",
    }),
  );
}

/**
 * Checks a range of objects.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkIndices(from: number, count: number): void {
  checkRange(from, count);
  if (from + count <= MOST_OBJECTS) return;
  const expected = `objects up to index ${MOST_OBJECTS - 1}`;
  fail(error("argument.range", { problem: "indices are too large", got: from + count - 1, expected }));
}

/**
 * Checks the range of a replay from object `next` to object `to` − 1.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkReplay(next: number, to: number): void {
  checkInteger("to", to, 0, MOST_OBJECTS);
  checkIndices(next, to - next);
}

/** Refuses a call that a callback of another call of the same maker makes. */
export function refuseBusy(name: string): never {
  const remedy = "Call the maker after it has finished, or use another maker";
  return fail(error("argument.busy", { problem: `${name} is making objects`, remedy }));
}

/** Refuses an affix that an object cannot get. */
export function refuseFull(object: MadeObject, added: AffixSpec): void {
  const excluding = object.affixes.find((own) => excludeEachOther(own, added));
  const refuse = (problem: string, expected: string) =>
    fail(error("object.request", { problem, got: added.name, expected, remedy: "Add the affix to another object" }));
  if (object.artifact !== undefined) refuse("an artifact cannot get an affix", "an object that is not an artifact");
  if (object.theme !== undefined) refuse("an object with a theme cannot get an affix", "an object without a theme");
  if (object.affixes.length >= MOST_AFFIXES) refuse("no slot is free", `fewer than ${MOST_AFFIXES} affixes`);
  if (excluding !== undefined) {
    refuse(`the object has ${JSON.stringify(excluding.name)}, which excludes the affix`, "another affix");
  }
}

/** Refuses an artifact that is requested for several objects, and a made artifact unless the object is its owner. */
export function refuseClaimed(
  { artifact }: Asked,
  { from, count }: { readonly from: number; readonly count: number },
  ownerOf: (artifact: ArtifactSpec) => number | undefined,
): void {
  if (artifact === undefined) return;
  const owner = ownerOf(artifact);
  if (count <= 1 && (owner ?? from) === from) return;
  fail(
    error("object.impossible", {
      problem: `a mill makes the artifact ${JSON.stringify(artifact.name)} only once`,
      got: count > 1 ? `${count} objects` : `object ${from}, but the owner is object ${owner}`,
      expected: "one object, the owner if the artifact was made",
      remedy: "Request one object, from another mill or a maker with another name",
    }),
  );
}
