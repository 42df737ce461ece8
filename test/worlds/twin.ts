import { createMill } from "../../src/index.js";
import type { GridSpec, LayerInput } from "../../src/walks/index.js";
import type {
  ConditionInput,
  ContentInput,
  FieldInput,
  LayerCondition,
  LevelInput,
  PlacementInput,
  RangeInput,
  TerrainRuleInput,
  WorldInput,
} from "../../src/worlds/index.js";
import { forkTwin, seedKeyTwin, type TwinKey } from "../oracle/words.js";
import { fieldsTwin } from "./fieldsTwin.js";
import {
  cellsIn,
  distance,
  type Grid,
  grow,
  isInGrid,
  isUpright,
  type Pair,
  type Rect,
  rowsWithin,
  squareRect,
  squaresOf,
} from "./hexes.js";
import { type KnownLayers, keyOf, LayersTwin, NO_VISIT, type TwinEnd, type TwinIdentity } from "./layersTwin.js";
import { kindsTwin } from "./relationsTwin.js";
import { below, CellWords, lowestTerms } from "./words.js";

/** The slow, obvious world: rules, distances, chances, candidates and thinning by definition, cell by cell. */

/** A placement, as the twin finds it. */
export interface TwinPlacement {
  readonly row: number;
  readonly col: number;
  readonly kind: string;
  readonly size: string | undefined;
  readonly facing: string | undefined;
  readonly content: unknown;
}

/** A window, as the twin makes it. Lists have an entry for each cell, by row, then column. */
export interface TwinWindow {
  /** Names of terrains; undefined outside the grid, and in a world without terrain. */
  readonly terrain: readonly (string | undefined)[];
  /** Visits and first visits by layer. A cell without visits has the first visit 2³² − 1. */
  readonly visits: Readonly<Record<string, readonly number[]>>;
  readonly firstVisits: Readonly<Record<string, readonly number[]>>;
  readonly placements: readonly TwinPlacement[];
  readonly fields: Readonly<Record<string, readonly number[]>>;
}

export interface TwinSetup {
  readonly seed: string;
  readonly name: string;
  /** The ids of the forks of the world; default: no forks. */
  readonly forks?: readonly (string | readonly [number, number])[];
}

const REGION = 256;
const UNBOUNDED: GridSpec = { kind: "unbounded" };

/** A world by definition. */
export class WorldTwin {
  readonly #input: WorldInput;
  readonly #setup: TwinSetup;
  readonly #identity: TwinIdentity;
  readonly #grid: Grid;
  readonly #layers: KnownLayers & Pick<LayersTwin, "ends">;

  constructor(input: WorldInput, setup: TwinSetup) {
    this.#input = input;
    this.#setup = setup;
    this.#identity = { mill: seedKeyTwin(setup.seed), name: setup.name, forks: setup.forks ?? [] };
    this.#grid = input.grid ?? UNBOUNDED;
    const known = new Map<string, Map<number, number>>();
    const fieldIn = (name: string, rect: Rect) => {
      // walkers of an odd-r world also visit cells beyond the last columns
      const fields = this.#fields(rect, fieldsBefore(input.fields ?? [], name), () => true);
      const values = known.get(name) ?? new Map<number, number>();
      known.set(name, values);
      return remembered(fields.get(name) as ValueAt, values);
    };
    this.#layers = isUpright(this.#grid)
      ? uprightLayers(input.layers, this.#identity, fieldIn)
      : new LayersTwin(this.#grid as GridSpec, input.layers, this.#identity, fieldIn);
  }

  /** The ends of the walkers of a region of a scattered layer. */
  ends(layer: string, region: Pair): readonly (TwinEnd | undefined)[] {
    return this.#layers.ends(layer, region);
  }

  window(rect: Rect): TwinWindow {
    const { layers, placements = [] } = this.#input;
    const cells = [...cellsIn(rect)];
    const columns = layers.map(({ name }) => [name, this.#layers.known(name, rect)] as const);
    const inGrid = (row: number, col: number) => isInGrid(this.#grid, row, col);
    // the rank of a placement depends on its whole region
    const whole = placements.some(({ content, contents }) => content !== undefined || contents !== undefined)
      ? boundsOf(rect, REGION)
      : rect;
    const margin = placements.some(isRelated)
      ? placements.reduce((sum, kind) => sum + reachOf(kind), 0)
      : Math.max(0, ...placements.map((kind) => kind.distance ?? 0));
    const wide = grow(whole, margin);
    const terrain = this.#terrain(wide);
    const found = this.#found(whole, wide, terrain);
    return {
      terrain: cells.map(([row, col]) => terrain(row, col)),
      visits: Object.fromEntries(
        columns.map(([name, known]) => [
          name,
          cells.map(([row, col]) => (inGrid(row, col) ? known.visits(row, col) : 0)),
        ]),
      ),
      firstVisits: Object.fromEntries(
        columns.map(([name, known]) => [
          name,
          cells.map(([row, col]) => (inGrid(row, col) ? known.first(row, col) : NO_VISIT)),
        ]),
      ),
      fields: Object.fromEntries(
        Array.from(this.#fields(rect), ([name, fieldAt]) => [
          name,
          cells.map(([row, col]) => (inGrid(row, col) ? fieldAt(row, col) : 0)),
        ]),
      ),
      placements: this.#ordered(found.filter(({ row, col }) => isInRect(rect, row, col))),
    };
  }

  #fields(
    rect: Rect,
    fields = this.#input.fields ?? [],
    isKnown = (row: number, col: number) => isInGrid(this.#grid, row, col),
  ) {
    const wordsOf = (key: TwinKey) => new CellWords(key);
    const scope = { grid: this.#grid, layers: this.#layers, world: this.#key(), rect, wordsOf, isKnown };
    return fieldsTwin(fields, scope);
  }

  /** Sorts by region, then by kind in the order of the spec, then by row and column. */
  #ordered(found: readonly TwinPlacement[]): TwinPlacement[] {
    const kinds = (this.#input.placements ?? []).map(({ name }) => name);
    const keyOfPlacement = ({ row, col, kind }: TwinPlacement) => [
      Math.floor(row / REGION),
      Math.floor(col / REGION),
      kinds.indexOf(kind),
      row,
      col,
    ];
    return [...found].sort((a, b) => compare(keyOfPlacement(a), keyOfPlacement(b)));
  }

  /** The terrain of each cell of a rectangle, each computed once. */
  #terrain(rect: Rect): (row: number, col: number) => string | undefined {
    const { terrain = [] } = this.#input;
    const fields = this.#fields(rect);
    const conditions = new Conditions(this.#grid, { layers: this.#layers, fields, world: this.#key(), rect });
    const rules = terrain.map((rule) => conditions.rule(rule));
    const known = new Map<number, (string | undefined)[]>();
    return (row, col) => {
      const line = known.get(row) ?? [];
      if (line.length === 0) known.set(row, line);
      const i = col - rect.col;
      if (!(i in line)) {
        const rule = isInGrid(this.#grid, row, col) ? rules.find(({ holds }) => holds(row, col)) : undefined;
        line[i] = rule?.terrain;
      }
      return line[i];
    };
  }

  #key(): TwinKey {
    return keyOf(this.#identity, this.#setup.name);
  }

  #found(rect: Rect, wide: Rect, terrainAt: TerrainAt): TwinPlacement[] {
    const { placements = [] } = this.#input;
    if (!placements.some(isRelated)) {
      return placements.flatMap((kind) => this.#placed(kind, this.#standing(kind, rect, terrainAt), terrainAt));
    }
    const scope = { layers: this.#layers, fields: this.#fields(wide), world: this.#key(), rect: wide };
    const twins = kindsTwin(placements, {
      grid: this.#grid,
      world: this.#key(),
      isOn: (kind) => {
        const isOn = this.#namesOf(kind.on);
        return (row, col) => isOn(terrainAt(row, col));
      },
      whereOf: ({ name, where }) =>
        where === undefined ? () => true : new Conditions(this.#grid, scope).all(where, ["placements", name, "where"]),
    });
    return placements.flatMap((kind, k) => {
      const standing = [...cellsIn(rect)].filter((cell) => twins[k].stands(...cell));
      const placed = this.#placed(kind, standing, terrainAt);
      return placed.map((place) => ({ ...place, ...twins[k].traits(place.row, place.col) }));
    });
  }

  #placed(kind: PlacementInput, standing: readonly Pair[], terrainAt: TerrainAt): TwinPlacement[] {
    const contentOf = this.#contents(kind, terrainAt);
    const none = { size: undefined, facing: undefined };
    return [...groups(standing)].flatMap(([region, cells]) =>
      cells.map((cell, rank) => {
        const [row, col] = cell;
        return { row, col, kind: kind.name, ...none, content: contentOf?.(region, cell, rank) };
      }),
    );
  }

  #standing(kind: PlacementInput, rect: Rect, terrainAt: TerrainAt): Pair[] {
    const { distance: least = 0 } = kind;
    const words = new CellWords(forkTwin(forkTwin(this.#key(), "placements"), kind.name));
    const isOn = this.#namesOf(kind.on);
    const [k, n] = lowestTerms(kind.density ?? 0);
    const candidates = new Map<number, Map<number, number>>();
    for (const [row, col] of k === 0 ? [] : cellsIn(grow(rect, least))) {
      const next = words.at(row, col);
      // few cells are left after the first word, so their terrain comes second
      if (below(n, next) >= k) continue;
      if (!isInGrid(this.#grid, row, col) || !isOn(terrainAt(row, col))) continue;
      const line = candidates.get(row) ?? new Map();
      candidates.set(row, line.set(col, next()));
    }
    const stands = (row: number, col: number) => this.#stands(candidates, [row, col], least);
    return [...cellsIn(rect)].filter(([row, col]) => candidates.get(row)?.has(col) && stands(row, col));
  }

  #stands(candidates: ReadonlyMap<number, ReadonlyMap<number, number>>, cell: Pair, least: number): boolean {
    if (least === 0) return true;
    const priority = candidates.get(cell[0])?.get(cell[1]) ?? 0;
    for (const { row, from, to } of rowsWithin(this.#grid, cell, least)) {
      const line = candidates.get(row);
      if (line === undefined) continue;
      for (let col = from; col <= to; col++) {
        const other = line.get(col);
        if (other !== undefined && compare([other, row, col], [priority, ...cell]) < 0) return false;
      }
    }
    return true;
  }

  /** Whether a placement can stand on a terrain. Without a list it stands on all cells, also in a world without terrain. */
  #namesOf(list: readonly string[] | undefined): (terrain: string | undefined) => boolean {
    return (terrain) =>
      list === undefined || (terrain !== undefined && list.some((name) => this.#isNamed(terrain, name)));
  }

  #isNamed(terrain: string, name: string): boolean {
    const first = this.#input.terrain?.find((rule) => rule.terrain === terrain);
    return terrain === name || first?.tags?.includes(name) === true;
  }

  #contents(
    { name, content, contents }: PlacementInput,
    terrainAt: TerrainAt,
  ): ((region: Pair, cell: Pair, rank: number) => unknown) | undefined {
    const ids = [...this.#identity.forks, "contents", name];
    if (content !== undefined) return this.#content(content, ids, terrainAt);
    if (contents === undefined) return undefined;
    const named = Object.entries(contents).map(
      ([one, of]) => [one, this.#content(of, [...ids, one], terrainAt)] as const,
    );
    return (...place) => Object.fromEntries(named.map(([one, contentOf]) => [one, contentOf(...place)]));
  }

  #content(content: ContentInput, ids: Ids, terrainAt: TerrainAt): (region: Pair, cell: Pair, rank: number) => unknown {
    const sources = new Map<string, ReturnType<WorldTwin["openSource"]>>();
    const children = new Map<string, ReturnType<ReturnType<WorldTwin["openSource"]>>>();
    return (region, cell, rank) => {
      const given = this.#options(content, region, terrainAt(...cell) ?? "");
      const { table, drops, recipe, objects: _, pools: __, pool, stock: ___, ...options } = given;
      const name = JSON.stringify([table, drops, recipe]);
      const open = sources.get(name) ?? this.openSource({ ...content, ...given } as ContentInput);
      sources.set(name, open);
      // placements on terrains with other pools draw from the same family, in order
      const child = children.get(`${name} ${region}`) ?? open([...ids, region]);
      children.set(`${name} ${region}`, child);
      return child(rank, options, String(pool));
    };
  }

  /** Opens the noun of a content. Returns a function that makes a result of one of its children. */
  private openSource(content: ContentInput) {
    const { tables, drops, recipes, objects, pools } = this.#input;
    const { seed, name } = this.#setup;
    const mill = createMill({ seed });
    const fork = <Noun extends { fork(id: string | readonly [number, number]): Noun }>(noun: Noun, ids: Ids): Noun =>
      ids.reduce<Noun>((parent, id) => parent.fork(id), noun);
    type Options = Readonly<Record<string, unknown>>;
    if ("table" in content) {
      const table = mill.table(name, source(tables, content.table) as never);
      return (ids: Ids) => {
        const child = fork(table, ids);
        return (at: number, _: Options): unknown => child.roll({ at });
      };
    }
    if ("drops" in content) {
      const given = mill.drops(name, source(drops, content.drops) as never);
      return (ids: Ids) => {
        const child = fork(given, ids);
        return (at: number, _: Options): unknown => child.roll({ at });
      };
    }
    if ("recipe" in content) {
      const given = source(recipes, content.recipe);
      const pair = typeof given === "object" && "recipe" in given ? given : { recipe: given, tables: undefined };
      const recipe = mill.recipe(name, pair.recipe, pair.tables && { tables: pair.tables });
      return (ids: Ids) => {
        const child = fork(recipe, ids);
        // an item in a world has no origin
        return (at: number, options: Options): unknown => {
          const {
            words: _,
            ids: __,
            outcomes: ___,
            index: ____,
            seed: _____,
            ...item
          } = child.make({ ...options, at });
          return item;
        };
      };
    }
    if ("objects" in content) {
      const maker = mill.objects(name, source(objects, content.objects));
      return (ids: Ids) => {
        const child = fork(maker, ids);
        return (at: number, options: Options): unknown =>
          child.make({ ...options, level: Number(options.level), artifacts: false, at });
      };
    }
    const family = mill.pools(name, source(pools, content.pools));
    return (ids: Ids) => {
      const child = fork(family, ids);
      return (_: number, __: Options, pool: string): unknown => child.pool(pool).draw();
    };
  }

  #options(content: ContentInput, region: Pair, terrain: string): Readonly<Record<string, unknown>> {
    const { on = {}, ...all } = content;
    const entry = Object.entries(on).find(([name]) => this.#isNamed(terrain, name));
    const options: Record<string, unknown> = { ...all, ...entry?.[1] };
    for (const key of ["level", "tier"]) {
      if (options[key] !== undefined) options[key] = this.#level(options[key] as LevelInput, region);
    }
    return options;
  }

  #level(level: LevelInput, [i, j]: Pair): number {
    if (typeof level === "number") return level;
    const { from, perCells, most = 255, center = [0, 0] } = level;
    const steps = distance(this.#grid, center, [i * REGION + REGION / 2, j * REGION + REGION / 2]);
    return Math.min(most, from + Math.floor(steps / perCells));
  }
}

/** The layers of an unbounded odd-r grid: axial layers whose cells are asked for by odd-r cells. */
function uprightLayers(
  inputs: readonly LayerInput[],
  identity: TwinIdentity,
  fieldIn: (name: string, rect: Rect) => ValueAt,
): KnownLayers & Pick<LayersTwin, "ends"> {
  const axialCol = (row: number, col: number) => col - Math.floor(row / 2);
  const axial = ([row, col]: Pair): Pair => [row, axialCol(row, col)];
  const axialInputs = inputs.map(({ start, closed, ...layer }): LayerInput => {
    const starts = Array.isArray(start) ? (start as readonly Pair[]).map(axial) : start;
    return {
      ...layer,
      ...(starts && { start: starts }),
      ...(closed && { closed: { ...closed, ...(closed.cells && { cells: closed.cells.map(axial) }) } }),
    };
  });
  const oddRCol = (row: number, col: number) => col + Math.floor(row / 2);
  const axialFieldIn = (name: string, { row, col, rows, cols }: Rect) => {
    const [left, right] = [oddRCol(row, col), oddRCol(row + rows - 1, col + cols)];
    const valueAt = fieldIn(name, { row, col: left, rows, cols: right - left });
    return (r: number, c: number) => valueAt(r, oddRCol(r, c));
  };
  const layers = new LayersTwin(UNBOUNDED, axialInputs, identity, axialFieldIn);
  return {
    ends: (name, region) => layers.ends(name, region),
    known(name, { row, col, rows, cols }) {
      const [left, right] = [axialCol(row + rows - 1, col), axialCol(row, col + cols)];
      const found = layers.known(name, { row, col: left, rows, cols: right - left });
      return {
        visits: (r, c) => found.visits(r, axialCol(r, c)),
        first: (r, c) => found.first(r, axialCol(r, c)),
      };
    },
  };
}

/** A field and all fields that it reads, in their order. The others may depend on layers that read this field. */
function fieldsBefore(fields: readonly FieldInput[], name: string): FieldInput[] {
  const names = new Set([name]);
  const read = ({ of = [] }: { readonly of?: string | readonly (string | { readonly field: string })[] }) =>
    [of].flat().map((one) => (typeof one === "string" ? one : one.field));
  for (const one of names) {
    const field = fields.find((other) => other.name === one);
    if (field !== undefined) for (const used of read(field as object)) names.add(used);
  }
  return fields.filter((field) => names.has(field.name));
}

type ValueAt = (row: number, col: number) => number;

/** A field whose values are in `known`, once they are asked for. */
function remembered(valueAt: ValueAt, known: Map<number, number>): ValueAt {
  return (row, col) => {
    const key = (row + 2 ** 31) * 2 ** 21 + (col & (2 ** 21 - 1));
    const value = known.get(key) ?? valueAt(row, col);
    known.set(key, value);
    return value;
  };
}

type Ids = readonly (string | readonly [number, number])[];

function source<Source>(sources: Readonly<Record<string, Source>> | undefined, name: string): Source {
  if (sources === undefined || !(name in sources)) throw new Error(`no source ${name}`);
  return sources[name];
}

/** Whether a kind has a field that only the twin of relations knows. */
function isRelated(kind: PlacementInput): boolean {
  const { near, apart, alone, where, at, least, most, sizes, facing } = kind;
  return [near, apart, alone, where, at, least, most, sizes, facing].some((field) => field !== undefined);
}

/** More than the greatest distance of a cell on which a placement depends, without those of earlier kinds. */
function reachOf({ distance: own = 0, near, apart, least, most }: PlacementInput): number {
  const discs = 2 * ((least?.within ?? 0) + (most?.within ?? 0)) + 2 * own;
  return discs + Math.max(near?.within ?? 0, apart?.distance ?? 0);
}

type TerrainAt = (row: number, col: number) => string | undefined;
type Holds = (row: number, col: number) => boolean;

interface ConditionScope {
  readonly layers: KnownLayers;
  readonly fields: ReturnType<typeof fieldsTwin>;
  readonly world: TwinKey;
  readonly rect: Rect;
}

/** Conditions of rules as functions of a cell of a rectangle. */
class Conditions {
  readonly #grid: Grid;
  readonly #scope: ConditionScope;
  /** Numbers of chances so far, by the ids of their streams. */
  readonly #chances = new Map<string, number>();

  constructor(grid: Grid, scope: ConditionScope) {
    this.#grid = grid;
    this.#scope = scope;
  }

  rule({ terrain, when }: TerrainRuleInput): { readonly terrain: string; readonly holds: Holds } {
    return { terrain, holds: when === undefined ? () => true : this.all(when, ["terrain", terrain]) };
  }

  /** `ids` are those of the forks of the world that lead to the streams of the condition's chances. */
  all(condition: ConditionInput, ids: readonly string[]): Holds {
    const parts = Object.entries(condition).map(([key, value]) => this.#part(key, value, ids));
    return (row, col) => parts.every((holds) => holds(row, col));
  }

  #part(key: string, value: ConditionInput[string], ids: readonly string[]): Holds {
    if (key === "chance") return this.#chance(value as string | number, ids);
    if (key === "not") {
      const inner = this.all(value as ConditionInput, ids);
      return (row, col) => !inner(row, col);
    }
    if (key === "all" || key === "any") {
      const inner = (value as readonly ConditionInput[]).map((one) => this.all(one, ids));
      if (key === "all") return (row, col) => inner.every((holds) => holds(row, col));
      return (row, col) => inner.some((holds) => holds(row, col));
    }
    const fieldAt = this.#scope.fields.get(key);
    if (fieldAt !== undefined) return (row, col) => isInRange(fieldAt(row, col), value as RangeInput);
    return this.#layer(key, value as LayerCondition);
  }

  #chance(chance: string | number, ids: readonly string[]): Holds {
    const number = this.#chances.get(ids.join()) ?? 0;
    this.#chances.set(ids.join(), number + 1);
    const key = ids.reduce<TwinKey>(forkTwin, this.#scope.world);
    const words = new CellWords(forkTwin(key, BigInt(number)));
    const [k, n] = lowestTerms(chance);
    return (row, col) => below(n, words.at(row, col)) < k;
  }

  #layer(name: string, { visits, firstVisit, within }: LayerCondition): Holds {
    const { layers, rect } = this.#scope;
    const cells = layers.known(name, grow(rect, within ?? 0));
    const near = within === undefined ? undefined : this.#near(name, within);
    return (row, col) => {
      if (visits !== undefined && !isInRange(cells.visits(row, col), visits)) return false;
      if (firstVisit !== undefined) {
        if (cells.visits(row, col) === 0 || !isInRange(cells.first(row, col), firstVisit)) return false;
      }
      return near === undefined || near(row, col);
    };
  }

  /** Whether a cell within `steps` was visited. Sums of each row from its first column on find visits in a part of it. */
  #near(name: string, steps: number): Holds {
    const { layers, rect } = this.#scope;
    const wide = grow(rect, 2 * steps + 2);
    const cells = layers.known(name, grow(rect, steps));
    const lines = new Map<number, Uint32Array>();
    const lineOf = (row: number) => {
      const sums = new Uint32Array(wide.cols + 1);
      for (let i = 0; i < wide.cols; i++) {
        const col = wide.col + i;
        const isVisited = isInGrid(this.#grid, row, col) && cells.visits(row, col) > 0;
        sums[i + 1] = sums[i] + (isVisited ? 1 : 0);
      }
      lines.set(row, sums);
      return sums;
    };
    return (row, col) => {
      for (const part of rowsWithin(this.#grid, [row, col], steps)) {
        const sums = lines.get(part.row) ?? lineOf(part.row);
        if (sums[part.to + 1 - wide.col] > sums[part.from - wide.col]) return true;
      }
      return false;
    };
  }
}

function isInRange(value: number, [least, most]: readonly [number, number | null]): boolean {
  return value >= least && (most === null || value <= most);
}

function isInRect({ row, col, rows, cols }: Rect, r: number, c: number): boolean {
  return r >= row && r < row + rows && c >= col && c < col + cols;
}

/** The smallest rectangle of whole squares that contains a rectangle. */
function boundsOf(rect: Rect, side: number): Rect {
  const squares = [...squaresOf(rect, side)];
  const first = squareRect(squares[0], side);
  const last = squareRect(squares[squares.length - 1], side);
  return { ...first, rows: last.row + side - first.row, cols: last.col + side - first.col };
}

/** Cells by region; those of a region by row, then column. */
function groups(cells: readonly Pair[]): Map<Pair, Pair[]> {
  const byName = new Map<string, { readonly region: Pair; readonly cells: Pair[] }>();
  for (const cell of cells) {
    const region = [Math.floor(cell[0] / REGION), Math.floor(cell[1] / REGION)] as const;
    const group = byName.get(region.join()) ?? { region, cells: [] };
    group.cells.push(cell);
    byName.set(region.join(), group);
  }
  return new Map([...byName.values()].map((group) => [group.region, group.cells]));
}

function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i < 0 ? 0 : a[i] - b[i];
}
