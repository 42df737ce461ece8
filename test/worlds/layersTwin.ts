import {
  type FieldRangeInput,
  type GridSpec,
  type LayerInput,
  PRESETS,
  type TensorInput,
} from "../../src/walks/index.js";
import { forkTwin, nameTwin, startsKeyTwin, type TwinKey } from "../oracle/words.js";
import { cellsIn, grow, isInGrid, MOVES, neighbour, type Pair, type Rect, squareRect, squaresOf } from "./hexes.js";
import { below, CellWords, lowestTerms, type NextWord, PlaneWords, pick, sum } from "./words.js";

/** The layers of a world, walked by definition: every walker of every region in reach, one step at a time. */

/** What the words of a world depend on: the key of its mill, its name and the ids of its forks. */
export interface TwinIdentity {
  readonly mill: TwinKey;
  readonly name: string;
  readonly forks: readonly (string | readonly [number, number])[];
}

/** The key of a name, with the forks of the world folded into it. */
export function keyOf({ mill, forks }: TwinIdentity, name: string): TwinKey {
  return forks.reduce<TwinKey>((key, id) => forkTwin(key, id), nameTwin(mill, name));
}

/** The cell and heading (0 … 5, 6 resting) of a walker after its last step, and its number of steps if it ended. */
export interface TwinEnd {
  readonly row: number;
  readonly col: number;
  readonly heading: number;
  readonly ended?: number;
}

export const NO_VISIT = 0xffff_ffff;
const REST = 6;
const TILE = 64;
const HALF = 2 ** 25;
const DIRECTIONS = ["NW", "NE", "E", "SE", "SW", "W"];
const TURNS = ["forward", "rightForward", "rightBackward", "backward", "leftBackward", "leftForward"];

/** The layer cannot be walked; `code` is that of the library's error. */
export class TwinRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Visits and first visits of cells anywhere. */
export class TwinCells {
  readonly #tiles = new Map<number, { readonly visits: Uint32Array; readonly first: Uint32Array }>();

  add(row: number, col: number, step: number): void {
    const key = tileKey(row, col);
    let tile = this.#tiles.get(key);
    if (tile === undefined) {
      tile = { visits: new Uint32Array(TILE * TILE), first: new Uint32Array(TILE * TILE).fill(NO_VISIT) };
      this.#tiles.set(key, tile);
    }
    const i = (row & (TILE - 1)) * TILE + (col & (TILE - 1));
    tile.visits[i]++;
    tile.first[i] = Math.min(tile.first[i], step);
  }

  visits(row: number, col: number): number {
    return this.#tiles.get(tileKey(row, col))?.visits[(row & (TILE - 1)) * TILE + (col & (TILE - 1))] ?? 0;
  }

  first(row: number, col: number): number {
    return this.#tiles.get(tileKey(row, col))?.first[(row & (TILE - 1)) * TILE + (col & (TILE - 1))] ?? NO_VISIT;
  }

  /** All visited cells, by row, then column. */
  list(): Pair[] {
    const cells: Pair[] = [];
    for (const [key, { visits }] of this.#tiles) {
      const row = (Math.floor(key / 2 ** 26) - HALF) * TILE;
      const col = ((key % 2 ** 26) - HALF) * TILE;
      for (const [i, count] of visits.entries()) if (count > 0) cells.push([row + (i >> 6), col + (i & 63)]);
    }
    return cells.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }
}

/** The tile of 64 × 64 cells: two numbers of 26 bits. */
function tileKey(row: number, col: number): number {
  return ((row >> 6) + HALF) * 2 ** 26 + ((col >> 6) + HALF);
}

/** The cells of layers, asked for in the coordinates of a grid. */
export interface KnownLayers {
  known(name: string, rect: Rect): Pick<TwinCells, "visits" | "first">;
}

/** All layers of a world. A layer is walked where, and when, somebody asks for it. */
export class LayersTwin {
  readonly #layers: readonly Layer[];

  /** @param fieldIn - Returns a field of the world, for the cells of a rectangle. */
  constructor(grid: GridSpec, inputs: readonly LayerInput[], identity: TwinIdentity, fieldIn: FieldIn = noField) {
    const layers: Layer[] = [];
    for (const input of inputs) layers.push(new Layer(grid, input, { earlier: [...layers], identity, fieldIn }));
    this.#layers = layers;
  }

  /** The cells of a layer. Their visits are complete in the rectangle. */
  known(name: string, rect: Rect): TwinCells {
    return this.#named(name).known(rect);
  }

  /** The ends of the walkers of a region; undefined for walkers that do not exist. */
  ends(name: string, region: Pair): readonly (TwinEnd | undefined)[] {
    return this.#named(name).walkRegion(region);
  }

  #named(name: string): Layer {
    const layer = this.#layers.find((one) => one.name === name);
    if (layer === undefined) throw new Error(`no layer ${name}`);
    return layer;
  }
}

type IsCell = (row: number, col: number) => boolean;
type ValueAt = (row: number, col: number) => number;
type FieldIn = (name: string, rect: Rect) => ValueAt;

function noField(name: string): ValueAt {
  throw new Error(`no field ${name}`);
}

/** What walkers find in a rectangle. */
interface Ground {
  readonly isOpen: IsCell;
  readonly isEnd: IsCell;
  readonly isStart: IsCell;
  /** The values of the field of a slope. */
  readonly valueAt: ValueAt | undefined;
}

class Layer {
  readonly name: string;
  readonly #grid: GridSpec;
  readonly #input: LayerInput;
  readonly #earlier: readonly Layer[];
  readonly #key: TwinKey;
  readonly #cellWords: CellWords;
  readonly #weights: readonly (readonly number[])[];
  readonly #headings: readonly number[];
  readonly #cells = new TwinCells();
  readonly #stuck = new TwinCells();
  readonly #fieldIn: FieldIn;
  readonly #regions = new Map<string, readonly (TwinEnd | undefined)[]>();
  #isWalked = false;

  constructor(
    grid: GridSpec,
    input: LayerInput,
    {
      earlier,
      identity,
      fieldIn,
    }: { readonly earlier: readonly Layer[]; readonly identity: TwinIdentity; readonly fieldIn: FieldIn },
  ) {
    this.#fieldIn = fieldIn;
    this.name = input.name;
    this.#grid = grid;
    this.#input = input;
    this.#earlier = earlier;
    this.#key = keyOf(identity, `${identity.name}/${input.name}`);
    this.#cellWords = new CellWords(startsKeyTwin(this.#key));
    this.#weights = combinedWeights(input);
    const { heading = "resting" } = input;
    const names = typeof heading === "string" ? [heading] : heading;
    this.#headings = names.map((name) => (DIRECTIONS.includes(name) ? DIRECTIONS.indexOf(name) : REST));
  }

  known(rect: Rect): TwinCells {
    const { scatter, steps = 0, stuck } = this.#input;
    if (stuck !== undefined) return this.#named(stuck).#knownStuck(rect);
    if (scatter === undefined) this.#walkAll();
    else for (const region of squaresOf(grow(rect, steps), scatter.side ?? 256)) this.walkRegion(region);
    return this.#cells;
  }

  /** The cells on which walkers ended because they were stuck. */
  #knownStuck(rect: Rect): TwinCells {
    this.known(rect);
    return this.#stuck;
  }

  #named(name: string): Layer {
    const layer = this.#earlier.find((one) => one.name === name);
    if (layer === undefined) throw new Error(`no earlier layer ${name}`);
    return layer;
  }

  walkRegion(region: Pair): readonly (TwinEnd | undefined)[] {
    const done = this.#regions.get(region.join());
    if (done !== undefined) return done;
    const { steps = 0, scatter } = this.#input;
    if (scatter === undefined) throw new Error("a finite layer has no regions");
    const rect = squareRect(region, scatter.side ?? 256);
    if (!isInGrid(this.#grid, rect.row, rect.col)) return [];
    const ground = this.#ground(grow(rect, steps + 1));
    const key = forkTwin(this.#key, region);
    const startOf = this.#regionStarts(rect, startsKeyTwin(key), ground);
    const starts =
      scatter.density === undefined
        ? Array.from({ length: scatter.walkers ?? 0 }, (_, q) => startOf(q))
        : this.#densityStarts(rect, scatter.density, ground);
    const ends = starts.map((start, q) => {
      return start && this.#walk({ number: q, start, words: new PlaneWords(key, q) }, ground);
    });
    this.#regions.set(region.join(), ends);
    return ends;
  }

  #walkAll(): void {
    if (this.#isWalked) return;
    this.#isWalked = true;
    const ground = this.#ground({ row: 0, col: 0, rows: 0, cols: 0 });
    const startOf = this.#finiteStarts(startsKeyTwin(this.#key), ground.isOpen);
    for (let w = 0; w < (this.#input.walkers ?? 1); w++) {
      this.#walk({ number: w, start: startOf(w), words: new PlaneWords(this.#key, w) }, ground);
    }
  }

  /** What the walkers find in a rectangle: open cells, cells that end them, and cells of the layer that they start on. */
  #ground(rect: Rect): Ground {
    const { closed, open, until, start, slope } = this.#input;
    const visited = (name: string): IsCell => {
      const cells = this.#named(name).known(rect);
      return (row, col) => cells.visits(row, col) > 0;
    };
    const inRange = ({ field, from = 0, to = 65535 }: FieldRangeInput): IsCell => {
      const valueAt = this.#fieldIn(field, rect);
      return (row, col) => valueAt(row, col) >= from && valueAt(row, col) <= to;
    };
    const listed = new Set(closed?.cells?.map((cell) => cell.join()));
    const closedLayers = [...(closed?.layers ?? []).map(visited), ...(closed?.fields ?? []).map(inRange)];
    const openLayers = open && [...(open.layers ?? []).map(visited), ...(open.fields ?? []).map(inRange)];
    const isOpen: IsCell = (row, col) =>
      (this.#grid.kind === "unbounded" ? isCoordinate(row) && isCoordinate(col) : isInGrid(this.#grid, row, col)) &&
      !listed.has(`${row},${col}`) &&
      !closedLayers.some((has) => has(row, col)) &&
      (openLayers === undefined || openLayers.some((has) => has(row, col)));
    const onField = until !== undefined && "field" in until ? inRange(until) : undefined;
    const on = until !== undefined && "on" in until ? visited(until.on) : onField;
    const within = until !== undefined && "outside" in until ? visited(until.outside) : undefined;
    const isEnd: IsCell = (row, col) => on?.(row, col) === true || within?.(row, col) === false;
    const isInField = start !== undefined && "field" in start ? inRange(start) : () => true;
    const isStart = start !== undefined && "layer" in start ? visited(start.layer) : isInField;
    const fieldAt = slope && this.#fieldIn(slope.field, rect);
    const valueAt: ValueAt | undefined =
      fieldAt && ((row, col) => (isCoordinate(row) && isCoordinate(col) ? fieldAt(row, col) : 0));
    return { isOpen, isEnd, isStart, valueAt };
  }

  #densityStarts(
    rect: Rect,
    density: string | number,
    { isOpen, isStart }: { readonly isOpen: IsCell; readonly isStart: IsCell },
  ): Pair[] {
    const [k, n] = lowestTerms(density);
    const sends = (cell: Pair) => below(n, this.#cellWords.at(...cell)) < k;
    return [...cellsIn(rect)].filter((cell) => sends(cell) && isStart(...cell) && isOpen(...cell));
  }

  #regionStarts(rect: Rect, key: TwinKey, { isOpen, isStart }: { readonly isOpen: IsCell; readonly isStart: IsCell }) {
    const planes = [0, 1, 2].map((plane) => new PlaneWords(key, plane));
    const { start } = this.#input;
    const all = [...cellsIn(rect)].filter(([row, col]) => isStart(row, col));
    let open: Pair[] | undefined;
    return (q: number): Pair | undefined => {
      if (all.length === 0) return undefined;
      const first: Pair =
        start === undefined
          ? [rect.row + below(rect.rows, planes[0].at(q)), rect.col + below(rect.cols, planes[1].at(q))]
          : all[below(all.length, planes[0].at(q))];
      if (isOpen(...first)) return first;
      open ??= all.filter(([row, col]) => isOpen(row, col));
      return open.length === 0 ? undefined : open[below(open.length, planes[2].at(q))];
    };
  }

  #finiteStarts(key: TwinKey, isOpen: IsCell): (w: number) => Pair {
    const { start = [[0, 0]] } = this.#input;
    const planes = [0, 1, 2].map((plane) => new PlaneWords(key, plane));
    if ("field" in start) throw new Error("a finite layer reads no field");
    const rect = "rect" in start ? rectOf(start.rect) : undefined;
    const all = "layer" in start ? this.#listOf(start.layer) : rect ? [...cellsIn(rect)] : (start as readonly Pair[]);
    const open = all.filter(([row, col]) => isOpen(row, col));
    if (open.length === 0) throw new TwinRefusal("walk.closed-start");
    return (w) => {
      if (!("layer" in start) && rect === undefined) return open[w % open.length];
      const first: Pair = rect
        ? [rect.row + below(rect.rows, planes[0].at(w)), rect.col + below(rect.cols, planes[1].at(w))]
        : all[below(all.length, planes[0].at(w))];
      return isOpen(...first) ? first : open[below(open.length, planes[2].at(w))];
    };
  }

  #listOf(name: string): Pair[] {
    const layer = this.#earlier.find((one) => one.name === name);
    return layer?.known({ row: 0, col: 0, rows: 0, cols: 0 }).list() ?? [];
  }

  #walk(
    { number, start, words }: { readonly number: number; readonly start: Pair; readonly words: PlaneWords },
    { isOpen, isEnd, valueAt }: Ground,
  ): TwinEnd {
    const { steps = 0, slope } = this.#input;
    let cell = start;
    let heading = this.#headings[number % this.#headings.length];
    this.#cells.add(...cell, 0);
    for (let t = 0; t < steps; t++) {
      if (isEnd(...cell)) return { row: cell[0], col: cell[1], heading, ended: t };
      const chosen = this.#step(cell, heading, { next: words.at(t), isOpen, valueAt });
      if (chosen === REST && slope !== undefined && slope.stuck !== "rest") {
        this.#stuck.add(...cell, t);
        return { row: cell[0], col: cell[1], heading, ended: t };
      }
      heading = chosen;
      if (heading !== REST) cell = neighbour(this.#grid, cell, MOVES[heading]);
      this.#cells.add(...cell, t + 1);
    }
    const end = { row: cell[0], col: cell[1], heading };
    return isEnd(...cell) ? { ...end, ended: steps } : end;
  }

  /** The direction of a step; 6 for a rest. */
  #step(
    cell: Pair,
    heading: number,
    { next, isOpen, valueAt }: Pick<Ground, "isOpen" | "valueAt"> & { readonly next: NextWord },
  ): number {
    const factors = MOVES.map((move) => this.#factor(cell, neighbour(this.#grid, cell, move), valueAt));
    const absolute = this.#weights[REST].map((weight, i) => weight * factors[i]);
    const combined = this.#weights[heading].map((weight, i) => weight * factors[i]);
    if (sum(combined) + sum(absolute) === 0) return REST;
    const proposal = pick(sum(combined) > 0 ? combined : absolute, next);
    const isFree = (direction: number) => isOpen(...neighbour(this.#grid, cell, MOVES[direction]));
    if (isFree(proposal)) return proposal;
    const open = MOVES.map((_, direction) => isFree(direction));
    const openCombined = combined.map((weight, i) => (open[i] ? weight : 0));
    if (sum(openCombined) > 0) return pick(openCombined, next);
    const openAbsolute = absolute.map((weight, i) => (open[i] ? weight : 0));
    return sum(openAbsolute) > 0 ? pick(openAbsolute, next) : REST;
  }

  /** By which factor a slope multiplies the weight of a neighbour. */
  #factor(cell: Pair, other: Pair, valueAt: ValueAt | undefined): number {
    const { slope } = this.#input;
    if (slope === undefined || valueAt === undefined) return 1;
    const { down = 1, level = 0, up = 0, steepness = 0 } = slope;
    const drop = valueAt(...cell) - valueAt(...other);
    if (drop === 0) return level;
    return drop < 0 ? up : down + Math.floor((drop * steepness) / 256);
  }
}

function isCoordinate(value: number): boolean {
  return value === (value | 0);
}

function rectOf([row0, col0, row1, col1]: readonly number[]): Rect {
  return { row: row0, col: col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
}

/** Seven lists of six weights: one for each heading, the last for a walker at rest. */
function combinedWeights({ preset = "uniform", tensor }: LayerInput): number[][] {
  const { absolute, relative } = tensor === undefined ? PRESETS[preset] : scaledTensor(tensor);
  const ofHeading = (d: number) => absolute.map((weight, c) => weight * relative[(c - d + 6) % 6]);
  return [...[0, 1, 2, 3, 4, 5].map(ofHeading), [...absolute]];
}

function scaledTensor({ absolute, relative }: TensorInput) {
  return { absolute: scaled(absolute, DIRECTIONS), relative: scaled(relative, TURNS) };
}

/** Weights by name as integers: all multiplied by the least power of ten that makes them integers. */
function scaled(given: Readonly<Record<string, number>> | undefined, names: readonly string[]): number[] {
  if (given === undefined) return names.map(() => 1);
  const weights = names.map((name) => given[name] ?? 0);
  const decimals = Math.max(...weights.map((weight) => (String(weight).split(".")[1] ?? "").length));
  return weights.map((weight) => Math.round(weight * 10 ** decimals));
}
