import { allocateResults } from "../calls/index.js";
import type { Kernel } from "../kernel/index.js";
import type { ObjectPlan } from "./compile.js";
import { type Claim, KernelObjects } from "./kernel.js";
import { type Asked, checkLimit, readAsked } from "./make/ask.js";
import { checkOptions } from "./make/checkOptions.js";
import { checkRoom, Objects } from "./make/objects.js";
import type { MakeObjectsOptions, ObjectOptions } from "./make/options.js";
import { checkObjects, checkReplay, refuseAmid, refuseClaimed, refuseFull } from "./make/requests.js";
import { makeAll, replayAll } from "./make/run.js";
import { loadObject, ownObject, type SavedObject, saveObject } from "./make/saved.js";
import type { ObjectState } from "./make/state.js";
import { affixNamed } from "./parse/lookup.js";
import type { MadeObject, ObjectFiles } from "./types.js";

/**
 * Makes objects from edit files. Object k is a function of (seed, name, k), of what is asked, and of the artifacts that were
 * made before: each is made once in a mill. An object that is made again is the same again, its own artifact included.
 */
export class ObjectMaker {
  readonly name: string;
  /** Index of the next object. */
  next = 0;
  readonly #objects: KernelObjects;
  /** While objects are being made: what was made before. Callers may be told of progress, or asked what an object is worth. */
  #settled: Uint32Array<ArrayBuffer> | undefined;
  readonly #digest: () => string;
  /** What was asked last: it is read once. */
  #asked: { readonly key: string; readonly asked: Asked } | undefined;

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
    this.#objects = new KernelObjects({ kernel, name, stream: purpose, plan });
    if (restored !== undefined) this.#objects.claims = restored.made;
  }

  /** What the edit files say. */
  get files(): ObjectFiles {
    return this.#objects.plan.files;
  }

  /**
   * The artifacts that were made, and by which objects, in the order of their numbers. While a call makes objects, which may
   * still fail, those that were made before it.
   */
  get made(): readonly Claim[] {
    return this.#settled === undefined ? this.#objects.claims : this.#objects.claimsOf(this.#settled);
  }

  /** @internal What a snapshot keeps: which artifacts are made, under which edit files. */
  state(): ObjectState {
    return { files: this.#digest(), made: this.made };
  }

  /**
   * The next object, or object `from`.
   *
   * Cost: some 20 µs; in bulk an object takes a ninetieth of that.
   *
   * @throws RollmillError as {@link makeMany}.
   */
  make(options: MakeObjectsOptions): MadeObject {
    return this.makeMany(1, options).at(0);
  }

  /**
   * `count` objects as columns, in the order of their indices. An aborted or failed call makes no artifact.
   *
   * Cost: some 0.2 µs an object, about a hundred bytes each; with `with` or `theme` that much for each object thrown away.
   *
   * @throws RollmillError `argument.range`, `argument.type`, `object.name`, `object.request`, `object.impossible`,
   * `argument.busy`, `argument.disposed`, `kernel.memory`, `kernel.trap`.
   */
  makeMany(count: number, options: MakeObjectsOptions): Objects {
    this.#refuseBusy();
    return this.#makeInto(this.#roomFor(count, options), options);
  }

  /**
   * Makes as many objects as `objects`, of this maker, has room for, and returns it.
   *
   * @throws RollmillError as {@link makeMany}; `argument.type` for objects of other files.
   */
  makeInto(objects: Objects, options: MakeObjectsOptions): Objects {
    this.#refuseBusy();
    return this.#makeInto(objects, options);
  }

  #roomFor(count: number, options: MakeObjectsOptions): Objects {
    checkOptions(options);
    checkObjects(options.from ?? this.next, count);
    return allocateResults(count, (n) => new Objects(this.#objects.plan, n));
  }

  #makeInto(objects: Objects, options: MakeObjectsOptions): Objects {
    checkOptions(options);
    checkRoom(objects, this.#objects.plan, this.name);
    const from = options.from ?? this.next;
    checkObjects(from, objects.length);
    const asked = this.#read(options);
    refuseClaimed(asked, { from, count: objects.length }, (artifact) => this.#objects.claimant(artifact));
    this.#alone(() => makeAll(this.#objects, objects, { from, asked }, options));
    objects.from = from;
    objects.making = { level: asked.level, quality: asked.quality };
    if (options.from === undefined) this.next = from + objects.length;
    return objects;
  }

  /**
   * Settles the artifacts of objects {@link next} … `to` − 1, as making them would, and goes on at `to`: some 40 ns an
   * object, without affixes that artifacts ask for.
   *
   * @throws RollmillError as {@link makeMany}.
   */
  replay(to: number, options: MakeObjectsOptions): void {
    this.#refuseBusy();
    checkOptions(options);
    checkReplay(this.next, to);
    const asked = this.#read(options);
    // where affixes, a theme or an artifact are asked for no object tries for one
    const settles = asked.affixes.length === 0 && asked.theme === undefined && asked.artifact === undefined;
    if (settles && asked.artifacts) {
      this.#alone(() => replayAll(this.#objects, { from: this.next, to, asked }, options));
    }
    this.next = to;
  }

  /**
   * The object with one more affix, and with a theme if its affixes now call for one: its words go on where they were. The
   * object given stays as it is.
   *
   * @throws RollmillError `object.request` for an artifact, an object with a theme or with eight affixes, an affix that one of
   * its affixes excludes; `object.name` for one that the files do not have; `argument.type` and `object.saved` as {@link save}.
   */
  addAffix(given: MadeObject, affix: string | number): MadeObject {
    const { plan } = this.#objects;
    const { affixes } = plan.files;
    this.#refuseBusy();
    const object = ownObject(given, plan.files);
    const added = affixNamed(plan.files, affix);
    refuseFull(object, added);
    const asked = this.#read({ level: object.level, kind: object.kind.number });
    const address = this.#objects.begin(asked);
    this.#objects.add(address, object, affixes.indexOf(added));
    const objects = new Objects(plan, 1);
    this.#objects.copy(address, objects, { done: 0, count: 1 });
    objects.from = object.index;
    objects.making = { level: object.level, quality: object.quality };
    return objects.at(0);
  }

  /**
   * An object as plain data, good as JSON, that {@link load} takes back. It may be a copy, or of another mill under the same
   * files.
   *
   * @throws RollmillError `argument.type` for what is no object; `object.saved` where it is of other files, or damaged.
   */
  save(object: MadeObject): SavedObject {
    return saveObject(object, this.files, this.#digest());
  }

  /**
   * The object that was saved; whether its artifact was made in this mill is not looked at.
   *
   * @throws RollmillError `object.saved` where it is of other edit files, or damaged.
   */
  load(saved: unknown): MadeObject {
    return loadObject(saved, this.files, this.#digest());
  }

  #read(options: ObjectOptions): Asked {
    const { level, good, great, kind, tval, with: affixes, theme, artifact, affixLevel, artifacts, attempts } = options;
    const plain = { level, good, great, kind, tval, with: affixes, theme, artifact, affixLevel, artifacts, attempts };
    const { plan } = this.#objects;
    const key = JSON.stringify(plain);
    if (this.#asked?.key !== key) this.#asked = { key, asked: readAsked(plan, plain) };
    // (a limit may hold a function)
    checkLimit(plan.files, options.limit);
    return { ...this.#asked.asked, limit: options.limit };
  }

  /**
   * @internal Does a job as if no artifact had been made before; those that it makes are forgotten. It makes objects by
   * `make`, into columns of an earlier call where these have the right length; nobody else may come between.
   */
  afresh<T>(job: (make: (count: number, options: MakeObjectsOptions, again?: Objects) => Objects) => T): T {
    this.#refuseBusy();
    const before = this.#objects.claimed;
    this.#settled = before;
    this.#objects.claims = [];
    try {
      return job((count, options, again) =>
        this.#makeInto(again?.length === count ? again : this.#roomFor(count, options), options),
      );
    } finally {
      this.#settled = undefined;
      this.#objects.claimed = before;
    }
  }

  /** Does a job that nothing else may come between; if it fails no artifact was made. */
  #alone(job: () => void): void {
    const [outer, before] = [this.#settled, this.#objects.claimed];
    this.#settled ??= before;
    try {
      job();
    } catch (cause) {
      this.#objects.claimed = before;
      throw cause;
    } finally {
      this.#settled = outer;
    }
  }

  #refuseBusy(): void {
    if (this.#settled !== undefined) refuseAmid(this.name);
  }
}
