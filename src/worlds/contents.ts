import { type ForkId, forkKey } from "../address.js";
import {
  innerScope,
  type Noun,
  type Services,
  type Setup,
  SharedNode,
  type State,
  type System,
} from "../calls/index.js";
import { located } from "../errors/index.js";
import type { ObjectMaker } from "../objects/index.js";
import type { Pool } from "../pools/index.js";
import type { Recipe } from "../recipes/index.js";
import type { Table } from "../tables/index.js";
import { distanceBetween } from "../walks/hexes.js";
import type { ContentSystems } from "./contentSystems.js";
import {
  type ContentOptionsSpec,
  type LevelSpec,
  type MadeContentSpec,
  type PlacementSpec,
  REGION_SIDE,
  type WorldPlan,
} from "./types.js";

export interface RegionContents {
  readonly length: number;
  at(rank: number): unknown;
}

/** The placements of one kind in region (i, j), each with the index of its terrain. */
interface Placed {
  readonly i: number;
  readonly j: number;
  readonly terrains: Uint8Array;
}

type Maker = (placed: Placed) => RegionContents;

export interface ContentMeans {
  readonly services: Services;
  readonly systems: ContentSystems;
}
type ContentsSource = ContentMeans & Pick<Setup<WorldPlan>, "plan" | "stream">;

/** Returns a maker for each kind; undefined for the stock "world", which only a job has. Throws for invalid options. */
export function contentMakers(source: ContentsSource): (Maker | undefined)[] {
  return source.plan.spec.placements.map((placement) =>
    isOrdered(placement) ? undefined : makerOf(placement, source),
  );
}

/** Whether the content comes from one stock for the whole world, so that it must be drawn in order. */
export function isOrdered({ content }: PlacementSpec): boolean {
  return content !== undefined && "stock" in content && content.stock === "world";
}

/**
 * Contents from stocks of the whole world. The caller must draw in the order of section 5 of docs/determinism.md,
 * "Contents of one stock". All object makers of the world share one stock of artifacts.
 */
export class OrderedContents {
  /** The kinds of placement with contents from stocks of the whole world: indices in ascending order. */
  readonly kinds: readonly number[];
  readonly #makers: readonly (Maker | undefined)[];
  readonly #shared = new SharedNode();

  constructor(source: ContentsSource) {
    this.#makers = source.plan.spec.placements.map((placement, kind) => {
      if (!isOrdered(placement)) return undefined;
      return located(pathOf(kind), () => makerOf(placement, { ...source, shared: this.#shared }));
    });
    this.kinds = this.#makers.flatMap((make, kind) => (make === undefined ? [] : [kind]));
  }

  /** Makes the contents of the next placements of a kind. All are in one region, sorted by row, then column. */
  draw(kind: number, placed: Placed): RegionContents {
    const make = this.#makers[kind];
    if (make === undefined) throw new Error(`kind ${kind} has no content from a stock of the world`);
    return located(pathOf(kind), () => make(placed));
  }

  /** The names of the artifacts that were made, sorted. */
  get artifacts(): readonly string[] {
    // the cast is safe: object makers keep their stock under this key
    const claims = this.#shared.values().artifacts as readonly { readonly artifact: string }[] | undefined;
    return (claims ?? []).map(({ artifact }) => artifact).sort();
  }
}

function pathOf(kind: number): string {
  return `placements[${kind}].content`;
}

/** The noun that makes contents of a kind in a region, and the options of its calls. */
export interface ContentNoun {
  readonly noun: Table | Recipe | ObjectMaker | Pool;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Opens the noun of a kind's contents in a region, for placements on a terrain. Undefined if the kind has no content,
 * or if only a job has it.
 */
export function contentNoun(
  placement: PlacementSpec,
  { terrain, ...region }: { readonly i: number; readonly j: number; readonly terrain: number },
  source: ContentsSource,
): ContentNoun | undefined {
  const { name, content } = placement;
  if (content === undefined || isOrdered(placement)) return undefined;
  const { plan, systems } = source;
  const { sources } = plan.spec;
  const id = [region.i, region.j] as const;
  const open = <N extends Noun & { fork(id: ForkId): N }>(noun: N) => noun.fork(id);
  if (content.kind === "table") {
    return { noun: open(openInner(systems.tables, sources.tables.get(content.source), name, source)), options: {} };
  }
  if (content.kind === "pool") {
    const family = openInner(systems.pools, sources.pools.get(content.source), name, source);
    return { noun: open(family).pool(content.pool), options: {} };
  }
  const { level, options } = content.groups[content.groupOf[terrain]];
  const own = levelIn(region, level, plan.spec);
  if (content.kind === "recipe") {
    const recipe = openInner(systems.recipes, sources.recipes.get(content.source), name, source);
    return { noun: open(recipe), options: { ...options, tier: own } };
  }
  const maker = openInner(systems.objects, sources.objects.get(content.source), name, source);
  return { noun: open(maker), options: { ...options, level: own ?? 0, artifacts: false } };
}

type MakerSource = ContentsSource & { readonly shared?: SharedNode };

/** Returns a maker for the contents of a kind. With `shared`, call it in the order of {@link OrderedContents}. */
function makerOf({ name, content }: PlacementSpec, source: MakerSource): Maker | undefined {
  if (content === undefined) return undefined;
  const { plan, shared, systems } = source;
  const { sources } = plan.spec;
  switch (content.kind) {
    case "table": {
      const table = openInner(systems.tables, sources.tables.get(content.source), name, source);
      return (placed) => forRegion(table, placed, (fork, n) => fork.rollMany(n, { from: 0, mode: "frozen" }));
    }
    case "recipe": {
      const recipe = openInner(systems.recipes, sources.recipes.get(content.source), name, source);
      const make: Batch = (placed, tier, options) => {
        const items = forRegion(recipe, placed, (fork, count) => fork.makeMany(count, { ...options, tier, from: 0 }));
        // `content` leaves out the seed and the index: they do not identify an item of a world, and digests lack them
        return { length: items.length, at: (rank) => items.content(rank) };
      };
      return madeMaker(make, content, plan);
    }
    case "objects": {
      const maker = openInner(systems.objects, sources.objects.get(content.source), name, source);
      if (shared !== undefined) return orderedObjects(maker, content, plan);
      const make: Batch = (placed, level = 0, options) => {
        const request = { ...options, level, artifacts: false, from: 0 };
        return forRegion(maker, placed, (fork, count) => fork.makeMany(count, request));
      };
      return madeMaker(make, content, plan);
    }
    case "pool": {
      const family = openInner(systems.pools, sources.pools.get(content.source), name, source);
      // finds an unknown path now, and not in a later call
      const pool = family.pool(content.pool);
      if (shared !== undefined) return ({ terrains }) => pool.drawMany(terrains.length);
      return (placed) => forRegion(family, placed, (fork, n) => fork.pool(content.pool).drawMany(n));
    }
  }
}

function openInner<Spec extends object, Plan, N extends Noun, S extends State>(
  system: System<object, Spec, Plan, N, S> | undefined,
  spec: Spec | undefined,
  placement: string,
  { plan, stream, services: own, shared }: MakerSource,
): N {
  if (spec === undefined || system === undefined) throw new Error("the source or its system is missing");
  const name = `${plan.name}/${placement}`;
  const compiled = system.compile(spec, { name });
  const { kernel, services } = own.serve(system);
  // the cast is safe: a system without `state` uses only the field `next`
  const create = system.state?.(compiled, { ...services, name }, {}) ?? (() => ({ next: 0 }) as S);
  // the name of the kind selects the random words
  const key = forkKey(forkKey(stream.key, "contents"), placement);
  const scope = innerScope(key, stream.guard, create, shared);
  return system.open({ kernel, name, stream: scope, plan: compiled }, {}, services);
}

/** Makes the contents of a region with the fork of this region. */
function forRegion<N, T>(
  noun: { fork(id: ForkId): N; releaseFork(id: ForkId): void },
  { i, j, terrains }: Placed,
  make: (fork: N, count: number) => T,
): T {
  const made = make(noun.fork([i, j]), terrains.length);
  noun.releaseFork([i, j]);
  return made;
}

type Batch = (placed: Placed, level: number | undefined, options: ContentOptionsSpec["options"]) => RegionContents;

/** A result depends only on its index and the options, so each group of terrains gets results for all indices. */
function madeMaker(make: Batch, content: MadeContentSpec, { spec }: WorldPlan): Maker {
  tryOptions(make, content);
  const { groups, groupOf } = content;
  return (placed) => {
    const { terrains } = placed;
    const made: RegionContents[] = [];
    for (const terrain of new Set(terrains)) {
      const group = groupOf[terrain];
      const { level, options } = groups[group];
      made[group] ??= make(placed, levelIn(placed, level, spec), options);
    }
    return { length: terrains.length, at: (rank) => made[groupOf[terrains[rank]]].at(rank) };
  };
}

/** An artifact depends on the objects before it, so the maker makes a batch for each run of equal options. */
function orderedObjects(maker: ObjectMaker, content: MadeContentSpec, { spec }: WorldPlan): Maker {
  const make: Batch = ({ terrains }, level = 0, options) => maker.makeMany(terrains.length, { ...options, level });
  tryOptions(make, content);
  const { groups, groupOf } = content;
  return (placed) => {
    const { terrains } = placed;
    const runs: RegionContents[] = [];
    const places: { readonly run: number; readonly rank: number }[] = [];
    for (let from = 0, to = 0; from < terrains.length; from = to) {
      const group = groupOf[terrains[from]];
      for (; to < terrains.length && groupOf[terrains[to]] === group; to++) {
        places.push({ run: runs.length, rank: to - from });
      }
      const { level, options } = groups[group];
      runs.push(make({ ...placed, terrains: terrains.subarray(from, to) }, levelIn(placed, level, spec), options));
    }
    return { length: terrains.length, at: (k) => runs[places[k].run].at(places[k].rank) };
  };
}

/** Makes 0 results, so that invalid options are found now and not in a later call. */
function tryOptions(make: Batch, { kind, groups }: MadeContentSpec): void {
  const nothing = { i: 0, j: 0, terrains: new Uint8Array(0) };
  for (const { level, options } of groups) {
    if (level === undefined) make(nothing, undefined, options);
    // for objects, valid levels have no gaps, so the lowest and the highest level suffice
    else if (kind === "objects") for (const one of [level.from, level.most]) make(nothing, one, options);
    else for (let tier = level.from; tier <= level.most; tier++) make(nothing, tier, options);
  }
}

/** Returns the level in a region, which grows with the distance of the region's middle cell from the center. */
function levelIn(
  { i, j }: Pick<Placed, "i" | "j">,
  level: LevelSpec | undefined,
  { grid }: WorldPlan["spec"],
): number | undefined {
  if (level === undefined) return undefined;
  const { from, perCells, most, center } = level;
  const middle = [i * REGION_SIDE + REGION_SIDE / 2, j * REGION_SIDE + REGION_SIDE / 2] as const;
  const distance = distanceBetween(grid, middle, center);
  return Math.min(most, from + Math.floor(distance / perCells));
}
