import { expect } from "vitest";
import { type Fraction, fraction } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { specOf } from "../../src/spec/index.js";
import { compileWalk } from "../../src/walks/compile.js";
import { DIRECTIONS, type LayerMap, parseWalk, type WalkInput } from "../../src/walks/index.js";
import type { LayerPlan, WalkPlan } from "../../src/walks/types.js";
import { addressWords, TwinMap, type TwinState, twinBelow, twinPath, twinRectStart } from "../oracle/walkTwin.js";
import { startsKeyTwin, streamKey, streamWords } from "../oracle/words.js";

/** Six fractions in the proportions given. */
export function sixths(...numerators: readonly number[]): Fraction[] {
  const total = BigInt(numerators.reduce((a, b) => a + b, 0));
  return numerators.map((n) => fraction(BigInt(n), total));
}

/** A visited cell; `first` only where first visits are kept. */
export interface VisitedCell {
  readonly row: number;
  readonly col: number;
  readonly visits: number;
  readonly first?: number;
}

/** One layer as its twin walked it. */
export interface TwinLayer {
  readonly cells: readonly VisitedCell[];
  readonly ends: readonly TwinState[];
}

/** The seed and the name of a walk, and some of its walkers: by default all. */
export interface TwinSetup {
  readonly seed: string;
  readonly name: string;
  readonly walkers?: { readonly from: number; readonly to: number };
}

/** Walks every layer of a walk the slow way. */
export function twinWalk(input: WalkInput, { name, ...setup }: TwinSetup): TwinLayer[] {
  const plan = planOf(input, name);
  const done: TwinLayer[] = [];
  for (const layer of plan.layers) done.push(twinLayer(plan, layer, { ...setup, earlier: done }));
  return done;
}

function planOf(input: WalkInput, name: string): WalkPlan {
  return compileWalk(specOf(parseWalk(input)), { name });
}

function twinLayer(
  { grid }: WalkPlan,
  plan: LayerPlan,
  { seed, walkers, earlier }: Omit<TwinSetup, "name"> & { readonly earlier: readonly TwinLayer[] },
): TwinLayer {
  const { from, to } = walkers ?? { from: 0, to: plan.walkers };
  const words = streamWords(streamKey(seed, plan.streamName));
  const barred = new Set<string>();
  for (let i = 0; i < plan.closedCells.length; i += 2) barred.add(`${plan.closedCells[i]},${plan.closedCells[i + 1]}`);
  for (const layer of plan.closedLayers) for (const { row, col } of earlier[layer].cells) barred.add(`${row},${col}`);
  const ground = { grid, closed: (row: number, col: number) => barred.has(`${row},${col}`) };
  const map = new TwinMap();
  const ends: TwinState[] = [];
  for (let w = from; w < to; w++) {
    const [row, col] = twinStart(plan, w, { seed, earlier, closed: ground.closed });
    const start = { row, col, heading: plan.heading };
    const path = [...twinPath(plan.tensor, ground, words, { w, start, steps: plan.steps })];
    map.add(path);
    ends.push(path[path.length - 1]);
  }
  const cells = map.list();
  return { ends, cells: plan.firstVisit ? cells : cells.map(({ row, col, visits }) => ({ row, col, visits })) };
}

/** The start of walker w: a first draw from the whole region, and a second one from its listed open cells. */
function twinStart(
  { start, streamName }: LayerPlan,
  w: number,
  {
    seed,
    earlier,
    closed,
  }: { seed: string; earlier: readonly TwinLayer[]; closed: (row: number, col: number) => boolean },
): readonly [number, number] {
  const isOpen = ([row, col]: readonly [number, number]) => !closed(row, col);
  if (start.kind === "cells") {
    const listed = Array.from(
      { length: start.cells.length / 2 },
      (_, i) => [start.cells[2 * i], start.cells[2 * i + 1]] as const,
    );
    const open = listed.filter(isOpen);
    return open[w % open.length];
  }
  const starts = streamWords(startsKeyTwin(streamKey(seed, streamName)));
  const region = start.kind === "layer" ? earlier[start.layer].cells.map(({ row, col }) => [row, col] as const) : [];
  const first =
    start.kind === "rect"
      ? twinRectStart(start, starts, w)
      : region[twinBelow(region.length, addressWords(starts, 0, w))];
  if (isOpen(first)) return first;
  const open = (start.kind === "rect" ? cellsIn(start) : region).filter(isOpen);
  return open[twinBelow(open.length, addressWords(starts, 2, w))];
}

/** The cells of a small rectangle, by row, then column. */
function cellsIn({
  row0,
  col0,
  rows,
  cols,
}: {
  row0: number;
  col0: number;
  rows: number;
  cols: number;
}): [number, number][] {
  return Array.from({ length: rows * cols }, (_, i) => [row0 + Math.floor(i / cols), col0 + (i % cols)]);
}

/** A map's visited cells by row, then column. */
export function cellsOf(map: LayerMap): VisitedCell[] {
  const cells: VisitedCell[] = [];
  for (const { chunkRow, chunkCol, visits, firstVisit } of map.chunks()) {
    for (const [i, count] of visits.entries()) {
      if (count === 0) continue;
      const cell = { row: chunkRow * 64 + (i >> 6), col: chunkCol * 64 + (i & 63), visits: count };
      cells.push(firstVisit === undefined ? cell : { ...cell, first: firstVisit[i] });
    }
  }
  return cells.sort((a, b) => a.row - b.row || a.col - b.col);
}

/** Compares kernel and twin: every cell of every layer, and every walker's end. */
export function compareWithTwin(input: WalkInput, setup: TwinSetup): TwinLayer[] {
  const twins = twinWalk(input, setup);
  using mill = createMill({ seed: setup.seed });
  const walk = mill.walk(setup.name, input);
  const { layers } = walk.run();
  for (const [i, { cells, ends }] of twins.entries()) {
    const { map, name: layer } = layers[i];
    expect(cellsOf(map)).toEqual(cells);
    const { walkers, steps } = walk.layers[i];
    expect(map.visits).toBe(walkers * (steps + 1));
    const earlier = Object.fromEntries(layers.slice(0, i).map((done) => [done.name, done.map]));
    using run = walk.start({ layer, earlier }).advance(steps);
    const positions = ends.map(({ row, col, heading }) => ({ row, col, heading: DIRECTIONS[heading] ?? "resting" }));
    expect([...run.positions()]).toEqual(positions);
  }
  return twins;
}
