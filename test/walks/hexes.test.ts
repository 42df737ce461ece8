import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  axialToOddR,
  type Coordinates,
  DIRECTIONS,
  hexDistance,
  hexLine,
  hexNeighbours,
  hexRing,
  hexToPixel,
  oddRToAxial,
  pixelToHex,
} from "../../src/walks/index.js";
import { refusalOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";

type Pair = readonly [row: number, col: number];
/** The steps from an even and from an odd row in odd-r coordinates, as Red Blob Games lists them, from NW clockwise. */
const ODD_R = [
  [[-1, -1], [-1, 0], [0, 1], [1, 0], [1, -1], [0, -1]],
  [[-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [0, -1]],
] as const; // biome-ignore format: a table
const AXIAL = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
] as const;
const BOTH = ["axial", "odd-r"] as const;
const runs = { numRuns: IS_SOAK ? 2000 : 300 };
const index = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const far: fc.Arbitrary<Pair> = fc.tuple(index, index);
const near: fc.Arbitrary<Pair> = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -40, max: 40 }));
const someCoordinates = fc.constantFrom(...BOTH);
const sizes = fc.oneof(fc.constantFrom(1e-6, 0.1, 1, 16, 1e6), fc.double({ min: 1e-6, max: 1e6, noNaN: true }));

function stepsFrom([row]: Pair, coordinates: Coordinates): readonly Pair[] {
  return coordinates === "axial" ? AXIAL : ODD_R[row & 1];
}

/** The number of steps to each cell within a radius, by a breadth-first search. */
function search(center: Pair, coordinates: Coordinates, radius: number): Map<string, number> {
  const found = new Map([[String(center), 0]]);
  let edge = [center];
  for (let steps = 1; steps <= radius; steps++) {
    const next = edge.flatMap((cell) =>
      stepsFrom(cell, coordinates).map((by): Pair => [cell[0] + by[0], cell[1] + by[1]]),
    );
    edge = next.filter((cell) => !found.has(String(cell)) && found.set(String(cell), steps));
  }
  return found;
}

const cellsOf = (keys: Iterable<string>) => Array.from(keys, (key) => key.split(",").map(Number) as [number, number]);

describe.each(BOTH)("hexes in %s coordinates", (coordinates) => {
  const options = { coordinates };
  test("neighbours are in the order of the directions", () => {
    expect(DIRECTIONS).toEqual(["NW", "NE", "E", "SE", "SW", "W"]);
    for (const cell of [
      [0, 0],
      [1, 0],
      [-1, 5],
      [-2, -5],
    ] as const) {
      const expected = stepsFrom(cell, coordinates).map(([row, col]) => [cell[0] + row, cell[1] + col]);
      expect(hexNeighbours(cell, options)).toEqual(expected);
      for (const next of hexNeighbours(cell, options)) expect(hexDistance(cell, next, options)).toBe(1);
    }
    expect(hexNeighbours([-(2 ** 31), 2 ** 31 - 1])).toContainEqual([-(2 ** 31) - 1, 2 ** 31]);
  });

  test("distances and rings are those of a breadth-first search", () => {
    for (const center of [
      [0, 0],
      [-3, 2],
    ] as const) {
      const found = search(center, coordinates, 12);
      for (const [cell, steps] of found) expect(hexDistance(center, cellsOf([cell])[0], options)).toBe(steps);
      for (let radius = 0; radius <= 12; radius++) {
        const ring = hexRing(center, radius, options);
        expect(ring).toHaveLength(Math.max(1, 6 * radius));
        expect(new Set(ring.map(String))).toEqual(
          new Set([...found.keys()].filter((cell) => found.get(cell) === radius)),
        );
        for (const [i, cell] of ring.entries()) {
          expect(hexDistance(cell, ring[(i + 1) % ring.length], options)).toBe(Math.min(1, radius));
        }
      }
      expect(hexRing(center, 1, options)).toEqual(hexNeighbours(center, options));
    }
  });

  test("the distance is a metric", () => {
    fc.assert(
      fc.property(far, far, far, (a, b, c) => {
        const distance = (x: Pair, y: Pair) => hexDistance(x, y, options);
        expect(distance(a, b)).toBe(distance(b, a));
        expect(distance(a, b) === 0).toBe(String(a) === String(b));
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
      }),
      runs,
    );
  });

  test("a line is a shortest way, the same from either end, and its cells are nearest to it", () => {
    for (const b of cellsOf(search([1, 0], coordinates, 9).keys())) checkLine([1, 0], b, coordinates);
    fc.assert(
      fc.property(near, near, (a, b) => checkLine(a, b, coordinates)),
      runs,
    );
  });
});

function checkLine(a: Pair, b: Pair, coordinates: Coordinates): void {
  const line = hexLine(a, b, { coordinates });
  expect(hexLine(b, a, { coordinates }).reverse()).toEqual(line);
  expect([line[0], line[line.length - 1]]).toEqual([a, b]);
  const n = hexDistance(a, b, { coordinates });
  expect(line).toHaveLength(n + 1);
  const axial = (cell: Pair) => (coordinates === "axial" ? cell : oddRToAxial(cell));
  const [from, to] = [axial(a), axial(b)];
  for (const [k, cell] of line.entries()) {
    if (k > 0) expect(hexNeighbours(line[k - 1], { coordinates })).toContainEqual(cell);
    // the point k / n of the line, and the cells around the result, all times n
    const point = [n * from[0] + k * (to[0] - from[0]), n * from[1] + k * (to[1] - from[1])];
    const [row, q] = axial(cell);
    const gap = ([r, c]: Pair) => {
      const [y, x] = [point[0] - n * r, point[1] - n * c];
      return x * x + x * y + y * y;
    };
    // nearer than the result, or as near and to its right
    const better = AXIAL.filter(([r, c]) => {
      const more = gap([row + r, q + c]) - gap([row, q]);
      return more < 0 || (more === 0 && n > 0 && 2 * c + r > 0);
    });
    expect(better).toEqual([]);
  }
}

describe("pixels", () => {
  test("a cell has its centre where Red Blob Games says, and the centre is in the cell", () => {
    expect(hexToPixel([2, 1], { size: 10 })).toEqual({ x: 10 * Math.sqrt(3) * 2, y: 30 });
    fc.assert(
      fc.property(far, someCoordinates, sizes, (cell, coordinates, size) => {
        const options = { coordinates, size };
        expect(pixelToHex(hexToPixel(cell, options), options)).toEqual(cell);
      }),
      runs,
    );
    for (const row of [-(2 ** 31), 2 ** 31 - 1]) {
      for (const col of [-(2 ** 31), 2 ** 31 - 1]) {
        const there = hexToPixel([row, col], { size: 0.3, coordinates: "odd-r" });
        expect(pixelToHex(there, { size: 0.3, coordinates: "odd-r" })).toEqual([row, col]);
      }
    }
  });

  test("a point on a border belongs to the cell to its right", () => {
    const at = (x: number, y: number, size = 1) => pixelToHex({ x, y }, { size });
    // the corners of the cell (0, 0), and its row above and below, lie on x = 0
    expect([at(0, 1), at(0, -1), at(-1e-300, 1), at(-1e-300, -1)]).toEqual([
      [1, 0],
      [-1, 1],
      [1, -1],
      [-1, 0],
    ]);
    expect([at(0, 1.5), at(-5e-324, 1.5), at(0, 1 - 1e-16)]).toEqual([
      [1, 0],
      [1, -1],
      [0, 0],
    ]);
    // decimals are exact: 0.7 is 7 · 0.1, although their doubles are not in this proportion
    expect([at(0, 0.7, 0.1), at(0, 0.1, 0.1)]).toEqual([
      [5, -2],
      [1, 0],
    ]);
  });

  test("every point is in the cell with the nearest centre, by exact arithmetic", () => {
    const SQRT3 = Math.sqrt(3);
    const border = fc.tuple(
      fc.integer({ min: -9, max: 9 }),
      fc.integer({ min: -9, max: 9 }),
      fc.integer({ min: -2, max: 2 }),
    );
    fc.assert(
      fc.property(
        border,
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (place, s, t) => {
          const size = s / 10;
          const [i, j, ulps] = place;
          // points on or within rounding errors of a corner, a vertical side, or anywhere
          for (const y of [(size * j) / 2, size * (j + t)]) {
            for (const x of [0, (i * SQRT3 * size) / 2, ((i + t) * SQRT3 * size) / 2, (y + i * size) * SQRT3]) {
              const moved = x + ulps * 2 ** -51 * x;
              checkNearest(moved, y, size);
            }
          }
        },
      ),
      runs,
    );
  });
});

/** More digits after the point than JavaScript prints for any double. */
const DIGITS = 400;

function scaled(value: number): bigint {
  const [mantissa, exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole, tail = ""] = mantissa.split(".");
  const power = DIGITS - tail.length + Number(exponent);
  if (power < 0) throw new Error(`too many digits: ${value}`);
  return BigInt(whole + tail) * 10n ** BigInt(power) * (value < 0 ? -1n : 1n);
}

function checkNearest(x: number, y: number, size: number): void {
  const [row, q] = pixelToHex({ x, y }, { size });
  const [X, Y, S] = [scaled(x), scaled(y), scaled(size)];
  // 4 · the square of the distance is a + b · √3, where the centre is at √3 · S · (2q + r) / 2 and 3 · S · r / 2
  const gap = (r: number, c: number) => {
    const [right, down] = [S * BigInt(2 * c + r), 2n * Y - 3n * S * BigInt(r)];
    return { a: 4n * X * X + 3n * right * right + down * down, b: -4n * X * right };
  };
  const own = gap(row, q);
  for (const [r, c] of AXIAL) {
    const other = gap(row + r, q + c);
    const sign = signOf(other.a - own.a, other.b - own.b);
    const isRight = 2 * c + r > 0;
    if (sign < 0 || (sign === 0 && isRight))
      throw new Error(`${x}, ${y}, size ${size}: (${row + r}, ${q + c}) is nearer`);
  }
}

/** The sign of a + b · √3. */
function signOf(a: bigint, b: bigint): number {
  const square = (n: bigint) => (n < 0n ? -n * n : n * n);
  const sum = square(a) + 3n * square(b);
  return sum > 0n ? 1 : Number(sum < 0n) * -1;
}

test("axial and odd-r coordinates give the same cells", () => {
  fc.assert(
    fc.property(near, near, fc.integer({ min: 0, max: 9 }), (a, b, radius) => {
      const [c, d] = [axialToOddR(a), axialToOddR(b)];
      const options = { coordinates: "odd-r" } as const;
      expect(hexDistance(c, d, options)).toBe(hexDistance(a, b));
      expect(hexLine(c, d, options)).toEqual(hexLine(a, b).map(axialToOddR));
      expect(hexRing(c, radius, options)).toEqual(hexRing(a, radius).map(axialToOddR));
      expect(hexNeighbours(c, options)).toEqual(hexNeighbours(a).map(axialToOddR));
      expect(hexToPixel(c, { ...options, size: 7 })).toEqual(hexToPixel(a, { size: 7 }));
    }),
    runs,
  );
});

test("the longest line and ring", () => {
  const line = hexLine([0, 0], [2 ** 17, 1 - 2 ** 16]);
  expect([line.length, line[2 ** 16]]).toEqual([2 ** 17 + 1, [2 ** 16, -(2 ** 15) + 1]]);
  expect(hexRing([0, 0], 2 ** 17)).toHaveLength(6 * 2 ** 17);
});

test("invalid arguments are refused", () => {
  const refused: [() => unknown, string, RegExp][] = [
    [() => hexNeighbours([0] as never), "argument.range", /cell\[1\]/],
    [() => hexNeighbours([2 ** 31, 0]), "argument.range", /cell\[0\]/],
    [() => hexDistance([0, 0], "here" as never), "argument.type", /"b"/],
    [() => hexDistance([0, 0], [0, 0.5]), "argument.range", /b\[1\]/],
    [() => hexDistance([0, 0], [0, 1], { coordinates: "odd-q" as never }), "argument.type", /"axial" or "odd-r"/],
    [() => hexDistance([0, 0], [0, 1], { coordinate: "axial" } as never), "argument.option", /coordinate/],
    [() => hexLine([0, 0], [0, 2 ** 17 + 1]), "argument.range", /131073.*at most 131072 steps/s],
    [() => hexRing([0, 0], -1), "argument.range", /radius/],
    [() => hexRing([0, 0], 2 ** 17 + 1), "argument.range", /radius/],
    [() => hexToPixel([0, 0], {} as never), "argument.range", /size/],
    [() => hexToPixel([0, 0], { size: 0 }), "argument.range", /size.*0\.000001/s],
    [() => pixelToHex(null as never, { size: 1 }), "argument.type", /the point/],
    [() => pixelToHex({ x: Number.NaN, y: 0 }, { size: 1 }), "argument.range", /"x"/],
    [() => pixelToHex({ x: 0, y: 2 ** 35 }, { size: 1 }), "argument.range", /"y"/],
  ];
  for (const [call, code, message] of refused) {
    const refusal = refusalOf(call);
    expect([refusal.code, refusal.message]).toEqual([code, expect.stringMatching(message)]);
  }
});
