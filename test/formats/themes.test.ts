import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type TerrainMap, type TerrainPngOptions, type ThemeName, terrainPng } from "../../src/formats/index.js";
import { ALL_SHAPES, MARK_SHAPES, markStamp } from "../../src/formats/pictures/marks.js";
import { colorIn, FORMS, formOf, THEMES } from "../../src/formats/pictures/themes.js";
import { defaultColor } from "../../src/worlds/parse/values.js";
import { codeOf } from "../refusal.js";
import { decodedPng } from "./decodedPng.js";

type Theme = keyof typeof THEMES;
const NAMES = Object.keys(THEMES) as Theme[];
const KINDS = FORMS.map((name) => ({ name, color: [120, 130, 90] as const }));
const formIndex = (form: (typeof FORMS)[number]) => FORMS.indexOf(form);

/** Smooth numbers, 0 … 65,535, as a function of the cell. */
function heightAt(row: number, col: number): number {
  const wave = (x: number, period: number) => Math.abs((((x % period) + period) % period) - period / 2) / (period / 2);
  return Math.floor(21_000 * (wave(row * 3 + col, 97) + wave(col * 2 - row, 71) + wave(row + 5 * col, 53)));
}

function kindAt(row: number, col: number): number {
  const height = heightAt(row, col);
  if (height < 18_000) return formIndex("water");
  if (height < 20_000) return formIndex("sand");
  if (row % 23 === 4) return formIndex("road");
  if (col % 29 === 7) return formIndex("river");
  if (height > 44_000) return formIndex("mountain");
  if (height > 38_000) return formIndex("hills");
  return formIndex((row >> 3) % 3 === 0 ? "forest" : "grass");
}

interface Part {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  readonly margin?: number;
  readonly coordinates?: "axial" | "odd-r";
}

/** The shown rectangle of an endless map, with a margin around it. */
function land({ row0, col0, rows, cols, margin = 0, coordinates = "odd-r" }: Part): TerrainMap {
  const whole = { row0: row0 - margin, col0: col0 - margin, rows: rows + 2 * margin, cols: cols + 2 * margin };
  const place = (i: number) => [whole.row0 + Math.floor(i / whole.cols), whole.col0 + (i % whole.cols)] as const;
  const cells = Array.from({ length: whole.rows * whole.cols }, (_, i) => place(i));
  const marked = cells.filter(([row, col]) => (row * 37 + col * 101) % 811 === 0);
  const placed = (some: readonly (readonly [number, number])[]) => ({
    rows: Int32Array.from(some, ([row]) => row),
    cols: Int32Array.from(some, ([, col]) => col),
  });
  return {
    ...whole,
    margin,
    coordinates,
    terrains: KINDS,
    terrain: Uint8Array.from(cells, ([row, col]) => kindAt(row, col)),
    heights: Uint16Array.from(cells, ([row, col]) => heightAt(row, col)),
    realms: Uint32Array.from(cells, ([row, col]) => (Math.floor(row / 31) * 1000 + Math.floor(col / 37)) >>> 0),
    marks: [
      { name: "village", color: [200, 40, 40], shape: "house", ...placed(marked.filter(([row]) => row % 2 === 0)) },
      { name: "lair", color: [20, 10, 20], ...placed(marked.filter(([row]) => row % 2 !== 0)) },
    ],
  };
}

const drawn = (map: TerrainMap, options: TerrainPngOptions) => decodedPng(terrainPng(map, options));
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const luma = (color: string) => {
  const [red, green, blue] = color.split(",").map(Number);
  return 299 * red + 587 * green + 114 * blue;
};

/** A map of one letter a cell: w water, g grass, s sand, r road, v river, m mountain, f forest, # nothing. */
const LETTERS = { w: "water", g: "grass", s: "sand", r: "road", v: "river", m: "mountain", f: "forest" } as const;
const mapOf = (rows: readonly string[], more: Partial<TerrainMap> = {}): TerrainMap => ({
  row0: 0,
  col0: 0,
  rows: rows.length,
  cols: rows[0].length,
  coordinates: "odd-r",
  terrains: KINDS,
  terrain: Uint8Array.from(rows.join(""), (letter) =>
    letter === "#" ? 255 : formIndex(LETTERS[letter as keyof typeof LETTERS]),
  ),
  ...more,
});
const field = (letter: string, rows: number, cols: number) => Array.from({ length: rows }, () => letter.repeat(cols));

describe("pictures in themes", () => {
  test.each([
    ["atlas", 2, "odd-r", "09ea1777d3edabab"],
    ["atlas", 8, "axial", "4150df4ab43a9f1a"],
    ["parchment", 2, "axial", "87d2e54a2aed5f38"],
    ["parchment", 8, "odd-r", "11ec2b9c8e1f5241"],
    ["night", 3, "odd-r", "272c9dbc8fb3eded"],
    ["night", 12, "odd-r", "cc46d3fbd3e995a9"],
  ] as const)("%s with cells of %i pixels, %s", (theme, pixelsPerCell, coordinates, digest) => {
    const map = land({ row0: -20, col0: 35, rows: 40, cols: 50, coordinates });
    const [village, lair] = map.marks ?? [];
    const texts = Array.from(village.rows, (row) => `Høllin é ${row}`);
    const options = { theme, pixelsPerCell, legend: true, border: true, scaleBar: true } as const;
    const png = terrainPng({ ...map, marks: [{ ...village, texts, textSize: 2 }, lair] }, options);
    expect(digestOf(png)).toBe(digest);
  });

  test.each([
    ["parchment", 1],
    ["atlas", 2],
    ["night", 3],
    ["parchment", 4],
    ["atlas", 6],
    ["parchment", 10],
  ] as const)(
    "%s: the parts of a map with a margin are cuts of the whole, with cells of %i pixels",
    (theme, pixelsPerCell) => {
      const coordinates = pixelsPerCell % 4 === 2 ? "axial" : "odd-r";
      const shown = {
        row0: -14,
        col0: 6,
        rows: 28,
        cols: 36,
        coordinates,
        margin: Math.max(10, Math.ceil(50 / pixelsPerCell)),
      } as const;
      const options = { theme, pixelsPerCell, background: [1, 2, 3] } as const;
      const whole = drawn(land(shown), options);
      const [rows, cols] = [shown.rows / 2, shown.cols / 2];
      for (const [r, c] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ]) {
        const part = { ...shown, row0: shown.row0 + r * rows, col0: shown.col0 + c * cols, rows, cols };
        const picture = drawn(land(part), options);
        const rowPixels = (whole.height - picture.height) / rows;
        const [left, top] = [
          c * cols * pixelsPerCell + (coordinates === "axial" ? (r * rows * pixelsPerCell) / 2 : 0),
          r * rows * rowPixels,
        ];
        const differing: string[] = [];
        for (let y = 0; y < picture.height; y++) {
          for (let x = 0; x < picture.width; x++) {
            const color = picture.at(x, y);
            if (color !== "1,2,3" && color !== whole.at(left + x, top + y)) differing.push(`${x},${y}`);
          }
        }
        expect(differing.slice(0, 9), `part ${r} ${c} of ${differing.length}`).toEqual([]);
      }
    },
  );

  test("pixels with several cells also agree, in parts that begin at a pixel", () => {
    const shown = { row0: -16, col0: 8, rows: 64, cols: 64, margin: 110 };
    const options = { theme: "parchment", pixelsPerCell: 1, maxSide: 40, background: [1, 2, 3] } as const;
    const whole = drawn(land(shown), options);
    const part = drawn(land({ ...shown, row0: 16, rows: 32 }), { ...options, maxSide: 32 });
    expect([whole.width, part.width, part.height]).toEqual([32, 32, 16]);
    for (let y = 0; y < 16; y++) {
      for (let x = 0; x < 32; x++) expect(part.at(x, y), `${x},${y}`).toBe(whole.at(x, 16 + y));
    }
  });
});

describe("what a theme draws", () => {
  const SIZE = { theme: "atlas", pixelsPerCell: 8, cells: "hexagons" } as const;
  const middle = (row: number, col: number) => [col * 8 + (row & 1) * 4 + 4, row * 7 + 4] as const;

  test.each(["axial", "odd-r"] as const)("slopes that face the north-west are light (%s)", (coordinates) => {
    for (const sign of [1, -1]) {
      const heights = Uint16Array.from({ length: 81 }, (_, i) => {
        const [row, col] = [Math.floor(i / 9), i % 9];
        const x = 2 * col + (coordinates === "axial" ? row : row & 1);
        return 30_000 + sign * 300 * (x + 2 * row);
      });
      const flat = drawn(mapOf(field("g", 9, 9), { coordinates }), { theme: "atlas", pixelsPerCell: 3 });
      const lit = drawn(mapOf(field("g", 9, 9), { coordinates, heights }), { theme: "atlas", pixelsPerCell: 3 });
      const [x, y] = [Math.floor(lit.width / 2), Math.floor(lit.height / 2)];
      expect(Math.sign(luma(lit.at(x, y)) - luma(flat.at(x, y)))).toBe(sign);
    }
  });

  test("a slope along the other diagonal is level light, and cells without neighbours have none", () => {
    const heights = Uint16Array.from({ length: 81 }, (_, i) => 30_000 + 400 * ((i % 9) - Math.floor(i / 9)));
    const squares = { theme: "atlas", pixelsPerCell: 1, cells: "pixels" } as const;
    const gap = field("g", 9, 9).map((row, r) => (r === 4 ? "gggg#gggg" : row));
    const steep = Uint16Array.from({ length: 81 }, (_, i) => (i === 40 ? 0 : 65_535));
    const flat = drawn(mapOf(field("g", 9, 9)), squares).at(3, 3);
    const around = drawn(mapOf(gap, { heights: steep }), squares);
    expect([around.at(3, 4), around.at(5, 4), around.at(4, 3), around.at(4, 5)]).toEqual([flat, flat, flat, flat]);
    expect(luma(drawn(mapOf(field("g", 9, 9), { heights }), squares).at(4, 4))).toBeLessThan(luma(flat) * 1.2);
  });

  test("relief makes light stronger", () => {
    const heights = Uint16Array.from({ length: 81 }, (_, i) => 100 * ((i % 9) + Math.floor(i / 9)));
    const lights = [100, 400, 10_000].map((relief) =>
      luma(drawn(mapOf(field("g", 9, 9), { heights }), { theme: "atlas", pixelsPerCell: 2, relief }).at(8, 8)),
    );
    expect(lights).toEqual(lights.toSorted((a, b) => a - b));
    expect(new Set(lights).size).toBe(3);
  });

  test.each(NAMES)("%s: water is darker far from land, or as deep as it is said to be", (theme) => {
    const rows = field("w", 60, 60).map((row, r) => (r < 3 ? "g".repeat(60) : row));
    const near = drawn(mapOf(rows), { theme, pixelsPerCell: 2 });
    expect(luma(near.at(60, 100))).toBeLessThan(luma(near.at(60, 14)));
    const depths = Uint16Array.from({ length: 3600 }, (_, i) => (i % 60 < 30 ? 65_535 : 0));
    const said = drawn(mapOf(rows, { depths }), { theme, pixelsPerCell: 2 });
    expect(luma(said.at(20, 90))).toBeLessThan(luma(said.at(100, 90)));
  });

  test("coasts have a line on land, and rivers have none", () => {
    const coast = drawn(mapOf(["ggggwwww", "ggggwwww", "ggggwwww", "ggggwwww"]), {
      theme: "atlas",
      pixelsPerCell: 1,
      cells: "pixels",
    });
    expect(luma(coast.at(3, 1))).toBeLessThan(luma(coast.at(1, 1)) * 0.75);
    const river = drawn(mapOf(["ggggvggg", "ggggvggg", "ggggvggg", "ggggvggg"]), {
      theme: "atlas",
      pixelsPerCell: 1,
      cells: "pixels",
    });
    expect(river.at(3, 1)).toBe(river.at(1, 1));
    expect(river.at(4, 1)).not.toBe(river.at(1, 1));
  });

  test("roads join neighbouring cells, and the ground around is that of the neighbours", () => {
    const plain = drawn(mapOf(field("g", 7, 9)), SIZE);
    const road = drawn(
      mapOf(["ggggggggg", "ggggggggg", "ggggggggg", "grrrrrrgg", "ggggggggg", "ggggggggg", "ggggggggg"]),
      SIZE,
    );
    const [x, y] = middle(3, 3);
    const isRoad = (at: string) => luma(at) < luma(plain.at(...middle(2, 3))) * 0.8;
    expect(isRoad(road.at(x, y))).toBe(true);
    expect(isRoad(road.at(x + 4, y))).toBe(true);
    expect(road.at(middle(3, 7)[0], y)).toBe(plain.at(middle(3, 7)[0], y));
    expect(road.at(x - 2, y - 3)).toBe(plain.at(x - 2, y - 3));
  });

  test("cells of 6 pixels and more have edges", () => {
    const colors = (pixelsPerCell: number) =>
      drawn(mapOf(field("g", 9, 9)), { theme: "night", pixelsPerCell }).counts().size;
    expect([colors(4), colors(6), colors(20)]).toEqual([2, 3, 3]);
  });

  test("forests and mountains have symbols, mountains none in an atlas with light", () => {
    const count = (letter: string, more: Partial<TerrainMap>, theme: ThemeName) =>
      drawn(mapOf(field(letter, 30, 30), more), { theme, pixelsPerCell: 3 }).counts().size;
    const heights = new Uint16Array(900).fill(7);
    expect(count("g", {}, "atlas")).toBe(2);
    expect(count("f", { heights }, "atlas")).toBeGreaterThan(4);
    expect(count("m", {}, "atlas")).toBeGreaterThan(4);
    expect(count("m", { heights }, "atlas")).toBe(2);
    expect(count("m", { heights }, "parchment")).toBeGreaterThan(4);
  });

  test("realms have a border between them, on land", () => {
    const realms = Uint32Array.from({ length: 100 }, (_, i) => (i % 10 < 5 ? 3 : 0xffff_ffff));
    const options = { theme: "atlas", pixelsPerCell: 4 } as const;
    const [without, one, both] = [undefined, new Uint32Array(100).fill(3), realms].map((given) =>
      drawn(mapOf(field("g", 10, 10), { realms: given }), options),
    );
    expect(one.counts()).toEqual(without.counts());
    const border = THEMES.atlas.border;
    const isBorder = (color: string) => {
      const [red, green, blue] = color.split(",").map(Number);
      return Math.abs(red - border[0]) + Math.abs(green - border[1]) + Math.abs(blue - border[2]) < 60;
    };
    const places: number[] = [];
    for (let y = 0; y < both.height; y++) {
      for (let x = 0; x < both.width; x++) if (isBorder(both.at(x, y))) places.push(x);
    }
    expect(places.length).toBeGreaterThan(10);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(18);
    expect(Math.max(...places)).toBeLessThanOrEqual(23);
    const [sea, divided] = [undefined, realms].map((given) =>
      drawn(mapOf(field("w", 10, 10), { realms: given }), options),
    );
    expect(divided.counts()).toEqual(sea.counts());
  });

  test("of two marks that would overlap, one is a dot below the other", () => {
    const color = [200, 30, 30] as const;
    const kind = (col: number, textSize: number, shape: "house" | "tower") => {
      return { name: shape, color, shape, textSize, rows: Int32Array.of(10), cols: Int32Array.of(col) };
    };
    const picture = (marks: TerrainMap["marks"]) =>
      drawn(mapOf(field("g", 20, 60), { marks }), { theme: "atlas", pixelsPerCell: 2 });
    const red = (marks: TerrainMap["marks"]) => picture(marks).counts().get("200,30,30") ?? 0;
    const [house, tower] = [red([kind(20, 1, "house")]), red([kind(20, 1, "tower")])];
    expect(red([kind(20, 1, "house"), kind(50, 1, "tower")])).toBe(house + tower);
    const close = red([kind(20, 1, "house"), kind(26, 1, "tower")]);
    expect(close).toBeGreaterThan(house);
    expect(close).toBeLessThan(house + tower / 2);
    const larger = red([kind(20, 2, "tower")]);
    expect(larger).toBeGreaterThan(tower);
    expect(red([kind(20, 1, "house"), kind(26, 2, "tower")])).toBeLessThan(larger + house / 2);
  });

  test("names do not overlap, larger names are drawn first, and accents are left out", () => {
    const place = { color: [200, 30, 30] as const, rows: Int32Array.of(10), cols: Int32Array.of(20) };
    const named = (text: string, textSize = 1) => ({ ...place, name: "x", texts: [text], textSize });
    const picture = (marks: TerrainMap["marks"]) =>
      terrainPng(mapOf(field("g", 20, 40), { marks }), { theme: "atlas", pixelsPerCell: 4 });
    expect(picture([named("Éa")])).toEqual(picture([named("Ea")]));
    expect(picture([named("Ea")])).not.toEqual(picture([named("Eb")]));
    expect(picture([named("")])).toEqual(picture([{ ...place, name: "x" }]));
    const ink = (marks: TerrainMap["marks"]) => decodedPng(picture(marks)).counts().get(THEMES.atlas.ink.join()) ?? 0;
    expect(ink([named("name", 3)])).toBeGreaterThan(ink([named("name")]));
    const two = { ...place, name: "x", rows: Int32Array.of(5, 15), cols: Int32Array.of(20, 20), texts: ["aa", "bb"] };
    const [same, each, both] = [Uint8Array.of(2, 2), Uint8Array.of(1, 3), 2].map((textSize) =>
      picture([{ ...two, textSize }]),
    );
    expect(same).toEqual(both);
    expect(each).not.toEqual(both);
    // there is no room for the names of all
    const many = Int32Array.from({ length: 200 }, (_, i) => i);
    const crowd = { ...place, name: "x", rows: many.map((i) => i % 20), cols: many.map((i) => (i * 7) % 60) };
    const texts = Array.from(many, () => "Longer name");
    expect(ink([{ ...crowd, texts }]) / ink([named("Longer name")])).toBeLessThan(40);
  });

  test("the bar shows a round number of cells, at most a quarter of the width", () => {
    const options = { theme: "atlas", pixelsPerCell: 2 } as const;
    const [without, withBar] = [false, true].map((scaleBar) =>
      drawn(mapOf(field("g", 60, 100)), { ...options, scaleBar }),
    );
    const changed = (y: number) =>
      Array.from({ length: without.width }, (_, x) => x).filter((x) => without.at(x, y) !== withBar.at(x, y));
    const lengths = Array.from({ length: without.height }, (_, y) => changed(y).length);
    // 20 cells of 2 pixels, and a rim on both sides
    expect(lengths.filter((length) => length === 42).length).toBeGreaterThanOrEqual(5);
  });

  test("a title and a compass stand on water, away from marks; what has no room is left out", () => {
    const rows = field("g", 40, 60).map((row) => `${row}${"w".repeat(60)}`);
    const place = { name: "x", color: [200, 30, 30] as const, rows: Int32Array.of(2), cols: Int32Array.of(90) };
    const map = mapOf(rows, { marks: [place] });
    const options = { theme: "atlas", pixelsPerCell: 4 } as const;
    const without = drawn(map, options);
    const changed = (more: TerrainPngOptions) => {
      const picture = drawn(map, { ...options, ...more });
      const places = Array.from(
        { length: without.width * without.height },
        (_, i) => [i % without.width, Math.floor(i / without.width)] as const,
      );
      return places.filter(([x, y]) => picture.at(x, y) !== without.at(x, y));
    };
    const [title, compass, both] = [{ title: "Sea" }, { compass: true }, { title: "Sea", compass: true }].map(changed);
    for (const pixels of [title, compass]) {
      expect(pixels.length).toBeGreaterThan(100);
      expect(pixels.every(([x]) => x > 240)).toBe(true);
      expect(pixels.some(([x, y]) => Math.abs(x - 362) < 5 && Math.abs(y - 9) < 5)).toBe(false);
    }
    expect(both.length).toBeGreaterThan(Math.max(title.length, compass.length));
    expect(changed({ title: "" })).toEqual([]);
    const small = mapOf(field("g", 9, 9));
    expect(terrainPng(small, { ...options, title: "Land", compass: true })).toEqual(terrainPng(small, options));
  });

  test("a frame is around the map, within the size", () => {
    const map = mapOf(field("g", 40, 40));
    const options = { theme: "parchment", border: true } as const;
    expect(drawn(map, { ...options, width: 300, height: 200 }).width).toBe(300);
    const free = drawn(map, { ...options, pixelsPerCell: 2 });
    expect([free.width, free.height]).toEqual([81 + 16, 80 + 16]);
    expect(free.at(40, 2)).not.toBe(free.at(40, 0));
  });
});

describe("colours", () => {
  /** CIE Lab of a colour as deuteranopes see it. Source: Viénot, Brettel and Mollon 1999, for sRGB made linear. */
  function seen(color: readonly number[]): readonly [number, number, number] {
    const [r, g, b] = color.map((part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    const [red, green, blue] = [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b];
    const f = (t: number) => (t > 216 / 24_389 ? Math.cbrt(t) : (24_389 / 27 / 116) * t + 16 / 116);
    const x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
    const y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  }
  const difference = (one: readonly number[], other: readonly number[]) => {
    const [a, b] = [seen(one), seen(other)];
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };

  test.each(NAMES)(
    "%s: the colour-blind can tell forms apart, and terrains with the colours of the defaults",
    (name) => {
      const theme = THEMES[name];
      const forms = FORMS.map((form) => [form, colorIn(theme, [120, 130, 90], form)] as const);
      const defaults = Array.from(
        { length: 8 },
        (_, i) => [`${i}`, colorIn(theme, defaultColor("terrain", i), undefined)] as const,
      );
      // 2.3 is the least difference that people notice (Mahy, Van Eycken and Oosterlinck 1994)
      for (const [colors, least] of [
        [forms, 5],
        [defaults, 2.3],
      ] as const) {
        const close = colors.flatMap(([a, one], i) =>
          colors.slice(i + 1).flatMap(([b, other]) => {
            const far = difference(one, other);
            return far < least ? [`${a} ${b} ${far.toFixed(1)}`] : [];
          }),
        );
        expect(close).toEqual([]);
      }
    },
  );

  test("a form comes from the name or a tag; bridges, roads and rivers come before water", () => {
    expect(formOf({ name: "forest" })).toBe("forest");
    expect(formOf({ name: "oaks", tags: ["old", "forest"] })).toBe("forest");
    expect(formOf({ name: "river", tags: ["water"] })).toBe("river");
    expect(formOf({ name: "ford", tags: ["water", "bridge"] })).toBe("bridge");
    expect(formOf({ name: "ash" })).toBeUndefined();
  });

  test.each([1, 200, 250, 256])("%i terrains have colours, also on a transparent background", (count) => {
    const terrains = Array.from({ length: count }, (_, i) => ({
      name: `t${i}`,
      color: [i, 255 - i, 99] as const,
      tags: i % 3 === 0 ? ["water"] : [],
    }));
    const terrain = Uint8Array.from({ length: 256 }, (_, i) => i);
    const marks = [
      { name: "m", color: [1, 2, 200] as const, rows: Int32Array.of(3), cols: Int32Array.of(3), texts: ["a"] },
    ];
    const map = { row0: 0, col0: 0, rows: 16, cols: 16, terrain, terrains, marks };
    for (const theme of NAMES) {
      const picture = drawn(map, {
        theme,
        background: "transparent",
        pixelsPerCell: 6,
        legend: count < 9,
        scaleBar: true,
      });
      expect(picture.colors).toBeLessThanOrEqual(256);
    }
  });
});

test("every shape of marks has a stamp of its own, with an outline around it", () => {
  const stamps = ALL_SHAPES.map((shape) => markStamp(shape, 15));
  expect(ALL_SHAPES.slice(0, MARK_SHAPES.length)).toEqual(MARK_SHAPES);
  expect(new Set(stamps.map(({ layers }) => layers[1].join())).size).toBe(ALL_SHAPES.length);
  for (const {
    layers: [outline, inside],
  } of stamps) {
    expect(inside.some((share) => share === 8)).toBe(true);
    expect(inside.every((share, i) => share <= outline[i])).toBe(true);
  }
});

describe("errors", () => {
  const map = mapOf(field("g", 4, 4));
  const cells = new Uint16Array(16);
  const mark = { name: "m", color: [1, 2, 3] as const, rows: Int32Array.of(0), cols: Int32Array.of(0) };
  test.each<[string, TerrainMap, TerrainPngOptions]>([
    ["argument.range", map, { theme: "baroque" as never }],
    ["argument.range", map, { relief: 50 }],
    ["argument.range", map, { border: true }],
    ["argument.range", map, { theme: "plain", scaleBar: true }],
    ["argument.range", { ...map, heights: cells }, {}],
    ["argument.range", { ...map, realms: new Uint32Array(16) }, {}],
    ["argument.range", { ...map, margin: 1 }, {}],
    ["argument.range", { ...map, marks: [{ ...mark, texts: ["a"] }] }, {}],
    ["argument.range", map, { theme: "atlas", relief: 0 }],
    ["argument.type", map, { theme: "atlas", border: "yes" as never }],
    ["argument.type", map, { theme: "atlas", compass: 1 as never }],
    ["argument.type", map, { theme: "atlas", title: 7 as never }],
    ["argument.range", map, { title: "Land" }],
    ["argument.range", { ...map, heights: cells.slice(1) }, { theme: "atlas" }],
    ["argument.type", { ...map, depths: new Uint32Array(16) as never }, { theme: "atlas" }],
    ["argument.range", { ...map, margin: 2 }, { theme: "atlas" }],
    ["argument.range", { ...map, marks: [{ ...mark, texts: [] }] }, { theme: "atlas" }],
    ["argument.type", { ...map, marks: [{ ...mark, texts: [7 as never] }] }, { theme: "atlas" }],
    ["argument.range", { ...map, marks: [{ ...mark, textSize: 5 }] }, { theme: "atlas" }],
    ["argument.range", { ...map, marks: [{ ...mark, textSize: Uint8Array.of(0) }] }, { theme: "atlas" }],
    ["argument.range", { ...map, marks: [{ ...mark, textSize: Uint8Array.of(1, 1) }] }, { theme: "atlas" }],
    ["argument.type", { ...map, marks: [{ ...mark, textSize: [1] as never }] }, { theme: "atlas" }],
    ["argument.range", { ...map, marks: [{ ...mark, shape: "moon" as never }] }, { theme: "atlas" }],
    ["argument.type", { ...map, terrains: [{ name: "a", color: [0, 0, 0], tags: [1 as never] }] }, { theme: "atlas" }],
    ["argument.range", map, { theme: "night", width: 2 ** 14, height: 2 ** 14 }],
    ["argument.range", map, { theme: "night", width: 12, border: true }],
  ])("%s for a malformed map or option", (code, given, options) => {
    expect(codeOf(() => terrainPng(given, options))).toBe(code);
  });

  test("an aborted signal ends the picture", () => {
    expect(() => terrainPng(map, { theme: "atlas", signal: AbortSignal.abort("stop") })).toThrow("stop");
  });
});
