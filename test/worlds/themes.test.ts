import { describe, expect, test } from "vitest";
import { terrainPng } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import type { WorldInput, WorldPictureOptions } from "../../src/worlds/index.js";
import { checkWorld, parseWorld } from "../../src/worlds/index.js";
import { decodedPng } from "../formats/decodedPng.js";
import { codeOf } from "../refusal.js";

const LAND: WorldInput = {
  layers: [{ name: "roads", preset: "rf50-lf50", scatter: { side: 64, walkers: 2 }, steps: 40 }],
  fields: [{ name: "height", kind: "noise", scale: 64, octaves: 4 }],
  terrain: [
    { terrain: "sea", tags: ["water"], when: { height: [0, 30_000] } },
    { terrain: "way", tags: ["road"], when: { roads: { visits: [1, null] } } },
    { terrain: "mountain", when: { height: [44_000, null] } },
    { terrain: "forest", when: { height: [38_000, null] } },
    { terrain: "heath" },
  ],
  placements: [
    {
      name: "village",
      on: ["heath"],
      density: "1/60",
      distance: 5,
      icon: "house",
      content: { table: "names" },
      sizes: { hamlet: 3, town: 1 },
    },
    { name: "lair", on: ["forest"], density: "1/90" },
  ],
  realms: [
    { name: "parish", of: "village", within: 9 },
    { name: "__proto__", of: "lair", within: 3 },
  ],
  tables: { names: { rows: { A: [{ result: "Hollin", weight: 1 }] } } },
};
const open = () => createMill({ seed: "moria" }).world("land", LAND);
const WINDOW = { row0: -40, col0: 60, rows: 40, cols: 60 };

describe("world.picture with a theme", () => {
  test.each([
    ["atlas", 2],
    ["parchment", 1],
    ["night", 6],
  ] as const)("%s: the pictures of four parts are cuts of the picture of the whole", (theme, pixelsPerCell) => {
    const world = open();
    const options = { theme, pixelsPerCell, light: "height", realms: "parish", background: [1, 2, 3] } as const;
    const [rows, cols] = [WINDOW.rows / 2, WINDOW.cols / 2];
    const whole = decodedPng(world.picture(WINDOW, options));
    for (const [r, c] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]) {
      const cells = { row0: WINDOW.row0 + r * rows, col0: WINDOW.col0 + c * cols, rows, cols };
      const part = decodedPng(world.picture(cells, options));
      const left = Math.floor(((2 * c * cols + r * rows) * pixelsPerCell) / 2);
      const top = ((whole.height - part.height) / rows) * r * rows;
      let [same, others] = [0, 0];
      for (let y = 0; y < part.height; y++) {
        for (let x = 0; x < part.width; x++) {
          if (part.at(x, y) === "1,2,3") continue;
          if (part.at(x, y) === whole.at(left + x, top + y)) same++;
          else others++;
        }
      }
      expect([others, same >= rows * cols]).toEqual([0, true]);
    }
  });

  test("light and depth come from fields, and change the picture", () => {
    const world = open();
    const picture = (more: WorldPictureOptions) => world.picture(WINDOW, { theme: "atlas", pixelsPerCell: 2, ...more });
    const depth = { field: "height", deepest: 10_000, shallowest: 30_000 };
    const pictures = [
      {},
      { light: "height" },
      { light: "height", relief: 300 },
      { depth },
      { depth: { field: "height" } },
    ];
    const bytes = pictures.map((more) => Buffer.from(picture(more)).toString("base64"));
    expect(new Set(bytes).size).toBe(pictures.length);
    const reversed = picture({ depth: { field: "height", deepest: 30_000, shallowest: 10_000 } });
    expect(reversed).not.toEqual(picture({ depth }));
  });

  test("borders of realms change the picture", () => {
    const world = open();
    const picture = (more: WorldPictureOptions) =>
      decodedPng(world.picture(WINDOW, { theme: "night", pixelsPerCell: 2, kinds: [], ...more }));
    const [bare, parishes, lairs] = [{}, { realms: "parish" }, { realms: "__proto__" }].map(picture);
    const changed = (one: typeof bare) => [...one.counts()].some(([color, n]) => n !== bare.counts().get(color));
    expect([changed(parishes), changed(lairs)]).toEqual([true, true]);
  });

  test("a realm has no border where the cells are made in two parts, of which one knows more seats", () => {
    const world = createMill({ seed: "moria" }).world("flat", {
      grid: { coordinates: "odd-r" },
      layers: [{ name: "still" }],
      terrain: [{ terrain: "grass" }],
      placements: [
        {
          name: "seat",
          at: [
            [-70, 0],
            [5, 0],
          ],
        },
      ],
      realms: [{ name: "realm", of: "seat", within: 80 }],
    });
    const cells = { row0: -50, col0: -20, rows: 80, cols: 40 };
    const picture = decodedPng(world.picture(cells, { theme: "atlas", pixelsPerCell: 1, kinds: [], realms: "realm" }));
    const colors = (from: number, to: number) => {
      const rows = Array.from({ length: to - from }, (_, r) => picture.at(20, from + 50 + r));
      return new Set(rows).size;
    };
    expect([colors(-50, -10) > 1, colors(-10, 30)]).toEqual([true, 1]);
  });

  test("an upright picture is the picture that terrainPng draws of the same cells", () => {
    const world = createMill({ seed: "moria" }).world("bare", { ...LAND, placements: [], realms: [] });
    const options = { theme: "parchment", pixelsPerCell: 2, upright: true } as const;
    const margin = 26;
    const [rows, cols] = [20 + 2 * margin, 30 + 2 * margin];
    const from = (row: number) => 7 - margin - (row >> 1);
    const cells = Array.from({ length: rows * cols }, (_, i) => {
      const row = Math.floor(i / cols) - margin;
      return { row, col: from(row) + (i % cols) };
    });
    const all = world.window({ row0: 4 - margin, col0: -60, rows, cols: 160 });
    const terrain = Uint8Array.from(cells, ({ row, col }) => all.terrain[(row + margin) * 160 + col + 60]);
    const map = {
      row0: 0,
      col0: 0,
      rows,
      cols,
      coordinates: "odd-r",
      margin,
      terrain,
      terrains: world.terrains,
    } as const;
    expect(world.picture({ row0: 4, col0: 7, rows: 20, cols: 30 }, options)).toEqual(
      terrainPng(map, { theme: "parchment", pixelsPerCell: 2 }),
    );
  });

  test("names come from contents, and icons from the spec", () => {
    const world = open();
    const picture = (more: WorldPictureOptions) => world.picture(WINDOW, { theme: "atlas", pixelsPerCell: 8, ...more });
    const plain = picture({});
    const labels = [{ kind: "village" }] as const;
    expect(picture({ labels: { kind: "village" } })).toEqual(picture({ labels }));
    expect(picture({ labels })).not.toEqual(plain);
    expect(picture({ labels: [{ kind: "village", text: "no.such.field" }] })).toEqual(plain);
    expect(picture({ labels: [{ kind: "lair" }] })).toEqual(plain);
    const sized = (size: Record<string, number>) => picture({ labels: { kind: "village", size } });
    expect(sized({ hamlet: 2, town: 2 })).toEqual(picture({ labels: { kind: "village", size: 2 } }));
    expect(sized({})).toEqual(plain);
    const towns = [sized({ town: 1 }), sized({ town: 4 }), sized({ hamlet: 1, town: 4 })];
    expect(new Set(towns.map((png) => Buffer.from(png).toString("base64"))).size).toBe(3);
    const lair = { name: "lair", density: "1/9", contents: { lord: { table: "names" } } } as const;
    const named = createMill({ seed: "moria" }).world("named", { ...LAND, placements: [lair], realms: [] });
    const lords = (text: string) => named.picture(WINDOW, { theme: "atlas", labels: { kind: "lair", text } });
    expect(lords("lord")).not.toEqual(lords(""));
    expect(() => lords("lrod")).toThrow('Did you mean "lord"?');
    const { spec } = parseWorld({ ...LAND, placements: [{ name: "a", density: 1, icon: "moon" as never }] });
    expect(spec).toBeUndefined();
    expect(world.kinds.map(({ icon }) => icon)).toEqual(["house", undefined]);
    expect(checkWorld(parseWorld(LAND).spec as never)).toEqual([]);
  });

  test("works at the last row and column, and on a small bounded grid", () => {
    const last = 2 ** 31;
    const layers: WorldInput["layers"] = [{ name: "still" }];
    const world = createMill({ seed: "moria" }).world("end", {
      ...LAND,
      layers,
      terrain: LAND.terrain?.filter((_, i) => i !== 1),
    });
    const options = { theme: "night", light: "height" } as const;
    expect(() => world.picture({ row0: last - 8, col0: last - 8, rows: 8, cols: 8 }, options)).not.toThrow();
    expect(() =>
      world.picture({ row0: -last, col0: -last, rows: 8, cols: 8 }, { ...options, upright: true }),
    ).not.toThrow();
    const small: WorldInput = {
      grid: { kind: "bounded", rows: 5, cols: 6 },
      layers,
      fields: LAND.fields,
      terrain: [{ terrain: "grass" }],
    };
    const island = createMill({ seed: "moria" }).world("small", small);
    const picture = decodedPng(
      island.picture({ row0: 0, col0: 0, rows: 5, cols: 6 }, { ...options, pixelsPerCell: 4, border: true }),
    );
    expect(picture.counts().size).toBeGreaterThan(3);
  });

  test.each<[string, WorldPictureOptions]>([
    ["argument.range", { light: "height" }],
    ["argument.range", { depth: { field: "height" } }],
    ["argument.range", { labels: [] }],
    ["argument.range", { theme: "baroque" as never }],
    ["argument.range", { theme: "atlas", light: "depth" }],
    ["argument.range", { realms: "parish" }],
    ["argument.range", { theme: "atlas", realms: "duchy" }],
    ["argument.range", { theme: "atlas", realms: "constructor" }],
    ["argument.type", { theme: "atlas", realms: ["parish"] as never }],
    ["argument.type", { theme: "atlas", light: 7 as never }],
    ["argument.type", { theme: "atlas", depth: "height" as never }],
    ["argument.option", { theme: "atlas", depth: { field: "height", most: 7 } as never }],
    ["argument.range", { theme: "atlas", depth: { field: "height", deepest: 5, shallowest: 5 } }],
    ["argument.range", { theme: "atlas", depth: { field: "height", deepest: -1 } }],
    ["argument.range", { theme: "atlas", labels: { kind: "castle" } }],
    ["argument.type", { theme: "atlas", labels: "village" as never }],
    ["argument.range", { theme: "atlas", labels: { kind: "village", size: 9 } }],
    ["argument.range", { theme: "atlas", labels: { kind: "village", size: { hamlet: 5 } } }],
    ["argument.range", { theme: "atlas", labels: { kind: "village", size: { city: 1 } } }],
    ["argument.range", { theme: "atlas", labels: { kind: "village", size: { constructor: 1 } as never } }],
    ["argument.range", { theme: "atlas", labels: { kind: "lair", size: { hamlet: 1 } } }],
    ["argument.range", { theme: "atlas", labels: { kind: "village", size: [1] as never } }],
    ["argument.range", { theme: "atlas", labels: { kind: "village", size: null as never } }],
    ["argument.type", { theme: "atlas", labels: { kind: "village", text: 4 as never } }],
    ["argument.range", { theme: "atlas", pixelsPerCell: 0 }],
  ])("%s for %o", (code, options) => {
    expect(codeOf(() => open().picture({ row0: 0, col0: 0, rows: 9, cols: 9 }, options))).toBe(code);
  });

  test("reports progress up to the end; a signal ends it", () => {
    const seen: number[] = [];
    const options = {
      theme: "atlas",
      onProgress: ({ done, total }: { done: number; total: number }) => seen.push(done / total),
    } as const;
    open().picture({ row0: 0, col0: 0, rows: 40, cols: 50 }, options);
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const signal = AbortSignal.abort("stop");
    expect(() => open().picture({ row0: 0, col0: 0, rows: 9, cols: 9 }, { theme: "atlas", signal })).toThrow("stop");
  });
});
