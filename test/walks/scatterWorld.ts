import { createMill } from "../../src/index.js";
import type { Address, Kernel } from "../../src/kernel/index.js";
import { CHUNK_SIDE } from "../../src/kernel/layout.js";
import { specOf } from "../../src/spec/index.js";
import { compileWalk } from "../../src/walks/compile.js";
import { type LayerMap, parseWalk, type WalkInput } from "../../src/walks/index.js";
import { CellMap, KernelScatter } from "../../src/walks/kernel/scatter.js";
import { type CellRectangle, wholeChunks } from "../../src/walks/rectangles.js";
import type { LayerPlan, WalkPlan } from "../../src/walks/types.js";
import { keyIn, openKernel } from "../kernel/open.js";
import { ScatterTwin, type TwinVisits } from "../oracle/scatterTwin.js";
import { streamKey } from "../oracle/words.js";

export const SEED = "moria";
export const NAME = "land";

export function planOf(input: WalkInput): WalkPlan {
  return compileWalk(specOf(parseWalk(input)), { name: NAME });
}

/** The rectangle around another one, at a distance. */
export function around({ row0, col0, rows, cols }: CellRectangle, cells: number): CellRectangle {
  return { row0: row0 - cells, col0: col0 - cells, rows: rows + 2 * cells, cols: cols + 2 * cells };
}

/** The maps of the layers that are not scattered, as `runLayer` makes them. They refer to one another only. */
function finiteMaps(input: WalkInput, { layers }: WalkPlan): readonly (LayerMap | undefined)[] {
  using mill = createMill({ seed: SEED });
  const walk = mill.walk(NAME, input);
  const earlier: Record<string, LayerMap> = {};
  return layers.map(({ name, scatter }) => {
    if (scatter !== undefined) return undefined;
    const map = walk.runLayer({ layer: name, earlier });
    earlier[name] = map;
    return map;
  });
}

/** The map of a layer, with copies of its numbers. */
class ReadMap {
  readonly #map: CellMap;

  constructor(map: CellMap) {
    this.#map = map;
  }

  visits(rectangle: CellRectangle): Uint32Array {
    const out = new Uint32Array(rectangle.rows * rectangle.cols);
    this.#map.visitsInto(rectangle, { out, at: 0, stride: rectangle.cols });
    return out;
  }

  firstVisits(rectangle: CellRectangle): Uint32Array {
    const out = new Uint32Array(rectangle.rows * rectangle.cols);
    this.#map.firstVisitsInto(rectangle, { out, at: 0, stride: rectangle.cols });
    return out;
  }
}

/** The layers of a walk, some of them scattered, in one kernel. Regions are walked when they are needed. */
export class ScatterWorld {
  readonly kernel: Kernel;
  plan: WalkPlan;
  readonly #mark: Address;
  readonly #maps: CellMap[] = [];
  readonly #layers: (KernelScatter | undefined)[] = [];

  constructor(input: WalkInput, maxBytes?: number) {
    this.kernel = openKernel(maxBytes);
    this.#mark = this.kernel.call((exports) => exports.mark());
    this.plan = this.#build(input);
  }

  /** Drops all maps, and opens the layers of another walk in the same memory. */
  restart(input: WalkInput): void {
    this.kernel.call((exports) => exports.release(this.#mark));
    this.#maps.length = 0;
    this.#layers.length = 0;
    this.plan = this.#build(input);
  }

  /** The map of a layer as far as it was walked. */
  map(layer: number): ReadMap {
    return new ReadMap(this.#maps[layer]);
  }

  /** Walks one region for a rectangle, by default to the end, and what its walkers can reach. */
  walk(layer: number, region: readonly [number, number], rectangle = this.#reached(layer, region)): void {
    const scattered = this.#layers[layer];
    if (scattered !== undefined) this.#walk(layer, scattered, region, rectangle);
  }

  /** The map of a layer, after all walkers were walked that can reach a rectangle. */
  near(layer: number, rectangle: CellRectangle): ReadMap {
    const { steps, scatter } = this.plan.layers[layer];
    const scattered = this.#layers[layer];
    if (scatter === undefined || scattered === undefined) return this.map(layer);
    const { row0, col0, rows, cols } = around(rectangle, steps);
    const { side } = scatter;
    for (let i = Math.floor(row0 / side); i * side < row0 + rows; i++) {
      for (let j = Math.floor(col0 / side); j * side < col0 + cols; j++) {
        this.#walk(layer, scattered, [i, j], rectangle);
      }
    }
    return this.map(layer);
  }

  #build(input: WalkInput): WalkPlan {
    const plan = planOf(input);
    for (const [index, map] of finiteMaps(input, plan).entries()) this.#add(plan.layers[index], map);
    return plan;
  }

  #add(plan: LayerPlan, map: LayerMap | undefined): void {
    const { streamName: name, scatter } = plan;
    const { kernel } = this;
    if (scatter === undefined) {
      const stored = new CellMap({ kernel, name, firstVisits: plan.firstVisit, isNarrow: false, tileSide: CHUNK_SIDE });
      for (const chunk of map?.chunks() ?? []) stored.loadChunk(chunk);
      this.#maps.push(stored);
      this.#layers.push(undefined);
      return;
    }
    const source = { kernel, name, stream: keyIn(SEED, name), plan: { ...plan, scatter } };
    const layer = new KernelScatter(source, (index) => this.#maps[index].address);
    this.#layers.push(layer);
    this.#maps.push(layer.map);
  }

  #walk(layer: number, scattered: KernelScatter, [i, j]: readonly [number, number], rectangle: CellRectangle): void {
    const { start, closedLayers, openLayers, until } = this.plan.layers[layer];
    if (!scattered.hasWalked(i, j)) {
      const reached = this.#reached(layer, [i, j]);
      const starts = start.kind === "layer" ? [start.layer] : [];
      for (const source of [...starts, ...closedLayers, ...openLayers, ...(until ? [until.layer] : [])]) {
        this.near(source, reached);
      }
      scattered.ensureChunks(reached);
    }
    scattered.walkRegion(i, j, rectangle);
  }

  /** The cells that the walkers of a region can look at, in whole chunks. */
  #reached(layer: number, [i, j]: readonly [number, number]): CellRectangle {
    const { steps, scatter } = this.plan.layers[layer];
    const side = scatter?.side ?? 0;
    return wholeChunks(around({ row0: i * side, col0: j * side, rows: side, cols: side }, steps + 1));
  }
}

/** The same layers, walked the slow way. */
export function twinsOf(input: WalkInput): readonly TwinVisits[] {
  const plan = planOf(input);
  const twins: TwinVisits[] = [];
  for (const [index, map] of finiteMaps(input, plan).entries()) {
    const layer = plan.layers[index];
    const key = streamKey(SEED, layer.streamName);
    if (map === undefined) twins.push(new ScatterTwin(layer, { key, earlier: [...twins], grid: plan.grid }));
    else {
      const first = (row: number, col: number) => map.firstVisitAt(row, col) ?? 2 ** 32 - 1;
      twins.push({ visits: (row, col) => map.visitsAt(row, col), first });
    }
  }
  return twins;
}

/** The numbers of the cells of a rectangle, row by row. */
export function cellsIn({ row0, col0, rows, cols }: CellRectangle, at: (row: number, col: number) => number): number[] {
  return Array.from({ length: rows * cols }, (_, i) => at(row0 + Math.floor(i / cols), col0 + (i % cols)));
}
