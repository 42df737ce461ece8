// Small valid inputs for the calls of surface.mjs. Every function returns a new value, so that a call cannot spoil the
// input of another call.
import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const LOOT = read("data/loot.2da");
const WEAPON = read("data/recipes/weapon.json");

export const loot = () => LOOT;

export const tableObject = () => ({
  rows: [
    {
      label: "Start",
      columns: [
        { result: "sword", weight: 5 },
        { jump: 1, weight: 3 },
      ],
    },
    {
      columns: [
        { result: "axe", weight: 2 },
        { result: "relic", weight: { script: 1000 } },
      ],
    },
  ],
});

export const poolsSpec = () => ({
  roots: {
    e: {
      kind: "finite",
      records: ["rat", { id: "orc", mass: 2, quantity: 3 }, [7, 1.5, 2]],
      subpools: { cave: { records: ["rat", "orc"] }, hall: { records: [{ id: "orc", mass: 3 }] } },
    },
    i: { kind: "infinite", records: [{ id: "axe", mass: 2 }, "bow"], subpools: [{ records: ["axe"] }] },
  },
  rules: [{ path: "e.*", records: ["rat"].slice(1) }],
  active: { e: ["cave"] },
});

export const walkSpec = () => ({
  grid: { kind: "torus", rows: 40, cols: 40 },
  layers: [
    { name: "land", walkers: 3, steps: 60, start: [[2, 3]], preset: "five-ways", firstVisit: true },
    { name: "river", walkers: 2, steps: 40, start: [[4, 4]], preset: "five-ways", firstVisit: true },
    {
      name: "road",
      heading: ["E", "rest"],
      start: { rect: [0, 0, 39, 39] },
      open: { layers: ["land"] },
      until: { on: "river" },
    },
  ],
});

export const worldSpec = () => ({
  layers: [
    { name: "isle", walkers: 3, steps: 60, firstVisit: true },
    { name: "hills", steps: 9, scatter: { side: 64, walkers: 4 }, firstVisit: true, until: { on: "isle" } },
  ],
  fields: [
    { name: "height", kind: "noise", scale: 16, octaves: 2 },
    { name: "shore", kind: "sum", of: [{ field: "height", factor: -1 }], plus: 9, over: 2 },
  ],
  terrain: [
    { terrain: "hill", tags: ["dry"], color: "#aa8844", when: { hills: { visits: [1, null], firstVisit: [0, 8] } } },
    { terrain: "shore", when: { any: [{ isle: { within: 2 } }, { not: { chance: "19/20" } }] } },
    { terrain: "sea" },
  ],
  placements: [
    { name: "chests", on: ["dry"], density: "1/9", distance: 2, content: { table: "loot" } },
    { name: "beasts", density: 0.001, content: { pools: "pools", pool: "e", stock: "region" }, color: "#ffffff" },
    { name: "arms", density: 0.001, content: { objects: "drops", level: { from: 5, perCells: 90, most: 20 } } },
    {
      name: "camps",
      density: 0.01,
      contents: { guard: { drops: "orc" }, stock: { table: "loot", on: { dry: { table: "loot" } } } },
    },
    { name: "caves", density: "1/90", enters: "cave", levels: [2, 3], stamps: { pit: 1 }, turns: true },
    { name: "bats" },
    {
      name: "posts",
      at: [[0, 1]],
      near: { kind: "chests", within: 9 },
      apart: { kind: "beasts", distance: 2 },
      where: { height: [0, 50_000] },
      least: { count: 2, within: 5, of: [3, 4] },
      most: { count: 9, within: 20 },
      sizes: { tent: 5, hut: 1 },
      facing: true,
    },
  ],
  stamps: { pit: { map: ["ab", "a"], legend: { a: "pit", b: { place: "bats" } }, fits: ["dry", "sea"] } },
  worlds: { cave: { layers: [{ name: "tunnels", steps: 9 }] } },
  realms: [{ name: "realm", of: "camps", within: 9 }],
  drops: { orc: { rolls: "1d2", table: "result,weight\ngold,1\n" } },
  paths: [
    {
      name: "road",
      between: ["arms", "beasts"],
      within: 12,
      graph: "relative",
      cost: { dry: 3, sea: null, "*": 2 },
      terrain: "road",
      color: "#886644",
      tags: ["laid"],
      covers: { shore: { terrain: "ford", color: "#aaaaff", tags: ["wet"] }, dry: { terrain: "road" } },
    },
  ],
  tables: { loot: "2DA V2.0\n\n  Random0 Random0Weight\n0 rgold 1\n" },
  pools: { pools: poolsSpec() },
  objects: { drops: objectTexts() },
});

export const terrainMap = () => ({
  row0: 0,
  col0: -3,
  rows: 2,
  cols: 3,
  terrain: Uint8Array.of(0, 1, 1, 0, 255, 0),
  terrains: [
    { name: "sea", color: [10, 20, 90], tags: ["water"] },
    { name: "hill", color: [90, 80, 10] },
  ],
  darken: Uint32Array.of(0, 1, 2, 3, 4, 5),
  lighten: Uint32Array.of(5, 4, 3, 2, 1, 0),
  heights: Uint16Array.of(1, 2, 3, 4, 5, 60_000),
  depths: Uint16Array.of(9, 8, 7, 6, 5, 4),
  realms: Uint32Array.of(1, 1, 2, 2, 3, 4_294_967_295),
  margin: 0,
  marks: [
    {
      ...{ name: "chest", color: [255, 255, 255], rows: Int32Array.of(1), cols: Int32Array.of(-2), shape: "diamond" },
      ...{ texts: ["gold"], textSize: 2 },
    },
  ],
});

export const weaponRecipe = () => JSON.parse(WEAPON);

export const weaponWords = () => ({
  element: [
    { id: 3, word: "frozen", freezing: 0.2 },
    { id: 1, word: "burning", flaming: 0.2 },
    { id: 2, word: "crippling", active: false, attack: 5 },
  ],
  prefix: [
    { id: 1, word: "keen", attack: 2 },
    { id: 2, word: "blunt", attack: -2 },
  ],
  type: [
    { id: 1, word: "dagger", tier: 1, hands: 1, attack: 3 },
    { id: 2, word: "sword", tier: 2, hands: 1, attack: 6 },
  ],
  adjective: [{ id: 1, word: "old" }],
  abstract: [
    { id: 1, word: "doom" },
    { id: 2, word: "dawn" },
  ],
});

export const wordCsv = () => "id,word,tier\n1,keen,1\n2,blunt,2\n";

const OBJECT_TEXTS = {
  object: `N:1:& Kris~
G:|:w
I:23:4
W:3:0:15:20
P:0:2d3:0:-1:0
A:30:1 to 40
F:SHOW_DICE | SHOW_MODS

N:2:& Splint Coat~
I:37:2
P:14:0d0:-1:0:d4M3
A:20:1 to 60
W:5:0:180:90
L:-1+d2M3:STEALTH
`,
  objectBase: "N:sword:Blade~\nB:5\nF:HATES_ACID\nN:hard armor:Mail~\nF:HATES_ACID | HATES_FIRE\n",
  egoItem: `N:1:prefix:Hewn
C:1+d4:d2M3:0
T:sword:0:9:good:20:1 to 127
T:sword:0:9:great:5:1 to 127
N:4:suffix:of Rust
C:0:0:-d5:-20:10:-1:-2
F:VULN_ACID
T:hard armour:0:9:good:10:1 to 127
T:sword:4:4:uber:1:1 to 255
D:It crumbles
`,
  egoThemes: "N:1:suffix:of the Ferry\nT:sword:0:9:1 to 127\nA:Hewn:20\nD:The toll is paid.\n",
  artifact: "N:1:'Oar'\nI:sword:Kris\nW:20:3:15:9000\nP:0:3d3:5:6:-1\nA:10:1 to 127\nF:SLAY_EVIL | FREE_ACT\nL:2:STR\n",
};
export const objectTexts = () => ({ ...OBJECT_TEXTS });

export const columns = () => [
  { kind: "text", name: "name", values: ["a", "b"] },
  { kind: "word", name: "word", words: [null, "x"], indices: Uint8Array.of(0, 1) },
  { kind: "phrase", name: "phrase", segments: [{ texts: ["a ", "b "], indices: Uint8Array.of(1, 0) }] },
  { kind: "integer", name: "count", values: Int32Array.of(1, -2) },
  { kind: "decimal", name: "share", values: Int16Array.of(15, 25), decimals: 1 },
];

/** A map of one chunk of 2 × 2 cells, as toNpy and toPng take it. */
export const cellMap = () => ({
  bounds: [0, 0, 1, 1],
  chunks: () => [{ chunkRow: 0, chunkCol: 0, visits: Uint32Array.of(1, 2, 3, 4) }],
});

export const mapMessage = () => ({ places: Int32Array.of(0, 0), visits: new Uint32Array(4096).fill(1) });

/** The cells 1, 2, 3 and 4, in chunks of one cell, with the fill value 3. */
export const zarrShard = () =>
  new Uint8Array(
    Buffer.from(
      "KLUv/SABCQAAAblX/9QotS/9IAEJAAACTaSvxyi1L/0gAQkAAASlQw7hAAAAAAAAAAAOAAAAAAAAAA4AAAAAAAAADgAAAAAAAAD/////////////////////HAAAAAAAAAAOAAAAAAAAAKe+1dw=",
      "base64",
    ),
  );
