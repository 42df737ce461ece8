import { describe, expect, onTestFinished, test } from "vitest";
import { createMill } from "../../src/index.js";
import { explain } from "../../src/instruments/index.js";
import type { LayerInput, SlopeInput } from "../../src/walks/index.js";
import { checkWorld, parseWorld, type WorldInput } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { agrees } from "../statistics/chiSquare.js";
import { compareWorld, readWindow, type Seen, windowOf } from "./compare.js";
import { slopeWorld } from "./slopeWorlds.js";
import { WorldTwin } from "./twin.js";

const CONE = { name: "cone", kind: "position", from: [40, 60], most: 65_535 } as const;
const ROWS = { name: "rows", kind: "rows", most: 65_535 } as const;
const CELLS = { row0: 0, col0: 0, rows: 64, cols: 64 };

function worldOf(input: WorldInput) {
  const mill = createMill({ seed: "moria" });
  onTestFinished(() => mill.dispose());
  return mill.world("land", input);
}

/** The walkers of region (0, 0) after all their steps. */
function endsOf(layer: LayerInput, fields: WorldInput["fields"]) {
  const world = worldOf({ layers: [layer], ...(fields && { fields }) });
  using run = world.start({ layer: layer.name, region: [0, 0] });
  const starts = [...run.positions()];
  run.advance(layer.steps ?? 0);
  return [...run.positions()].map((end, q) => ({ ...end, start: starts[q] }));
}

describe("random worlds whose layers read fields", () => {
  const seen: Seen = { visits: 0, terrains: 0, placements: 0, contents: 0, fields: 0, walkers: 0, refused: 0 };
  const worlds = Array.from({ length: IS_SOAK ? 700 : 8 }, (_, number) => slopeWorld(number) ?? []).flat();

  test.each(worlds.map((given, k) => [k, given] as const))("world %d is that of the twin", (_, given) => {
    compareWorld(given, seen);
  });

  test("have something to compare", () => {
    expect(worlds.length).toBeGreaterThan(3);
    expect(seen.visits).toBeGreaterThan(1000);
    expect(seen.walkers).toBeGreaterThan(1000);
    expect(seen.refused).toBe(0);
  });
});

test("walkers on slopes are those of docs/determinism.md", () => {
  const layer = { steps: 100, scatter: { side: 64, density: "1/1000" } } as const;
  const slope = { field: "height", down: 8, level: 2, up: 1, steepness: 64 } as const;
  const world = worldOf({
    layers: [
      { ...layer, name: "slopes", slope },
      { ...layer, name: "brooks", slope: { field: "height" } },
    ],
    fields: [{ name: "height", kind: "noise", scale: 32 }],
  });
  const firstStep = (name: string, walker: number) => {
    const at = { layer: name, region: [-1, 2] as const, walker, step: 1 };
    const [{ word, value, weights = [] }] = explain(world, { at }).decisions;
    using run = world.start({ layer: name, region: [-1, 2] }).advance(100);
    const { row, col, heading, ended } = run.position(walker);
    return [weights.map(({ weight }) => weight).join(), word, value, row, col, heading, ended];
  };
  expect(["slopes", "brooks"].flatMap((name) => [firstStep(name, 0), firstStep(name, 1)])).toEqual([
    ["1,1,1,44,539,480", 644_031_363, 159, -56, 181, "E", undefined],
    ["1,1,1,1,569,569", 3_108_859_994, 826, -56, 181, "NW", undefined],
    ["0,1,1,1,0,0", 3_409_303_263, 2, -64, 171, "E", 21],
    ["0,0,0,1,1,1", 3_170_939_818, 2, 14, 150, "E", 25],
  ]);
});

test("a step on a slope is explained as it was taken", () => {
  let stuck = 0;
  for (let number = 0; number < 5; number++) {
    const given = slopeWorld(number);
    if (given === undefined) continue;
    using mill = createMill({ seed: given.seed });
    const world = mill.world(given.name, given.input);
    for (const { name, side = 64, steps } of world.walk.layers.filter((_, l) => given.input.layers[l].slope)) {
      const region = [Math.floor(given.window.row / side), Math.floor(given.window.col / side)] as const;
      using run = world.start({ layer: name, region });
      if (run.walkerTotals.walkers === 0) continue;
      const { ended = steps } = run.advance(steps).position(0);
      for (const step of [0, Math.min(1, steps), ended, Math.min(steps, ended + 1)]) {
        // throws if the decisions lead to another result
        const { facts } = explain(world, { at: { layer: name, region, walker: 0, step } });
        stuck += facts?.some(({ so }) => so.includes("stuck") || so === "the walker rests") === true ? 1 : 0;
      }
    }
  }
  expect(stuck).toBeGreaterThan(0);
});

describe("slopes", () => {
  const rivers = { name: "rivers", steps: 120, scatter: { side: 64, walkers: 50 } } as const;

  test.each(["uniform", "sf66-rf33", "rb50-lb50"] as const)(
    "with up 0 and level 0, %s reaches the foot of a cone",
    (preset) => {
      const layer = { ...rivers, preset, slope: { field: "cone", down: 3 }, until: { field: "cone", to: 0 } };
      const ends = endsOf(layer, [CONE]);
      expect(ends).toHaveLength(50);
      // each step comes one step nearer
      const distance = (row: number, col: number) =>
        Math.max(Math.abs(row - 40), Math.abs(col - 60), Math.abs(row - 40 + col - 60));
      expect(ends.map(({ row, col, ended, start }) => [row, col, ended === distance(start.row, start.col)])).toEqual(
        ends.map(() => [40, 60, true]),
      );
    },
  );

  // on `rows`, below row 0: NW and NE are lower, E and W level, SE and SW higher
  test.each<[SlopeInput, number[]]>([
    [{ field: "rows", down: 3, level: 2, up: 1 }, [3, 3, 2, 1, 1, 2]],
    [{ field: "rows", down: 0, level: 5, up: 0 }, [0, 0, 1, 0, 0, 1]],
    [{ field: "rows", down: 1, level: 1, up: 1, steepness: 512 }, [3, 3, 1, 1, 1, 1]],
  ])("the shares of directions are those of the factors: %o", (slope, weights) => {
    const counts = new Map(["NW", "NE", "E", "SE", "SW", "W"].map((name) => [name, 0]));
    for (const { heading, start } of endsOf({ name: "one", steps: 1, scatter: { side: 64, density: 1 }, slope }, [
      ROWS,
    ])) {
      if (start.row > 0) counts.set(heading, (counts.get(heading) ?? 0) + 1);
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    expect(
      agrees(
        [...counts.values()],
        weights.map((weight) => weight / total),
      ),
    ).toBe(true);
  });

  test("a stuck walker ends or rests, and a walker without further steps is not stuck", () => {
    const slope = { field: "cone", down: 1 } as const;
    const resting = endsOf({ ...rivers, slope: { ...slope, stuck: "rest" } }, [CONE]);
    expect(
      resting.every(
        ({ row, col, heading, ended }) => row === 40 && col === 60 && heading === "resting" && ended === undefined,
      ),
    ).toBe(true);
    const ended = endsOf({ ...rivers, slope }, [CONE]);
    expect(ended.every(({ ended: steps, heading }) => steps !== undefined && heading !== "resting")).toBe(true);
    const distances = ended.map(({ ended: steps = 0 }) => steps);
    const few = endsOf({ ...rivers, steps: distances[0], slope }, [CONE]);
    expect(few[0]).toMatchObject({ row: 40, col: 60 });
    expect(few[0].ended).toBeUndefined();
  });

  test("a layer with stuck has the stuck walkers as visits, in every window", () => {
    const layers: LayerInput[] = [
      { ...rivers, steps: 60, slope: { field: "height" }, until: { field: "height", to: 28_000 } },
      { name: "ponds", stuck: "rivers" },
    ];
    const fields = [{ name: "height", kind: "noise", scale: 16, octaves: 2 }] as const;
    const visits = ["rivers", "ponds"];
    const whole = worldOf({ layers, fields }).window(CELLS, { visits });
    const world = worldOf({ layers, fields });
    const part = { row0: 20, col0: 3, rows: 30, cols: 37 };
    const ponds = world.window(part, { visits: ["ponds"] });
    expect(Math.max(...whole.visits("ponds"))).toBeGreaterThan(1);
    for (let row = 20; row < 50; row++) {
      for (let col = 3; col < 40; col++)
        expect(ponds.visitsAt("ponds", row, col)).toBe(whole.visitsAt("ponds", row, col));
    }
    // the walkers that ended on cells outside the range are stuck there
    let stuck = 0;
    for (const i of [-1, 0, 1]) {
      for (const j of [-1, 0, 1]) {
        using run = world.start({ layer: "rivers", region: [i, j] }).advance(60);
        for (const { row, col, ended } of run.positions()) {
          const isInside = row >= 0 && row < 64 && col >= 0 && col < 64;
          if (isInside && ended !== undefined && world.at(row, col).fields.height > 28_000) stuck++;
        }
      }
    }
    expect(whole.visits("ponds").reduce((sum, count) => sum + count, 0)).toBe(stuck);
    expect(codeOf(() => world.start({ layer: "ponds", region: [0, 0] }))).toBe("argument.range");
  });

  test("the last rows and columns are those of the twin", () => {
    const slope = { field: "height", down: 2, level: 1, up: 1, stuck: "rest" } as const;
    const input: WorldInput = {
      layers: [
        {
          name: "rivers",
          firstVisit: true,
          steps: 30,
          scatter: { side: 64, walkers: 40 },
          slope,
          closed: { fields: [{ field: "height", from: 40_000 }] },
        },
      ],
      fields: [{ name: "height", kind: "noise", scale: 8, octaves: 1 }],
    };
    for (const [row, col] of [
      [-(2 ** 31), 2 ** 31 - 20],
      [2 ** 31 - 20, -(2 ** 31)],
    ]) {
      const rect = { row, col, rows: 20, cols: 20 };
      const ours = readWindow(windowOf(worldOf(input), rect), input);
      expect(ours).toEqual(new WorldTwin(input, { seed: "moria", name: "land" }).window(rect));
      expect(Math.max(...ours.visits.rivers)).toBeGreaterThan(0);
    }
  });
});

describe("specs", () => {
  const scatter = { side: 64, walkers: 1 } as const;
  const fields = [{ name: "height", kind: "noise", scale: 32 }] as const;
  const slope = { field: "height" };
  const rivers = { name: "rivers", scatter, slope };
  const flawsOf = (input: unknown) => parseWorld(input).issues.map(({ code, where }) => `${code} ${where?.path}`);
  const layer = (given: object) => ({ layers: [{ name: "rivers", scatter, ...given }], fields });

  test.each<[string, unknown, string]>([
    ["a field that does not exist", layer({ slope: { field: "heigth" } }), "walk.spec layers[0].slope.field"],
    ["a slope without a field", layer({ slope: {} }), "walk.spec layers[0].slope.field"],
    ["an unknown key", layer({ slope: { ...slope, upp: 1 } }), "walk.spec layers[0].slope.upp"],
    ["a factor that is too large", layer({ slope: { ...slope, down: 65_536 } }), "walk.spec layers[0].slope.down"],
    ["a negative steepness", layer({ slope: { ...slope, steepness: -1 } }), "walk.spec layers[0].slope.steepness"],
    ["factors that are all 0", layer({ slope: { ...slope, down: 0 } }), "walk.spec layers[0].slope"],
    ["another way to be stuck", layer({ slope: { ...slope, stuck: "stop" } }), "walk.spec layers[0].slope.stuck"],
    [
      "a total of 2³² or more",
      layer({ slope: { ...slope, down: 65_535, steepness: 65_535 }, tensor: { absolute: { E: 300 } } }),
      "weights.overflow layers[0].slope",
    ],
    ["an empty range", layer({ start: { field: "height", from: 9, to: 8 } }), "walk.spec layers[0].start.to"],
    ["a range without bounds", layer({ start: { field: "height" } }), "walk.spec layers[0].start"],
    ["a value above 65,535", layer({ until: { field: "height", from: 65_536 } }), "walk.spec layers[0].until.from"],
    [
      "an unknown field of a range",
      layer({ closed: { fields: [{ field: "x", to: 1 }] } }),
      "walk.spec layers[0].closed.fields[0].field",
    ],
    ["open without cells", layer({ open: {} }), "walk.spec layers[0].open"],
    [
      "a start on closed cells",
      layer({ start: { field: "height", to: 9 }, closed: { fields: [{ field: "height", from: 0, to: 9 }] } }),
      "walk.closed-start layers[0].start",
    ],
    ["a finite layer", { layers: [{ name: "rivers", slope }], fields }, "walk.scattered layers[0].slope.field"],
    [
      "stuck walkers of a layer that does not exist",
      { layers: [{ name: "a", stuck: "b" }] },
      "walk.spec layers[0].stuck",
    ],
    [
      "stuck walkers of a layer without a slope",
      {
        layers: [
          { name: "a", scatter },
          { name: "b", stuck: "a" },
        ],
      },
      "walk.spec layers[1].stuck",
    ],
    [
      "stuck walkers of a layer whose walkers rest",
      {
        layers: [
          { ...rivers, slope: { ...slope, stuck: "rest" } },
          { name: "b", stuck: "rivers" },
        ],
        fields,
      },
      "walk.spec layers[1].stuck",
    ],
    [
      "steps beside stuck",
      { layers: [rivers, { name: "b", stuck: "rivers", steps: 3 }], fields },
      "walk.spec layers[1].steps",
    ],
    ["fields without a world", undefined, "walk.spec slope.field"],
  ])("%s is refused", (_, input, expected) => {
    const flaws =
      input === undefined
        ? [`${codeOf(() => createMill({ seed: "moria" }).walk("land", { slope }))} slope.field`]
        : flawsOf(input);
    expect(flaws).toContain(expected);
  });

  test("layers and fields that depend on each other name their way", () => {
    const near = { name: "near", kind: "distance", layer: "roads" } as const;
    const height = { name: "height", kind: "sum", of: [{ field: "near" }] } as const;
    const roads = { name: "roads", scatter, start: { layer: "rivers" } } as const;
    const cycle = parseWorld({ layers: [rivers, roads], fields: [near, height] });
    expect(cycle.issues[0]).toMatchObject({ code: "world.spec", where: { path: "layers[0]" } });
    expect(cycle.issues[0].message).toContain("rivers → height → near → roads → rivers");
    const late = parseWorld({ layers: [rivers, { name: "roads", scatter }], fields: [near, height] });
    expect(late.issues[0].message).toContain("later layer");
    const early = parseWorld({ layers: [{ name: "roads", scatter }, rivers], fields: [near, height] });
    expect(early.issues).toEqual([]);
  });

  test("check warns of a range without cells, and knows which fields layers read", () => {
    const steps = {
      name: "steps",
      kind: "curve",
      of: "height",
      points: [
        [0, 0],
        [65_535, 100],
      ],
    } as const;
    const springs = { side: 64, density: "1/9" } as const;
    const layers = [{ ...rivers, scatter: springs, start: { field: "steps", from: 101 } }] as const;
    const issues = checkWorld({
      layers,
      fields: [...fields, steps],
      terrain: [{ terrain: "sea", when: { rivers: { within: 1 } } }, { terrain: "land" }],
    });
    expect(issues.map(({ where }) => where?.path)).toEqual(["layers[0].start"]);
  });

  test("the reach includes what fields measure", () => {
    const near = { name: "near", kind: "distance", layer: "hills", most: 20 } as const;
    const hills = { name: "hills", scatter, steps: 10 };
    const down = { ...rivers, steps: 30, slope: { field: "near" } };
    const world = worldOf({ layers: [hills, down, { name: "ponds", stuck: "rivers" }], fields: [near] });
    expect(world.layers.map(({ reach }) => reach)).toEqual([10, 10 + 20 + 30 + 1, 61]);
  });
});
