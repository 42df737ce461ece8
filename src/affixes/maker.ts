import { checkRange } from "../address.js";
import { forEachBatch } from "../batches.js";
import { error, fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import { type Asked, checkArtifact, find, readAsked } from "./ask.js";
import type { ObjectPlan } from "./compile.js";
import { type Claim, KernelObjects } from "./kernelObjects.js";
import { Objects } from "./objects.js";
import type { MakeObjectsOptions } from "./options.js";
import { giveUp, isAsAsked, refuseFull } from "./requests.js";
import type { ObjectState } from "./state.js";
import type { MadeObject, ObjectFiles } from "./types.js";

/** An object's words are a plane: its index is 0 … 2^32 − 1. */
const MOST_OBJECTS = 2 ** 32;
/** Attempts of one call into the kernel: some 20 ms, between which progress is told and a signal is looked at. */
const ATTEMPTS_OF_CALL = 1 << 16;
/** Objects whose artifacts are settled in one call. */
const REPLAYED_AT_ONCE = 1 << 16;

/**
 * Makes objects from edit files. Object k is a function of (seed, name, k), of what is asked, and of the artifacts that were
 * made before: each is made once in a mill. An object that is made again is the same again, its own artifact included.
 */
export class ObjectMaker {
  readonly name: string;
  /** Index of the next object. */
  next = 0;
  readonly #objects: KernelObjects;
  /** A power is being asked: the kernel is amid an object. */
  #isBusy = false;
  readonly #digest: () => string;

  /** @internal */
  constructor(
    kernel: Kernel,
    plan: ObjectPlan,
    {
      name,
      purpose,
      digest,
      restored,
    }: {
      readonly name: string;
      readonly purpose: number;
      readonly digest: () => string;
      readonly restored: ObjectState | undefined;
    },
  ) {
    this.name = name;
    this.#digest = digest;
    this.#objects = new KernelObjects(kernel, plan, { name, purpose });
    if (restored !== undefined) this.#objects.claims = restored.made;
  }

  /** What the edit files say. */
  get files(): ObjectFiles {
    return this.#objects.plan.files;
  }

  /** The artifacts that were made, and by which objects, in the order of their numbers. */
  get made(): readonly Claim[] {
    return this.#objects.claims;
  }

  /** @internal What a snapshot keeps: which artifacts are made, under which edit files. */
  state(): ObjectState {
    return { files: this.#digest(), made: this.made };
  }

  /**
   * The next object, or object `from`.
   *
   * Cost: a few µs; in bulk an object takes a tenth of that.
   *
   * @throws RollmillError as {@link makeMany}.
   */
  make(options: MakeObjectsOptions): MadeObject {
    return this.makeMany(1, options).at(0);
  }

  /**
   * `count` objects as columns, in the order of their indices. An aborted or failed call makes no artifact.
   *
   * Cost: some 0.3 µs an object, about a hundred bytes each; with `with` or `theme` that much for each object thrown away.
   *
   * @throws RollmillError `argument.range`, `argument.type`, `object.request`, `object.impossible`.
   */
  makeMany(count: number, options: MakeObjectsOptions): Objects {
    checkObjects(options.from ?? this.next, count);
    return this.makeInto(new Objects(this.#objects.plan, count), options);
  }

  /**
   * Makes as many objects as `objects`, of this maker, has room for, and returns it.
   *
   * @throws RollmillError as {@link makeMany}; `argument.type` for objects of other files.
   */
  makeInto(objects: Objects, options: MakeObjectsOptions): Objects {
    this.#refuseBusy();
    const from = options.from ?? this.next;
    checkObjects(from, objects.length);
    const { plan } = this.#objects;
    if (!objects.isOf(plan)) {
      const expected = `objects that ${this.name} made`;
      return fail(error("argument.type", { problem: "the objects are of other files", expected }));
    }
    const asked = readAsked(plan, options);
    if (asked.artifact !== undefined) this.#checkArtifact(asked, from, objects.length);
    const before = this.made;
    try {
      this.#makeAll(objects, from, asked, options);
    } catch (cause) {
      this.#objects.claims = before;
      throw cause;
    }
    objects.from = from;
    objects.making = { level: asked.level, quality: asked.quality };
    if (options.from === undefined) this.next = from + objects.length;
    return objects;
  }

  /**
   * Settles the artifacts of objects {@link next} … `to` − 1, as making them would, and goes on at `to`: some 20 ns an
   * object, without affixes that artifacts ask for.
   *
   * @throws RollmillError as {@link makeMany}.
   */
  replay(to: number, options: MakeObjectsOptions): void {
    this.#refuseBusy();
    checkObjects(this.next, to - this.next);
    const asked = readAsked(this.#objects.plan, options);
    const before = this.made;
    const from = this.next;
    const settles = asked.artifacts && asked.affixes.length === 0 && asked.theme === undefined;
    try {
      if (settles && asked.limit?.power === undefined) {
        forEachBatch({ from, total: to - from }, options, ({ count, done }) => {
          for (let first = 0; first < count; first += REPLAYED_AT_ONCE) {
            const address = this.#objects.begin(asked);
            this.#objects.replay(address, from + done + first, Math.min(REPLAYED_AT_ONCE, count - first));
          }
        });
      } else if (settles) {
        const one = new Objects(this.#objects.plan, 1);
        for (let index = from; index < to; index++) this.#makeAll(one, index, asked, {});
      }
    } catch (cause) {
      this.#objects.claims = before;
      throw cause;
    }
    this.next = to;
  }

  /**
   * The object with one more affix, and with a theme if its affixes now call for one: its words go on where they were. The
   * object given stays as it is.
   *
   * @throws RollmillError `object.request` for an artifact, an object with a theme or with eight affixes, an affix that one of
   * its affixes excludes, or one that the files do not have.
   */
  addAffix(object: MadeObject, affix: string | number): MadeObject {
    const { plan } = this.#objects;
    const { affixes } = plan.files;
    this.#refuseBusy();
    const added = find("affix", affixes, affix);
    refuseFull(object, added);
    const asked = readAsked(plan, { level: object.level, kind: object.kind.number });
    const address = this.#objects.begin(asked);
    this.#objects.add(address, object, affixes.indexOf(added));
    const objects = new Objects(plan, 1);
    this.#objects.copy(address, objects, { done: 0, count: 1 });
    objects.from = object.index;
    objects.making = { level: object.level, quality: object.quality };
    return objects.at(0);
  }

  /** @internal Does a job as if no artifact had been made before; those that it makes are forgotten. */
  afresh<T>(job: () => T): T {
    this.#refuseBusy();
    const before = this.made;
    this.#objects.claims = [];
    try {
      return job();
    } finally {
      this.#objects.claims = before;
    }
  }

  #makeAll(objects: Objects, from: number, asked: Asked, options: MakeObjectsOptions | Record<string, never>): void {
    const { batch } = this.#objects.plan;
    const judged = asked.limit?.power !== undefined;
    forEachBatch({ from, total: objects.length }, options, (part) => {
      for (let first = 0; first < part.count; first += batch) {
        const count = Math.min(batch, part.count - first);
        const at = { index: from + part.done + first, done: part.done + first, count };
        if (judged) this.#makeJudged(objects, at, asked);
        else this.#makeBatch(objects, at, asked, options);
      }
    });
  }

  /** Makes a batch; objects that need many attempts take several calls. */
  #makeBatch(
    objects: Objects,
    { index, done, count }: BatchOfObjects,
    asked: Asked,
    { signal }: { readonly signal?: AbortSignal | undefined },
  ): void {
    const restless = asked.affixes.length > 0 || asked.theme !== undefined;
    let [made, from, tried] = [0, 0, 0];
    while (made < count) {
      const most = restless ? Math.min(ATTEMPTS_OF_CALL, asked.attempts - tried) : ATTEMPTS_OF_CALL;
      const address = this.#objects.begin(asked);
      const answer = this.#objects.make(address, { first: index + made, count: count - made, from, most });
      this.#objects.copy(address, objects, { done: done + made, count: answer.done });
      made += answer.done;
      if (made === count) return;
      tried = answer.done > 0 ? answer.attempts : tried + answer.attempts;
      from = answer.words;
      if (tried >= asked.attempts) giveUp(asked, index + made);
      signal?.throwIfAborted();
    }
  }

  /** Makes a batch object by object, each judged by the caller's own measure. */
  #makeJudged(objects: Objects, { index, done, count }: BatchOfObjects, asked: Asked): void {
    const { plan } = this.#objects;
    const one = new Objects(plan, 1);
    one.making = { level: asked.level, quality: asked.quality };
    const { most, power } = asked.limit ?? { most: 0 };
    for (let k = 0; k < count; k++) {
      one.from = index + k;
      let from = 0;
      for (let tried = 1; ; tried++) {
        const address = this.#objects.begin(asked);
        from = this.#objects.makeJudged(address, { index: index + k, from }, () => {
          this.#objects.copy(address, one, { done: 0, count: 1 });
          return power !== undefined && this.#ask(power, one.at(0)) > most;
        });
        this.#objects.copy(address, one, { done: 0, count: 1 });
        if (isAsAsked(one.at(0), asked)) break;
        if (tried >= asked.attempts) giveUp(asked, index + k);
      }
      this.#objects.copy(this.#objects.begin(asked), objects, { done: done + k, count: 1 });
    }
  }

  /** Asks a caller's measure; what it throws passes through. */
  #ask(power: (object: MadeObject) => number, object: MadeObject): number {
    this.#isBusy = true;
    try {
      return power(object);
    } finally {
      this.#isBusy = false;
    }
  }

  #refuseBusy(): void {
    if (!this.#isBusy) return;
    const remedy = "Use another maker inside a power";
    fail(error("argument.busy", { problem: `${this.name} is amid an object, and asks what it is worth`, remedy }));
  }

  #checkArtifact(asked: Asked, from: number, count: number): void {
    const { artifact } = asked;
    if (artifact === undefined) return;
    checkArtifact(this.#objects.plan, artifact, asked);
    const claimant = this.#objects.claimant(this.files.artifacts.indexOf(artifact));
    if (count <= 1 && (claimant ?? from) === from) return;
    fail(
      error("object.impossible", {
        problem: `the artifact ${JSON.stringify(artifact.name)} is made once in a mill`,
        got: count > 1 ? `${count} objects` : `object ${from}, where object ${claimant} is it`,
        expected: "one object",
        remedy: "Ask for one, in another mill or under another name",
      }),
    );
  }
}

interface BatchOfObjects {
  readonly index: number;
  readonly done: number;
  readonly count: number;
}

function checkObjects(from: number, count: number): void {
  checkRange(from, count);
  if (from + count <= MOST_OBJECTS) return;
  const expected = `objects up to index ${MOST_OBJECTS - 1}`;
  fail(error("argument.range", { problem: "there are not so many objects", got: from + count - 1, expected }));
}
