import { readFileSync } from "node:fs";
import seedrandom from "seedrandom";
import type { GridSpec, HeadingKey, LayerInput, PresetName, StartInput, TensorInput } from "../../src/walks/index.js";
import type {
  ConditionInput,
  ContentInput,
  FieldInput,
  PlacementInput,
  TerrainRuleInput,
  WorldInput,
} from "../../src/worlds/index.js";
import { SMALL } from "../objects/small.js";
import { WEAPON_WORDS, weaponInput } from "../recipes/small.js";
import type { Pair, Rect } from "./hexes.js";

/** Random worlds with everything that a spec can hold, small enough to be walked one step at a time. */

/** A world, a window of it, and the mill and name under which it is opened. */
export interface RandomWorld {
  readonly seed: string;
  readonly name: string;
  readonly input: WorldInput & { readonly grid?: GridSpec };
  readonly window: Rect;
}

/** Greatest cost of a world's walkers for the twin, in steps; approximate. A walker costs as much as some steps. */
const STEP_BUDGET = 400_000;
const WALKER_COST = 8;
/** Visits per cell of scattered layers. */
const VISIT_DENSITIES = [0.02, 0.1, 0.3, 0.7];
const PRESET_NAMES: readonly PresetName[] = [
  "rb50-lb50",
  "rb66-lb33",
  "sf66-rf33",
  "rf50-lf50",
  "five-ways",
  "uniform",
];
const HEADINGS: readonly HeadingKey[] = ["NW", "NE", "E", "SE", "SW", "W", "resting", "rest"];
const DIRECTION_NAMES = ["NW", "NE", "E", "SE", "SW", "W"];
const TURN_NAMES = ["forward", "rightForward", "rightBackward", "backward", "leftBackward", "leftForward"];
const LAYER_NAMES = ["hills", "rivers", "Bäche", "roads"];
const TERRAIN_NAMES = ["sea", "forest", "hügel", "plain", "marsh"];
const CHANCES = ["1/2", "1/20", "2/3", 0.05, 0.3, "999999937/1999999943", "1431655765/4294967295", 0, 1, "0/1", "7/7"];
const DENSITIES = ["1/200", 0.02, "1/9", "1/2", "2863311531/4294967295", 1, 1, 0];
/** How far from (0, 0) windows are. */
const SPREADS = [0, 300, 300, 5000, 2 ** 20, 2 ** 30];
const SMALL_DENSITIES = ["1/100", "1/300", 0.004, "1/2000", "42949672/4294967295"];

/** Returns world number `number`; always the same one. */
export function randomWorld(number: number): RandomWorld {
  const dice = new Dice(`world ${number}`);
  const bounded = dice.holds(0.2) ? randomGrid(dice) : undefined;
  const window = bounded?.window ?? randomWindow(dice);
  const grid = bounded?.grid;
  const layers = withDensities(number, randomLayers(dice, { window, grid }));
  const terrain = dice.holds(0.93) ? randomRules(dice, layers) : undefined;
  const placements = withContents(number, randomPlacements(dice, terrain ?? []), terrain ?? []);
  const fields = randomFields(number, layers);
  return {
    seed: dice.of(["moria", "", "1", "☃"]),
    name: dice.of(["land", "länder", "a"]),
    window,
    input: {
      ...(grid && { grid }),
      layers,
      ...(fields.length > 0 && { fields }),
      ...(terrain && { terrain: terrain.map((rule) => withField(rule, fields, number)) }),
      ...(placements && { placements }),
      ...SOURCES,
    },
  };
}

/** Returns an unbounded world as an odd-r world. In such a world, walkers cannot start in a rectangle. */
export function uprightWorld({ input, ...world }: RandomWorld): RandomWorld & { readonly input: WorldInput } {
  const layers = input.layers.map((layer) => {
    if (layer.start === undefined || !("rect" in layer.start)) return layer;
    const [row0, col0, row1, col1] = layer.start.rect;
    const { closed: { cells: _, ...closed } = {}, ...rest } = layer;
    const corners = [[row0, col0] as const, [row1, col1] as const];
    return { ...rest, start: corners, ...(closed.layers && { closed: { layers: closed.layers } }) };
  });
  return { ...world, input: { ...input, grid: { kind: "unbounded", coordinates: "odd-r" }, layers } };
}

/** Sources of contents, under the names that random contents use. */
export const SOURCES = {
  tables: {
    loot: readFileSync(new URL("../../data/loot.2da", import.meta.url), "utf8"),
    chest: {
      rows: [
        {
          columns: [
            { result: "gold", weight: 7, quantity: "2d6+1" },
            { result: "gem", weight: 2 },
          ],
        },
      ],
    },
  },
  drops: {
    orc: {
      always: [{ result: "bone", quantity: "1d4" }],
      rolls: "0-2",
      table: {
        rows: {
          orc: [
            { result: "gem", weight: 1 },
            { result: null, weight: 2 },
          ],
        },
      },
    },
    rat: { rolls: 2, table: "result,weight\ntail,3\n,1\n" },
  },
  recipes: {
    arms: { recipe: weaponInput() as never, tables: WEAPON_WORDS },
    rings: {
      recipe: {
        stats: [{ name: "luck" }],
        strength: "luck",
        steps: [{ kind: "slots", name: "a", slots: [{ slot: "a", table: "a", strength: 1 }] }],
      },
      tables: {
        a: [
          { id: 1, word: "ring" },
          { id: 2, word: "band" },
        ],
      },
    },
  },
  objects: { gear: SMALL },
  pools: {
    stock: {
      roots: {
        beasts: {
          kind: "finite",
          records: ["rat", { id: "orc", mass: 2, quantity: 3 }, [7, 1.5, 2]],
          subpools: { hall: { records: [{ id: "orc", mass: 3 }, "rat"] } },
        },
        arms: { kind: "infinite", records: [{ id: "axe", mass: 2 }, "bow"], subpools: { bows: { records: ["bow"] } } },
      },
    },
  },
} satisfies Partial<WorldInput>;

/** Random choices from a seed. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = seedrandom(seed);
  }

  holds(probability: number): boolean {
    return this.#next() < probability;
  }

  /** An integer from least to most, inclusive. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  of<Entry>(list: readonly Entry[]): Entry {
    return list[this.integer(0, list.length - 1)];
  }

  /** A part of a list, in its order; at least one entry. */
  some<Entry>(list: readonly Entry[]): Entry[] {
    const chosen = list.filter(() => this.holds(0.5));
    return chosen.length > 0 ? chosen : [this.of(list)];
  }
}

function randomWindow(dice: Dice): Rect {
  const size = () => (dice.holds(0.08) ? 1 : dice.holds(0.3) ? dice.integer(2, 40) : dice.integer(41, 150));
  const spread = dice.of(SPREADS);
  // regions of 256 × 256 cells are made whole, so what is missing around them shows at their first and last cells
  const start = (count: number) => {
    const at = dice.integer(-spread, spread);
    const edge = Math.floor(at / 256) * 256;
    return dice.of([at, edge, edge - count, edge - Math.floor(count / 2)]);
  };
  const [rows, cols] = [size(), size()];
  return { row: start(rows), col: start(cols), rows, cols };
}

/** A bounded grid, and a window in it. */
function randomGrid(dice: Dice): { readonly grid: GridSpec; readonly window: Rect } {
  const [rows, cols] = [dice.integer(1, 400), dice.integer(20, 400)];
  const coordinates = dice.of(["odd-r", "axial", undefined] as const);
  const part = (size: number) => {
    const count = dice.integer(1, Math.min(size, 150));
    return [dice.of([0, size - count, dice.integer(0, size - count)]), count] as const;
  };
  const [row, height] = part(rows);
  const [col, width] = part(cols);
  const window = { row, col, rows: height, cols: width };
  return { grid: { kind: "bounded", rows, cols, ...(coordinates && { coordinates }) }, window };
}

// ── layers ──

interface LayerScope {
  readonly window: Rect;
  readonly grid: GridSpec | undefined;
}

function randomLayers(dice: Dice, scope: LayerScope): LayerInput[] {
  const count = dice.integer(1, 4);
  const layers: LayerInput[] = [];
  for (let i = 0; i < count; i++) layers.push(randomLayer(dice, LAYER_NAMES[i], { ...scope, earlier: [...layers] }));
  return withWalkers(dice, layers, scope.window);
}

function randomLayer(
  dice: Dice,
  name: string,
  scope: LayerScope & { readonly earlier: readonly LayerInput[] },
): LayerInput {
  const isScattered = scope.grid?.kind !== "bounded" && dice.holds(0.7);
  // a finite layer can refer to finite layers only
  const known = scope.earlier.filter((layer) => isScattered || layer.scatter === undefined).map((layer) => layer.name);
  const start = isScattered ? regionStart(dice, known) : finiteStart(dice, known, scope);
  const startLayer = start !== undefined && "layer" in start ? start.layer : undefined;
  const starts = Array.isArray(start) ? (start as readonly Pair[]) : [];
  const isLong = scope.earlier.length < 2 && dice.holds(0.3);
  const steps = isLong
    ? dice.of([dice.integer(50, 150), 63, 64, 65, 129])
    : dice.of([0, dice.integer(1, 12), dice.integer(1, 50)]);
  return {
    name,
    steps,
    ...pattern(dice),
    ...(isScattered
      ? { scatter: { side: dice.of([64, 64, 128, 256]), walkers: 1 } }
      : { walkers: dice.of([dice.integer(1, 9), 60]) }),
    ...(dice.holds(0.5) && { heading: dice.holds(0.5) ? dice.of(HEADINGS) : dice.some(HEADINGS) }),
    ...(dice.holds(0.6) && { firstVisit: true }),
    ...(start !== undefined && { start }),
    ...limits(dice, { known, startLayer, starts, isScattered, ...scope }),
  };
}

function regionStart(dice: Dice, known: readonly string[]): StartInput | undefined {
  return known.length > 0 && dice.holds(0.4) ? { layer: dice.of(known) } : undefined;
}

function finiteStart(dice: Dice, known: readonly string[], scope: LayerScope): StartInput {
  if (known.length > 0 && dice.holds(0.3)) return { layer: dice.of(known) };
  const cells = Array.from({ length: dice.integer(1, 4) }, () => nearCell(dice, scope));
  if (dice.holds(0.5)) return cells;
  const [a, b] = [nearCell(dice, scope), nearCell(dice, scope)];
  return { rect: [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])] };
}

/** A cell in the window or near it, and in the grid. */
function nearCell(dice: Dice, { window, grid }: LayerScope): Pair {
  const row = window.row + dice.integer(-9, window.rows + 9);
  const col = window.col + dice.integer(-9, window.cols + 9);
  if (grid?.kind !== "bounded") return [row, col];
  return [Math.min(grid.rows - 1, Math.max(0, row)), Math.min(grid.cols - 1, Math.max(0, col))];
}

function pattern(dice: Dice): { preset?: PresetName; tensor?: TensorInput } {
  if (dice.holds(0.4)) return { preset: dice.of(PRESET_NAMES) };
  if (dice.holds(0.2)) return { tensor: { absolute: { [dice.of(DIRECTION_NAMES)]: 1 } } };
  if (dice.holds(0.3)) return {};
  const weights = (names: readonly string[], most: number) => {
    const chosen = dice.some(names).map((name) => [name, dice.integer(1, most) / dice.of([1, 1, 10])]);
    return Object.fromEntries(chosen) as Record<string, number>;
  };
  const most = dice.of([1, 5, 5, 600]);
  const absolute = dice.holds(0.5) ? { absolute: weights(DIRECTION_NAMES, most) } : {};
  return { tensor: { ...absolute, ...(dice.holds(0.8) && { relative: weights(TURN_NAMES, most) }) } };
}

/** Closed and open cells, and where walkers end, without the contradictions that a parser refuses. */
function limits(
  dice: Dice,
  scope: LayerScope & {
    readonly known: readonly string[];
    readonly startLayer: string | undefined;
    readonly starts: readonly Pair[];
    readonly isScattered: boolean;
  },
): Partial<LayerInput> {
  const { known, startLayer, isScattered } = scope;
  const isStart = ([row, col]: Pair) => scope.starts.some((cell) => cell[0] === row && cell[1] === col);
  const near = Array.from({ length: dice.integer(1, 30) }, () => nearCell(dice, scope));
  const cells = dice.holds(0.2) ? near.filter((cell) => !isStart(cell)) : undefined;
  const closable = known.filter((name) => name !== startLayer);
  const layers = closable.length > 0 && dice.holds(0.35) ? dice.some(closable) : undefined;
  const openable = known.filter((name) => layers?.includes(name) !== true);
  // the walkers of a finite layer need an open start
  const isOpenable = isScattered || (startLayer !== undefined && openable.includes(startLayer));
  const added = isScattered || startLayer === undefined ? [] : [startLayer];
  const open =
    isOpenable && openable.length > 0 && dice.holds(0.25)
      ? { layers: [...new Set([...dice.some(openable), ...added])] }
      : undefined;
  const closed = (cells || layers) && { ...(cells && { cells }), ...(layers && { layers }) };
  const until =
    known.length > 0 && dice.holds(0.35) ? randomUntil(dice, { ...scope, layers, open: open?.layers }) : undefined;
  return { ...(closed && { closed }), ...(open && { open }), ...(until && { until }) };
}

function randomUntil(
  dice: Dice,
  scope: {
    readonly known: readonly string[];
    readonly startLayer: string | undefined;
    readonly layers: readonly string[] | undefined;
    readonly open: readonly string[] | undefined;
  },
): LayerInput["until"] {
  const isClosed = (name: string) => scope.layers?.includes(name) === true;
  const isOnlyOpen = (name: string) => scope.open?.length === 1 && scope.open[0] === name;
  const onAble = scope.known.filter((name) => !isClosed(name) && name !== scope.startLayer && !isOnlyOpen(name));
  const outsideAble = scope.known.filter((name) => !isClosed(name) && !isOnlyOpen(name));
  if (onAble.length > 0 && dice.holds(0.6)) return { on: dice.of(onAble) };
  return outsideAble.length > 0 ? { outside: dice.of(outsideAble) } : undefined;
}

/** Gives each scattered layer a number of walkers within the budget. */
function withWalkers(dice: Dice, layers: readonly LayerInput[], window: Rect): LayerInput[] {
  const margins = layers.map(() => 40);
  for (let i = layers.length - 1; i >= 0; i--) {
    const margin = margins[i] + 2 * (layers[i].steps ?? 0) + (layers[i].scatter?.side ?? 0);
    for (const name of namesIn(layers[i])) {
      const of = layers.findIndex((layer) => layer.name === name);
      margins[of] = Math.max(margins[of], margin);
    }
  }
  return layers.map((layer, i) => {
    if (layer.scatter === undefined) return layer;
    const { side = 256 } = layer.scatter;
    const extent = 256 + Math.max(window.rows, window.cols) + 2 * margins[i] + 2 * (layer.steps ?? 0) + side;
    const regions = (extent / side) ** 2;
    const steps = layer.steps ?? 0;
    const most = STEP_BUDGET / layers.length / regions / (steps + WALKER_COST);
    const wanted = (dice.of(VISIT_DENSITIES) * side ** 2) / (steps + 1);
    return { ...layer, scatter: { side, walkers: Math.max(1, Math.round(Math.min(wanted, most))) } };
  });
}

/**
 * Gives some scattered layers a density in place of a number of walkers, with about as many walkers. The dice are their
 * own, so that the other layers stay as they are.
 */
function withDensities(number: number, layers: readonly LayerInput[]): LayerInput[] {
  const dice = new Dice(`densities ${number}`);
  return layers.map((layer) => {
    const { side = 256, walkers = 0 } = layer.scatter ?? {};
    if (layer.scatter === undefined || dice.holds(0.6)) return layer;
    const share = (walkers * (layer.start === undefined ? 1 : dice.integer(1, 3))) / side ** 2;
    const density = dice.of([
      Number(share.toFixed(5)),
      `${Math.round(share * 4_294_967_291)}/4294967291`,
      `1/${Math.ceil(1 / share)}`,
    ]);
    return { ...layer, scatter: { side, density: share < 1 ? density : 1 } };
  });
}

/** The layers that a layer refers to. */
function namesIn({ closed, open, until, start }: LayerInput): string[] {
  const names = [...(closed?.layers ?? []), ...(open?.layers ?? [])];
  if (until !== undefined && !("field" in until)) names.push(...Object.values(until));
  if (start !== undefined && "layer" in start) names.push(start.layer);
  return names;
}

// ── fields ──

/** Fields come from dice of their own, so that worlds without fields stay as they are. */
function randomFields(number: number, layers: readonly LayerInput[]): FieldInput[] {
  const dice = new Dice(`fields ${number}`);
  const fields: FieldInput[] = [];
  const count = dice.holds(0.5) ? dice.integer(1, 6) : 0;
  for (let i = 0; i < count; i++) fields.push(randomField(dice, `field ${i}`, layers, fields));
  return fields;
}

function randomField(
  dice: Dice,
  name: string,
  layers: readonly LayerInput[],
  earlier: readonly FieldInput[],
): FieldInput {
  const dated = layers.filter(({ firstVisit }) => firstVisit === true);
  const kinds = ["noise", "noise", "distance", "visits", "position", "rows"] as const;
  const others = earlier.length > 0 ? (["sum", "least", "most", "curve"] as const) : [];
  const kind = dice.of([...kinds, ...others, ...(dated.length > 0 ? (["firstVisit"] as const) : [])]);
  const layer = dice.of(kind === "firstVisit" ? dated : layers).name;
  const names = () => dice.some(earlier).map((field) => field.name);
  switch (kind) {
    case "noise": {
      const bits = dice.integer(2, 12);
      return { name, kind, scale: 2 ** bits, octaves: dice.integer(1, Math.min(8, bits - 1)) };
    }
    case "distance":
      return { name, kind, layer, most: dice.of([1, 3, 7]) };
    case "visits":
    case "firstVisit":
      return { name, kind, layer, most: dice.of([1, 2, 40, 65535]) };
    case "position":
      return { name, kind, from: [dice.integer(-500, 500), dice.integer(-500, 500)], most: dice.of([1, 700, 65535]) };
    case "rows":
      return { name, kind, from: dice.integer(-500, 500), most: dice.of([1, 700, 65535]) };
    case "sum": {
      const of = names().map((field) => ({ field, factor: dice.integer(-1000, 1000) }));
      return { name, kind, of, plus: dice.integer(-100_000, 100_000), over: dice.of([1, 3, 1000]) };
    }
    case "least":
    case "most":
      return { name, kind, of: names() };
    case "curve": {
      const inputs = [...new Set(Array.from({ length: dice.integer(1, 5) }, () => dice.integer(0, 65535)))];
      const points = inputs.sort((a, b) => a - b).map((from) => [from, dice.integer(0, 65535)] as const);
      return { name, kind, of: dice.of(earlier).name, points };
    }
  }
}

/** Adds a condition on a field to some rules. */
function withField(rule: TerrainRuleInput, fields: readonly FieldInput[], number: number): TerrainRuleInput {
  const dice = new Dice(`field of ${rule.terrain} ${number}`);
  if (fields.length === 0 || rule.when === undefined || dice.holds(0.4)) return rule;
  const least = dice.integer(0, 50_000);
  const range = [least, dice.holds(0.5) ? null : dice.integer(least, 70_000)] as const;
  return { ...rule, when: { ...rule.when, [dice.of(fields).name]: range } };
}

// ── terrain ──

function randomRules(dice: Dice, layers: readonly LayerInput[]): TerrainRuleInput[] {
  const names = Array.from({ length: dice.holds(0.1) ? 1 : dice.integer(2, 5) }, () => dice.of(TERRAIN_NAMES));
  return names.map((terrain, i) => {
    const isFirst = names.indexOf(terrain) === i;
    const tags = isFirst && dice.holds(0.5) ? { tags: dice.some(["wet", "dry", "high"]) } : {};
    const color = isFirst && dice.holds(0.2) ? { color: "#12aB34" } : {};
    const isLast = i === names.length - 1;
    return { terrain, ...tags, ...color, ...(!isLast && { when: randomCondition(dice, layers, 1) }) };
  });
}

function randomCondition(dice: Dice, layers: readonly LayerInput[], depth: number): ConditionInput {
  const inner = () => randomCondition(dice, layers, depth + 1);
  const list = () => Array.from({ length: dice.integer(1, 3) }, inner);
  const one = dice.of(layers);
  const parts: [string, ConditionInput[string]][] = dice.holds(0.7) ? [[one.name, layerCondition(dice, one)]] : [];
  const isShallow = depth < 4;
  if (dice.holds(0.25)) parts.push(["chance", dice.of(CHANCES)]);
  if (isShallow && dice.holds(0.1)) parts.push(["all", list()]);
  if (isShallow && dice.holds(0.25)) parts.push(["any", list()]);
  if (isShallow && dice.holds(0.2)) parts.push(["not", inner()]);
  if (parts.length === 0) parts.push(["chance", dice.of(CHANCES)]);
  // chances are numbered in reading order
  const from = dice.integer(0, parts.length - 1);
  return Object.fromEntries([...parts.slice(from), ...parts.slice(0, from)]);
}

function layerCondition(dice: Dice, { firstVisit, steps = 0 }: LayerInput): ConditionInput[string] {
  const range = (most: number): [number, number | null] => {
    const least = dice.integer(0, most);
    return [least, dice.holds(0.5) ? null : dice.integer(least, most + 1)];
  };
  const visits = dice.holds(0.4) && { visits: dice.holds(0.5) ? ([1, null] as const) : range(3) };
  const first = firstVisit === true && dice.holds(0.3) && { firstVisit: range(steps) };
  const within = dice.holds(0.4) && { within: dice.of([0, 1, 2, 3, 5, 5, 12, 12, 64]) };
  const condition = { ...visits, ...first, ...within };
  return Object.keys(condition).length > 0 ? condition : { visits: [1, null] };
}

// ── placements ──

function randomPlacements(dice: Dice, terrain: readonly TerrainRuleInput[]): PlacementInput[] {
  const names = [...new Set(terrain.flatMap((rule) => [rule.terrain, ...(rule.tags ?? [])]))];
  return ["villages", "ore", "chests"].slice(0, dice.of([0, 1, 2, 3, 3])).map((name) => {
    // the twin makes the contents of whole regions
    const isFull = dice.holds(0.5);
    return {
      name,
      density: dice.of(isFull ? SMALL_DENSITIES : DENSITIES),
      ...(names.length > 0 && dice.holds(0.6) && { on: dice.some(names) }),
      ...(dice.holds(0.8) && { distance: dice.of([0, 1, 2, 3, 5, 8, 12]) }),
      ...(isFull && { content: randomContent(dice, names) }),
    };
  });
}

/**
 * Gives some kinds named contents, drops, or other sources on some terrains. The dice are their own, so that the other
 * kinds stay as they are.
 */
function withContents(number: number, kinds: PlacementInput[], terrain: readonly TerrainRuleInput[]): PlacementInput[] {
  const dice = new Dice(`contents ${number}`);
  const names = [...new Set(terrain.flatMap((rule) => [rule.terrain, ...(rule.tags ?? [])]))];
  return kinds.map(({ content, ...kind }) => {
    if (content === undefined || dice.holds(0.4)) return { ...kind, ...(content && { content }) };
    if (dice.holds(0.4)) return { ...kind, content: chosenContent(dice, names) };
    const contents = dice.some(["guard", "place", "7", "__proto__"]).map((name) => {
      return [name, dice.holds(0.5) ? chosenContent(dice, names) : randomContent(dice, names)] as const;
    });
    return { ...kind, contents: Object.fromEntries(contents) };
  });
}

/** A content whose source depends on the terrain. */
function chosenContent(dice: Dice, names: readonly string[]): ContentInput {
  const kind = dice.of(["table", "drops", "recipe", "pool"] as const);
  const known = {
    table: ["loot", "chest"],
    drops: ["orc", "rat"],
    recipe: ["arms", "rings"],
    pool: ["arms", "beasts", "beasts.hall"],
  }[kind];
  const chosen = dice.of(known);
  const on = names.filter(() => dice.holds(0.7)).map((name) => [name, dice.of(known)] as const);
  const hasStock = [chosen, ...on.map(([, other]) => other)].some((path) => path.startsWith("beasts"));
  return {
    ...(kind === "pool" && { pools: "stock", ...(hasStock && { stock: "region" }) }),
    [kind]: chosen,
    ...(on.length > 0 && { on: Object.fromEntries(on.map(([name, other]) => [name, { [kind]: other }])) }),
  } as unknown as ContentInput;
}

function randomContent(dice: Dice, names: readonly string[]): ContentInput {
  const level = () =>
    dice.holds(0.4)
      ? dice.integer(1, 30)
      : {
          from: dice.integer(1, 9),
          perCells: dice.integer(1, 300),
          most: dice.integer(9, 30),
          ...(dice.holds(0.5) && { center: [dice.integer(-900, 900), dice.integer(-900, 900)] as const }),
        };
  const on = <Options>(options: () => Options) =>
    names.length > 0 &&
    dice.holds(0.5) && { on: Object.fromEntries(dice.some(names).map((name) => [name, options()])) };
  const kind = dice.of(["table", "recipe", "objects", "pools", "stock"] as const);
  if (kind === "table") return { table: dice.of(["loot", "chest"]) };
  if (kind === "recipe") {
    // the tiers of the words
    const tier = () => ({ tier: dice.of([0, 1, 2, 3, 6]) });
    return {
      recipe: "arms",
      ...(dice.holds(0.5) && tier()),
      ...on(() => ({ ...tier(), power: 1.5, tierVariance: dice.integer(0, 1) })),
    };
  }
  if (kind === "objects") {
    return { objects: "gear", level: level(), ...on(() => ({ level: level(), good: dice.holds(0.5), tval: "sword" })) };
  }
  if (kind === "pools") return { pools: "stock", pool: dice.of(["arms", "arms.bows"]) };
  return { pools: "stock", pool: dice.of(["beasts", "beasts.hall"]), stock: "region" };
}
