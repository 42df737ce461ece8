import { describe, expect, test, vi } from "vitest";
import { startsKey } from "../../src/address.js";
import { createMill, type Walk, type WalkInput } from "../../src/index.js";
import { Kernel } from "../../src/kernel/index.js";
import { specOf } from "../../src/spec/index.js";
import { compileWalk } from "../../src/walks/compile.js";
import { LayerRun, parseWalk } from "../../src/walks/index.js";
import { keyIn, openKernel } from "../kernel/open.js";
import { refusalOf } from "../refusal.js";
import { cellsOf, twinWalk } from "./cases.js";

const setup = { seed: "moria", name: "land" };
const open = (input: WalkInput): Walk => createMill({ seed: setup.seed }).walk(setup.name, input);

describe("a walk's memory", () => {
  const straight = { tensor: { absolute: { E: 1 } } } as const;

  test("a walk that outgrows maxMemory is a typed error, and the mill goes on as before", () => {
    const mill = createMill({ seed: setup.seed, maxMemory: 2 ** 20 });
    const list = mill.weighted("rarity", [3, 1]);
    const before = list.pickMany(100, { from: 0 });
    const long = mill.walk("land", { ...straight, steps: 1_000_000 });
    for (let i = 0; i < 3; i++) {
      expect(refusalOf(() => long.run()).code).toBe("kernel.memory");
    }
    expect(list.pickMany(100, { from: 0 })).toEqual(before);
    const short = mill.walk("path", { ...straight, steps: 500 }).run().total;
    expect(short.digest()).toBe(
      createMill({ seed: setup.seed })
        .walk("path", { ...straight, steps: 500 })
        .run()
        .total.digest(),
    );
    const run = long.start().advance(500);
    for (let i = 0; i < 2; i++) expect(refusalOf(() => run.advance(100_000)).code).toBe("kernel.memory");
    expect([run.position(0).col, run.map().digest()]).toEqual([500, short.digest()]);
  });

  test.each([
    ["a grid of one tile", { grid: { kind: "torus", rows: 1000, cols: 1000 } }],
    ["many walkers", { walkers: 60_000 }],
    ["closed cells far apart", { closed: { cells: Array.from({ length: 3000 }, (_, i) => [i * 64 + 1, 0] as const) } }],
    ["starts far apart", { walkers: 2000, start: { rect: [0, 0, 2 ** 30, 2 ** 30] } }],
  ] as [string, WalkInput][])("%s that does not fit 1 MiB is refused before a step is made", (_, input) => {
    const mill = createMill({ seed: setup.seed, maxMemory: 2 ** 20 });
    const walk = mill.walk("land", input);
    for (let i = 0; i < 2; i++) expect(refusalOf(() => walk.start()).code).toBe("kernel.memory");
    expect(mill.walk("path", { steps: 5 }).run().total.visits).toBe(6);
  });

  test.each([
    [false, 17],
    [true, 33],
  ])(
    "a chunk takes as many bytes as promised (first visits: %s, at most %s KiB), over 4,000 chunks and more",
    (firstVisit, kib) => {
      // two walkers go straight on, 64 cells a chunk
      const walk = {
        tensor: { absolute: { E: 1 } },
        walkers: 2,
        start: [
          [0, 0],
          [64, 9],
        ],
        firstVisit,
      } as const;
      const kernel = openKernel(2 ** 30);
      const { grid, layers } = compileWalk(specOf(parseWalk(walk)), setup);
      const layer = { kernel, name: "land", stream: keyIn(setup.seed, "land"), plan: layers[0] };
      const rest = {
        grid,
        earlier: [],
        walkers: { from: 0, to: 2 },
        region: undefined,
        startStream: startsKey(keyIn(setup.seed, "land")),
        identity: () => ({ walk: "land", layer: "land", fingerprint: "", earlier: {} }),
      };
      const run = new LayerRun(layer, rest);
      const [usedBefore, bytesBefore] = [run.bytes, kernel.bytes];
      run.advance(64 * 2100);
      const chunks = [...run.map().chunks()].length;
      expect(chunks).toBeGreaterThan(4000);
      const perChunk = (run.bytes - usedBefore) / chunks;
      expect([perChunk > (kib - 1) * 1024, perChunk <= kib * 1024]).toEqual([true, true]);
      // memory grows ahead of use by up to an eighth; those pages are not touched
      expect((kernel.bytes - bytesBefore) / chunks).toBeLessThanOrEqual(kib * 1024 * (9 / 8));
    },
  );

  test("the kernel of a layer ends with the layer's run, or with its failure", () => {
    const dispose = vi.spyOn(Kernel.prototype, "dispose");
    const walk = open({ layers: [{ name: "a" }, { name: "b", start: { layer: "a" } }] });
    const disposed = (job: () => unknown) => {
      dispose.mockClear();
      job();
      return dispose.mock.calls.length;
    };
    expect(disposed(() => walk.run())).toBe(2);
    expect(disposed(() => walk.runLayer({ layer: "a" }))).toBe(1);
    expect(disposed(() => refusalOf(() => walk.start({ layer: "b" })))).toBe(1);
    expect(disposed(() => walk.start({ layer: "a" }))).toBe(0);
    dispose.mockRestore();
  });

  test("a run's dispose gives its memory back at once; its maps stay", () => {
    const run = open({ steps: 100 }).start().advance(50);
    const map = run.map();
    run[Symbol.dispose]();
    expect(refusalOf(() => run.advance(1)).code).toBe("argument.disposed");
    expect(refusalOf(() => run.visitsAt(0, 0)).code).toBe("argument.disposed");
    expect(cellsOf(map)).toEqual(twinWalk({ steps: 50 }, setup)[0].cells);
  });
});
