import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { tiledMap } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import { specOf } from "../../src/spec/index.js";
import { checkWorld, loadWorld, parseWorld, type StampInput, type WorldInput } from "../../src/worlds/index.js";

/** Maps of stamps: in the spec, in text, CSV, JSON and Tiled files; and what is refused, with its place. */

const LEGEND = { h: "house", ".": { terrain: "yard", on: ["open"] }, w: { terrain: "yard", place: "well" } } as const;
const MAP = [" h.h", "hw.", "", " .  h"];
const world = (stamp: object): WorldInput & { stamps: Record<string, StampInput> } => ({
  layers: [{ name: "land", steps: 5 }],
  terrain: [
    { terrain: "sea", when: { chance: "1/9" } },
    { terrain: "grass", tags: ["open"] },
  ],
  placements: [{ name: "village", density: "1/40", stamps: { hamlet: 1 }, turns: true }, { name: "well" }],
  stamps: { hamlet: stamp },
});
const CELLS = { row0: -20, col0: -20, rows: 60, cols: 60 };
const digestOf = (input: object) =>
  createMill({ seed: "moria" })
    .world("w", input as WorldInput)
    .digest(CELLS);
const load = (stamp: object, files: Readonly<Record<string, string>>) =>
  loadWorld("maps/w.json", (path) => ({ "maps/w.json": JSON.stringify(world(stamp)), ...files })[path]);
const digestFrom = async (file: string, text: string, stamp: object = { legend: LEGEND }) =>
  digestOf(specOf(await load({ ...stamp, file }, { [`maps/${file}`]: text })));

/** A map of Tiled with the classes of `names` on its tiles, as an editor writes it. */
function tiled(rows: readonly string[], more: object = {}, layer: object = {}): string {
  const width = Math.max(...rows.map((row) => row.length));
  const signs = [...new Set(rows.join("").replaceAll(" ", ""))];
  const data = rows.flatMap((row) => [...row.padEnd(width)].map((sign) => signs.indexOf(sign) + 1));
  const layers = [{ type: "tilelayer", width, height: rows.length, x: 0, y: 0, data, ...layer }];
  const tilesets = [{ firstgid: 1, tiles: signs.map((type, id) => ({ id, type })) }];
  const size = { tilewidth: 28, tileheight: 32, hexsidelength: 16, staggeraxis: "y", staggerindex: "odd" };
  return JSON.stringify({ type: "map", orientation: "hexagonal", ...size, tilesets, layers, ...more });
}

describe("files", () => {
  const expected = digestOf(world({ map: MAP, legend: LEGEND }));

  test("text, CSV and JSON give the same stamps as the spec", async () => {
    expect(await digestFrom("h.txt", MAP.join("\n"))).toBe(expected);
    expect(await digestFrom("h", `\ufeff${MAP.join("\r\n")}\r\n`)).toBe(expected);
    expect(await digestFrom("h.json", JSON.stringify(MAP))).toBe(expected);
    expect(await digestFrom("h.csv", " ,h,.,h\nh,w,.,\n,,,\n,., ,,h\n")).toBe(expected);
    const names = " ;house;yard;house\nhouse;w;yard;\n;;;\n;yard;;;house\n";
    const legend = { house: "house", yard: LEGEND["."], w: LEGEND.w };
    expect(await digestFrom("h.CSV", names, { legend })).toBe(expected);
  });

  test("maps of Tiled: numbers, Base64 with and without compression, chunks and groups", async () => {
    const anchor = [2, 2];
    expect(await digestFrom("h.tmj", tiled(MAP), { legend: LEGEND })).toBe(expected);
    const plain = JSON.parse(tiled(MAP)).layers[0];
    const bytes = Buffer.from(Uint32Array.from(plain.data as number[]).buffer);
    const coded = { encoding: "base64", data: bytes.toString("base64") };
    expect(await digestFrom("h.json", tiled(MAP, {}, coded))).toBe(expected);
    const gzip = { encoding: "base64", compression: "gzip", data: gzipSync(bytes).toString("base64") };
    expect(await digestFrom("h.tmj", tiled(MAP, {}, gzip))).toBe(expected);
    const chunks = (y: number) =>
      [0, 1, 2, 3].map((row) => {
        return { x: -7, y: y + row, width: 5, height: 1, data: plain.data.slice(5 * row, 5 * row + 5) };
      });
    const chunked = { data: undefined, chunks: chunks(-4) };
    const group = [{ type: "group", layers: [{ ...plain, ...chunked }] }];
    expect(await digestFrom("h.tmj", tiled(MAP, { layers: group }))).toBe(expected);
    // shifted by one row, with the other rows shifted: the same map
    const even = [{ ...plain, data: undefined, chunks: chunks(-5) }];
    expect(await digestFrom("h.tmj", tiled(MAP, { layers: even, staggerindex: "even" }))).toBe(expected);
    expect(await digestFrom("h.tmj", tiled(MAP), { legend: LEGEND, anchor })).toBe(expected);
  });

  test("a map that Rollmill exports for Tiled, with its placements", async () => {
    const terrains = ["house", "yard", "grass"].map((name, k) => ({ name, color: [k, k, k] as const }));
    const cells = Uint8Array.of(255, 0, 1, 0, 0, 1, 1, 255, 255, 255, 255, 255, 255, 1, 255, 0);
    const sector = { row0: -8, col0: 5, rows: 4, cols: 4, cells };
    const places = { rows: Int32Array.of(-7), cols: Int32Array.of(6) };
    const visits = { row0: -8, col0: 5, rows: 1, cols: 1, cells: Uint32Array.of(700) };
    let text = "";
    const layers = [
      { name: "terrain", sectors: [sector] },
      { name: "visits", sectors: [visits] },
    ];
    const kinds = [{ name: "well", cells: [places] }];
    for await (const piece of tiledMap({ coordinates: "odd-r", terrains, layers, placements: kinds })) text += piece;
    const legend = { house: "house", yard: { terrain: "yard", on: ["open"] } };
    const stamp = {
      map: [["", "house", "yard", "house"], ["house", "yard", "yard"], [], ["", "yard", "", "house"]],
      legend,
    };
    const same = digestOf(world({ ...stamp, anchor: [2, 2], places: [[1, 1, "well"]] }));
    expect(await digestFrom("h.tmj", text, { legend })).toBe(same);
  });

  test("that cannot be read are refused with their place", async () => {
    const issuesOf = async (file: string, text: string | undefined, more: object = {}) => {
      const files: Record<string, string> = text === undefined ? {} : { [`maps/${file}`]: text };
      const { spec, issues } = await load({ legend: LEGEND, file, ...more }, files);
      expect(spec).toBeUndefined();
      return issues.map(({ code, where }) => `${code} ${where.file} ${where.path ?? where.line ?? ""}`);
    };
    const stamp = "world.spec maps/w.json stamps.hamlet";
    expect(await issuesOf("h.txt", undefined)).toEqual([`${stamp}.file`]);
    expect(await issuesOf("../h.txt", "h")).toEqual([`${stamp}.file`]);
    expect(await issuesOf("h.txt", "h", { map: ["h"] })).toEqual([`${stamp}.map`]);
    expect(await issuesOf("h.txt", "h", { turns: true })).toEqual([`${stamp}.turns`]);
    expect(await issuesOf("h.txt", "h", { places: 5 })).toEqual([`${stamp}.places`]);
    expect(await issuesOf("h.txt", "")).toEqual([`${stamp}.map`]);
    expect(await issuesOf("h.txt", "h\nx")).toEqual([`${stamp}.map[1]`]);
    expect(await issuesOf("h.json", "[")).toEqual(["file.json maps/h.json 1"]);
    expect(await issuesOf("h.json", "5")).toEqual([`${stamp}.map`]);
    expect(await issuesOf("h.csv", 'h,"')).toEqual(["world.spec maps/h.csv 1"]);
    const own = ["world.spec maps/h.tmj "];
    const bad = [
      "{}",
      tiled(MAP, { staggeraxis: "x" }),
      tiled(MAP, { orientation: "orthogonal" }),
      tiled(MAP, { tilesets: [{ firstgid: 1, source: "a.tsj" }] }),
      tiled(MAP, {}, { width: 2 }),
      tiled(MAP, {}, { width: -5 }),
      tiled(MAP, {}, { width: 1e9, height: 1e9 }),
      tiled(MAP, {}, { data: "?" }),
      tiled(MAP, {}, { data: "AAAA", compression: "zlib" }),
      tiled(MAP, {}, { compression: "zstd" }),
      tiled(MAP, {}, { y: 1e16 }),
      tiled(["h".repeat(129)]),
    ];
    for (const text of bad) expect(await issuesOf("h.tmj", text), text.slice(0, 200)).toEqual(own);
    // a map of zeros that unpacks to far more bytes than the layer has
    const bomb = gzipSync(Buffer.alloc(2 ** 24)).toString("base64");
    const large = tiled(["h"], {}, { data: bomb, encoding: "base64", compression: "gzip" });
    expect(await issuesOf("h.tmj", large)).toEqual([`${stamp}.map`]);
    const deep = `${'{"type":"group","layers":['.repeat(20_000)}${"]}".repeat(20_000)}`;
    const text = tiled(MAP).replace(/"layers":.*$/, `"layers":[${deep}]}`);
    expect(await issuesOf("h.tmj", text)).toEqual([`${stamp}.map`]);
  });
});

describe("specs", () => {
  const issuesOf = (stamp: object, more: object = {}) =>
    parseWorld({ ...world(stamp), ...more }).issues.map(({ code, where }) => `${code} ${where.path}`);
  const refused = (stamp: object, path: string) =>
    expect(issuesOf(stamp), JSON.stringify(stamp).slice(0, 100)).toEqual([`world.spec stamps.hamlet${path}`]);

  test("report errors with their place", () => {
    const map = ["h"];
    const legend = LEGEND;
    expect(issuesOf({ map, legend })).toEqual([]);
    refused({}, ".map");
    refused({ file: "a.txt" }, ".file");
    refused({ map, legend, file: "a.txt" }, ".file");
    refused({ map: [], legend }, ".map");
    refused({ map: [""], legend }, ".map");
    refused({ map: ["  "], legend }, ".map");
    refused({ map: 5, legend }, ".map");
    refused({ map: [5], legend }, ".map[0]");
    refused({ map: [["h", 5]], legend }, ".map[0][1]");
    refused({ map: ["hxxh"], legend }, ".map[0]");
    refused({ map: [["house"]], legend: {} }, ".map[0]");
    refused({ map: ["h".repeat(129)], legend }, ".map[0]");
    refused({ map: Array.from({ length: 129 }, () => "h"), legend }, ".map");
    refused({ map: ["h".repeat(128)], legend, anchor: [0, 5] }, ".map");
    refused({ map, legend, anchor: [1, 0] }, ".anchor");
    refused({ map, legend, anchor: [0, -1] }, ".anchor[1]");
    refused({ map, legend, anchor: [0] }, ".anchor");
    refused({ map, legend, fits: [] }, ".fits");
    refused({ map, legend, fits: ["lava"] }, ".fits[0]");
    refused({ map, legend, places: [[0, 1, "well"]] }, ".places[0]");
    refused({ map, legend, places: [[0, 0, "wall"]] }, ".places[0][2]");
    refused({ map, legend, places: [[0, 0]] }, ".places[0]");
    refused({ map, legend, extra: 1 }, ".extra");
    for (const entry of [5, "", [], { terrain: 5 }]) expect(issuesOf({ map, legend: { h: entry } })).not.toEqual([]);
    refused({ map, legend: { h: { color: "#000000" } } }, ".legend.h.color");
    refused({ map, legend: { h: { tags: ["a"] } } }, ".legend.h.tags");
    refused({ map, legend: { h: { terrain: "grass", color: "#000000" } } }, ".legend.h.color");
    refused({ map, legend: { h: { terrain: "house", on: ["lava"] } } }, ".legend.h.on[0]");
    refused({ map, legend: { h: { place: "wall" } } }, ".legend.h.place");
    refused({ map, legend: { h: { terain: "house" } } }, ".legend.h.terain");
    expect(issuesOf({ map, legend: { h: { terrain: "house", tags: ["grass"] } } })).toEqual(["world.spec stamps"]);
  });

  test("have at most 255 terrains, those of the legends included", () => {
    const rows = Array.from({ length: 2 }, (_, r) => Array.from({ length: 127 }, (_, c) => `t${r} ${c}`));
    const legend = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
    const names = rows.flat();
    expect(issuesOf({ map: rows, legend: legend(names.slice(0, 253)) })).toEqual(["world.spec stamps.hamlet.map[1]"]);
    expect(issuesOf({ map: [rows[0]], legend: legend(names) })).toEqual(["world.spec stamps"]);
  });

  test("need terrain, and kinds that name them", () => {
    const { terrain: _, ...bare } = world({ map: ["h"], legend: LEGEND });
    expect(parseWorld(bare).issues[0].where.path).toBe("stamps");
    const kind = (more: object) =>
      issuesOf({ map: ["h"], legend: LEGEND }, { placements: [{ name: "well", density: 1, ...more }] });
    expect(kind({ stamps: { hamlet: 1 } })).toEqual([]);
    expect(kind({ stamps: { hamlt: 1 } })).toEqual(["world.spec placements[0].stamps.hamlt"]);
    for (const weight of [0, -1, 0.5, 2 ** 16 + 1, "1"])
      expect(kind({ stamps: { hamlet: weight } })).toEqual(["world.spec placements[0].stamps.hamlet"]);
    expect(kind({ stamps: {} })).toEqual(["world.spec placements[0].stamps"]);
    expect(kind({ stamps: { hamlet: 1 }, turns: 1 })).toEqual(["world.spec placements[0].turns"]);
    expect(kind({ turns: true })).toEqual(["world.spec placements[0].turns"]);
    expect(kind({ density: undefined, stamps: { hamlet: 1 } })).toEqual([]);
  });

  test("a name of a prototype is no sign and no terrain", () => {
    refused({ map: [["__proto__"]], legend: LEGEND }, ".map[0]");
    refused({ map: [["constructor"]], legend: LEGEND }, ".map[0]");
    expect(issuesOf(JSON.parse('{"map": [["__proto__"]], "legend": {"__proto__": "house"}}'))).toEqual([]);
  });

  test("checkWorld warns of stamps that never fit or that no kind has, and of kinds that nothing places", () => {
    const paths = (input: object) => checkWorld(input).map(({ where }) => where.path);
    const hamlet = { map: ["h"], legend: LEGEND };
    const input = world(hamlet);
    expect(paths(input)).toEqual(["placements[1].density", "layers[0]"]);
    const stamps = { hamlet: { ...hamlet, map: ["hw"], fits: ["house"] }, spare: hamlet };
    expect(paths({ ...input, stamps })).toEqual(["stamps.hamlet.fits", "stamps.spare", "layers[0]"]);
  });
});
