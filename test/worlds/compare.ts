import { expect } from "vitest";
import { createMill } from "../../src/index.js";
import { DIRECTIONS } from "../../src/walks/index.js";
import type { World, WorldInput, WorldWindow } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { axialShift, cellsIn, type Rect } from "./hexes.js";
import { TwinRefusal } from "./layersTwin.js";
import type { RandomWorld } from "./randomWorld.js";
import { type TwinWindow, WorldTwin } from "./twin.js";

/** Compares the library's worlds with the twin's. */

/** A window of the library in the twin's form. Layers without first visits have an empty list of them. */
export function readWindow(window: WorldWindow, { layers, fields = [] }: WorldInput): TwinWindow {
  const rect = { row: window.row0, col: window.col0, rows: window.rows, cols: window.cols };
  const first = layers.filter((layer) => layer.firstVisit === true);
  return {
    terrain: [...cellsIn(rect)].map(([row, col]) => window.terrainAt(row, col)?.name),
    visits: Object.fromEntries(layers.map(({ name }) => [name, [...window.visits(name)]])),
    firstVisits: Object.fromEntries(first.map(({ name }) => [name, [...window.firstVisits(name)]])),
    fields: Object.fromEntries(fields.map(({ name }) => [name, [...window.field(name)]])),
    placements: [...window.placements].map(({ row, col, kind, size, facing, content }) => {
      return { row, col, kind, size, facing, content };
    }),
  };
}

/** Makes a window with the visits of all layers and the values of all fields. */
export function windowOf(world: World, { row, col, rows, cols }: Rect): WorldWindow {
  const [visits, fields] = [world.layers, world.fields].map((list) => list.map(({ name }) => name));
  return world.window({ row0: row, col0: col, rows, cols }, { visits, fields });
}

/** Expects that two windows are equal. Long lists are compared first, because a diff of them would take long. */
export function expectSame(ours: TwinWindow, theirs: TwinWindow, where: string): void {
  expect(differences(ours.terrain, theirs.terrain), `terrain of ${where}`).toEqual([]);
  for (const [name, visits] of Object.entries(ours.visits)) {
    expect(differences(visits, theirs.visits[name]), `visits of ${name}, ${where}`).toEqual([]);
  }
  for (const [name, first] of Object.entries(ours.firstVisits)) {
    expect(differences(first, theirs.firstVisits[name]), `first visits of ${name}, ${where}`).toEqual([]);
  }
  for (const [name, values] of Object.entries(ours.fields)) {
    expect(differences(values, theirs.fields[name]), `field ${name}, ${where}`).toEqual([]);
  }
  const places = (window: TwinWindow) =>
    window.placements.map(({ row, col, kind, size, facing }) => `${kind} ${row},${col} ${size} ${facing}`);
  expect(differences(places(ours), places(theirs)), `placements of ${where}`).toEqual([]);
  for (const [k, { content }] of ours.placements.entries()) {
    expect(content, `content ${k} of ${where}`).toEqual(theirs.placements[k].content);
  }
}

/** The first differences of two lists. */
function differences<Entry>(ours: readonly Entry[], theirs: readonly Entry[]): unknown[] {
  const found: unknown[] = ours.length === theirs.length ? [] : [{ lengths: [ours.length, theirs.length] }];
  for (let k = 0; k < Math.max(ours.length, theirs.length) && found.length < 5; k++) {
    if (ours[k] !== theirs[k]) found.push({ k, ours: ours[k], theirs: theirs[k] });
  }
  return found;
}

/** What the comparison of a world has seen. */
export interface Seen {
  visits: number;
  terrains: number;
  placements: number;
  contents: number;
  fields: number;
  walkers: number;
  refused: number;
}

/** Compares a random world with its twin: a window, and the walkers of a region step by step. */
export function compareWorld(given: RandomWorld, seen: Seen): void {
  const { input, window, seed, name } = given;
  const twin = new WorldTwin(input, { seed, name });
  const mill = createMill({ seed });
  using world = mill.world(name, input);
  const theirs = twinWindow(twin, window);
  if (theirs instanceof TwinRefusal) {
    expect(codeOf(() => windowOf(world, window))).toBe(theirs.code);
    seen.refused++;
    return;
  }
  expectSame(readWindow(windowOf(world, window), input), theirs, `the world ${name}`);
  compareWalkers(world, twin, given, seen);
  seen.visits += Object.values(theirs.visits)
    .flat()
    .filter((count) => count > 0).length;
  seen.fields += Object.keys(theirs.fields).length;
  seen.terrains += new Set(theirs.terrain).size;
  seen.placements += theirs.placements.length;
  seen.contents += theirs.placements.filter(({ content }) => content !== undefined).length;
}

function twinWindow(twin: WorldTwin, window: Rect): TwinWindow | TwinRefusal {
  try {
    return twin.window(window);
  } catch (thrown) {
    if (thrown instanceof TwinRefusal) return thrown;
    throw thrown;
  }
}

/** Compares the walkers of one region of the last scattered layer, after all their steps. */
function compareWalkers(world: World, twin: WorldTwin, { input, window }: RandomWorld, seen: Seen): void {
  const layer = input.layers.findLast(({ scatter }) => scatter !== undefined);
  if (layer === undefined) return;
  const { side = 256 } = layer.scatter ?? {};
  const { row, col } = window;
  const shift = input.grid === undefined ? 0 : axialShift(input.grid, row);
  const region = [Math.floor(row / side), Math.floor((col + shift) / side)] as const;
  using run = world.start({ layer: layer.name, region }).advance(layer.steps ?? 0);
  const theirs = twin
    .ends(layer.name, region)
    .filter((end) => end !== undefined)
    .map((end) => ({ ...end, heading: DIRECTIONS[end.heading] ?? "resting" }));
  expect([...run.positions()]).toEqual(theirs);
  seen.walkers += theirs.length;
}
