import type { FieldInput } from "../../src/worlds/index.js";
import { forkTwin, type TwinKey } from "../oracle/words.js";
import { axialShift, distance, type Grid, grow, type Rect, rowsWithin } from "./hexes.js";
import { type KnownLayers, NO_VISIT } from "./layersTwin.js";
import { below, type NextWord } from "./words.js";

/** Fields by definition (docs/determinism.md), one cell at a time. */

type FieldAt = (row: number, col: number) => number;

const MOST = 65535;
/** The gradients as steps of rows and columns. */
const GRADIENTS: readonly (readonly [number, number])[] = [
  [-7, 0],
  [-7, 7],
  [0, 7],
  [7, 0],
  [7, -7],
  [0, -7],
  [-8, 4],
  [-4, 8],
  [4, 4],
  [8, -4],
  [4, -8],
  [-4, -4],
];

interface Scope {
  readonly grid: Grid;
  readonly layers: KnownLayers;
  /** Whether a distance counts the visits of a cell. */
  isKnown(row: number, col: number): boolean;
  readonly world: TwinKey;
  /** The cells whose values are asked for. */
  readonly rect: Rect;
  /** The words of a cell in a stream. */
  readonly wordsOf: (key: TwinKey) => { at(row: number, col: number): NextWord };
}

/** Returns a function for each field, by name. */
export function fieldsTwin(fields: readonly FieldInput[], scope: Scope): ReadonlyMap<string, FieldAt> {
  const known = new Map<string, FieldAt>();
  for (const field of fields) known.set(field.name, fieldTwin(field, known, scope));
  return known;
}

function fieldTwin(field: FieldInput, known: ReadonlyMap<string, FieldAt>, scope: Scope): FieldAt {
  const { grid, layers } = scope;
  const at = (name: string, row: number, col: number) => (known.get(name) as FieldAt)(row, col);
  switch (field.kind) {
    case "noise":
      return noise(field, scope);
    case "distance": {
      const { layer, most = 64 } = field;
      const near = layers.known(layer, grow(scope.rect, most));
      return (row, col) => {
        let nearest = most;
        for (const part of rowsWithin(grid, [row, col], most)) {
          for (let c = part.from; c <= part.to; c++) {
            const isVisited = scope.isKnown(part.row, c) && near.visits(part.row, c) > 0;
            if (isVisited) nearest = Math.min(nearest, distance(grid, [row, col], [part.row, c]));
          }
        }
        return scaled(nearest, most);
      };
    }
    case "visits": {
      const cells = layers.known(field.layer, scope.rect);
      return (row, col) => scaled(cells.visits(row, col), field.most ?? 255);
    }
    case "firstVisit": {
      const cells = layers.known(field.layer, scope.rect);
      return (row, col) => {
        const first = cells.first(row, col);
        return first === NO_VISIT ? MOST : scaled(first, field.most);
      };
    }
    case "position":
      return (row, col) => scaled(distance(grid, field.from ?? [0, 0], [row, col]), field.most);
    case "rows":
      return (row) => scaled(Math.abs(row - (field.from ?? 0)), field.most);
    case "sum":
      return (row, col) => {
        let sum = field.plus ?? 0;
        for (const term of field.of) sum += (term.factor ?? 1) * at(term.field, row, col);
        return Math.min(MOST, Math.max(0, Math.floor(sum / (field.over ?? 1))));
      };
    case "least":
      return (row, col) => Math.min(...field.of.map((name) => at(name, row, col)));
    case "most":
      return (row, col) => Math.max(...field.of.map((name) => at(name, row, col)));
    case "curve":
      return (row, col) => {
        const x = at(field.of, row, col);
        const next = field.points.findIndex(([from]) => from > x);
        if (next === 0) return field.points[0][1];
        if (next < 0) return field.points[field.points.length - 1][1];
        const [[x0, y0], [x1, y1]] = field.points.slice(next - 1);
        return y0 + Math.floor(((y1 - y0) * (x - x0)) / (x1 - x0));
      };
  }
}

function scaled(n: number, most: number): number {
  return Math.floor((Math.min(n, most) * MOST) / most);
}

function noise({ name, scale, octaves = 1 }: Extract<FieldInput, { kind: "noise" }>, scope: Scope): FieldAt {
  const key = forkTwin(forkTwin(scope.world, "fields"), name);
  const lattices = Array.from({ length: octaves }, (_, o) => {
    const [own, side] = [forkTwin(key, BigInt(o)), scale / 2 ** o];
    return { words: scope.wordsOf(own), side, shift: shiftOf(own, side) };
  });
  return (row, col) => {
    const q = col + axialShift(scope.grid, row);
    let sum = 0;
    for (const [o, { words, side, shift }] of lattices.entries()) {
      const value = octave(row + shift[0], q + shift[1], side, (i, j) => GRADIENTS[below(12, words.at(i, j))]);
      sum += Math.floor(value / 2 ** o);
    }
    return Math.min(MOST, Math.max(0, 32768 + Math.floor((5 * sum) / 2 ** 14)));
  };
}

/** Returns how many rows and columns a lattice is shifted back. */
export function shiftOf([k0, k1]: TwinKey, side: number): readonly [number, number] {
  return [k0 % side, (k1 % side) - (k1 % 4)];
}

function octave(
  row: number,
  col: number,
  side: number,
  gradientOf: (i: number, j: number) => readonly [number, number],
) {
  const [i, j] = [Math.floor(row / side), Math.floor(col / side)];
  let sum = 0;
  for (const [a, b] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]) {
    const [y, x] = [row - (i + a) * side, col - (j + b) * side];
    const near = Math.max(0, 3 * side ** 2 - 4 * (y * y + y * x + x * x));
    const unit = Math.floor((near * 2 ** 14) / side ** 2);
    const second = Math.floor(unit ** 2 / 2 ** 16);
    const weight = Math.floor(second ** 2 / 2 ** 16);
    const [up, right] = gradientOf(i + a, j + b);
    const down = Math.floor((y * (2 * up + right) * 1024) / side);
    sum += weight * down + Math.floor((weight * x) / side) * (up + 2 * right) * 1024;
  }
  return sum;
}
