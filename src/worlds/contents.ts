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
import type { Pool, PoolFamily } from "../pools/index.js";
import type { Recipe } from "../recipes/index.js";
import type { Drops, Table } from "../tables/index.js";
import { distanceBetween } from "../walks/hexes.js";
import type { ContentSystems } from "./contentSystems.js";
import {
  type ContentGroupSpec,
  type ContentSpec,
  type LevelSpec,
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

/** Returns a maker for each kind. Leaves out contents that only a job has. Throws for invalid options. */
export function contentMakers(source: ContentsSource): (Maker | undefined)[] {
  return source.plan.spec.placements.map((_, kind) => makerOfKind(kind, source));
}

/** Whether some contents come from one stock for the whole world, so that they must be drawn in order. */
export function isOrdered({ contents }: PlacementSpec): boolean {
  return contents.some(isFromWorld);
}

function isFromWorld({ stock }: ContentSpec): boolean {
  return stock === "world";
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
    this.#makers = source.plan.spec.placements.map((_, kind) => makerOfKind(kind, { ...source, shared: this.#shared }));
    this.kinds = this.#makers.flatMap((make, kind) => (make === undefined ? [] : [kind]));
  }

  /** Makes the contents of the next placements of a kind. All are in one region, sorted by row, then column. */
  draw(kind: number, placed: Placed): RegionContents {
    const make = this.#makers[kind];
    if (make === undefined) throw new Error(`kind ${kind} has no content from a stock of the world`);
    return make(placed);
  }

  /** The names of the artifacts that were made, sorted. */
  get artifacts(): readonly string[] {
    // the cast is safe: object makers keep their stock under this key
    const claims = this.#shared.values().artifacts as readonly { readonly artifact: string }[] | undefined;
    return (claims ?? []).map(({ artifact }) => artifact).sort();
  }
}

/** The noun that makes a content in a region, and the options of its calls. */
export interface ContentNoun {
  readonly noun: Table | Drops<string, unknown> | Recipe | ObjectMaker | Pool;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Opens the noun of a content in region (i, j), for a placement on a terrain. `placed` has the placements of the kind
 * that stand before it in the region. Undefined if only a job has the content.
 */
export function contentNoun(
  { name: kind }: PlacementSpec,
  content: ContentSpec,
  { terrain, placed }: { readonly terrain: number; readonly placed: Placed },
  source: ContentsSource,
): ContentNoun | undefined {
  if (isFromWorld(content)) return undefined;
  const open = openersOf(kind, content, source);
  const { source: id, pool = "", level, options } = content.groups[content.groupOf[terrain]];
  const own = levelIn(placed, level, source.plan);
  const region = [placed.i, placed.j] as const;
  switch (content.kind) {
    case "recipe":
      return { noun: open.recipe(id).fork(region), options: { ...options, tier: own } };
    case "objects":
      return { noun: open.objects(id).fork(region), options: { ...options, level: own ?? 0, artifacts: false } };
    case "pools": {
      const family = open.pools(id).fork(region);
      drawIn(family, placed, content);
      return { noun: family.pool(pool), options };
    }
    case "table":
      return { noun: open.table(id).fork(region), options };
    case "drops":
      return { noun: open.drops(id).fork(region), options };
  }
}

/** With `shared`, the contents are those of {@link OrderedContents}; otherwise, those of a window. */
type MakerSource = ContentsSource & { readonly shared?: SharedNode };

/** Returns a maker for those contents of a kind that `source` has; undefined if it has none of them. */
function makerOfKind(kind: number, source: MakerSource): Maker | undefined {
  const { name: id, contents } = source.plan.spec.placements[kind];
  const own = contents.filter((content) => isFromWorld(content) === (source.shared !== undefined));
  const makers = own.map((content): Maker => {
    const path = `placements[${kind}].${content.name === undefined ? "content" : `contents.${content.name}`}`;
    const make = located(path, () => makerOf(id, content, source));
    return (placed) => located(path, () => make(placed));
  });
  if (makers.length === 0 || own[0].name === undefined) return makers[0];
  return (placed) => {
    const made = makers.map((make) => make(placed));
    const at = (rank: number) => Object.fromEntries(own.map(({ name }, c) => [name, made[c].at(rank)]));
    return { length: placed.terrains.length, at };
  };
}

/** Returns a maker for a content of a kind. With `shared`, call it in the order of {@link OrderedContents}. */
function makerOf(kind: string, content: ContentSpec, source: MakerSource): Maker {
  const open = openersOf(kind, content, source);
  const { plan } = source;
  const isInOrder = source.shared !== undefined;
  switch (content.kind) {
    case "table":
      return madeMaker(content, plan, (id) => {
        const table = open.table(id);
        return (placed) => forRegion(table, placed, (fork, n) => fork.rollMany(n, { from: 0, mode: "frozen" }));
      });
    case "drops":
      return madeMaker(content, plan, (id) => {
        const drops = open.drops(id);
        return (placed) => forRegion(drops, placed, (fork, n) => fork.rollMany(n, { from: 0 }));
      });
    case "recipe":
      return madeMaker(content, plan, (id) => {
        const recipe = open.recipe(id);
        return (placed, tier, { options }) => {
          const items = forRegion(recipe, placed, (fork, n) => fork.makeMany(n, { ...options, tier, from: 0 }));
          // `content` leaves out the seed and the index: they do not identify an item of a world, and digests lack them
          return { length: items.length, at: (rank) => items.content(rank) };
        };
      });
    case "objects":
      if (isInOrder) return orderedObjects(open.objects(content.groups[0].source), content, plan);
      return madeMaker(content, plan, (id) => {
        const maker = open.objects(id);
        return (placed, level = 0, { options }) => {
          const request = { ...options, level, artifacts: false, from: 0 };
          return forRegion(maker, placed, (fork, n) => fork.makeMany(n, request));
        };
      });
    case "pools":
      return poolMaker(open.pools(content.groups[0].source), content, isInOrder);
  }
}

/** Returns functions that open the source of a content by its name, for each kind of content. */
function openersOf(kind: string, { name }: ContentSpec, source: MakerSource) {
  const { plan, systems } = source;
  const { tables, drops, recipes, objects, pools } = plan.spec.sources;
  const path = name === undefined ? [kind] : [kind, name];
  return {
    table: (id: string) => openInner(systems.tables, tables.get(id), path, source),
    drops: (id: string) => openInner(systems.drops, drops.get(id), path, source),
    recipe: (id: string) => openInner(systems.recipes, recipes.get(id), path, source),
    objects: (id: string) => openInner(systems.objects, objects.get(id), path, source),
    pools: (id: string) => openInner(systems.pools, pools.get(id), path, source),
  };
}

/** The names in `path` select the random words. */
function openInner<Spec extends object, Plan, N extends Noun, S extends State>(
  system: System<object, Spec, Plan, N, S> | undefined,
  spec: Spec | undefined,
  path: readonly string[],
  { plan, stream, services: own, shared }: MakerSource,
): N {
  if (spec === undefined || system === undefined) throw new Error("the source or its system is missing");
  const name = [plan.name, ...path].join("/");
  const compiled = system.compile(spec, { name });
  const { kernel, services } = own.serve(system);
  // the cast is safe: a system without `state` uses only the field `next`
  const create = system.state?.(compiled, { ...services, name }, {}) ?? (() => ({ next: 0 }) as S);
  const key = ["contents", ...path].reduce(forkKey, stream.key);
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

type Batch = (placed: Placed, level: number | undefined, group: ContentGroupSpec) => RegionContents;

/** A result depends only on its index and its group, so each group of terrains gets results for all indices. */
function madeMaker(content: ContentSpec, plan: WorldPlan, open: (source: string) => Batch): Maker {
  const { groups, groupOf } = content;
  const sources = [...new Set(groups.map(({ source }) => source))];
  const batches = sources.map(open);
  const make: Batch = (placed, level, group) => batches[sources.indexOf(group.source)](placed, level, group);
  tryOptions(make, content);
  return (placed) => {
    const { terrains } = placed;
    const made: RegionContents[] = [];
    for (const terrain of new Set(terrains)) {
      const group = groups[groupOf[terrain]];
      made[groupOf[terrain]] ??= make(placed, levelIn(placed, group.level, plan), group);
    }
    return { length: terrains.length, at: (rank) => made[groupOf[terrains[rank]]].at(rank) };
  };
}

function poolMaker(family: PoolFamily, content: ContentSpec, isInOrder: boolean): Maker {
  // finds an unknown path now, and not in a later call
  for (const { pool = "" } of content.groups) family.pool(pool);
  if (isInOrder) return (placed) => drawIn(family, placed, content);
  return (placed) => forRegion(family, placed, (fork) => drawIn(fork, placed, content));
}

/** A draw depends on the draws before it, so each run of equal groups gets a batch. */
function drawIn(family: PoolFamily, placed: Placed, content: ContentSpec): RegionContents {
  return inRuns(placed, content, ({ terrains }, { pool = "" }) => family.pool(pool).drawMany(terrains.length));
}

/** An artifact depends on the objects before it, so each run of equal options gets a batch. */
function orderedObjects(maker: ObjectMaker, content: ContentSpec, plan: WorldPlan): Maker {
  const make: Batch = ({ terrains }, level = 0, { options }) => maker.makeMany(terrains.length, { ...options, level });
  tryOptions(make, content);
  return (placed) => inRuns(placed, content, (run, group) => make(run, levelIn(placed, group.level, plan), group));
}

/** Makes a batch for each run of placements whose terrains have the same group. */
function inRuns(
  placed: Placed,
  { groups, groupOf }: ContentSpec,
  make: (run: Placed, group: ContentGroupSpec) => RegionContents,
): RegionContents {
  const { terrains } = placed;
  const runs: RegionContents[] = [];
  const places: { readonly run: number; readonly rank: number }[] = [];
  for (let from = 0, to = 0; from < terrains.length; from = to) {
    const group = groupOf[terrains[from]];
    for (; to < terrains.length && groupOf[terrains[to]] === group; to++) {
      places.push({ run: runs.length, rank: to - from });
    }
    runs.push(make({ ...placed, terrains: terrains.subarray(from, to) }, groups[group]));
  }
  return { length: terrains.length, at: (k) => runs[places[k].run].at(places[k].rank) };
}

/** Makes 0 results, so that invalid options are found now and not in a later call. */
function tryOptions(make: Batch, { kind, groups }: ContentSpec): void {
  const nothing = { i: 0, j: 0, terrains: new Uint8Array(0) };
  for (const group of groups) {
    const { level } = group;
    if (level === undefined) make(nothing, undefined, group);
    // for objects, valid levels have no gaps, so the lowest and the highest level suffice
    else if (kind === "objects") for (const one of [level.from, level.most]) make(nothing, one, group);
    else for (let tier = level.from; tier <= level.most; tier++) make(nothing, tier, group);
  }
}

/** Returns the level in a region, which grows with the distance of the region's middle cell from the center. */
function levelIn(
  { i, j }: Pick<Placed, "i" | "j">,
  level: LevelSpec | undefined,
  { spec: { grid } }: WorldPlan,
): number | undefined {
  if (level === undefined) return undefined;
  const { from, perCells, most, center } = level;
  const middle = [i * REGION_SIDE + REGION_SIDE / 2, j * REGION_SIDE + REGION_SIDE / 2] as const;
  const distance = distanceBetween(grid, middle, center);
  return Math.min(most, from + Math.floor(distance / perCells));
}
