import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { checkWorld, type FieldInput, parseWorld, type WorldInput } from "../../src/worlds/index.js";
import { integers } from "../instruments/random.js";
import { forkTwin, streamKey, type TwinKey } from "../oracle/words.js";
import { codeOf } from "../refusal.js";
import { shiftOf } from "./fieldsTwin.js";

/** Fields: values worked out by hand, statistics, and invalid specs. The twin is compared in world.test.ts. */

const LAYER = {
  name: "path",
  steps: 3,
  firstVisit: true,
  tensor: { absolute: { E: 1 }, relative: { forward: 1 } },
} as const;

function worldWith(fields: readonly FieldInput[], more: Partial<WorldInput> = {}) {
  return createMill({ seed: "moria" }).world("land", { layers: [LAYER], fields, ...more });
}

function valuesOf(field: FieldInput, cells = { row0: 0, col0: -2, rows: 1, cols: 8 }): number[] {
  using world = worldWith([field]);
  return [...world.window(cells, { fields: [field.name] }).field(field.name)];
}

// the layer visits (0, 0) … (0, 3), one cell a step
describe("a field", () => {
  test("of distances is 0 on visited cells, and 65,535 from `most` steps on", () => {
    expect(valuesOf({ name: "d", kind: "distance", layer: "path", most: 3 })).toEqual([
      43690, 21845, 0, 0, 0, 0, 21845, 43690,
    ]);
  });

  test("of visits and of first visits is a share of `most`", () => {
    expect(valuesOf({ name: "v", kind: "visits", layer: "path", most: 2 })).toEqual([
      0, 0, 32767, 32767, 32767, 32767, 0, 0,
    ]);
    expect(valuesOf({ name: "f", kind: "firstVisit", layer: "path", most: 2 })).toEqual([
      65535, 65535, 0, 32767, 65535, 65535, 65535, 65535,
    ]);
  });

  test("of a position counts steps, and of rows counts rows", () => {
    const column = { row0: -2, col0: 5, rows: 5, cols: 1 };
    expect(valuesOf({ name: "p", kind: "position", from: [0, 5], most: 65535 }, column)).toEqual([2, 1, 0, 1, 2]);
    expect(valuesOf({ name: "p", kind: "position", from: [0, 0], most: 65535 }, column)).toEqual([5, 5, 5, 6, 7]);
    expect(valuesOf({ name: "r", kind: "rows", from: 1, most: 65535 }, column)).toEqual([3, 2, 1, 0, 1]);
  });

  test("has its values also in the last rows and columns of the grid", () => {
    const far = { name: "p", kind: "position", from: [-(2 ** 31), 0], most: 65535 } as const;
    // 2^32 steps away
    expect(valuesOf(far, { row0: 2 ** 31 - 1, col0: 1, rows: 1, cols: 1 })).toEqual([65535]);
    const noise = { name: "n", kind: "noise", scale: 32, octaves: 3 } as const;
    const last = valuesOf(noise, { row0: 5, col0: 2 ** 31 - 70, rows: 1, cols: 70 });
    expect(valuesOf(noise, { row0: 5, col0: 2 ** 31 - 3, rows: 1, cols: 3 })).toEqual(last.slice(-3));
  });

  test("of odd-r coordinates measures steps of the grid", () => {
    const grid = { kind: "bounded", rows: 9, cols: 9, coordinates: "odd-r" } as const;
    using world = worldWith([{ name: "p", kind: "position", from: [4, 4], most: 65535 }], { grid });
    const window = world.window({ row0: 3, col0: 3, rows: 2, cols: 3 }, { fields: ["p"] });
    expect([...window.field("p")]).toEqual([1, 1, 2, 1, 0, 1]);
  });

  test("that combines fields has the sum, the least, the greatest, and the curve", () => {
    const rows = { name: "r", kind: "rows", from: 0, most: 65535 } as const;
    const fields: readonly FieldInput[] = [
      rows,
      { name: "s", kind: "sum", of: [{ field: "r", factor: -7 }, { field: "r" }], plus: 20, over: 4 },
      { name: "l", kind: "least", of: ["r", "s"] },
      { name: "m", kind: "most", of: ["r", "s"] },
      {
        name: "c",
        kind: "curve",
        of: "r",
        points: [
          [1, 10],
          [3, 15],
          [4, 0],
        ],
      },
    ];
    using world = worldWith(fields);
    const cells = { row0: 0, col0: 0, rows: 6, cols: 1 };
    const window = world.window(cells, { fields: fields.map(({ name }) => name) });
    expect([...window.field("s")]).toEqual([5, 3, 2, 0, 0, 0]);
    expect([...window.field("l")]).toEqual([0, 1, 2, 0, 0, 0]);
    expect([...window.field("m")]).toEqual([5, 3, 2, 3, 4, 5]);
    expect([...window.field("c")]).toEqual([10, 10, 12, 15, 0, 0]);
    expect(world.at(2, 0).fields).toEqual({ r: 2, s: 2, l: 2, m: 2, c: 12 });
    expect(window.fieldAt("c", 3, 0)).toBe(15);
  });
});

describe("noise", () => {
  const NOISE = { name: "height", kind: "noise", scale: 64, octaves: 4 } as const;
  const SIDE = 768;

  test("keeps its values", () => {
    expect(valuesOf(NOISE, { row0: -3, col0: 60, rows: 1, cols: 8 })).toMatchInlineSnapshot(`
      [
        38641,
        40730,
        42363,
        43668,
        45045,
        46579,
        47973,
        48880,
      ]
    `);
  });

  test("has the mean 32,768 and a deviation of about 11,000", () => {
    const values = valuesOf(NOISE, { row0: -SIDE, col0: 5000, rows: SIDE, cols: SIDE });
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean - 32768)).toBeLessThan(1200);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - 32768) ** 2, 0) / values.length);
    expect(deviation).toBeGreaterThan(9500);
    expect(deviation).toBeLessThan(12500);
  });

  /** The directions E, SE and SW as steps in a window of `side` columns; the other three are the same lines. */
  const directions = (side: number) => [1, side, side - 1];

  test("has the same power spectrum along all six directions, within 5 %", () => {
    const [side, length] = [1200, 32];
    const values = valuesOf({ ...NOISE, scale: 8, octaves: 1 }, { row0: -side, col0: 5000, rows: side, cols: side });
    const below = integers(5);
    const starts = Array.from(
      { length: 15_000 },
      () => below(side - length) * side + length + below(side - 2 * length),
    );
    for (let k = 1; k <= 5; k++) {
      const turns = Array.from({ length }, (_, i) => (2 * Math.PI * k * i) / length);
      const [cosines, sines] = [turns.map(Math.cos), turns.map(Math.sin)];
      const powers = directions(side).map((step) => {
        let power = 0;
        for (const start of starts) {
          let [re, im] = [0, 0];
          for (let i = 0; i < length; i++) {
            const value = values[start + i * step] - 32768;
            re += value * cosines[i];
            im += value * sines[i];
          }
          power += re * re + im * im;
        }
        return power;
      });
      expect(Math.max(...powers) / Math.min(...powers), `${k}`).toBeLessThan(1.05);
    }
  });

  // a step into a lattice cell is as large as the step out of it: half a turn around a point maps one to the other
  test("has no seams at the cells of its lattice, and none at regions", () => {
    const [side, scale] = [1024, 8];
    const values = valuesOf({ ...NOISE, scale, octaves: 1 }, { row0: 0, col0: -side, rows: side, cols: side });
    const own = ["fields", NOISE.name, 0n].reduce<TwinKey>(forkTwin, streamKey("moria", "land"));
    const [down, right] = shiftOf(own, scale);
    for (const step of directions(side)) {
      const phase = (place: number) => (place + (step === 1 ? right : down)) % scale;
      const [sums, counts] = [new Float64Array(256), new Float64Array(256)];
      for (let at = side; at < values.length - side - 1; at++) {
        const place = step === 1 ? at % side : Math.floor(at / side);
        if (place === side - 1) continue;
        sums[place % 256] += (values[at + step] - values[at]) ** 2;
        counts[place % 256]++;
      }
      const mean = (isIn: (place: number) => boolean) => {
        const sum = (all: Float64Array) => all.reduce((total, one, place) => total + (isIn(place) ? one : 0), 0);
        return sum(sums) / sum(counts);
      };
      const border = mean((place) => phase(place) === scale - 1);
      const region = mean((place) => place === 255);
      for (const [what, ratio] of [
        ["lattice", border / mean((place) => phase(place) === 0)],
        ["regions", mean((place) => phase(place) === phase(255)) / region],
      ] as const) {
        expect(Math.abs(Math.log(ratio)), `${what} ${step}`).toBeLessThan(what === "lattice" ? 0.03 : 0.2);
      }
    }
  });

  // the value at a point of a lattice is the middle in its octave
  test("has lattices that do not share their points", () => {
    const [side, scale] = [1024, 16];
    const values = valuesOf({ ...NOISE, scale, octaves: 3 }, { row0: 0, col0: 0, rows: side, cols: side });
    const sums = new Float64Array(scale ** 2);
    for (const [at, value] of values.entries()) {
      sums[(Math.floor(at / side) % scale) * scale + (at % scale)] += (value - 32768) ** 2;
    }
    const mean = sums.reduce((total, sum) => total + sum, 0) / sums.length;
    expect(Math.min(...sums) / mean).toBeGreaterThan(0.1);
  });

  test("reaches the last columns of the 32-bit range", () => {
    const values = valuesOf(NOISE, { row0: 2 ** 31 - 1, col0: 2 ** 31 - 8, rows: 1, cols: 8 });
    expect(new Set(values).size).toBeGreaterThan(4);
  });

  test("of two names, and of two octaves, is independent", () => {
    const one = valuesOf(NOISE, { row0: 0, col0: 0, rows: 1, cols: 64 });
    expect(valuesOf({ ...NOISE, name: "depth" }, { row0: 0, col0: 0, rows: 1, cols: 64 })).not.toEqual(one);
  });
});

describe("a rule", () => {
  test("holds for the values of a field in a range, both ends included", () => {
    const fields = [{ name: "r", kind: "rows", from: 0, most: 65535 }] as const;
    const terrain = [
      { terrain: "band", when: { r: [2, 3] } },
      { terrain: "far", when: { r: [5, null] } },
      { terrain: "rest" },
    ] as const;
    using world = worldWith(fields, { terrain });
    const { terrain: made } = world.window({ row0: 0, col0: 0, rows: 7, cols: 1 });
    expect([...made]).toEqual([2, 2, 0, 0, 2, 1, 1]);
  });
});

describe("an invalid spec", () => {
  const NOISE = { name: "h", kind: "noise", scale: 64 } as const;
  test.each<[unknown[], string]>([
    [[{ ...NOISE, scale: 63 }], "fields[0].scale"],
    [[{ ...NOISE, scale: 8192 }], "fields[0].scale"],
    [[{ ...NOISE, octaves: 6 }], "fields[0].octaves"],
    [[{ ...NOISE, name: "path" }], "fields[0].name"],
    [[NOISE, NOISE], "fields[1].name"],
    [[{ ...NOISE, name: "chance" }], "fields[0].name"],
    [[{ name: "d", kind: "distance", layer: "pats" }], "fields[0].layer"],
    [[{ name: "d", kind: "distance", layer: "path", most: 65 }], "fields[0].most"],
    [
      [
        { name: "l", kind: "least", of: ["m"] },
        { name: "m", kind: "most", of: ["l"] },
      ],
      "fields[0].of[0]",
    ],
    [[{ name: "s", kind: "sum", of: [] }], "fields[0].of"],
    [
      [
        NOISE,
        {
          name: "c",
          kind: "curve",
          of: "h",
          points: [
            [5, 5],
            [5, 6],
          ],
        },
      ],
      "fields[1].points[1][0]",
    ],
    [[{ name: "x", kind: "wind" }], "fields[0].kind"],
  ])("%j is refused at its place", (fields, path) => {
    const { spec, issues } = parseWorld({ layers: [LAYER], fields });
    expect(spec).toBeUndefined();
    expect(issues.map(({ code, where }) => [code, where.path])).toContainEqual(["world.spec", path]);
  });

  test("a condition on an unknown field names what is known", () => {
    const terrain = [{ terrain: "high", when: { hight: [5, null] } }, { terrain: "low" }];
    const fields = [{ ...NOISE, name: "height" }];
    const [issue] = parseWorld({ layers: [LAYER], fields, terrain }).issues;
    expect([issue.code, issue.where.path]).toEqual(["world.spec", "terrain[0].when.hight"]);
    expect(issue.message).toContain('"height"');
  });

  test("a window refuses a field that the world, or the window, does not have", () => {
    using world = worldWith([NOISE]);
    const cells = { row0: 0, col0: 0, rows: 2, cols: 2 };
    expect(codeOf(() => world.window(cells, { fields: ["x"] }))).toBe("argument.range");
    expect(codeOf(() => world.window(cells).field("h"))).toBe("argument.range");
  });

  test("check warns of a field that nothing reads, and of a range that never holds", () => {
    const terrain = [{ terrain: "high", when: { h: [70000, null] } }, { terrain: "low" }];
    const paths = checkWorld({ layers: [LAYER], fields: [NOISE, { ...NOISE, name: "x" }], terrain }).map(
      ({ where }) => where.path,
    );
    expect(paths).toEqual(["terrain[0].when", "fields[1]", "layers[0]"]);
  });
});
