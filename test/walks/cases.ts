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
  /** Where each walker was at last, with the number of its steps if it ended early. */
  readonly ends: readonly (TwinState & { readonly ended?: number })[];
  /** The steps that all walkers took. */
  readonly steps: number;
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
  const ground = { grid, closed: closedBy(plan, earlier), ends: endsBy(plan, earlier) };
  const map = new TwinMap();
  const ends: (TwinState & { ended?: number })[] = [];
  let steps = 0;
  for (let w = from; w < to; w++) {
    const [row, col] = twinStart(plan, w, { seed, earlier, closed: ground.closed });
    const start = { row, col, heading: plan.headings[w % plan.headings.length] };
    const path = [...twinPath(plan.tensor, ground, words, { w, start, steps: plan.steps })];
    map.add(path);
    steps += path.length - 1;
    const last = path[path.length - 1];
    ends.push(ground.ends(last.row, last.col) ? { ...last, ended: path.length - 1 } : last);
  }
  const cells = map.list();
  return { ends, steps, cells: plan.firstVisit ? cells : cells.map(({ row, col, visits }) => ({ row, col, visits })) };
}

type IsCell = (row: number, col: number) => boolean;

/** Whether a layer closes a cell: a listed one, one of a closed layer, or one that none of the open layers visited. */
function closedBy({ closedCells, closedLayers, openLayers }: LayerPlan, earlier: readonly TwinLayer[]): IsCell {
  const barred = namesOf(earlier, closedLayers);
  for (let i = 0; i < closedCells.length; i += 2) barred.add(`${closedCells[i]},${closedCells[i + 1]}`);
  const open = namesOf(earlier, openLayers);
  return (row, col) => barred.has(`${row},${col}`) || (openLayers.length > 0 && !open.has(`${row},${col}`));
}

/** Whether walkers end on a cell. */
function endsBy({ until }: LayerPlan, earlier: readonly TwinLayer[]): IsCell {
  if (until === undefined) return () => false;
  const cells = namesOf(earlier, [until.layer]);
  return (row, col) => cells.has(`${row},${col}`) === (until.kind === "on");
}

function namesOf(layers: readonly TwinLayer[], indices: readonly number[]): Set<string> {
  return new Set(indices.flatMap((index) => layers[index].cells.map(({ row, col }) => `${row},${col}`)));
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
  for (const [i, { cells, ends, steps: taken }] of twins.entries()) {
    const { map, name: layer } = layers[i];
    expect(cellsOf(map)).toEqual(cells);
    const { walkers, steps, endsEarly } = walk.layers[i];
    const ended = ends.filter((end) => end.ended !== undefined).length;
    expect(map.walkerTotals).toEqual({ walkers, steps: taken, ended });
    expect([layers[i].steps, layers[i].ended]).toEqual([taken, endsEarly ? ended : undefined]);
    expect(map.visits).toBe(taken + walkers);
    if (!endsEarly) expect(taken).toBe(walkers * steps);
    const earlier = Object.fromEntries(layers.slice(0, i).map((done) => [done.name, done.map]));
    using run = walk.start({ layer, earlier }).advance(steps);
    const positions = ends.map((end) => ({ ...end, heading: DIRECTIONS[end.heading] ?? "resting" }));
    expect(run.walkerTotals).toEqual(map.walkerTotals);
    expect([...run.positions()]).toEqual(positions);
  }
  return twins;
}
