// A trap takes an instance with it, and what was left in the pools that it held; nothing else of the mill.
import { afterEach, describe, expect, test, vi } from "vitest";
import type { RollmillError } from "../../src/errors/index.js";
import { createMill, type Mill, type PoolsInput } from "../../src/index.js";
import { type Address, Kernel, type KernelExports } from "../../src/kernel/index.js";
import { refusalOf } from "../tables/build.js";
import { SEED_TABLE } from "../tables/seedTable.js";

const SEED = "moria";

const ITEMS = {
  roots: {
    i: {
      kind: "finite",
      records: [
        ["axe", 3, 20],
        ["sword", 2, 30],
        ["ring", 1, 4],
      ],
      subpools: { weapon: { records: ["axe", "sword"] } },
    },
    e: { kind: "infinite", records: ["bat", ["orc", 3]] },
  },
} as const satisfies PoolsInput;

const readOutside = (exports: KernelExports) => exports.readWalker(0 as Address, (2 ** 32 - 8) as Address, 0);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a job, and answers the kernel that it called. */
function kernelOf(job: () => unknown): Kernel {
  const spy = vi.spyOn(Kernel.prototype, "call");
  job();
  const [kernel] = new Set(spy.mock.contexts as Kernel[]);
  spy.mockRestore();
  return kernel;
}

/** Makes call number `call` from now on trap, in whatever kernel it comes. */
function trapAt(call: number): void {
  const original = Kernel.prototype.call;
  let calls = 0;
  vi.spyOn(Kernel.prototype, "call").mockImplementation(function <T>(this: Kernel, job: (exports: KernelExports) => T) {
    return original.call(this, ++calls === call ? readOutside : job) as T;
  });
}

/** One of everything in a mill, and what it answers next. */
function openAll(mill: Mill) {
  const items = mill.pools("items", ITEMS);
  const others = mill.pools("others", ITEMS);
  const list = mill.weighted("rarity", [100, 25, 5, 1]);
  const table = mill.table("loot", SEED_TABLE);
  const stream = mill.stream("raw");
  const elsewhere = () => ({
    others: [others.drawFromPool("i.weapon"), ...others.drawMany("i", 30), others.drawFromPool("e")],
    left: others.quantity("i", "axe"),
    picks: [list.pick(), ...list.pickMany(100)],
    rolls: [table.roll(), ...table.rollMany(100).ids],
    words: [...stream.words(10)],
  });
  const drawn = () => [
    ...items.drawMany("i", 40),
    items.drawFromPool("i.weapon"),
    items.drawFromPool("e"),
    ...items.drawMany("i", 100),
    items.quantity("i", "axe"),
    items.next,
  ];
  return { items, elsewhere, drawn };
}

describe("after a trap in a family's kernel", () => {
  /** A mill that has drawn, its snapshot, and the same after a trap in its items. */
  function trapped() {
    const mill = createMill({ seed: SEED });
    const all = openAll(mill);
    all.drawn();
    all.elsewhere();
    const snapshot = mill.snapshot();
    const kernel = kernelOf(() => all.items.quantity("i", "axe"));
    expect(refusalOf(() => kernel.call(readOutside)).code).toBe("kernel.trap");
    return { mill, snapshot, ...all };
  }

  test("every use of it is refused with what to do, time after time", () => {
    const { items, mill } = trapped();
    const uses = [
      () => items.drawFromPool("i"),
      () => items.drawMany("i.weapon", 3),
      () => items.drawMany("i.weapon", 100_000),
      () => items.count("i", 3),
      () => items.drawFromPool("e"),
      () => items.peek("i"),
      () => items.odds("i"),
      () => items.quantity("i", "axe"),
      () => items.return("i", "axe"),
      () => items.restock("i"),
      () => items.pool("i").total,
      () => items.addToSubpool("i.weapon", "bow"),
      () => mill.snapshot(),
      () => items.drawFromPool("i"),
    ];
    const { next } = items;
    for (const use of uses) {
      const refusal: RollmillError = refusalOf(use);
      expect(refusal.code).toBe("argument.disposed");
      expect(refusal.message).toContain("what was left in the pools");
      expect(refusal.message).toContain("Restore the mill from a snapshot");
    }
    expect(items.next).toBe(next);
  });

  test("the rest of the mill goes on, another family too", () => {
    const untouched = openAll(createMill({ seed: SEED }));
    untouched.elsewhere();
    const { elsewhere } = trapped();
    for (let i = 0; i < 3; i++) expect(elsewhere()).toEqual(untouched.elsewhere());
  });

  test("a mill restored from a snapshot goes on as if never interrupted", () => {
    const { snapshot } = trapped();
    const untouched = openAll(createMill({ seed: SEED }));
    untouched.drawn();
    untouched.elsewhere();
    const restored = openAll(createMill({ seed: SEED, snapshot }));
    for (let i = 0; i < 3; i++) {
      expect(restored.drawn()).toEqual(untouched.drawn());
      expect(restored.elsewhere()).toEqual(untouched.elsewhere());
    }
  });
});

test.each([
  { count: 50, call: 1 },
  { count: 200_000, call: 4 },
])("a trap amid a draw of $count is told, takes no draw, and ends the family", ({ count, call }) => {
  const { items } = openAll(createMill({ seed: SEED }));
  items.drawMany("i", 7);
  trapAt(call);
  const refusal = refusalOf(() => items.drawMany("i", count));
  expect(refusal.code).toBe("kernel.trap");
  expect(refusal.message).toContain("Restore the mill from a snapshot");
  vi.restoreAllMocks();
  expect(items.next).toBe(7);
  expect(refusalOf(() => items.drawMany("i", 50)).code).toBe("argument.disposed");
});

test("a trap in the mill's own kernel costs no family anything", () => {
  const mill = createMill({ seed: SEED });
  const list = mill.weighted("rarity", [3, 1]);
  const items = mill.pools("items", ITEMS);
  const control = createMill({ seed: SEED }).pools("items", ITEMS);
  expect(items.drawMany("i", 20)).toEqual(control.drawMany("i", 20));
  const kernel = kernelOf(() => list.pick());
  expect(refusalOf(() => kernel.call(readOutside)).code).toBe("kernel.trap");
  expect(items.drawMany("i.weapon", 60)).toEqual(control.drawMany("i.weapon", 60));
  expect(items.quantity("i", "axe")).toBe(control.quantity("i", "axe"));
});
