import type { StreamKey } from "../address.js";
import {
  Addressed,
  allocateResults,
  BULK_OPTIONS,
  type Counts,
  checkRange,
  isWatched,
  type LongCall,
  MAX_INDEX,
  type Setup,
  type State,
  Watch,
} from "../calls/index.js";
import { error, fail, type Issue } from "../errors/index.js";
import { OBJECT_BATCH } from "../kernel/layout.js";
import { checkInteger } from "../spec/index.js";
import type { ObjectPlan } from "./compile.js";
import { KernelObjects, makeParts, replayAll } from "./kernel.js";
import { drawnKinds } from "./law/kinds.js";
import { Counter } from "./make/counter.js";
import { bytesPerObject, checkRoom, MadeObjects } from "./make/madeObjects.js";
import {
  canMakeArtifacts,
  checkChoice,
  impossible,
  REQUEST_OPTIONS,
  readCallOptions,
  readLimit,
  readRequest,
  refuseBusyStock,
  refuseClaimed,
  refuseFull,
} from "./make/request.js";
import { ownObject } from "./make/saved.js";
import type { ArtifactStock } from "./make/stock.js";
import type { ObjectRequest } from "./odds/impossible.js";
import { type ObjectOdds, type ObjectOddsQuery, objectOdds } from "./odds.js";
import { affixNamed, artifactNamed, kindNamed, themeNamed } from "./parse/names.js";
import type {
  ArtifactSpec,
  Claim,
  CountObjectsOptions,
  MadeObject,
  MakeObjectOptions,
  MakeObjectsOptions,
  ObjectFiles,
  ObjectOptions,
  ObjectPart,
  PartSpecs,
} from "./types.js";

export interface ObjectState extends State {
  readonly stock: ArtifactStock;
}

interface SharedParts {
  readonly objects: KernelObjects;
  /** The key of the maker that opened the kernel. */
  readonly key: StreamKey;
  /** Room for one object. Each call of `make` fills it again. */
  readonly one: MadeObjects;
  /** The last request. A call with the same options reuses it: no name is looked up, and the kernel has it already. */
  last: { readonly plain: PlainOptions; readonly request: ObjectRequest } | undefined;
}

/** The options that decide a request. */
type PlainOptions = Omit<ObjectOptions, "limit">;

const FIND: { readonly [Part in ObjectPart]: (files: ObjectFiles, name: string | number) => PartSpecs[Part] } = {
  kind: kindNamed,
  affix: affixNamed,
  theme: themeNamed,
  artifact: artifactNamed,
};
const PARTS = Object.keys(FIND) as ObjectPart[];
const MAKE_OPTIONS = [...REQUEST_OPTIONS, "at", "signal", "onProgress"];

/**
 * Makes objects from edit files. All makers of a mill share one stock of artifacts, unless the option `stock` names
 * another stock. Each artifact is made at most once in each stock. The stock identifies artifacts by their names.
 *
 * Object k depends only on (seed, name, ids of the fork, k), on the options, and on which artifacts were made before.
 * If object k is made again, it is the same object, even if it is an artifact.
 *
 * A fork begins with its own stock, so it can make artifacts that the maker or another fork has already made. If two
 * makers share a stock, their forks with equal ids share a stock too.
 *
 * Cost: in bulk, an object reads some ten random words. A single `make` takes about fifty times as long.
 */
export class ObjectMaker extends Addressed<ObjectPlan, ObjectState> {
  readonly #objects: KernelObjects;
  readonly #keys: readonly StreamKey[];
  readonly #shared: SharedParts;

  /** @internal */
  constructor(setup: Setup<ObjectPlan, ObjectState>, shared?: SharedParts) {
    super(setup);
    const { key } = setup.stream;
    this.#shared = shared ?? {
      objects: new KernelObjects(setup),
      key,
      one: new MadeObjects(setup.plan, 1),
      last: undefined,
    };
    this.#objects = this.#shared.objects;
    this.#keys = [key, this.#shared.key];
  }

  /** @internal */
  protected override copy(setup: Setup<ObjectPlan, ObjectState>): ObjectMaker {
    return new ObjectMaker(setup, this.#shared);
  }

  /** The records of the edit files. */
  get files(): ObjectFiles {
    return this.plan.files;
  }

  /**
   * The artifacts of the files that were made, in the order of their numbers, each with its owner: this maker, or
   * another maker with the same stock. Omits artifacts of a running call, which may still fail. Cost: O(artifacts).
   */
  get claims(): readonly Claim[] {
    const { owners } = this.state.stock;
    const { keys } = this.#objects.owners;
    return this.files.artifacts.flatMap((artifact, i): Claim[] => {
      const owner = owners.get(keys[i]);
      return owner === undefined ? [] : [{ artifact, ...owner }];
    });
  }

  /**
   * Puts an artifact, by name or number, back into the stock, so that any maker with this stock can make it again. The
   * object that owned it does not change. Returns true if the artifact had been made.
   *
   * @throws RollmillError `object.name` for an unknown artifact; `argument.busy` while a call makes artifacts.
   */
  releaseArtifact(artifact: string | number): boolean {
    this.checkTurn();
    const { stock } = this.state;
    if (stock.isTaken) refuseBusyStock(this.name);
    return stock.release(this.#keyOf(artifactNamed(this.files, artifact)));
  }

  /**
   * Makes one object: object `at`, or the next object.
   *
   * @throws The errors of {@link makeMany}.
   */
  make(given: MakeObjectOptions): MadeObject {
    return this.alone(() => {
      const options = readCallOptions("maker.make", given, MAKE_OPTIONS);
      return this.#makeInto(this.#shared.one, options, { from: options.at }).at(0);
    });
  }

  /**
   * Makes `n` objects and returns them as columns. If the call fails or is aborted, it makes no artifact.
   *
   * Cost: about 100 bytes an object. With `with` or `theme`, objects that do not fit are made and discarded.
   *
   * @param n - 0 … 2^42 − 1, and at most 4 GiB of objects.
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`, `object.name`, `object.request`,
   * `object.impossible`, `argument.busy`, `argument.disposed`, `kernel.memory`, `kernel.trap`.
   */
  makeMany(n: number, given: MakeObjectsOptions): MadeObjects {
    return this.alone(() => {
      const options = readCallOptions("maker.makeMany", given);
      return this.#makeInto(this.#roomFor(n, options), options);
    });
  }

  /**
   * Replaces the objects in `out`, which an earlier call of this maker returned, by new objects. Returns `out`. If the
   * call fails, `out` stays unchanged, unless the error is `kernel.trap`, a bug of the kernel.
   *
   * @throws The errors of {@link makeMany}; `argument.type` for objects of other files.
   */
  makeInto(out: MadeObjects, given: MakeObjectsOptions): MadeObjects {
    return this.alone(() => {
      const options = readCallOptions("maker.makeInto", given);
      const n = checkRoom(out, this.plan, this.name);
      const { with: affixes = [], theme, limit } = options;
      // a call with one of these options can fail after it has made some objects, so it must not write them to `out`
      const canFail = isWatched(options) || affixes.length > 0 || theme !== undefined || limit?.power !== undefined;
      return canFail ? out.take(this.#makeInto(this.#roomFor(n, options), options)) : this.#makeInto(out, options);
    });
  }

  /**
   * Makes `n` objects and counts their kinds, affixes, themes or artifacts. Artifacts among them count as made. To
   * leave the stock unchanged, call `tallyObjects` instead.
   *
   * The counts are in the order of the files.
   * - Kinds: the kinds that {@link odds} lists, even if the count is 0, and the kinds of artifacts that occurred. With
   *   the option `kind`, only this kind.
   * - Affixes, themes and artifacts: every record of the files. An object counts once for each different affix that it
   *   has, so the sum can be greater than `total`.
   *
   * @param n - 0 … 2^42.
   * @throws The errors of {@link makeMany}.
   */
  count<Part extends ObjectPart>(
    n: number,
    given: CountObjectsOptions & { readonly of: Part },
  ): Counts<PartSpecs[Part]> {
    return this.alone(() => {
      const options = readCallOptions("maker.count", given, [...REQUEST_OPTIONS, ...BULK_OPTIONS, "of"]);
      const { of } = options;
      checkChoice("of", of, PARTS);
      const from = options.from ?? this.state.next;
      checkRange(from, n);
      const request = this.#read(options, { from, count: n });
      const counter = new Counter(this.files);
      const out = new MadeObjects(this.plan, OBJECT_BATCH);
      const written = (count: number) => counter.add(out, count);
      this.#withStock(request, () => {
        makeParts(this.#objects, { name: this.name, from, total: n, request }, options, { out, written });
      });
      if (options.from === undefined) this.state.next = from + n;
      const kinds = () => (request.kind === undefined ? drawnKinds(this.files, request).kinds : [request.kind]);
      const counts = counter.counts(of, of === "kind" ? kinds() : counter.records[of]);
      return { total: n, none: counter.none(of), counts };
    });
  }

  /**
   * Returns the exact odds of a whole object or of one decision: the kind, the affix in a slot, the theme, the affix
   * level, the number of slots, or the depth of a slot. The odds depend neither on the seed nor on the artifacts that
   * were made.
   *
   * Cost: kind O(kinds); affix O(affixes × `T` lines × depths); theme O(themes × lines). Theme of two slots: affixes² ×
   * depths operations on fractions; progress counts affixes. Whole object: states × affixes × slots operations on long
   * integers, for each affix level and each group of kinds that the same `T` lines match; progress counts sets of
   * affixes. The option `states` explains what a state is.
   *
   * @throws RollmillError `argument.type`, `argument.option`, `argument.range`, `argument.callback`, `object.name`,
   * `object.request`.
   */
  odds<Query extends ObjectOddsQuery>(query: Query): ObjectOdds[Query["of"]] {
    return objectOdds(this.files, query, this.name);
  }

  /**
   * Returns an issue that says why no object can fit the options, or undefined if no reason is known: some impossible
   * requests are not recognised. Ignores which artifacts were made.
   *
   * Cost: O(kinds × (requested affixes + affixes of the theme) × `T` lines × depths), and one check for each pair of
   * affixes of the theme.
   *
   * @throws RollmillError `argument.option`, `argument.type`, `argument.range`, `object.name`, `object.request`.
   */
  whyImpossible(given: ObjectOptions & Pick<LongCall, "signal">): Issue | undefined {
    const options = readCallOptions("maker.whyImpossible", given, [...REQUEST_OPTIONS, "signal"]);
    readLimit(this.files, options.limit);
    const watch = new Watch(this.name, 1, { signal: options.signal });
    const finding = impossible(this.files, readRequest(this.files, options), watch);
    return finding === undefined ? undefined : error("object.impossible", finding);
  }

  /**
   * Makes only the artifacts among the objects {@link next} … `to` − 1, and sets {@link next} to `to`.
   *
   * Cost: about a fifth of {@link makeMany}; as much as {@link makeMany} by the rules of Angband 4.2, or if an artifact
   * of the files requires affixes. Ends early when the options allow no further artifact.
   *
   * @param to - {@link next} … 2^42.
   * @throws The errors of {@link makeMany}.
   */
  replay(to: number, given: Omit<MakeObjectsOptions, "from">): void {
    this.alone(() => {
      const options = readCallOptions("maker.replay", given, [...REQUEST_OPTIONS, "signal", "onProgress"]);
      const { next: from } = this.state;
      checkInteger("to", to, from, MAX_INDEX);
      const request = this.#read(options);
      // a request with the option `artifact` makes a single object: the caller makes it, and nothing is replayed
      if (request.artifact === undefined && canMakeArtifacts(request)) {
        const range = { name: this.name, from, total: to - from, request };
        this.#withStock(request, () => replayAll(this.#objects, range, options));
      }
      this.state.next = to;
    });
  }

  /**
   * Returns a copy of the object with one more affix, by name or number, and perhaps a theme, as after any affix. The
   * call reads the random words after those that made the object.
   *
   * @throws RollmillError `object.request` if the object is an artifact, has a theme, has the maximum number of affixes
   * (eight; one by the rules of Angband 4.2), or has an affix that excludes the new one. `object.name` for an unknown
   * affix. The errors of `saveObject`.
   */
  addAffix(object: MadeObject, affix: string | number): MadeObject {
    this.checkTurn();
    const own = ownObject(object, this.files);
    const { level, quality, kind, index } = own;
    const added = affixNamed(this.files, affix);
    refuseFull(this.files, own, added);
    this.#objects.stream = this.stream.key;
    this.#objects.begin(this.#read({ level, kind: kind.number }));
    this.#objects.add(own, this.files.affixes.indexOf(added));
    const objects = new MadeObjects(this.plan, 1);
    this.#objects.copy(objects, { done: 0, count: 1 });
    objects.from = index;
    objects.making = { level, quality };
    return { ...objects.at(0), added: own.added + 1 };
  }

  /**
   * Finds a record of the files by number or by name. Upper and lower case are equal. Omit marks such as "& " and "~".
   *
   * @throws RollmillError `object.name` if no record matches, or several have this name; `argument.type`.
   */
  find<Part extends ObjectPart>(part: Part, name: string | number): PartSpecs[Part] {
    checkChoice("part", part, PARTS);
    return FIND[part](this.files, name);
  }

  #roomFor(n: number, { from = this.state.next }: MakeObjectsOptions): MadeObjects {
    checkRange(from, n);
    return allocateResults(n, bytesPerObject(this.plan), (length) => new MadeObjects(this.plan, length));
  }

  #makeInto(
    out: MadeObjects,
    options: MakeObjectsOptions,
    { from: given = options.from, stock = this.state.stock }: { from?: number | undefined; stock?: ArtifactStock } = {},
  ): MadeObjects {
    const from = given ?? this.state.next;
    checkRange(from, out.length);
    const request = this.#read(options, { from, count: out.length });
    const range = { name: this.name, from, total: out.length, request };
    this.#withStock(request, () => makeParts(this.#objects, range, options, { out }), stock);
    out.from = from;
    out.making = { level: request.level, quality: request.quality };
    if (given === undefined) this.state.next = from + out.length;
    return out;
  }

  /** @internal Makes objects with another stock. Fills `again` if it has room for exactly `n` objects. */
  makeWith(stock: ArtifactStock, n: number, options: MakeObjectsOptions, again?: MadeObjects): MadeObjects {
    return this.alone(() =>
      this.#makeInto(again?.length === n ? again : this.#roomFor(n, options), options, { stock }),
    );
  }

  /** @internal Reads the options of a call. Throws the errors of {@link makeMany}. */
  requestOf(options: ObjectOptions): ObjectRequest {
    return this.alone(() => this.#read(options));
  }

  /** @internal */
  get stock(): ArtifactStock {
    return this.state.stock;
  }

  /** @internal */
  override checkTurn(): void {
    super.checkTurn();
  }

  #keyOf(artifact: ArtifactSpec): string {
    return this.#objects.owners.keys[this.files.artifacts.indexOf(artifact)];
  }

  /** @param range - The objects to make. Needed if the request may name an artifact, which is made at most once. */
  #read(options: ObjectOptions & Pick<LongCall, "signal">, range?: { from: number; count: number }): ObjectRequest {
    const { level, good, great, kind, tval, with: affixes, theme, artifact, affixLevel, artifacts, attempts } = options;
    const plain = { level, good, great, kind, tval, with: affixes, theme, artifact, affixLevel, artifacts, attempts };
    const shared = this.#shared;
    if (shared.last === undefined || !areSame(plain, shared.last.plain)) {
      const request = readRequest(this.files, plain);
      const finding = impossible(this.files, request, new Watch(this.name, 1, { signal: options.signal }));
      if (finding !== undefined) fail(error("object.impossible", finding));
      shared.last = { plain, request };
    }
    const { request: last } = shared.last;
    // the limit may have a function, whose answers can change, so it is read at every call
    const request = options.limit === undefined ? last : { ...last, limit: readLimit(this.files, options.limit) };
    if (range === undefined || request.artifact === undefined) return request;
    const owner = this.state.stock.owners.get(this.#keyOf(request.artifact));
    refuseClaimed(request.artifact, { ...range, maker: this.name }, owner);
    return request;
  }

  /** @internal The key of the maker or fork, and the key of their common kernel, which makes one object at a time. */
  protected override get keys(): readonly StreamKey[] {
    return this.#keys;
  }

  /** Runs `job`. Meanwhile, no other call can make artifacts of the stock. The stock changes only if `job` succeeds. */
  #withStock(request: ObjectRequest, job: () => void, stock = this.state.stock): void {
    const { owners } = this.#objects;
    const takesStock = canMakeArtifacts(request);
    if (takesStock && stock.isTaken) refuseBusyStock(this.name);
    owners.read(stock, this.name);
    this.#objects.stream = this.stream.key;
    if (takesStock) stock.isTaken = true;
    try {
      job();
      if (takesStock) owners.commit(stock, this.name);
    } catch (cause) {
      owners.discard();
      throw cause;
    } finally {
      if (takesStock) stock.isTaken = false;
    }
  }
}

function areSame(a: PlainOptions, b: PlainOptions): boolean {
  const isSame = (name: keyof PlainOptions) => name === "with" || a[name] === b[name];
  const [affixes, others] = [a.with ?? [], b.with ?? []];
  return (
    (Object.keys(a) as (keyof PlainOptions)[]).every(isSame) &&
    affixes.length === others.length &&
    affixes.every((affix, i) => affix === others[i])
  );
}
