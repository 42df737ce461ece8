import { type ForkId, forkKey, type StreamKey } from "../address.js";
import { type Branch, InnerBranch, type Noun, type Scope, type State, type System } from "../calls/index.js";
import type { Kernel } from "../kernel/index.js";
import { objects } from "../objects/index.js";
import { pools } from "../pools/index.js";
import { recipes } from "../recipes/index.js";
import { tables } from "../tables/index.js";
import { REGION_SIDE } from "./regions.js";
import type { ContentOptionsSpec, ContentSpec, LevelSpec, PlacementSpec, WorldPlan } from "./types.js";

/** The contents of the placements of one kind in a region. */
export interface RegionContents {
  /** Number of placements. */
  readonly length: number;
  /** Returns the content of the placement with a rank, 0 … length − 1. */
  at(rank: number): unknown;
}

/** The placements of one kind in region (i, j). `terrains` has the terrain of each placement. */
interface Placed {
  readonly i: number;
  readonly j: number;
  readonly terrains: Uint8Array;
}

/** Makes the contents of one kind. */
type Maker = (placed: Placed) => RegionContents;

/** What contents need from their world. */
export interface ContentsSource {
  readonly kernel: Kernel;
  readonly plan: WorldPlan;
  readonly stream: Branch;
  readonly scope: Scope;
}

/** Makes the contents of placements. A content with the stock "world" is made by jobs only, and is missing here. */
export class Contents {
  readonly #makers: readonly (Maker | undefined)[];

  /** @throws RollmillError with every error of the options, such as a level out of range. */
  constructor(source: ContentsSource) {
    const key = forkKey(source.stream.key, "contents");
    this.#makers = source.plan.spec.placements.map((placement) => makerOf(placement, { ...source, key }));
  }

  /** Makes the contents of region (i, j). `terrains[p]` has the terrains of the placements of kind p. */
  region(i: number, j: number, terrains: readonly Uint8Array[]): (RegionContents | undefined)[] {
    return this.#makers.map((make, p) => make?.({ i, j, terrains: terrains[p] }));
  }
}

/** Returns the function that makes the contents of a kind; undefined if there are none. */
function makerOf(
  { name, content }: PlacementSpec,
  source: ContentsSource & { readonly key: StreamKey },
): Maker | undefined {
  if (content === undefined || ("stock" in content && content.stock === "world")) return undefined;
  const branchKey = forkKey(source.key, name);
  const open = <Spec extends object, Plan, N extends Noun, S extends State>(
    system: System<object, Spec, Plan, N, S>,
    spec: Spec,
  ): N => openInner(system, spec, { ...source, name: `${source.plan.name}/${name}`, key: branchKey });
  const { sources } = source.plan.spec;
  switch (content.kind) {
    case "table":
      return tableMaker(open(tables, required(sources.tables.get(content.source))));
    case "recipe":
      return recipeMaker(open(recipes, required(sources.recipes.get(content.source))), content);
    case "objects":
      return objectMaker(open(objects, required(sources.objects.get(content.source))), content);
    case "pool":
      return poolMaker(open(pools, required(sources.pools.get(content.source))), content.pool);
  }
}
