import type { StreamKey } from "../address.js";
import { forEachBatch, halvesOf, type LongCall, type Range, type Scope, type Setup, Watch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import {
  type Address,
  copyColumn,
  type Kernel,
  type KernelExports,
  NO_ADDRESS,
  Resident,
  Status,
  within,
} from "../kernel/index.js";
import {
  MOST_AFFIXES,
  OBJECT_BATCH,
  ObjectColumns,
  ObjectQuality,
  ObjectRoom,
  REQUEST_AFFIXES,
  REQUEST_SCORES,
  RequestRecord,
} from "../kernel/layout.js";
import type { ObjectPlan } from "./compile.js";
import { Owners } from "./kernel/owners.js";
import { reaches } from "./law/reach.js";
import { rollsOf } from "./law/slots.js";
import { MadeObjects } from "./make/madeObjects.js";
import { powerOf } from "./make/request.js";
import { type ObjectRequest, whyImpossible } from "./odds/impossible.js";
import type { AffixSpec, MadeObject, ObjectFiles, ObjectScores } from "./types.js";

const QUALITIES = { normal: ObjectQuality.NORMAL, good: ObjectQuality.GOOD, great: ObjectQuality.GREAT } as const;

const COLUMNS = /* @__PURE__ */ Object.keys(ObjectColumns.offsets) as readonly (keyof ObjectColumns)[];

/** A plan in the kernel. A maker and its forks share it, and only one of them runs a call at a time. */
export class KernelObjects {
  readonly plan: ObjectPlan;
  readonly owners: Owners;
  /** The stream of the maker that runs the current call. At first, the stream of the maker that opened the kernel. */
  stream: StreamKey;
  readonly #kernel: Kernel;
  readonly #resident: Resident;
  #built: ObjectRoom | undefined;
  #request: ObjectRequest | undefined;

  constructor({
    kernel,
    name,
    stream,
    plan,
  }: Omit<Setup<ObjectPlan>, "stream"> & { readonly stream: Pick<Scope, "key"> }) {
    this.plan = plan;
    this.owners = new Owners(plan.files.artifacts);
    this.stream = stream.key;
    this.#kernel = kernel;
    this.#resident = new Resident(kernel, `objects ${name}`, (exports) => {
      const address = exports.allocate(plan.image.length);
      if (address === 0) return address;
      kernel.u8(address, plan.image.length).set(plan.image);
      if (exports.buildObjects(address) !== Status.OK) return NO_ADDRESS;
      this.#built = kernel.read(within(address, plan.room), ObjectRoom);
      this.#request = undefined;
      return address;
    });
  }

  /** Prepares the kernel for the next calls: writes the claims, and the request unless the kernel already has it. */
  begin(request: ObjectRequest): void {
    const { cells } = this.owners;
    const { address } = this.#resident;
    const { request: at, able, claims } = this.#roomNow();
    this.#kernel.u32(within(address, claims), cells.length).set(cells);
    if (this.#request === request) return;
    const { files } = this.plan;
    const { affixes, theme, limit } = request;
    this.#kernel.write(within(address, at), RequestRecord, requestRecord(files, request));
    const must = this.#kernel.u16(within(address, at + REQUEST_AFFIXES), MOST_AFFIXES);
    must.set(affixes.map((affix) => files.affixes.indexOf(affix)));
    if (isSelective(request)) {
      // marks each kind for which the theme and every affix have a `T` line, regardless of depths
      const all = theme === undefined ? affixes : [...affixes, theme];
      const canFit = files.kinds.map((kind) => Number(all.every(({ targets }) => reaches(targets, kind))));
      this.#kernel.u8(within(address, able), canFit.length).set(canFit);
    }
    if (limit?.scores !== undefined) this.#writeScores(within(address, at + REQUEST_SCORES), limit.scores);
    this.#request = request;
  }

  /**
   * Makes up to `count` objects from index `first`, and returns their number as `done`. If `done` is less than `count`,
   * the next object did not succeed in `most` attempts. `attempts` is the number of its attempts in this call, `words`
   * the number of random words that it has read. To continue this object, pass `words` as `from` to the next call.
   */
  make({ first, count, from, most }: { first: number; count: number; from: number; most: number }) {
    const made = this.#run(first, (exports, ...index) => {
      const done = exports.makeObjects(...index, count, from, most) >>> 0;
      return { done, words: exports.wordsOfObject() >>> 0, attempts: exports.attemptsMade() >>> 0 };
    });
    this.#readOwners();
    return made;
  }

  replay(first: number, count: number): void {
    this.#run(first, (exports, ...index) => exports.replayArtifacts(...index, count));
    this.#readOwners();
  }

  /**
   * Makes one object as object 0 of the batch. If `isTooMuch` returns true, the kernel removes the last affix and the
   * theme that followed it. Returns the number of words that the object read.
   */
  makeJudged({ index, from }: { index: number; from: number }, isTooMuch: () => boolean): number {
    const call = (job: "nextAffix" | "nextTheme" | "undo" | "closeObject") =>
      this.#kernel.run(this.stream, (exports) => exports[job]()) !== 0;
    const judge = () => {
      this.#kernel.call((exports) => exports.showObject(0));
      return isTooMuch();
    };
    if (this.#run(index, (exports, ...place) => exports.openObject(...place, from)) === 0) {
      while (call("nextAffix")) if (judge() || (call("nextTheme") && judge())) call("undo");
      call("closeObject");
    }
    this.#kernel.call((exports) => exports.showObject(0));
    this.#readOwners();
    return this.#kernel.call((exports) => exports.wordsOfObject()) >>> 0;
  }

  /** Adds an affix to an object, and perhaps a theme, as after any affix. The result is object 0 of the batch. */
  add(object: MadeObject, affix: number): void {
    this.#write(object);
    this.#run(object.index, (exports, ...index) => {
      exports.addToObject(...index, affix);
      exports.nextTheme();
      exports.showObject(0);
    });
  }

  /** Copies the first `count` objects of the last batch. Object 0 of the batch becomes entry `done` of `objects`. */
  copy(objects: MadeObjects, { done, count }: { done: number; count: number }): void {
    const kernel = this.#kernel;
    const { bits } = this.plan;
    const { columns, affixColumn, depthColumn, flagColumn, pvalColumn } = this.#roomNow();
    for (const name of COLUMNS) {
      copyColumn(kernel, this.#at(columns + OBJECT_BATCH * ObjectColumns.offsets[name]), objects[name], done, count);
    }
    const pvals = bits.pvalNames.length;
    copyColumn(kernel, this.#at(affixColumn), objects.affixes, done * MOST_AFFIXES, count * MOST_AFFIXES);
    copyColumn(kernel, this.#at(depthColumn), objects.depths, done * MOST_AFFIXES, count * MOST_AFFIXES);
    copyColumn(kernel, this.#at(flagColumn), objects.flags, done * bits.words, count * bits.words);
    copyColumn(kernel, this.#at(pvalColumn), objects.pvals, done * pvals, count * pvals);
  }

  #at(offset: number): Address {
    return within(this.#resident.address, offset);
  }

  #roomNow(): ObjectRoom {
    // the cast is safe: `begin` comes first, and builds the plan
    return this.#built as ObjectRoom;
  }

  #run<T>(index: number, job: (exports: KernelExports, plan: Address, low: number, high: number) => T): T {
    const { address } = this.#resident;
    return this.#kernel.run(this.stream, (exports) => job(exports, address, ...halvesOf(index)));
  }

  #write(object: MadeObject): void {
    const { files, bits } = this.plan;
    const kernel = this.#kernel;
    const kind = files.kinds.indexOf(object.kind);
    const [affixLevel, affixCount] = [object.affixLevel + 1, object.affixes.length];
    const numbers: ObjectColumns = { ...object, kind, artifact: 0, theme: 0, affixLevel, affixCount };
    const { columns, affixColumn, depthColumn, flagColumn, pvalColumn } = this.#roomNow();
    for (const name of COLUMNS) {
      const at = this.#at(columns + OBJECT_BATCH * ObjectColumns.offsets[name]);
      if (name === "words") kernel.u32(at, 1)[0] = numbers[name];
      else kernel.u16(at, 1)[0] = numbers[name];
    }
    const affixes = kernel.u16(this.#at(affixColumn), MOST_AFFIXES).fill(0);
    affixes.set(object.affixes.map((affix) => files.affixes.indexOf(affix) + 1));
    kernel.u16(this.#at(depthColumn), MOST_AFFIXES).fill(0).set(object.depths);
    kernel.u32(this.#at(flagColumn), bits.words).set(bits.mask(object.flags));
    const pvals = kernel.i16(this.#at(pvalColumn), bits.pvalNames.length);
    pvals.set(bits.pvalNames.map((name) => object.pvals[name] ?? 0));
  }

  /** Writes a score for each bit of a flag mask, then a score for each flag with a value. */
  #writeScores(address: Address, { flags = {} }: ObjectScores): void {
    const { bits } = this.plan;
    const flagBits = 8 * bits.flagBytes;
    const scores = this.#kernel.i32(address, flagBits + bits.pvalNames.length).fill(0);
    for (const [name, score] of Object.entries(flags)) {
      scores[bits.hasBit(name) ? bits.bit(name) : flagBits + bits.pval(name)] = score;
    }
  }

  #readOwners(): void {
    const { cells } = this.owners;
    cells.set(this.#kernel.u32(this.#at(this.#roomNow().claims), cells.length));
  }
}

function isSelective({ affixes, theme }: ObjectRequest): boolean {
  return affixes.length > 0 || theme !== undefined;
}

export function requestRecord(files: ObjectFiles, request: ObjectRequest): RequestRecord {
  const numberIn = <T>(records: readonly T[], record: T | undefined) =>
    record === undefined ? 0 : records.indexOf(record) + 1;
  const scores = request.limit?.scores;
  const most = scores === undefined ? 0 : (request.limit?.most ?? 0);
  return {
    level: request.level,
    quality: QUALITIES[request.quality],
    kind: numberIn(files.kinds, request.kind),
    tval: request.tval ?? 0,
    affixLevel: (request.affixLevel ?? -1) + 1,
    ...rollsOf(files.constants, request),
    triesArtifacts: Number(request.artifacts && !isSelective(request)),
    isSelective: Number(isSelective(request)),
    affixCount: request.affixes.length,
    theme: numberIn(files.themes, request.theme),
    artifact: numberIn(files.artifacts, request.artifact),
    isLimited: Number(scores !== undefined),
    limitLow: most % 2 ** 32,
    limitHigh: Math.floor(most / 2 ** 32),
    toHitScore: scores?.toHit ?? 0,
    toDamScore: scores?.toDam ?? 0,
    toAcScore: scores?.toAc ?? 0,
    acScore: scores?.ac ?? 0,
    diceScore: scores?.dice ?? 0,
  };
}

/** Maximum number of attempts of one call of the kernel. The abort signal is checked between the calls. */
const ATTEMPTS_OF_CALL = 1 << 12;

type ObjectRange = Range & { readonly request: ObjectRequest };

/** The caller's function `limit.power` may be slow. So the first batch of a call with `power` has only one object. */
function batchesOf(range: ObjectRange): ObjectRange {
  return range.request.limit?.power === undefined ? range : { ...range, first: 1 };
}

/**
 * Makes objects in parts of at most OBJECT_BATCH objects. With `written`, each part begins at entry 0 of `out`, and
 * `written` runs after each part. Otherwise, `out` has room for all objects.
 * @throws RollmillError `object.impossible` if the attempts run out; `argument.callback`, `object.request` if
 * `limit.power` fails. Also throws the reason of an aborted signal.
 */
export function makeParts(
  kernelObjects: KernelObjects,
  range: ObjectRange,
  call: LongCall,
  { out, written }: { readonly out: MadeObjects; readonly written?: (count: number) => void },
): void {
  const makePart = range.request.limit?.power === undefined ? makeBatch : makeJudged;
  forEachBatch(batchesOf(range), call, (batch, watch) => {
    for (let first = 0; first < batch.count; first += OBJECT_BATCH) {
      const count = Math.min(OBJECT_BATCH, batch.count - first);
      const made = batch.done + first;
      const done = written === undefined ? made : 0;
      makePart(kernelObjects, out, { range, watch, made, done, count });
      written?.(count);
      if (made + count < range.total) watch.look();
    }
  });
}

/** Makes only the artifacts among the objects of a range. Stops when the request can make no more artifacts. */
export function replayAll(kernelObjects: KernelObjects, range: ObjectRange, call: LongCall): void {
  const one = new MadeObjects(kernelObjects.plan, 1);
  const { request, name, from, total } = range;
  const hasArtifact = remainingArtifacts(kernelObjects, request, new Watch(name, total, { signal: call.signal }));
  forEachBatch(batchesOf(range), call, (batch, watch) => {
    if (!hasArtifact()) return "stop";
    const { done, count } = batch;
    if (request.limit?.power === undefined) {
      kernelObjects.begin(request);
      kernelObjects.replay(from + done, count);
    } else {
      for (let k = 0; k < count; k++)
        makeJudged(kernelObjects, one, { range, watch, made: done + k, done: 0, count: 1 });
    }
    return undefined;
  });
}

/** Returns a function that checks with {@link whyImpossible} if a request can still make any of the artifacts. */
function remainingArtifacts({ plan: { files }, owners }: KernelObjects, request: ObjectRequest, watch: Watch) {
  let first = 0;
  const isOut = (index: number) =>
    owners.isMade(index) || whyImpossible(files, { ...request, artifact: files.artifacts[index] }, watch) !== undefined;
  let hasMore = false;
  return () => {
    // an earlier call found that the request can make the artifact `first`. This stays true until the artifact is made
    if (hasMore && !owners.isMade(first)) return true;
    while (first < files.artifacts.length && isOut(first)) first++;
    hasMore = first < files.artifacts.length;
    return hasMore;
  };
}

/** Some objects of a call that has made `made` objects before them. The first becomes entry `done` of the columns. */
type Part = { readonly range: ObjectRange; readonly watch: Watch; made: number; done: number; count: number };

function makeBatch(kernelObjects: KernelObjects, out: MadeObjects, part: Part): void {
  const { range, done, count, made: before, watch } = part;
  const { request } = range;
  const index = range.from + before;
  let [made, from, tried] = [0, 0, 0];
  while (made < count) {
    const most = isSelective(request) ? Math.min(ATTEMPTS_OF_CALL, request.attempts - tried) : ATTEMPTS_OF_CALL;
    kernelObjects.begin(request);
    const answer = kernelObjects.make({ first: index + made, count: count - made, from, most });
    kernelObjects.copy(out, { done: done + made, count: answer.done });
    made += answer.done;
    if (made === count) return;
    tried = answer.done > 0 ? answer.attempts : tried + answer.attempts;
    from = answer.words;
    if (tried >= request.attempts) giveUp(request, index + made);
    watch.passed(before + made);
  }
}

function makeJudged(kernelObjects: KernelObjects, out: MadeObjects, part: Part): void {
  const { range, done, count, made, watch } = part;
  const { request, name } = range;
  const index = range.from + made;
  const one = new MadeObjects(kernelObjects.plan, 1);
  one.making = { level: request.level, quality: request.quality };
  const { most, power } = request.limit ?? { most: 0 };
  for (let k = 0; k < count; k++) {
    one.from = index + k;
    let from = 0;
    for (let tried = 1; ; tried++) {
      kernelObjects.begin(request);
      from = kernelObjects.makeJudged({ index: index + k, from }, () => {
        kernelObjects.copy(one, { done: 0, count: 1 });
        const isTooMuch = power !== undefined && powerOf(power, one, name) > most;
        watch.look();
        return isTooMuch;
      });
      kernelObjects.copy(one, { done: 0, count: 1 });
      if (fits(one.at(0), request)) break;
      if (tried >= request.attempts) giveUp(request, index + k);
      watch.passed(made + k);
    }
    kernelObjects.copy(out, { done: done + k, count: 1 });
  }
}

function fits(object: MadeObject, request: ObjectRequest): boolean {
  if (request.theme !== undefined && object.theme !== request.theme) return false;
  const times = (affixes: readonly AffixSpec[], affix: AffixSpec) => affixes.filter((other) => other === affix).length;
  return request.affixes.every((affix) => times(request.affixes, affix) <= times(object.affixes, affix));
}

function giveUp(request: ObjectRequest, index: number): never {
  const records = [...request.affixes, ...(request.theme === undefined ? [] : [request.theme])];
  const wanted = records.map(({ name }) => JSON.stringify(name)).join(" and ");
  return fail(
    error("object.impossible", {
      problem: `object ${index} did not get ${wanted} in ${request.attempts} attempts`,
      expected: "affixes and a theme that are more likely together",
      remedy: 'Raise "attempts", name a kind that gets these records more often, or request fewer affixes',
    }),
  );
}
