import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type LayerMap, type Walk, type WalkInput } from "../../src/index.js";
import { type LayerRun, mergeSavedRuns } from "../../src/walks/index.js";
import { refusalOf } from "../refusal.js";
import { cellsOf } from "./cases.js";

const LAND = { name: "land", steps: 600, walkers: 4 } as const;
const RIVERS = { name: "rivers", steps: 1500, walkers: 23, start: { layer: "land" } } as const;
const WALKS: readonly (readonly [string, WalkInput])[] = [
  ["an unbounded map", { layers: [LAND, { ...RIVERS, heading: ["E", "W"] }] }],
  ["first visits and ends", { layers: [LAND, { ...RIVERS, until: { outside: "land" }, firstVisit: true }] }],
  [
    "an odd-r torus with open, closed and end cells",
    {
      grid: { kind: "torus", rows: 66, cols: 130, coordinates: "odd-r" },
      layers: [
        LAND,
        { name: "sea", steps: 90, start: [[10, 9]] },
        { ...RIVERS, open: { layers: ["land", "sea"] }, until: { on: "sea" }, closed: { cells: [[3, 3]] } },
      ],
    },
  ],
];
const open = (input: WalkInput, { seed = "moria", name = "isle" } = {}) => createMill({ seed }).walk(name, input);
const earlierOf = (walk: Walk): Record<string, LayerMap> =>
  Object.fromEntries(walk.run().layers.map(({ name, map }) => [name, map]));
const stateOf = (run: LayerRun) => ({
  steps: run.steps,
  totals: run.walkerTotals,
  positions: [...run.positions()],
  cells: cellsOf(run.map()),
});

describe.each(WALKS)("saved runs: %s", (_, input) => {
  const walk = open(input);
  const earlier = earlierOf(walk);
  const options = { layer: "rivers", earlier, walkers: { from: 2, to: 19 } };

  test("a run goes on from its bytes as if it had not been saved, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1, 7, 40, 1023, 1024), { minLength: 1, maxLength: 5 }), (pieces) => {
        const whole = walk.start(options);
        let run = walk.start(options);
        for (const steps of pieces) {
          run = open(input).resume(run.save(), { earlier }).advance(steps);
          whole.advance(steps);
        }
        expect(stateOf(run)).toEqual(stateOf(whole));
      }),
      { seed: 1402, numRuns: 10 },
    );
  });

  test("runs of parts merge to the layer, in any order; saved bytes depend on nothing else", () => {
    const parts = [
      [0, 7],
      [7, 8],
      [8, 8],
      [8, 23],
    ].map(([from, to]) =>
      walk
        .start({ ...options, walkers: { from, to } })
        .advance(1500)
        .save(),
    );
    const merged = mergeSavedRuns([...parts].reverse());
    expect(merged).toMatchObject({ walk: "isle", walkers: [{ from: 0, to: 23 }], steps: 1500 });
    const { map, ...figures } = walk.run().layers.find(({ name }) => name === "rivers") ?? { map: undefined };
    expect(merged.result).toMatchObject(figures);
    expect([cellsOf(merged.result.map), merged.result.map.walkerTotals]).toEqual([
      map && cellsOf(map),
      map?.walkerTotals,
    ]);
    const again = open(input).start({ ...options, walkers: { from: 0, to: 7 } });
    for (const steps of [3, 1497]) again.advance(steps);
    expect(Buffer.compare(again.save(), parts[0])).toBe(0);
  });

  test("an aborted call of a resumed run goes back to where it was", () => {
    const run = walk.resume(walk.start(options).advance(300).save(), { earlier });
    const before = stateOf(run);
    const abort = new AbortController();
    const onProgress = () => abort.abort();
    expect(() => run.advance(2 ** 24, { signal: abort.signal, onProgress })).toThrow(/abort/i);
    expect(stateOf(run)).toEqual(before);
  });
});

describe("hostile and foreign bytes", () => {
  const [, [, input]] = WALKS;
  const walk = open(input);
  const earlier = earlierOf(walk);
  const bytes = walk.start({ layer: "rivers", earlier }).advance(50).save();
  const codeOf = (given: unknown, by: Walk = walk) => refusalOf(() => by.resume(given as Uint8Array, { earlier })).code;
  const headEnd = 12 + new DataView(bytes.buffer).getUint32(8, true);

  /** Bytes with a right checksum after a change. */
  const forged = (change: (copy: Uint8Array) => void, from: Uint8Array = bytes): Uint8Array => {
    const copy = from.slice();
    change(copy);
    copy.set(createHash("sha256").update(copy.subarray(0, -32)).digest(), copy.length - 32);
    return copy;
  };
  /** Bytes with another head. */
  const withHead = (fields: object): Uint8Array => {
    const head = { ...JSON.parse(Buffer.from(bytes.subarray(12, headEnd)).toString()), ...fields };
    const text = Buffer.from(JSON.stringify(head));
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
    const prefix = Buffer.from(bytes.subarray(0, 12));
    prefix.writeUInt32LE(padded.length, 8);
    return forged(() => {}, new Uint8Array(Buffer.concat([prefix, padded, bytes.subarray(headEnd)])));
  };

  test.each<[string, unknown, string]>([
    ["no bytes", undefined, "argument.type"],
    ["a text", "RMWK", "argument.type"],
    ["an array", [1, 2], "argument.type"],
    ["empty bytes", new Uint8Array(0), "snapshot.invalid"],
    ["a mill's snapshot", createMill({ seed: 1 }).snapshot(), "snapshot.invalid"],
    ["cut bytes", bytes.subarray(0, bytes.length - 1), "snapshot.invalid"],
    ["only the prefix", bytes.subarray(0, 12), "snapshot.invalid"],
    ["more bytes", new Uint8Array([...bytes, 0]), "snapshot.invalid"],
    ["another version", forged((copy) => copy.set([9], 4)), "snapshot.version"],
    ["another stream version", withHead({ stream: 1 }), "snapshot.version"],
    ["a head that is no JSON", forged((copy) => copy.set([0x7b, 0x7b], 12)), "snapshot.invalid"],
    ["a name that is null", withHead({ walk: null }), "snapshot.invalid"],
    ["a length beyond the bytes", forged((copy) => copy.set([0xff, 0xff, 0xff, 0xff], 8)), "snapshot.invalid"],
    ["fewer walkers", withHead({ to: 3 }), "snapshot.invalid"],
    ["negative walkers", withHead({ from: 5, to: 2 }), "snapshot.invalid"],
    ["steps that are no number", withHead({ steps: "50" }), "snapshot.invalid"],
    ["no first visits", withHead({ firstVisits: false }), "snapshot.invalid"],
    ["other coordinates", withHead({ coordinates: "odd-r" }), "snapshot.invalid"],
    ["another layer", withHead({ layer: "land" }), "snapshot.invalid"],
    ["an unknown layer", withHead({ layer: "lava" }), "snapshot.invalid"],
    ["a walker whose heading is 7", forged((copy) => copy.set([7], copy.length - 32 - 16)), "snapshot.invalid"],
    ["a walker that ended and did not", forged((copy) => (copy[copy.length - 32 - 12] ^= 1)), "snapshot.invalid"],
    ["a chunk outside the coordinates", forged((copy) => copy.set([0, 0, 0, 127], headEnd)), "snapshot.invalid"],
  ])("%s", (_, given, code) => {
    expect(codeOf(given)).toBe(code);
  });

  test("a changed byte anywhere is found", () => {
    for (let at = 12; at < bytes.length; at += 997) {
      const copy = bytes.slice();
      copy[at] ^= 64;
      expect(codeOf(copy)).toBe("snapshot.invalid");
    }
  });

  test("another seed, name, fork or spec is refused; other numbers of steps and walkers are not", () => {
    const layersOf = (change: object) =>
      ({ layers: [LAND, { ...RIVERS, until: { outside: "land" }, firstVisit: true, ...change }] }) as WalkInput;
    for (const other of [
      open(input, { seed: "angband" }),
      open(input, { name: "land" }),
      walk.fork("cave"),
      open(layersOf({ heading: "E" })),
      open(layersOf({ until: { on: "land" }, start: [[99, 99]] })),
      open(layersOf({ preset: "five-ways" })),
      open(layersOf({ closed: { cells: [[7, 7]] } })),
      open({ ...input, grid: { kind: "torus", rows: 99, cols: 99 } } as WalkInput),
      open(layersOf({ walkers: 22 })),
    ]) {
      expect(codeOf(bytes, other)).toBe("snapshot.invalid");
    }
    expect(open(layersOf({ walkers: 99, steps: 9 })).resume(bytes, { earlier }).steps).toBe(50);
  });

  test("the earlier maps must be those of the run", () => {
    expect(refusalOf(() => walk.resume(bytes)).code).toBe("walk.mismatch");
    const text = "x".repeat(9) as never;
    expect(refusalOf(() => walk.resume(bytes, { earlier: text })).code).toBe("argument.type");
    const other = { land: earlier.rivers };
    expect(refusalOf(() => walk.resume(bytes, { earlier: other })).code).toBe("walk.mismatch");
  });

  test("visits on a closed cell, and a walker on one, are refused", () => {
    const spec: WalkInput = { grid: { kind: "bounded", rows: 5, cols: 5 }, closed: { cells: [[2, 2]] }, steps: 9 };
    const small = open(spec);
    const saved = small.start().save();
    const end = 12 + new DataView(saved.buffer).getUint32(8, true);
    for (const change of [
      (copy: Uint8Array) => copy.set([1], end + 8 + 4 * (2 * 64 + 2)),
      (copy: Uint8Array) => copy.set([1], end + 8 + 4 * (5 * 64)),
      (copy: Uint8Array) => copy.set([2, 0, 0, 0, 2], copy.length - 32 - 24),
      (copy: Uint8Array) => copy.set([5], copy.length - 32 - 24),
    ]) {
      expect(refusalOf(() => small.resume(forged(change, saved))).code).toBe("snapshot.invalid");
    }
    expect(small.resume(saved).advance(9).walkerTotals.steps).toBe(9);
  });

  test("runs that do not belong together are not merged", () => {
    const part = (from: number, to: number, steps = 10, by = walk) =>
      by.start({ layer: "rivers", earlier, walkers: { from, to } }).advance(steps).save();
    const cases: [Uint8Array[], string][] = [
      [[part(0, 3), part(2, 5)], "walk.mismatch"],
      [[part(0, 3), part(0, 3)], "walk.mismatch"],
      [[part(0, 3), part(3, 5, 11)], "walk.mismatch"],
      [[part(0, 3), part(3, 5, 10, open(input, { seed: "angband" }))], "walk.mismatch"],
      [[part(0, 3), walk.start({ layer: "land" }).save()], "walk.mismatch"],
      [[part(0, 3), new Uint8Array(50)], "snapshot.invalid"],
      [[], "argument.range"],
    ];
    for (const [runs, code] of cases) expect(refusalOf(() => mergeSavedRuns(runs)).code).toBe(code);
    expect(mergeSavedRuns([part(5, 9), part(0, 3)]).walkers).toEqual([
      { from: 0, to: 3 },
      { from: 5, to: 9 },
    ]);
  });
});
