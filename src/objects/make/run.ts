import { forEachBatch, type LongCall } from "../../calls/index.js";
import type { KernelObjects } from "../kernel.js";
import type { Asked } from "./ask.js";
import { checkPower } from "./checkOptions.js";
import { Objects } from "./objects.js";
import { giveUp, isAsAsked } from "./requests.js";

/** Attempts of one call into the kernel, some 20 ms: between calls a signal is looked at. */
const ATTEMPTS_OF_CALL = 1 << 16;

/** Objects of a call: the first one's index, how many came before it, how many there are. */
interface BatchOfObjects {
  readonly index: number;
  readonly done: number;
  readonly count: number;
}

/**
 * Makes objects from index `from` on, batch by batch, into columns that have room for them.
 *
 * @throws RollmillError `object.request` for one that is not met in the attempts allowed, or for a power that is no number;
 * what the caller's own measure throws; the reason of an aborted signal.
 */
export function makeAll(
  kernelObjects: KernelObjects,
  objects: Objects,
  { from, asked }: { readonly from: number; readonly asked: Asked },
  call: LongCall,
): void {
  const { batch } = kernelObjects;
  const makePart = asked.limit?.power === undefined ? makeBatch : makeJudged;
  forEachBatch({ from, total: objects.length }, call, (part) => {
    for (let first = 0; first < part.count; first += batch) {
      const count = Math.min(batch, part.count - first);
      const done = part.done + first;
      makePart(kernelObjects, objects, { index: from + done, done, count }, { asked, signal: call.signal });
    }
  });
}

/**
 * Settles the artifacts of objects `from` … `to` − 1, as making them would.
 *
 * @throws RollmillError as {@link makeAll}.
 */
export function replayAll(
  kernelObjects: KernelObjects,
  { from, to, asked }: { readonly from: number; readonly to: number; readonly asked: Asked },
  call: LongCall,
): void {
  const one = new Objects(kernelObjects.plan, 1);
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

/** Makes a batch; objects that need many attempts take several calls. */
function makeBatch(
  kernelObjects: KernelObjects,
  objects: Objects,
  { index, done, count }: BatchOfObjects,
  { asked, signal }: Attempts,
): void {
  const restless = asked.affixes.length > 0 || asked.theme !== undefined;
  let [made, from, tried] = [0, 0, 0];
  while (made < count) {
    const most = restless ? Math.min(ATTEMPTS_OF_CALL, asked.attempts - tried) : ATTEMPTS_OF_CALL;
    const address = kernelObjects.begin(asked);
    const answer = kernelObjects.make(address, { first: index + made, count: count - made, from, most });
    kernelObjects.copy(address, objects, { done: done + made, count: answer.done });
    made += answer.done;
    if (made === count) return;
    tried = answer.done > 0 ? answer.attempts : tried + answer.attempts;
    from = answer.words;
    if (tried >= asked.attempts) giveUp(asked, index + made);
    signal?.throwIfAborted();
  }
}

/** Makes a batch object by object, each judged by the caller's own measure. */
function makeJudged(
  kernelObjects: KernelObjects,
  objects: Objects,
  { index, done, count }: BatchOfObjects,
  { asked, signal }: Attempts,
): void {
  const one = new Objects(kernelObjects.plan, 1);
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
      if (isAsAsked(one.at(0), asked)) break;
      if (tried >= asked.attempts) giveUp(asked, index + k);
      signal?.throwIfAborted();
    }
    kernelObjects.copy(kernelObjects.begin(asked), objects, { done: done + k, count: 1 });
  }
}
