import { describe, expect, test, vi } from "vitest";
import { startsKey } from "../../src/address.js";
import { RollmillError } from "../../src/errors/index.js";
import { type Address, type Kernel, type KernelExports, Resident } from "../../src/kernel/index.js";
import { specOf } from "../../src/spec/index.js";
import { Stream } from "../../src/streams/index.js";
import { Table } from "../../src/tables/index.js";
import type { TableState } from "../../src/tables/rolling.js";
import { createOneShots } from "../../src/tables/scripts/nwangband.js";
import { compileWalk } from "../../src/walks/compile.js";
import { parseWalk } from "../../src/walks/index.js";
import { LayerRun } from "../../src/walks/layerRun.js";
import { compileWeighted } from "../../src/weighted/compile.js";
import { parseWeights, WeightedList } from "../../src/weighted/index.js";
import { refusalOf } from "../refusal.js";
import { planOf } from "../tables/build.js";
import { SEED_TABLE } from "../tables/seedTable.js";
import { keyIn, openBranch, openKernel } from "./open.js";

/** Ways to make an instance trap. */
const TRAPS: [string, (exports: KernelExports) => unknown][] = [
  ["reading outside its memory", (exports) => exports.readWalker(0 as Address, (2 ** 32 - 8) as Address, 0)],
  ["writing over all of its memory", (exports) => exports.fillWindow(0, 0, 0, 2 ** 31)],
  ["an error out of the engine", () => fail(new WebAssembly.RuntimeError("unreachable"))],
];

function fail(error: Error): never {
  throw error;
}

/** One of everything that uses a mill's kernel, and a reader of its results. */
function openAll(kernel: Kernel) {
  const plan = planOf(SEED_TABLE);
  const list = new WeightedList({
    kernel,
    name: "rarity",
    stream: openBranch("moria", "rarity"),
    plan: compileWeighted(specOf(parseWeights([100, 25, 5, 1]))),
  });
  const own = { defaults: { script: () => 100 }, now: () => "2026-01-05" };
  const stateOf = (): TableState => ({ next: 0, oneShots: createOneShots, attempt: (call) => call() });
  const table = new Table({ kernel, name: "loot", stream: openBranch("moria", "loot", stateOf), plan }, own);
  const stream = new Stream({ kernel, name: "raw", stream: openBranch("moria", "raw"), plan: undefined });
  return {
    answers: () => ({
      picks: [...list.pickMany(3000, { from: 10 })],
      pickCounts: [...list.count(3000, { from: 10 }).counts],
      rolls: [...table.rollMany(3000, { from: 10 }).ids],
      live: [...table.rollMany(50, { from: 10, mode: "live" }).ids],
      rollCounts: [...table.count(3000, { from: 10 }).counts],
      words: [...stream.words(3000, { from: 10, plane: 4 })],
      word: stream.word(77),
    }),
    list,
    table,
  };
}

describe.each(TRAPS)("a trap by %s", (_, job) => {
  test("throws once, and everything continues with the same results", () => {
    const kernel = openKernel();
    const all = openAll(kernel);
    const before = all.answers();
    for (let time = 1; time <= 3; time++) {
      const refusal = refusalOf(() => kernel.call(job));
      expect(refusal.code).toBe("kernel.trap");
      expect(refusal.cause).toBeInstanceOf(Error);
      expect(kernel.generation).toBe(time);
      expect(all.answers()).toEqual(before);
    }
  });

  test("Hostile: a failed call changes nothing: an array of one batch and the index are as they were", () => {
    const kernel = openKernel();
    const { list } = openAll(kernel);
    const out = list.pickInto(new Uint32Array(2000));
    const before = [...out];
    const run = vi.spyOn(kernel, "run").mockImplementationOnce(() => kernel.call(job) as never);
    expect(() => list.pickInto(out)).toThrow(/kernel\.trap/);
    run.mockRestore();
    expect([list.next, ...out]).toEqual([2000, ...before]);
    const fresh = openAll(openKernel()).list.pickMany(2000, { from: 2000 });
    expect([...list.pickInto(out)]).toEqual([...fresh]);
  });

  test("leaves cursors as they were", () => {
    const kernel = openKernel();
    const { list, table } = openAll(kernel);
    list.pickMany(5);
    table.rollMany(7);
    expect(() => kernel.call(job)).toThrow(/kernel\.trap/);
    expect([list.next, table.next]).toEqual([5, 7]);
    const fresh = openAll(openKernel());
    expect(list.pick()).toBe(fresh.list.pickMany(1, { from: 5 })[0]);
    expect(table.roll()).toBe(fresh.table.roll({ at: 7 }));
  });

  test("leaves a layer that is being walked where it was: its steps are repeated", () => {
    const kernel = openKernel();
    const run = openRun(kernel).advance(100);
    const seen = () => [run.position(0), run.visitsAt(0, 0), run.map().digest()];
    const before = seen();
    expect(() => kernel.call(job)).toThrow(/kernel\.trap/);
    expect(seen()).toEqual(before);
    expect(() => kernel.call(job)).toThrow(/kernel\.trap/);
    expect(run.advance(50).map().digest()).toBe(openRun(openKernel()).advance(150).map().digest());
  });
});

test("the limit on memory outlives a trap", () => {
  const kernel = openKernel(2 ** 20);
  expect(() => kernel.call(TRAPS[2][1])).toThrow(/kernel\.trap/);
  expect(kernel.call((exports) => exports.allocate(2 ** 20))).toBe(0);
});

test("an error of the library, or a thrown value that is not an Error, passes through and keeps the instance", () => {
  const kernel = openKernel();
  const own = new RollmillError([{ code: "table.dead", severity: "error", message: "no", where: {} }]);
  expect(() => kernel.call(() => fail(own))).toThrow(own);
  const thrown = () => {
    throw "text";
  };
  expect(() => kernel.call(thrown)).toThrow("text");
  expect(kernel.generation).toBe(0);
});

test("a resident is built once for each instance, and a failed build is repeated", () => {
  const kernel = openKernel(2 ** 20);
  let builds = 0;
  let bytes = 2 ** 20;
  const resident = new Resident(kernel, "a plan", (exports) => {
    builds++;
    return exports.allocate(bytes) as Address;
  });
  expect(refusalOf(() => resident.address).code).toBe("kernel.memory");
  bytes = 64;
  const { address } = resident;
  expect([resident.address, builds]).toEqual([address, 2]);
  expect(() => kernel.call(TRAPS[0][1])).toThrow(/kernel\.trap/);
  const rebuilt = resident.address;
  expect([resident.address, builds]).toEqual([rebuilt, 3]);
});

test("after dispose every call is refused", () => {
  const kernel = openKernel();
  const { list, table } = openAll(kernel);
  kernel.dispose();
  for (const use of [() => list.pick(), () => table.roll(), () => kernel.call(() => 0)]) {
    expect(refusalOf(use).code).toBe("argument.disposed");
  }
});

function openRun(kernel: Kernel): LayerRun {
  const { grid, layers } = compileWalk(specOf(parseWalk({ steps: 1000 })), { name: "land" });
  const setup = { kernel, name: "land", stream: keyIn("moria", "land"), plan: layers[0] };
  const startStream = startsKey(keyIn("moria", "land"));
  const rest = { grid, earlier: [], walkers: { from: 0, to: 1 }, region: undefined, startStream };
  return new LayerRun(setup, {
    ...rest,
    identity: () => ({ walk: "land", layer: "land", fingerprint: "", earlier: {} }),
  });
}
