import { describe, expect, test } from "vitest";
import { WalkMap } from "../../src/walks/index.js";
import { mapOf } from "./mapOf.js";

describe("a walk's map", () => {
  const land = {
    name: "land",
    steps: 10,
    map: mapOf([
      [0, 0, 3, 0],
      [0, 1, 8, 1],
    ]),
  };
  const rivers = {
    name: "rivers",
    steps: 2,
    map: mapOf([
      [0, 1, 2],
      [-5, 70, 1],
    ]),
  };

  test("several layers: the sum at the top, each layer below it, whether or not it keeps first visits", () => {
    const walk = new WalkMap([land, rivers]);
    const { layers, ...top } = walk.summary();
    const sum = mapOf([
      [0, 0, 3],
      [0, 1, 10],
      [-5, 70, 1],
    ]);
    expect(top).toEqual({
      cells: 3,
      steps: 12,
      visits: 14,
      maxVisits: 10,
      bounds: [-5, 0, 0, 70],
      digest: sum.digest(),
    });
    expect(layers.map(({ name, cells, steps }) => [name, cells, steps])).toEqual([
      ["land", 2, 10],
      ["rivers", 2, 2],
    ]);
    expect(layers[1].digest).toBe(rivers.map.digest());
    expect(walk.layer("rivers")?.map).toBe(rivers.map);
    expect(walk.layer("roads")).toBeUndefined();
  });

  test("one layer: the sum is its own map, first visits and all", () => {
    const walk = new WalkMap([land]);
    expect(walk.total).toBe(land.map);
    expect(JSON.parse(JSON.stringify(walk.summary())).layers).toHaveLength(1);
  });
});
