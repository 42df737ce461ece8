import { describe, expect, test } from "vitest";
import { parseWalk } from "../../src/walks/index.js";

const findings = (input: unknown) => parseWalk(input).issues.map(({ code, where }) => [code, where.path]);
const HILLS = { name: "hills", scatter: { walkers: 3 } };
const layered = (...layers: readonly object[]) => ({ layers });
const afterHills = (layer: object) => layered(HILLS, { name: "next", ...layer });

describe("a scattered layer is read with its defaults", () => {
  test("a side of 256, and a start on any cell of the region", () => {
    const { spec, issues } = parseWalk({ scatter: { walkers: 12 }, steps: 500 });
    expect(issues).toEqual([]);
    expect(spec?.layers[0]).toMatchObject({
      scatter: { side: 256 },
      walkers: 12,
      steps: 500,
      start: { kind: "region" },
    });
  });

  test("limits are inclusive", () => {
    for (const [side, walkers] of [
      [64, 1],
      [4096, 65_536],
    ]) {
      expect(findings({ scatter: { side, walkers }, steps: 2 ** 20, firstVisit: true })).toEqual([]);
    }
  });

  test("it may refer to finite and scattered layers", () => {
    const land = { name: "land", walkers: 5 };
    const rivers = {
      name: "rivers",
      scatter: { side: 64, walkers: 1 },
      start: { layer: "hills" },
      closed: { cells: [[0, 0]], layers: ["land"] },
      open: { layers: ["hills", "land"] },
    };
    const { spec, issues } = parseWalk(layered(land, HILLS, rivers));
    expect(issues).toEqual([]);
    expect(spec?.layers[2]).toMatchObject({
      start: { kind: "layer", layer: 1 },
      closedLayers: [0],
      openLayers: [0, 1],
      scatter: { side: 64 },
    });
    expect(spec?.layers[0].scatter).toBe(undefined);
  });

  test("a layer that is not scattered may follow it, if it refers to other layers", () => {
    expect(findings(layered({ name: "land" }, HILLS, { name: "sea", start: { layer: "land" } }))).toEqual([]);
  });
});

describe("every flaw has its place", () => {
  test.each<[string, unknown, string, string]>([
    ["a text", { scatter: "all" }, "walk.spec", "scatter"],
    ["no number of walkers", { scatter: {} }, "walk.spec", "scatter.walkers"],
    ["no walkers", { scatter: { walkers: 0 } }, "walk.spec", "scatter.walkers"],
    ["too many walkers", { scatter: { walkers: 65_537 } }, "walk.spec", "scatter.walkers"],
    ["a small side", { scatter: { walkers: 1, side: 32 } }, "walk.spec", "scatter.side"],
    ["a large side", { scatter: { walkers: 1, side: 8192 } }, "walk.spec", "scatter.side"],
    ["a side that is no power of two", { scatter: { walkers: 1, side: 96 } }, "walk.spec", "scatter.side"],
    ["a side with decimals", { scatter: { walkers: 1, side: 64.5 } }, "walk.spec", "scatter.side"],
    ["an unknown key", { scatter: { walkers: 1, width: 64 } }, "walk.spec", "scatter.width"],
    ["two numbers of walkers", { scatter: { walkers: 1 }, walkers: 2 }, "walk.spec", "walkers"],
    ["too many steps", { scatter: { walkers: 1 }, steps: 2 ** 20 + 1 }, "walk.spec", "steps"],
    ["listed start cells", { scatter: { walkers: 1 }, start: [[0, 0]] }, "walk.scattered", "start"],
    ["a start rectangle", { scatter: { walkers: 1 }, start: { rect: [0, 0, 1, 1] } }, "walk.scattered", "start.rect"],
    ["a start of neither form", { scatter: { walkers: 1 }, start: {} }, "walk.spec", "start"],
    [
      "a bounded grid",
      { scatter: { walkers: 1 }, grid: { kind: "bounded", rows: 9, cols: 9 } },
      "walk.scattered",
      "scatter",
    ],
    ["a torus", { scatter: { walkers: 1 }, grid: { kind: "torus", rows: 9, cols: 9 } }, "walk.scattered", "scatter"],
    ["a field beside layers", { ...layered(HILLS), scatter: { walkers: 1 } }, "walk.spec", "scatter"],
    [
      "a finite layer that closes it",
      afterHills({ closed: { layers: ["hills"] } }),
      "walk.scattered",
      "layers[1].closed.layers[0]",
    ],
    [
      "a finite layer that opens it",
      afterHills({ open: { layers: ["hills"] } }),
      "walk.scattered",
      "layers[1].open.layers[0]",
    ],
    ["a finite layer that ends on it", afterHills({ until: { on: "hills" } }), "walk.scattered", "layers[1].until.on"],
    [
      "a finite layer that starts on it",
      afterHills({ start: { layer: "hills" } }),
      "walk.scattered",
      "layers[1].start.layer",
    ],
    [
      "a start on cells that it closes",
      afterHills({ scatter: { walkers: 1 }, start: { layer: "hills" }, closed: { layers: ["hills"] } }),
      "walk.closed-start",
      "layers[1].start",
    ],
  ])("%s", (_, input, code, path) => {
    expect(findings(input)).toEqual([[code, path]]);
  });
});
