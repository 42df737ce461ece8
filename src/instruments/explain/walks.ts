import { startsKey } from "../../address.js";
import { error, fail } from "../../errors/index.js";
import { ZERO } from "../../fractions.js";
import { checkInteger, readOptions } from "../../spec/index.js";
import { sourceNames, sourcesUsedBy } from "../../walks/compile.js";
import { DIRECTIONS, HEADINGS, headingNumber, OFFSETS, RESTING, TURNS } from "../../walks/directions.js";
import type { Cell, GridSpec, LayerMap, WalkerPosition } from "../../walks/index.js";
import { cellsHolding } from "../../walks/kernel/share.js";
import { valueAt } from "../../walks/kernel/slope.js";
import { closedCells } from "../../walks/map/cellSet.js";
import { cellsOf, cellsOfGrid, contains, coordinatesOf, single } from "../../walks/rectangles.js";
import { earlierMap, startCells } from "../../walks/starts.js";
import type { LayerPlan } from "../../walks/types.js";
import type { Walk } from "../../walks/walk.js";
import { holdsAt } from "./cells.js";
import type { StepPlace, Subject } from "./subject.js";
import type { Asked, Tracer, Weighed } from "./tracer.js";

export const STEP_PLACE = ["layer", "region", "walker", "step"] as const;

/** A lower neighbour's factor grows by the steepness for each such difference of the values. */
const STEEPNESS_UNIT = 256;

/** By layer name, the maps of earlier layers that a layer needs. */
type Earlier = Readonly<Record<string, LayerMap>>;

export function walkSubject(walk: Walk, at: StepPlace, given: { readonly earlier?: Earlier | undefined }): Subject {
  const { layer, region, walker, step } = readOptions("at", at, STEP_PLACE);
  const plan = walk.layerPlan(layer);
  // with a density, each cell of a region can send a walker
  checkInteger("walker", walker, 0, (plan.scatter?.density ? plan.scatter.side ** 2 : plan.walkers) - 1);
  checkInteger("step", step, 0, plan.steps);
  const { earlier = mapsFor(walk, plan) } = readOptions("explain", given, ["earlier"]);
  using run = walk.start({ layer: plan.name, region, walkers: { from: walker, to: walker + 1 }, earlier });
  if (run.walkerTotals.walkers === 0) refuseEmpty(region);
  const before = step === 0 ? undefined : run.advance(step - 1).position(walker);
  const result = run.advance(before === undefined ? 0 : 1).position(walker);
  const { kernel, stream } = walk;
  return {
    noun: "walk",
    setup: { kernel, name: plan.streamName, stream: { key: stream.keyOf(plan.streamName), ids: stream.ids } },
    at: { layer: plan.name, ...(region && { region }), walker, step },
    result,
    trace: (tracer) => {
      const trace = new WalkTrace(walk, plan, { region, walker, earlier });
      const own = region === undefined ? tracer : tracer.fork(region);
      if (before !== undefined) return trace.step(own, before, step);
      return plan.scatter?.density === undefined ? trace.start(own.starts()) : trace.densityStart(tracer.starts());
    },
  };
}

/** Runs the layers before a layer of a walk, if the layer depends on any of them. Skips scattered layers. */
function mapsFor(walk: Walk, plan: LayerPlan): Earlier {
  const maps: Record<string, LayerMap> = {};
  if (sourcesUsedBy(plan).length === 0) return maps;
  for (const { name, side } of walk.layers.slice(0, walk.plan.layers.indexOf(plan))) {
    if (side === undefined) maps[name] = walk.runLayer({ layer: name, earlier: maps });
  }
  return maps;
}

function refuseEmpty(region: StepPlace["region"]): never {
  const problem = "no walker starts in this region, because it has too few open start cells";
  return fail(error("argument.range", { problem, got: String(region), expected: "a region with this walker" }));
}

interface Traced extends Pick<StepPlace, "region" | "walker"> {
  readonly earlier: Earlier;
}

/** Decides where a walker starts, and where a step leads, as docs/determinism.md says. */
class WalkTrace {
  readonly #walk: Walk;
  readonly #plan: LayerPlan;
  readonly #grid: GridSpec;
  readonly #names: readonly string[];
  readonly #maps: readonly (LayerMap | undefined)[];
  readonly #traced: Traced;

  constructor(walk: Walk, plan: LayerPlan, traced: Traced) {
    const { grid } = walk.plan;
    this.#walk = walk;
    this.#plan = plan;
    this.#grid = grid;
    this.#names = sourceNames(walk.plan);
    this.#maps = this.#names.map((name) => (Object.hasOwn(traced.earlier, name) ? traced.earlier[name] : undefined));
    this.#traced = traced;
  }

  start(tracer: Tracer): WalkerPosition {
    const { start } = this.#plan;
    const isRectangle = start.kind === "rect" || start.kind === "region";
    const draw = (plane: number, index: number, m: number) => {
      // a rectangle with more than 2³² open cells draws rows and columns again, with later planes
      const isAxis = isRectangle && (plane < 2 || plane % 2 === 1);
      const what = isAxis ? ["row", "column"][plane % 2] : plane === 0 ? "visited cell" : "open cell";
      return tracer.below({ what: `start, ${what}`, plane, index }, m, (value) => `number ${value} of ${m}`);
    };
    return this.#startOn(tracer, this.#starts({ draw }));
  }

  /** The cells that send a walker are decided one by one, and numbered by row, then by column. */
  densityStart(tracer: Tracer): WalkerPosition {
    const { kernel, stream } = this.#walk;
    const { streamName, scatter } = this.#plan;
    const { walker } = this.#traced;
    const density = scatter?.density ?? ZERO;
    const before = kernel.call((exports) => exports.mark());
    const holding = cellsHolding(kernel, startsKey(stream.keyOf(streamName)), density);
    const cell = this.#starts({ draw: () => 0, cellsHolding: holding });
    kernel.call((exports) => exports.release(before));
    tracer.fact("cells of the region before it that send a walker", `walker ${walker}`, walker);
    holdsAt(tracer, `(${cell.join(", ")}) sends a walker,`, density, cell);
    return this.#startOn(tracer, cell);
  }

  #starts(draws: Pick<Parameters<typeof startCells>[1], "draw" | "cellsHolding">): Cell {
    const { closedCells: listed, closedLayers, openLayers, scatter } = this.#plan;
    const { walker, region } = this.#traced;
    const starts = startCells(this.#plan, {
      grid: this.#grid,
      earlier: this.#maps,
      closed: closedCells(listed, closedLayers.map(this.#map), openLayers.map(this.#map)),
      region: region && scatter && cellsOf(single(...region), scatter.side),
      ...draws,
    });
    return starts === undefined ? refuseEmpty(region) : starts(walker);
  }

  #startOn(tracer: Tracer, cell: Cell): WalkerPosition {
    const { headings } = this.#plan;
    const heading = headings[this.#traced.walker % headings.length];
    return this.#arrive(tracer, cell, HEADINGS[heading], 0);
  }

  step(tracer: Tracer, before: WalkerPosition, step: number): WalkerPosition {
    const { row, col, ended } = before;
    if (ended !== undefined) {
      tracer.fact("the walker has ended before this step", "no step", ended);
      return before;
    }
    const heading = headingNumber(before.heading);
    const targets = DIRECTIONS.map((_, direction) => neighbourOf(this.#grid, [row, col], direction));
    const closed = targets.map((cell) => this.#closedBy(cell));
    const asked = {
      what: `step from (${row}, ${col}), ${headingText(heading)}`,
      plane: this.#traced.walker,
      index: step - 1,
    };
    const weights = (one: number) => this.#onSlope(weightsOf(this.#plan, one), [row, col], targets);
    const entries = [heading, RESTING].map(weights).find((one) => one.some(({ weight }) => weight > 0));
    if (entries === undefined) return this.#stuck(tracer, before, step);
    const proposed = tracer.pick(asked, entries, (direction) => {
      const reason = closed[direction];
      return reason === undefined ? to(targets, direction) : `${DIRECTIONS[direction]}, closed: ${reason}`;
    });
    const direction =
      closed[proposed] === undefined ? proposed : this.#again(tracer, asked, { heading, targets, closed, weights });
    if (direction === undefined) return this.#stuck(tracer, before, step);
    return this.#arrive(tracer, targets[direction], DIRECTIONS[direction], step);
  }

  /** Picks one of the open directions after the proposed cell was closed. Undefined if the walker rests. */
  #again(
    tracer: Tracer,
    asked: Asked,
    {
      heading,
      targets,
      closed,
      weights,
    }: {
      heading: number;
      targets: readonly Cell[];
      closed: readonly (string | undefined)[];
      weights: (heading: number) => readonly Weighed[];
    },
  ): number | undefined {
    const open = (weights: readonly Weighed[]) =>
      weights.map((one, direction) => {
        const reason = closed[direction];
        return reason === undefined ? one : { ...one, weight: 0, why: `closed: ${reason}` };
      });
    const choices = [heading, RESTING].map((one) => open(weights(one)));
    const entries = choices.find((one) => one.some(({ weight }) => weight > 0));
    if (entries === undefined) return undefined;
    const skipped = tracer.decisions[tracer.decisions.length - 1].extra.length;
    const what = `${asked.what}, among the open directions`;
    return tracer.pick({ ...asked, what, skipped }, entries, (direction) => to(targets, direction));
  }

  /** Multiplies the weights of directions by the factors of their neighbours, if the layer has a slope. */
  #onSlope(weights: readonly Weighed[], cell: Cell, targets: readonly Cell[]): readonly Weighed[] {
    const { slope } = this.#plan;
    if (slope === undefined) return weights;
    const { down, level, up, steepness, source } = slope;
    const fieldAt = (at: Cell) => (contains(cellsOfGrid(this.#grid), ...at) ? valueAt(this.#map(source), at) : 0);
    const here = fieldAt(cell);
    return weights.map(({ name, weight, why = `${weight}` }, direction) => {
      const there = fieldAt(targets[direction]);
      const steep = down + Math.floor(((here - there) * steepness) / STEEPNESS_UNIT);
      const [factor, kind] = there < here ? [steep, "down"] : there > here ? [up, "up"] : [level, "level"];
      return { name, weight: weight * factor, why: `${why} × ${factor} ${kind}, from ${here} to ${there}` };
    });
  }

  /** No open direction has a weight. */
  #stuck(tracer: Tracer, before: WalkerPosition, step: number): WalkerPosition {
    const isEnd = this.#plan.slope?.stuck === "end";
    tracer.fact("weights of the open directions", isEnd ? "the walker is stuck and ends" : "the walker rests", 0);
    if (isEnd) return { ...before, ended: step - 1 };
    return this.#arrive(tracer, [before.row, before.col], "resting", step);
  }

  #arrive(tracer: Tracer, [row, col]: Cell, heading: WalkerPosition["heading"], step: number): WalkerPosition {
    const { until } = this.#plan;
    const position = { row, col, heading };
    if (until === undefined) return position;
    const visits = this.#map(until.layer).visitsAt(row, col);
    const ends = visits > 0 === (until.kind === "on");
    const what = `(${row}, ${col}): visits of ${this.#names[until.layer]}, until.${until.kind}`;
    tracer.fact(what, ends ? "the walker ends" : "the walker goes on", visits);
    return ends ? { ...position, ended: step } : position;
  }

  /** Why no walker can enter a cell. Undefined if the cell is open. */
  #closedBy([row, col]: Cell): string | undefined {
    const { closedCells: listed, closedLayers, openLayers } = this.#plan;
    if (!contains(cellsOfGrid(this.#grid), row, col)) return "outside the grid";
    for (let i = 0; i < listed.length; i += 2) if (listed[i] === row && listed[i + 1] === col) return "in closed.cells";
    const isVisited = (layer: number) => this.#map(layer).visitsAt(row, col) > 0;
    const closing = closedLayers.find(isVisited);
    if (closing !== undefined) return `visited by ${this.#names[closing]}`;
    if (openLayers.length === 0 || openLayers.some(isVisited)) return undefined;
    return `not visited by ${openLayers.map((layer) => this.#names[layer]).join(" or ")}`;
  }

  readonly #map = (layer: number): LayerMap => earlierMap(this.#maps, layer, this.#grid);
}

function to(targets: readonly Cell[], direction: number): string {
  return `${DIRECTIONS[direction]} to (${targets[direction].join(", ")})`;
}

function headingText(heading: number): string {
  return heading === RESTING ? "at rest" : `heading ${DIRECTIONS[heading]}`;
}

/** The weights of a heading; the absolute weights if these are all 0. */
function weightsOf({ tensor: { combined } }: LayerPlan, heading: number): readonly Weighed[] {
  const absolute = combined.subarray(RESTING * DIRECTIONS.length);
  const own = combined.subarray(heading * DIRECTIONS.length, (heading + 1) * DIRECTIONS.length);
  const isAbsolute = heading === RESTING || own.every((weight) => weight === 0);
  return DIRECTIONS.map((name, direction) => {
    const weight = isAbsolute ? absolute[direction] : own[direction];
    if (isAbsolute || absolute[direction] === 0) return { name, weight };
    const turn = TURNS[(direction - heading + DIRECTIONS.length) % DIRECTIONS.length];
    return { name, weight, why: `${absolute[direction]} ${name} × ${weight / absolute[direction]} ${turn}` };
  });
}

function neighbourOf(grid: GridSpec, [row, col]: Cell, direction: number): Cell {
  const [down, across] = OFFSETS[direction];
  const to = row + down;
  const shift = coordinatesOf(grid) === "odd-r" ? Math.floor(to / 2) - Math.floor(row / 2) : 0;
  const cell: Cell = [to, col + across + shift];
  if (grid.kind !== "torus") return cell;
  return [(cell[0] + grid.rows) % grid.rows, (cell[1] + grid.cols) % grid.cols];
}
