import fc from "fast-check";
import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { type FourTiles, parentTile, tilePng, tilePyramid, tileViewer } from "../../src/formats/index.js";
import { codeOf } from "../refusal.js";

describe("tilePyramid", () => {
  test("the deepest zoom has a pixel for each cell, and zoom 0 one tile", () => {
    expect(tilePyramid({ rows: 1000, cols: 600 })).toEqual({
      deepest: 2,
      side: 256,
      levels: [
        { z: 2, rows: 4, cols: 3 },
        { z: 1, rows: 2, cols: 2 },
        { z: 0, rows: 1, cols: 1 },
      ],
    });
    expect(tilePyramid({ rows: 1, cols: 1 }).levels).toEqual([{ z: 0, rows: 1, cols: 1 }]);
    expect(tilePyramid({ rows: 5, cols: 1, side: 4 }).deepest).toBe(1);
  });

  test("every tile of a zoom has a parent in the zoom above, and none is in vain", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 32 }), fc.integer({ min: 1, max: 2 ** 32 }), (rows, cols) => {
        const { levels } = tilePyramid({ rows, cols });
        for (const [i, level] of levels.slice(1).entries()) {
          expect(level).toEqual({
            z: levels[i].z - 1,
            rows: Math.ceil(levels[i].rows / 2),
            cols: Math.ceil(levels[i].cols / 2),
          });
        }
        expect(levels.at(-1)).toEqual({ z: 0, rows: 1, cols: 1 });
        if (levels.length > 1) expect(levels.at(-2)).not.toEqual({ z: 1, rows: 1, cols: 1 });
      }),
    );
  });
});

describe("parentTile", () => {
  const four = (...tiles: (readonly number[] | null)[]) =>
    tiles.map((cells) => (cells === null ? null : Uint8Array.from(cells))) as unknown as FourTiles;

  test("shows the four tiles in its quarters, and nothing for a tile outside the map", () => {
    const tiles = four([1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3], null);
    expect([...parentTile(tiles, { side: 2 })]).toEqual([1, 2, 3, 255]);
  });

  test("the quarters are in order, row by row", () => {
    const quarter = (terrain: number) => new Array<number>(16).fill(terrain);
    const parent = parentTile(four(quarter(1), quarter(2), quarter(3), quarter(4)), { side: 4 });
    expect([...parent]).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
  });

  /** The rule, said in another way: all terrains of four cells, sorted. */
  const expected = (cells: readonly number[], pool: "common" | "first") => {
    const terrains = cells.filter((cell) => cell !== 255).sort((a, b) => a - b);
    if (pool === "first" || terrains.length === 0) return terrains[0] ?? 255;
    const count = (terrain: number) => terrains.filter((other) => other === terrain).length;
    const most = Math.max(...terrains.map(count));
    return terrains.find((terrain) => count(terrain) === most);
  };

  test("chooses the commonest terrain, or the first", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 1, 2, 7, 255), { minLength: 4, maxLength: 4 }),
        fc.constantFrom("common" as const, "first" as const),
        (cells, pool) => {
          expect(parentTile(four(cells, null, null, null), { side: 2, pool })[0]).toBe(expected(cells, pool));
        },
      ),
    );
  });

  test.each<[string, () => unknown]>([
    ["argument.type", () => parentTile([new Uint8Array(4), null, null, [1]] as never, { side: 2 })],
    ["argument.range", () => parentTile([new Uint8Array(4), null, null, null])],
    ["argument.range", () => parentTile([null, null, null] as never)],
    ["argument.range", () => parentTile(four(null, null, null, null), { side: 3 })],
    ["argument.range", () => parentTile(four(null, null, null, null), { pool: "max" as never })],
    ["argument.range", () => tilePyramid({ rows: 0, cols: 1 })],
    ["argument.range", () => tilePyramid({ rows: 1, cols: 1, side: 100 })],
    ["argument.range", () => tilePng(new Uint8Array(5))],
    ["argument.type", () => tilePng("x" as never)],
    ["argument.option", () => tilePng(new Uint8Array(4), { side: 2 } as never)],
  ])("%s for malformed arguments", (code, call) => {
    expect(codeOf(call)).toBe(code);
  });
});

describe("tilePng", () => {
  test("has a pixel for each cell, and is clear where there is no terrain", () => {
    const { data, palette, width } = decode(
      tilePng(Uint8Array.of(1, 0, 255, 1), {
        colors: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      }),
    );
    expect(width).toBe(2);
    expect(palette).toEqual([
      [1, 2, 3, 255],
      [4, 5, 6, 255],
      [0, 0, 0, 0],
    ]);
    expect(data).toEqual(Uint8Array.of(1, 0, 2, 1));
  });
});

describe("tileViewer", () => {
  test("texts cannot leave their place in the page", () => {
    const page = tileViewer({
      rows: 9,
      cols: 9,
      title: "</title>{}",
      terrains: [{ name: "TITLE</script><!--", color: [1, 2, 3] }],
      path: "$&</script>/{z}",
    });
    expect(page).toContain("<title>&#60;/title&#62;{}</title>");
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).not.toContain("<!--");
    expect(page).toContain('<span style="background: rgb(1,2,3)"></span>TITLE&#60;/script&#62;&#60;!--</li>');
  });

  test("it needs no network", () => {
    expect(tileViewer({ rows: 9, cols: 9 })).not.toMatch(/https?:|<link|import/);
  });

  test.each<[string, () => unknown]>([
    ["argument.range", () => tileViewer({ rows: 0, cols: 1 })],
    ["argument.type", () => tileViewer({ rows: 1, cols: 1, title: 5 as never })],
    ["argument.range", () => tileViewer({ rows: 1, cols: 1, row0: 0.5 })],
    ["argument.type", () => tileViewer({ rows: 1, cols: 1, terrains: [{ name: "a" }] as never })],
    ["argument.option", () => tileViewer({ rows: 1, cols: 1, zoom: 1 } as never)],
  ])("%s for malformed options", (code, call) => {
    expect(codeOf(call)).toBe(code);
  });
});
