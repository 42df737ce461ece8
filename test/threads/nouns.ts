import type { Noun } from "../../src/calls/index.js";
import type { Mill } from "../../src/mill.js";
import type { ThreadedMill } from "../../src/threads/index.js";
import type { WorldWindow } from "../../src/worlds/index.js";

/** Workers run JavaScript only. The types are those of src. */
export const { openThreads }: typeof import("../../src/threads/index.js") = await import(
  new URL("../../dist/threads/index.js", import.meta.url).href
);
export const { RollmillError, createMill }: typeof import("../../src/index.js") = await import(
  new URL("../../dist/index.js", import.meta.url).href
);

const TABLE = {
  rows: [
    {
      columns: [
        { result: "gold", weight: 5, quantity: "2d6" },
        { jump: 1, weight: 3 },
        { result: null, weight: 2 },
      ],
    },
    {
      columns: [
        { result: "gem", weight: 1, quantity: "1-3" },
        { jump: 2, weight: 1 },
      ],
    },
    { columns: [] },
  ],
};
const PLAIN = {
  rows: [
    {
      columns: [
        { result: "heads", weight: 1 },
        { result: "tails", weight: 1 },
      ],
    },
  ],
};
const SWORDS = Array.from({ length: 12 }, (_, i) => ({ sword: i }));

/** Opens a noun of each kind. */
export function nounsOf(mill: Mill) {
  return {
    weights: mill.weighted("weights", [5, 0, 1, 10, 1]),
    large: mill.weighted(
      "large",
      Array.from({ length: 70_000 }, (_, i) => i % 7),
    ),
    labels: mill.weighted("labels", { gold: 70, gem: 25, crown: 5 }),
    stacks: mill.weighted("stacks", [
      { result: "gold", weight: 3, quantity: "3d6" },
      { result: null, weight: 1 },
      { result: "gem", weight: 2 },
    ]),
    dice: mill.dice("dice", "2d6+1"),
    integer: mill.int("integer", -(2 ** 31), 2 ** 31 - 2),
    shuffle: mill.shuffle("shuffle", 9),
    sample: mill.sample("sample", SWORDS, { size: 3 }),
    table: mill.table("table", TABLE),
    plain: mill.table("plain", PLAIN),
    drops: mill.drops("drops", { always: [{ result: "bones" }], rolls: "1d3", table: TABLE }),
    weapon: mill.recipe("weapon"),
    words: mill.stream("words"),
  };
}

type Calls = Readonly<Record<string, (first: unknown, options?: object) => unknown>>;
export const callsOf = (noun: unknown) => noun as Calls;
export const threadsOf = (mill: ThreadedMill, noun: Noun) => mill.inThreads(noun) as unknown as Calls;

/** The content of a result as bytes. Not by `serialize` of V8, which has two forms of an integer. */
export function bytesOf(result: unknown): Buffer {
  return Buffer.from(JSON.stringify(plain(result), (_, value) => textOf(value)));
}

/** Returns the type and the bytes of an array, and the entries of a Map. */
function textOf(value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (!ArrayBuffer.isView(value)) return value;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return `${value.constructor.name} ${bytes.toString("base64")}`;
}

function plain(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  if ("terrainAt" in result) return windowOf(result as WorldWindow);
  if (!("total" in result) || !("counts" in result)) return result;
  // the maps of counts can be of another class than Map
  return Object.entries(result).map(([key, value]) => [
    key,
    typeof value === "object" ? [...(value as Iterable<unknown>)] : value,
  ]);
}

function windowOf(window: WorldWindow): unknown {
  const { terrain, row0, col0, rows, cols, placements } = window;
  const layers = NAMES.visits.map((name) => window.visits(name));
  const fields = NAMES.fields.map((name) => window.field(name));
  const realms = NAMES.realms.map((name) => {
    const { seats, cells } = window.realms(name);
    return [[...seats], cells];
  });
  return [terrain, row0, col0, rows, cols, [...placements], layers, fields, realms];
}

/** The names of the layers, fields and realms of {@link WORLD}. */
export const NAMES = { visits: ["land", "woods"], fields: ["height"], realms: ["realm"] };
const TENSOR = { relative: { forward: 4, rightForward: 1, leftForward: 1 } };
/** A world with a part of each kind. */
export const WORLD = {
  layers: [
    { name: "land", tensor: TENSOR, walkers: 12, steps: 900, firstVisit: true },
    { name: "woods", tensor: TENSOR, steps: 60, scatter: { side: 256, walkers: 3 } },
  ],
  fields: [{ name: "height", kind: "noise", scale: 64, octaves: 3 }],
  terrain: [
    { terrain: "land", when: { land: { visits: [1, null] } } },
    { terrain: "forest", when: { woods: { within: 2 } } },
    { terrain: "hills", when: { height: [40_000, null] } },
    { terrain: "plain" },
  ],
  tables: { chest: TABLE },
  placements: [
    { name: "hut", on: ["plain"], density: "1/700", content: { table: "chest" } },
    { name: "mine", on: ["hills"], density: "1/400", content: { recipe: "weapon" } },
  ],
  recipes: { weapon: "weapon" },
  realms: [{ name: "realm", of: "hut", within: 60 }],
  paths: [{ name: "path", between: ["hut"], within: 60, cost: { forest: 3 }, terrain: "path" }],
} as const;
