import { Addressed, type Setup } from "../calls/index.js";
import type { WeightInput } from "../decimals.js";
import { checkText, readOptions } from "../spec/index.js";
import type { FamilyPlan } from "./compile.js";
import type { FamilyState } from "./familyState.js";
import { massOf } from "./mass.js";
import { massFinding, type RecordInput } from "./parse/records.js";
import { parseRecords, parseRoot, type RootInput } from "./parse.js";
import { refuse } from "./path.js";
import { Pool } from "./pool.js";
import type { Node } from "./registry/node.js";
import { type Registry, Union } from "./registry/registry.js";
import type { ActivePart, AddOptions, PathOptions, RecordId } from "./types.js";

/**
 * A family of pools. To draw, get a pool's handle from the method {@link pool}. All pools of a root share the
 * quantities of its records, but each pool has its own masses. The callback `onProgress` of a bulk draw may read the
 * family; calls that change it throw `argument.busy`. A snapshot stores the number of copies of every record. If the
 * spec has changed since then, these numbers replace the quantities of the spec (docs/guide/deck.md).
 *
 * The type of a family that is written as a literal contains the ids of its roots, and draws return these ids. To
 * register other ids later, give the variable the type `PoolFamily`. A change of the family that throws has no effect.
 *
 * Cost: after a registration, the next draw builds the family in the kernel again, O(records of all pools). A record
 * takes 53 bytes of kernel memory if its root and one subpool list it. A fork has the pools of the spec and its own
 * full stock. The first use of a fork registers these pools. The fork has a separate kernel until it is released.
 *
 * Source: the Pools page of Dungeon Hopper's documentation, 2020 (docs/formats/pools.md).
 */
export class PoolFamily<Ids extends FamilyIds = FamilyIds> extends Addressed<FamilyPlan, FamilyState> {
  /** Maps each pool to its handle, and each path with stars to the handle of the matching pools. */
  readonly #pools = new Map<Node | string, Pool>();

  /** @internal */
  protected override copy(setup: Setup<FamilyPlan, FamilyState>): PoolFamily<Ids> {
    return new PoolFamily(setup);
  }

  /** Bytes of kernel memory in use. If the family is not in the kernel yet, builds it there first, as a draw does. */
  get bytes(): number {
    this.state.checkTurn();
    return this.state.engine.bytes;
  }

  /** @internal */
  get registry(): Registry {
    return this.state.registry;
  }

  /** The names of the root pools, in order of registration. */
  get roots(): readonly string[] {
    return [...this.state.registry.roots.keys()];
  }

  /**
   * Returns a handle to the pool that a path names. A path begins with the name of the root. Each later part is a name,
   * a number from 1, `~` for the active subpool at this depth, or `*` for all subpools (see {@link Pool}). If the
   * active setting changes later, the handle stays on its pool. Paths are cached, unless `active` is given. Cost of
   * paths with stars: O(records of the matching pools) after each change of the family.
   *
   * @throws RollmillError `pool.unknown`, `pool.star` (a star instead of a root), `pool.active`, `pool.path`,
   * `pool.total` (a union is too large); `argument.option`.
   */
  pool<Path extends string>(path: Path, options?: PathOptions): Pool<IdAt<Ids, Path>> {
    const active = options === undefined ? undefined : readOptions("family.pool", options, ["active"]).active;
    // the cast is safe: the path leads to a pool of its root
    return this.#poolOf(this.state.find(path, active)) as Pool<IdAt<Ids, Path>>;
  }

  /**
   * Adds a root pool with its records and subpools. Cost: O(records).
   *
   * @throws RollmillError `pool.*` with every error of the root, and `argument.busy`.
   */
  registerRoot(name: string, root: RootInput): Pool {
    this.state.checkTurn();
    const spec = parseRoot(root);
    this.state.changing();
    return this.#poolOf(this.state.registry.registerRoot(name, spec).top);
  }

  /**
   * Adds a subpool. The path `e.z3` adds it to one parent, `e`. The path `e.*.*.wall` adds it to every parent at depth
   * 2, also to parents registered later. New records are also added to the root, by default with mass and quantity 1.
   *
   * @throws RollmillError `pool.unknown`, `pool.exists`, `pool.structure` (a new name under some parents only),
   * `pool.star`, `pool.active`, `pool.root`, `pool.path`; `pool.record`, `pool.mass`, `pool.quantity`,
   * `pool.duplicate`, `pool.total`, `argument.busy`.
   */
  registerSubpool<Path extends string>(path: Path, records: readonly RecordInput<IdAt<Ids, Path>>[] = []): void {
    this.state.changing();
    this.state.registry.registerSubpool(path, (kind) => parseRecords(records, { kind, quantities: true }));
  }

  /**
   * Adds a record to the pool that a path names, or to all matching pools, also those that are registered later. A
   * record that the root lacks is also added to the root, with the same mass and quantity.
   *
   * @throws RollmillError `pool.unknown`, `pool.duplicate`, `pool.root`, `pool.active`, `pool.path`, `pool.record`,
   * `pool.mass`, `pool.quantity`, `pool.total`, `argument.option`, `argument.busy`.
   */
  addToSubpool<Path extends string>(path: Path, id: IdAt<Ids, Path>, options: AddOptions = {}): void {
    this.state.checkTurn();
    const { mass = 1, quantity } = readOptions("family.addToSubpool", options, ["mass", "quantity"]);
    this.state.changing();
    const records = [{ id, mass, quantity }];
    this.state.registry.addToSubpool(path, (kind) => parseRecords(records, { kind, quantities: true }));
  }

  /**
   * Changes the mass of a record in the pool that a path names, or in all matching pools that list it, but not in pools
   * that are registered later. Cost: O(records) of each changed pool.
   *
   * @param mass - A number 0 … 2^32 − 1, or a fraction.
   * @throws RollmillError `pool.unknown`, `pool.unknown-id` (no pool of the path lists the record), `pool.active`,
   * `pool.path`, `pool.mass`, `pool.total`, `argument.busy`.
   */
  setMass(path: string, id: RecordId, mass: WeightInput): void {
    const exact = massOf(mass);
    if (exact === undefined) refuse("pool.mass", path, massFinding(mass));
    this.state.changing();
    this.state.registry.change(path, id, exact);
  }

  /**
   * Removes a record from the pool that a path names, or from all matching pools that list it. The path of a root
   * removes the record from all its pools, also later ones. A record that is added again returns to its old place.
   *
   * @throws The errors of {@link setMass}.
   */
  removeRecord(path: string, id: RecordId): void {
    this.state.changing();
    this.state.registry.change(path, id, undefined);
  }

  /**
   * Sets what `~` stands for in the paths of a root. Entry d of the list is a name, or a number from 1, and replaces a
   * `~` at depth d + 1. An empty list clears the setting.
   *
   * @throws RollmillError `pool.unknown`, `pool.active`, `argument.busy`.
   */
  setActive(root: string, parts: readonly ActivePart[]): void {
    this.state.checkTurn();
    checkText("root", root);
    this.state.setActive(root, parts);
  }

  /** Resets all records of all finite roots to their initial quantities. Throws `argument.busy`. */
  restock(): void {
    this.state.checkTurn();
    for (const { kind, top } of this.state.registry.roots.values()) {
      if (kind === "finite") this.state.refresh(top);
    }
  }

  #poolOf(node: Node): Pool {
    const key = node instanceof Union ? node.path : node;
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = new Pool({ state: this.state, family: this, poolOf: (other) => this.#poolOf(other) }, node);
    this.#pools.set(key, pool);
    return pool;
  }
}

/** The types of the ids in a family, by root. */
export type FamilyIds = Readonly<Record<string, RecordId>>;

type IdOf<Input> = Input extends RecordId
  ? Input
  : Input extends { readonly id: infer Id extends RecordId } | readonly [infer Id extends RecordId, ...unknown[]]
    ? Id
    : never;

// a root lists all records of its subpools
type IdsIn<Input> = Input extends { readonly records: readonly (infer Entry)[] }
  ? IdOf<Entry>
  : RootInput extends Input
    ? RecordId
    : never;

type RootOf<Path extends string> = Path extends `${infer Root}.${string}` ? Root : Path;

type RuleIds<Rule, Root> = Rule extends { readonly path: infer Path extends string }
  ? Root extends RootOf<Path>
    ? IdsIn<Rule>
    : never
  : never;

/** Each root's type of ids: a union of its ids if the family is a literal. A root registered later can have any ids. */
export type IdsOf<Input> = Input extends { readonly roots: infer Roots }
  ? string extends keyof Roots
    ? FamilyIds
    : {
        readonly [Root in keyof Roots]:
          | IdsIn<Roots[Root]>
          | (Input extends { readonly rules: readonly (infer Rule)[] } ? RuleIds<Rule, Root> : never);
      } & FamilyIds
  : FamilyIds;

/** The type of the ids in the pool that a path names. */
export type IdAt<Ids extends FamilyIds, Path extends string> = Ids[RootOf<Path>];
