import type { StreamKey } from "../address.js";
import { forEachBatch, halvesOf, type LongCall, type Progress, type Range, Watch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { type Address, type Kernel, NO_ADDRESS, Resident, Status, within } from "../kernel/index.js";
import {
  ASKED_AFFIXES,
  ASKED_SCORES,
  AskedRecord,
  MOST_AFFIXES,
  OBJECT_BATCH,
  ObjectColumns,
  ObjectQuality,
  ObjectRoom,
} from "../kernel/layout.js";
import type { ObjectPlan } from "./compile.js";
import { Claims } from "./kernel/claims.js";
import { reaches } from "./law/reach.js";
import { rollsOf } from "./law/slots.js";
import { type Asked, powerOf } from "./make/ask.js";
import { MadeObjects } from "./make/madeObjects.js";
import { whyImpossible } from "./odds/impossible.js";
import type { AffixSpec, MadeObject, ObjectFiles, ObjectScores } from "./types.js";

interface ObjectSource {
  readonly kernel: Kernel;
  readonly name: string;
  readonly stream: StreamKey;
  readonly plan: ObjectPlan;
}

const QUALITIES = { normal: ObjectQuality.NORMAL, good: ObjectQuality.GOOD, great: ObjectQuality.GREAT } as const;

const COLUMNS = /* @__PURE__ */ Object.keys(ObjectColumns.offsets) as readonly (keyof ObjectColumns)[];

export class KernelObjects {
  readonly plan: ObjectPlan;
  readonly batch = OBJECT_BATCH;
  readonly #kernel: Kernel;
  readonly #stream: StreamKey;
  readonly #resident: Resident;
  readonly claims: Claims;
  /**
   * The key of the maker that opened the kernel. All makers that share the kernel have it, so that one call runs at a
   * time.
   */
  readonly sharedKey: StreamKey;

  /** @param shared - A maker whose plan is already in the kernel. The new maker uses the same plan. */
  constructor({ kernel, name, stream, plan }: ObjectSource, shared?: KernelObjects) {
    this.plan = plan;
    this.#kernel = kernel;
    this.#stream = stream;
    this.claims = shared?.claims ?? new Claims(plan.files.artifacts);
    this.sharedKey = shared?.sharedKey ?? stream;
    this.#resident =
      (shared === undefined ? undefined : shared.#resident) ??
      new Resident(kernel, `objects ${name}`, (exports) => {
        const address = exports.allocate(plan.image.length);
        if (address === 0) return address;
        kernel.u8(address, plan.image.length).set(plan.image);
        return exports.buildObjects(address) === Status.OK ? address : NO_ADDRESS;
      });
  }

  /** Writes the request and the claims to the kernel for the next calls. Returns the address of the plan. */
  begin(asked: Asked): Address {
    const address = this.#resident.address;
    const kernel = this.#kernel;
    const room = this.#room(address);
    const request = within(address, room.asked);
    const { files } = this.plan;
    kernel.write(request, AskedRecord, askedRecord(files, asked));
    const must = kernel.u16(within(request, ASKED_AFFIXES), MOST_AFFIXES);
    must.set(asked.affixes.map((affix) => files.affixes.indexOf(affix)));
    if (isSelective(asked)) {
      kernel.u8(within(address, room.able), files.kinds.length).set(ableKinds(files, asked));
    }
    if (asked.limit?.scores !== undefined) this.#writeScores(within(request, ASKED_SCORES), asked.limit.scores);
    const { cells } = this.claims;
    kernel.u32(within(address, room.claims), cells.length).set(cells);
    return address;
  }

  /**
   * Makes up to `count` objects from index `first`. `done` is the number of objects made. If it is less than `count`,
   * the next object needs more than `most` attempts: it has used `attempts` in this call and has read `words` random
   * words. To continue with it, pass `words` as `from` to the next call.
   */
  make(address: Address, { first, count, from, most }: { first: number; count: number; from: number; most: number }) {
    const [low, high] = halvesOf(first);
    const made = this.#kernel.run(this.#stream, (exports) => {
      const done = exports.makeObjects(address, low, high, count, from, most) >>> 0;
      return { done, words: exports.wordsOfObject() >>> 0, attempts: exports.attemptsMade() >>> 0 };
    });
    this.#readClaims(address);
    return made;
  }

  replay(address: Address, first: number, count: number): void {
    const [low, high] = halvesOf(first);
    this.#kernel.run(this.#stream, (exports) => exports.replayArtifacts(address, low, high, count));
    this.#readClaims(address);
  }

  /**
   * Makes one object as object 0 of the batch. If `isTooMuch` returns true, the kernel removes the last affix and the
   * theme that followed it. Returns the number of words that the object read.
   */
  makeJudged(address: Address, { index, from }: { index: number; from: number }, isTooMuch: () => boolean): number {
    const call = (job: "nextAffix" | "nextTheme" | "undo" | "closeObject") =>
      this.#kernel.run(this.#stream, (exports) => exports[job]()) !== 0;
    const judge = () => {
      this.#kernel.call((exports) => exports.showObject(0));
      return isTooMuch();
    };
    const [low, high] = halvesOf(index);
    if (this.#kernel.run(this.#stream, (exports) => exports.openObject(address, low, high, from)) === 0) {
      while (call("nextAffix")) if (judge() || (call("nextTheme") && judge())) call("undo");
      call("closeObject");
    }
    this.#kernel.call((exports) => exports.showObject(0));
    this.#readClaims(address);
    return this.#kernel.call((exports) => exports.wordsOfObject()) >>> 0;
  }

  /** A theme can follow, as after any affix. The result is object 0 of the batch. */
  add(address: Address, object: MadeObject, affix: number): void {
    this.#write(address, object);
    const [low, high] = halvesOf(object.index);
    this.#kernel.run(this.#stream, (exports) => {
      exports.addToObject(address, low, high, affix);
      exports.nextTheme();
      exports.showObject(0);
    });
  }

  /** Copies the first `count` objects of the last batch. Object 0 of the batch becomes entry `done` of `objects`. */
  copy(
    address: Address,
    objects: MadeObjects,
    { done, count }: { readonly done: number; readonly count: number },
  ): void {
    const kernel = this.#kernel;
    const { bits } = this.plan;
    const { columns, affixColumn, depthColumn, flagColumn, pvalColumn } = this.#room(address);
    for (const name of COLUMNS) {
      const column = objects[name];
      const from = within(address, columns + OBJECT_BATCH * ObjectColumns.offsets[name]);
      if (column instanceof Uint16Array) column.set(kernel.u16(from, count), done);
      else if (column instanceof Int16Array) column.set(kernel.i16(from, count), done);
      else column.set(kernel.u32(from, count), done);
    }
    const pvals = bits.pvalNames.length;
    objects.affixes.set(kernel.u16(within(address, affixColumn), count * MOST_AFFIXES), done * MOST_AFFIXES);
    objects.depths.set(kernel.u16(within(address, depthColumn), count * MOST_AFFIXES), done * MOST_AFFIXES);
    objects.flags.set(kernel.u32(within(address, flagColumn), count * bits.words), done * bits.words);
    objects.pvals.set(kernel.i16(within(address, pvalColumn), count * pvals), done * pvals);
  }

  #room(address: Address): ObjectRoom {
    return this.#kernel.read(within(address, this.plan.room), ObjectRoom);
  }

  #write(address: Address, object: MadeObject): void {
    const { files, bits } = this.plan;
    const kernel = this.#kernel;
    const numbers: ObjectColumns = {
      words: object.words,
      kind: files.kinds.indexOf(object.kind),
      artifact: 0,
      theme: 0,
      affixLevel: object.affixLevel + 1,
      slots: object.slots,
      affixCount: object.affixes.length,
      toHit: object.toHit,
      toDam: object.toDam,
      toAc: object.toAc,
      ac: object.ac,
      dice: object.dice,
      sides: object.sides,
      weight: object.weight,
    };
    const { columns, affixColumn, depthColumn, flagColumn, pvalColumn } = this.#room(address);
    for (const name of COLUMNS) {
      const at = within(address, columns + OBJECT_BATCH * ObjectColumns.offsets[name]);
      if (name === "words") kernel.u32(at, 1)[0] = numbers[name];
      else kernel.u16(at, 1)[0] = numbers[name];
    }
    const affixes = kernel.u16(within(address, affixColumn), MOST_AFFIXES).fill(0);
    affixes.set(object.affixes.map((affix) => files.affixes.indexOf(affix) + 1));
    kernel.u16(within(address, depthColumn), MOST_AFFIXES).fill(0).set(object.depths);
    kernel.u32(within(address, flagColumn), bits.words).set(bits.mask(object.flags));
    const pvals = kernel.i16(within(address, pvalColumn), bits.pvalNames.length);
    pvals.set(bits.pvalNames.map((name) => object.pvals[name] ?? 0));
  }

  /** A score for each bit of a flag mask, then a score for each flag with a value. */
  #writeScores(address: Address, { flags = {} }: ObjectScores): void {
    const { bits } = this.plan;
    const flagBits = 8 * bits.flagBytes;
    const scores = this.#kernel.i32(address, flagBits + bits.pvalNames.length).fill(0);
    for (const [name, score] of Object.entries(flags)) {
      scores[bits.hasBit(name) ? bits.bit(name) : flagBits + bits.pval(name)] = score;
    }
  }

  #readClaims(address: Address): void {
    const { cells } = this.claims;
    cells.set(this.#kernel.u32(within(address, this.#room(address).claims), cells.length));
  }
}

function isSelective({ affixes, theme }: Asked): boolean {
  return affixes.length > 0 || theme !== undefined;
}

function askedRecord(files: ObjectFiles, asked: Asked): AskedRecord {
  const numberIn = <T>(records: readonly T[], record: T | undefined) =>
    record === undefined ? 0 : records.indexOf(record) + 1;
  const scores = asked.limit?.scores;
  const most = scores === undefined ? 0 : (asked.limit?.most ?? 0);
  return {
    level: asked.level,
    quality: QUALITIES[asked.quality],
    kind: numberIn(files.kinds, asked.kind),
    tval: asked.tval ?? 0,
    affixLevel: (asked.affixLevel ?? -1) + 1,
    ...rollsOf(files.constants, asked),
    triesArtifacts: Number(asked.artifacts && !isSelective(asked)),
    isSelective: Number(isSelective(asked)),
    affixCount: asked.affixes.length,
    theme: numberIn(files.themes, asked.theme),
    artifact: numberIn(files.artifacts, asked.artifact),
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

/**
 * For each kind, 1 if the requested theme and all requested affixes have `T` lines that match it at some depth, else 0.
 */
function ableKinds({ kinds }: ObjectFiles, { affixes, theme }: Asked): readonly number[] {
  const all = theme === undefined ? affixes : [...affixes, theme];
  return kinds.map((kind) => Number(all.every(({ targets }) => reaches(targets, kind))));
}

// ── many objects ──

/** The abort signal is checked between calls of the kernel with this many attempts. */
const ATTEMPTS_OF_CALL = 1 << 12;

/** The objects of one batch: `index` is that of the first object, which is stored in entry `done` of the columns. */
interface Part {
  readonly index: number;
  readonly done: number;
  readonly count: number;
}

interface AskedRange extends Range {
  readonly asked: Asked;
}

/**
 * Makes objects in parts of at most OBJECT_BATCH objects. Calls `written` after each part.
 *
 * @throws RollmillError `object.impossible` if the attempts run out; `argument.callback`, `object.request` if
 * `limit.power` fails. Also throws the reason of an aborted signal.
 */
export function makeParts(
  kernelObjects: KernelObjects,
  { asked, ...range }: AskedRange,
  call: LongCall,
  { columns, written }: { readonly columns: PartColumns; readonly written?: (out: MadeObjects, count: number) => void },
): void {
  const { batch } = kernelObjects;
  const isJudged = asked.limit?.power !== undefined;
  const makePart = isJudged ? makeJudged : makeBatch;
  // the caller's function judges each object and may be slow, so the first batch has only one object
  forEachBatch(isJudged ? { ...range, first: 1 } : range, call, (part, watch) => {
    for (let first = 0; first < part.count; first += batch) {
      const count = Math.min(batch, part.count - first);
      const made = part.done + first;
      const { out, done } = columns(made);
      makePart(kernelObjects, out, { index: range.from + made, done, count }, { asked, name: range.name, made, watch });
      written?.(out, count);
      if (made + count < range.total) watch.look();
    }
  });
}

/**
 * `made` is the number of objects that the call has made before the part. The part begins at entry `done` of the
 * columns.
 */
type PartColumns = (made: number) => { readonly out: MadeObjects; readonly done: number };

export function makeAll(kernelObjects: KernelObjects, out: MadeObjects, range: AskedRange, call: LongCall): void {
  makeParts(kernelObjects, range, call, { columns: (done) => ({ out, done }) });
}

/** After this many objects, a replay checks whether any artifact can still be made. */
const OBJECTS_AT_ONCE = 2 ** 20;

/**
 * Makes only the artifacts among the objects of a range. Stops after the last artifact that the request can make: the
 * objects after it change nothing.
 */
export function replayAll(kernelObjects: KernelObjects, { asked, ...range }: AskedRange, call: LongCall): void {
  const one = new MadeObjects(kernelObjects.plan, 1);
  const { name, from, total } = range;
  const { signal, onProgress } = call;
  const isArtifactLeft = artifactsLeft(kernelObjects, asked, new Watch(name, total, { signal }));
  const isJudged = asked.limit?.power !== undefined;
  let done = 0;
  while (done < total && isArtifactLeft()) {
    const before = done;
    const report = onProgress && ((progress: Progress) => onProgress({ done: before + progress.done, total }));
    const part = { name, from: from + before, total: Math.min(OBJECTS_AT_ONCE, total - before) };
    forEachBatch(isJudged ? { ...part, first: 1 } : part, { signal, onProgress: report }, (batch, watch) => {
      const index = part.from + batch.done;
      if (!isJudged) kernelObjects.replay(kernelObjects.begin(asked), index, batch.count);
      for (let k = 0; isJudged && k < batch.count; k++) {
        const attempts = { asked, name, made: batch.done, watch };
        makeJudged(kernelObjects, one, { index: index + k, done: 0, count: 1 }, attempts);
      }
    });
    done += part.total;
  }
  if (done < total) new Watch(name, total, call).passed(total);
}

/**
 * Returns a function that tells whether a request can still make an artifact. All its calls together cost O(kinds) for
 * each artifact without `Q` lines, and one call of {@link whyImpossible} for each artifact with `Q` lines.
 */
function artifactsLeft({ plan: { files }, claims }: KernelObjects, asked: Asked, watch: Watch): () => boolean {
  let first = 0;
  const isOut = (index: number) =>
    claims.isMade(index) || whyImpossible(files, { ...asked, artifact: files.artifacts[index] }, watch) !== undefined;
  let isLeft = false;
  return () => {
    // an earlier call found that the request can make the artifact `first`. This stays true until the artifact is made
    if (isLeft && !claims.isMade(first)) return true;
    while (first < files.artifacts.length && isOut(first)) first++;
    isLeft = first < files.artifacts.length;
    return isLeft;
  };
}

interface Attempts {
  readonly asked: Asked;
  readonly name: string;
  readonly made: number;
  readonly watch: Watch;
}

/** An object that needs many attempts takes several calls of the kernel. */
function makeBatch(
  kernelObjects: KernelObjects,
  out: MadeObjects,
  { index, done, count }: Part,
  { asked, made: before, watch }: Attempts,
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
    watch.passed(before + made);
  }
}

function makeJudged(
  kernelObjects: KernelObjects,
  out: MadeObjects,
  { index, done, count }: Part,
  { asked, name, made, watch }: Attempts,
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
        const isTooMuch = power !== undefined && powerOf(power, one, name) > most;
        watch.look();
        return isTooMuch;
      });
      kernelObjects.copy(address, one, { done: 0, count: 1 });
      if (fits(one.at(0), asked)) break;
      if (tried >= asked.attempts) giveUp(asked, index + k);
      watch.passed(made + k);
    }
    kernelObjects.copy(kernelObjects.begin(asked), out, { done: done + k, count: 1 });
  }
}

/** The object must have the requested theme, and each requested affix at least as often as the request lists it. */
function fits(object: MadeObject, asked: Asked): boolean {
  if (asked.theme !== undefined && object.theme !== asked.theme) return false;
  const times = (affixes: readonly AffixSpec[], affix: AffixSpec) => affixes.filter((other) => other === affix).length;
  return asked.affixes.every((affix) => times(asked.affixes, affix) <= times(object.affixes, affix));
}

function giveUp(asked: Asked, index: number): never {
  const records = [...asked.affixes, ...(asked.theme === undefined ? [] : [asked.theme])];
  const wanted = records.map(({ name }) => JSON.stringify(name)).join(" and ");
  return fail(
    error("object.impossible", {
      problem: `object ${index} did not get ${wanted} in ${asked.attempts} attempts`,
      expected: "affixes and a theme that are more likely together",
      remedy: 'Raise "attempts", name a kind that gets these records more often, or request fewer affixes',
    }),
  );
}
