import { describe, expect, test } from "vitest";
import { specOf } from "../../src/spec/index.js";
import { compileWalk } from "../../src/walks/compile.js";
import { parseWalk, type WalkSpec } from "../../src/walks/index.js";

const findings = (input: unknown) => parseWalk(input).issues.map(({ code, where }) => [code, where.path]);
const firstMessage = (input: unknown) => parseWalk(input).issues[0].message;
const layered = (...layers: readonly object[]) => ({ grid: { kind: "bounded", rows: 10, cols: 10 }, layers });

describe("a walk spec is read with its defaults", () => {
  test("an empty spec is one uniform walker resting at the origin of an unbounded grid", () => {
    const { spec, issues } = parseWalk({});
    expect(issues).toEqual([]);
    expect(spec).toEqual({
      name: undefined,
      grid: { kind: "unbounded" },
      fields: [],
      ranges: [],
      layered: false,
      layers: [
        {
          name: "",
          tensor: { absolute: [1, 1, 1, 1, 1, 1], relative: [1, 1, 1, 1, 1, 1] },
          scatter: undefined,
          walkers: 1,
          steps: 0,
          headings: Uint8Array.of(6),
          firstVisit: false,
          closedCells: new Int32Array(0),
          closedLayers: [],
          openLayers: [],
          slope: undefined,
          stuckOf: undefined,
          until: undefined,
          start: { kind: "cells", cells: Int32Array.of(0, 0) },
        },
      ],
    });
  });

  test("every field of the JSON form, with the seed's names and the clock's", () => {
    const { spec, issues } = parseWalk({
      name: "world",
      grid: { kind: "torus", rows: 64, cols: 128 },
      layers: [
        { name: "land", preset: "five-ways", walkers: 8, steps: 2 ** 42 - 1, start: { rect: [0, 0, 63, 127] } },
        {
          name: "rivers",
          tensor: { absolute: { East: 2, NW: 1 }, relative: { StraightForward: 3, "2:00": 1, leftForward: 0.5 } },
          walkers: 2,
          steps: 100,
          heading: "West",
          firstVisit: true,
          closed: { cells: [[3, 4]], layers: ["land"] },
          start: [[1, 2]],
        },
        { name: "roads", start: { layer: "rivers" }, heading: "rest" },
      ],
    });
    expect(issues).toEqual([]);
    expect(spec?.layers[0]).toMatchObject({
      walkers: 8,
      start: { kind: "rect", row0: 0, col0: 0, rows: 64, cols: 128 },
    });
    expect(spec?.layers[1]).toMatchObject({
      tensor: { absolute: [1, 0, 2, 0, 0, 0], relative: [30, 10, 0, 0, 0, 5] },
      headings: Uint8Array.of(5),
      firstVisit: true,
      closedCells: Int32Array.of(3, 4),
      closedLayers: [0],
    });
    expect(spec?.layers[2]).toMatchObject({ headings: Uint8Array.of(6), start: { kind: "layer", layer: 1 } });
  });

  test("a part of the tensor left out is six equal weights, a name left out of a part is 0", () => {
    const weights = (tensor: object) => parseWalk({ tensor }).spec?.layers[0].tensor;
    expect(weights({ absolute: { E: 2 } })).toEqual({ absolute: [0, 0, 2, 0, 0, 0], relative: [1, 1, 1, 1, 1, 1] });
    expect(weights({})).toEqual({ absolute: [1, 1, 1, 1, 1, 1], relative: [1, 1, 1, 1, 1, 1] });
    expect(weights({ relative: {} })?.relative).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("limits are inclusive", () => {
    const top = { walkers: 2 ** 32 - 1, steps: 2 ** 32 - 2, firstVisit: true, start: [[-(2 ** 31), 2 ** 31 - 1]] };
    expect(findings(top)).toEqual([]);
    expect(findings({ grid: { kind: "bounded", rows: 2 ** 31 - 1, cols: 1 } })).toEqual([]);
    expect(findings({ start: { rect: [-(2 ** 31), 0, 2 ** 31 - 2, 0] } })).toEqual([]);
  });
});

describe("every issue is found, each with its path", () => {
  test("several at once", () => {
    const input = layered(
      { name: "land", walkers: 0, tensor: { absolute: { NW: -1 } } },
      { name: "land", steps: 1.5, heading: "north" },
    );
    expect(findings(input)).toEqual([
      ["weights.invalid", "layers[0].tensor.absolute.NW"],
      ["walk.spec", "layers[0].walkers"],
      ["walk.spec", "layers[1].name"],
      ["walk.spec", "layers[1].steps"],
      ["walk.spec", "layers[1].heading"],
    ]);
  });

  test.each([
    ["a string", "walk"],
    ["null", null],
    ["an array", []],
    ["a number", 5],
  ])("%s is not a spec", (_, input) => {
    expect(findings(input)).toEqual([["walk.spec", ""]]);
  });

  test("a misspelt name has the nearest known one in its message", () => {
    expect(firstMessage({ walkres: 5 })).toMatch(/Did you mean "walkers"\?/);
    expect(firstMessage({ grid: { kind: "tours" } })).toMatch(/Did you mean "torus"\?/);
    expect(firstMessage({ preset: "fiveways" })).toMatch(/Did you mean "five-ways"\?/);
    expect(firstMessage({ tensor: { absolute: { west: 1 } } })).toMatch(/Did you mean "West"\?/);
  });

  test.each<[string, unknown, string, string]>([
    ["rows of 0", { grid: { kind: "torus", rows: 0, cols: 5 } }, "walk.spec", "grid.rows"],
    ["rows missing", { grid: { kind: "torus", cols: 5 } }, "walk.spec", "grid.rows"],
    ["rows of 2^31", { grid: { kind: "bounded", rows: 2 ** 31, cols: 5 } }, "walk.spec", "grid.rows"],
    ["rows of an unbounded grid", { grid: { kind: "unbounded", rows: 5 } }, "walk.spec", "grid.rows"],
    ["no kind of grid", { grid: {} }, "walk.spec", "grid.kind"],
    ["walkers of 2^32", { walkers: 2 ** 32 }, "walk.spec", "walkers"],
    ["walkers as text", { walkers: "5" }, "walk.spec", "walkers"],
    ["steps of 2^42", { steps: 2 ** 42 }, "walk.spec", "steps"],
    ["first visits past u32", { steps: 2 ** 32 - 1, firstVisit: true }, "walk.spec", "steps"],
    ["a flag that is a number", { firstVisit: 1 }, "walk.spec", "firstVisit"],
    ["an empty name", { name: "" }, "walk.spec", "name"],
    ["a lone surrogate in a name", { name: "\ud800" }, "walk.spec", "name"],
    ["no layers", { layers: [] }, "walk.spec", "layers"],
    ["too many layers", { layers: new Array(257).fill({ name: "a" }) }, "walk.spec", "layers"],
    ["a layer without a name", { layers: [{}] }, "walk.spec", "layers[0].name"],
    ['a layer with "/" in its name', { layers: [{ name: "a/start" }] }, "walk.spec", "layers[0].name"],
    ["a layer's field beside layers", { layers: [{ name: "a" }], walkers: 5 }, "walk.spec", "walkers"],
    ["preset and tensor", { preset: "uniform", tensor: {} }, "walk.tensor", "preset"],
    ["an inherited preset", { preset: "constructor" }, "walk.tensor", "preset"],
    ["a tensor by step (first hour 18)", { tensor: [{}, {}] }, "walk.tensor", "tensor"],
    ["a tensor by row (first hour 18)", { tensor: { rows: { 0: {} } } }, "walk.tensor", "tensor"],
    ["a tensor by layer (first hour 18)", { tensor: { byLayer: {} } }, "walk.tensor", "tensor"],
    ["a direction named twice", { tensor: { absolute: { E: 1, East: 1 } } }, "walk.tensor", "tensor.absolute.East"],
    [
      "a turn named twice",
      { tensor: { relative: { "12:00": 1, forward: 1 } } },
      "walk.tensor",
      "tensor.relative.forward",
    ],
    ["weights in an array", { tensor: { absolute: [1, 1, 1, 1, 1, 1] } }, "walk.spec", "tensor.absolute"],
    ["all weights 0", { tensor: { absolute: { E: 0 } } }, "weights.empty", "tensor.absolute"],
    ["too many decimals", { tensor: { absolute: { E: 1, W: 5e-324 } } }, "weights.decimals", "tensor.absolute"],
    ["no start cells", { start: [] }, "walk.spec", "start"],
    ["a start cell of three", { start: [[1, 2, 3]] }, "walk.spec", "start[0]"],
    [
      "a start past i32",
      {
        start: [
          [0, 0],
          [2 ** 31, 0],
        ],
      },
      "walk.spec",
      "start[1]",
    ],
    ["a start of neither form", { start: {} }, "walk.spec", "start"],
    ["a start of both forms", { start: { rect: [0, 0, 1, 1], layer: "a" } }, "walk.spec", "start"],
    ["a rectangle out of order", { start: { rect: [1, 0, 0, 5] } }, "walk.spec", "start.rect"],
    ["a rectangle of 2^32 rows", { start: { rect: [-(2 ** 31), 0, 2 ** 31 - 1, 0] } }, "walk.spec", "start.rect"],
    ["a layer that is not earlier", { start: { layer: "land" } }, "walk.spec", "start.layer"],
    ["its own layer", layered({ name: "a", closed: { layers: ["a"] } }), "walk.spec", "layers[0].closed.layers[0]"],
    ["a start off the grid", layered({ name: "a", start: [[0, 10]] }), "walk.off-grid", "layers[0].start"],
    [
      "a rect off the grid",
      layered({ name: "a", start: { rect: [0, 0, 10, 0] } }),
      "walk.off-grid",
      "layers[0].start.rect",
    ],
    [
      "a closed cell off the grid",
      layered({ name: "a", closed: { cells: [[-1, 0]] } }),
      "walk.off-grid",
      "layers[0].closed.cells",
    ],
    ["a closed start", { start: [[3, 3]], closed: { cells: [[3, 3]] } }, "walk.closed-start", "start"],
    ["a closed origin", { closed: { cells: [[0, 0]] } }, "walk.closed-start", "closed"],
    [
      "a start rectangle without an open cell",
      {
        start: { rect: [8, 9, 9, 9] },
        closed: {
          cells: [
            [9, 9],
            [8, 9],
            [9, 9],
          ],
        },
      },
      "walk.closed-start",
      "start",
    ],
    [
      "a start on a closed layer",
      layered({ name: "a" }, { name: "b", start: { layer: "a" }, closed: { layers: ["a"] } }),
      "walk.closed-start",
      "layers[1].start",
    ],
  ])("%s", (_, input, code, path) => {
    expect(findings(input)).toEqual([[code, path]]);
    expect(parseWalk(input).spec).toBeUndefined();
  });
});

describe("hostile objects", () => {
  test("__proto__ and constructor are unknown keys like any other", () => {
    const input: unknown = JSON.parse(
      '{"__proto__": {"walkers": 5}, "constructor": 1, "tensor": {"absolute": {"__proto__": 1}}}',
    );
    expect(findings(input)).toEqual([
      ["walk.spec", "__proto__"],
      ["walk.spec", "constructor"],
      ["walk.spec", "tensor.absolute.__proto__"],
    ]);
  });

  test("inherited fields are not read", () => {
    expect(parseWalk(Object.create({ walkers: 5 })).spec?.layers[0].walkers).toBe(1);
  });

  test("a list of four billion holes is refused at once, and bad entries are reported in part", () => {
    expect(findings({ start: new Array(2 ** 32 - 1) })).toEqual([["walk.spec", "start"]]);
    expect(findings({ start: new Array(1000).fill("x") })).toHaveLength(20);
  });

  test("an issue carries the file", () => {
    expect(parseWalk({ steps: -1 }, { file: "world.json" }).issues[0].where).toEqual({
      file: "world.json",
      path: "steps",
    });
  });
});

describe("compileWalk", () => {
  test("a single layer has the stream of the walk's name, a named layer that of walk/layer", () => {
    const single = specOf(parseWalk({ name: "land", steps: 5 }));
    const several = specOf(parseWalk({ name: "land", layers: [{ name: "rivers" }] }));
    const namesOf = (spec: WalkSpec) =>
      compileWalk(spec, { name: "world" }).layers.map(({ name, streamName }) => [name, streamName]);
    expect(namesOf(single)).toEqual([["world", "world"]]);
    expect(namesOf(several)).toEqual([["rivers", "world/rivers"]]);
  });

  test("cells are flat i32 pairs; a rectangle has a corner and sides", () => {
    const layerOf = (input: object) => specOf(parseWalk(input)).layers[0];
    const start = [
      [5, 1],
      [-2, 7],
      [5, 1],
    ];
    const { start: listed, closedCells } = layerOf({ start, closed: { cells: [[1, -0]] } });
    expect(listed).toEqual({ kind: "cells", cells: Int32Array.of(5, 1, -2, 7, 5, 1) });
    expect(closedCells).toEqual(Int32Array.of(1, 0));
    expect(layerOf({ start: { rect: [-1, 2, 3, 2] } }).start).toEqual({
      kind: "rect",
      row0: -1,
      col0: 2,
      rows: 5,
      cols: 1,
    });
  });
});
