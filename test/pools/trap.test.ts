// A trap loses a kernel instance and the stock of the pools in it, and nothing else of the mill.
import { afterEach, describe, expect, test, vi } from "vitest";
import { createMill, type Mill, type PoolFamily, type PoolsInput } from "../../src/index.js";
import { type Address, Kernel, type KernelExports } from "../../src/kernel/index.js";
import { refusalOf } from "../refusal.js";
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

/** Runs a job and returns the kernel that it called. */
function kernelOf(job: () => unknown): Kernel {
  const spy = vi.spyOn(Kernel.prototype, "call");
  job();
  const [kernel] = new Set(spy.mock.contexts as Kernel[]);
  spy.mockRestore();
  return kernel;
}

/** Makes the given call from now on trap, in any kernel. */
function trapAt(call: number): void {
  const original = Kernel.prototype.call;
  let calls = 0;
  vi.spyOn(Kernel.prototype, "call").mockImplementation(function <T>(this: Kernel, job: (exports: KernelExports) => T) {
    return original.call(this, ++calls === call ? readOutside : job) as T;
  });
}

/** One of everything in a mill, and its next results. */
function openAll(mill: Mill) {
  const items: PoolFamily = mill.pools("items", ITEMS);
  const others = mill.pools("others", ITEMS);
  const list = mill.weighted("rarity", [100, 25, 5, 1]);
  const table = mill.table("loot", SEED_TABLE);
  const stream = mill.stream("raw");
  const elsewhere = () => ({
    others: [others.pool("i.weapon").draw(), ...others.pool("i").drawMany(30), others.pool("e").draw()],
    left: others.pool("i").quantity("axe"),
    picks: [list.pick(), ...list.pickMany(100)],
    rolls: [table.roll(), ...table.rollMany(100).ids],
    words: [...stream.words(10)],
  });
  const drawn = () => [
    ...items.pool("i").drawMany(40),
    items.pool("i.weapon").draw(),
    items.pool("e").draw(),
    ...items.pool("i").drawMany(100),
    items.pool("i").quantity("axe"),
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
    const kernel = kernelOf(() => all.items.pool("i").total);
    expect(refusalOf(() => kernel.call(readOutside)).code).toBe("kernel.trap");
    return { mill, snapshot, ...all };
  }

  test("every use of it is refused, again and again", () => {
    const { items, mill } = trapped();
    const uses = [
      () => items.pool("i").draw(),
      () => items.pool("i.weapon").drawMany(3),
      () => items.pool("i.weapon").drawMany(100_000),
      () => items.pool("i").count(3),
      () => items.pool("e").draw(),
      () => items.pool("i").peek(),
      () => items.pool("i").odds(),
      () => items.pool("i").quantity("axe"),
      () => items.pool("i").return("axe"),
      () => items.pool("i").restock(),
      () => items.pool("i").total,
      () => items.addToSubpool("i.weapon", "bow"),
      () => mill.snapshot(),
      () => items.pool("i").draw(),
    ];
    const { next } = items;
    for (const use of uses) {
      expect(refusalOf(use).code).toBe("argument.disposed");
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
])("a trap amid a draw of $count is reported, takes no draw, and ends the family", ({ count, call }) => {
  const { items } = openAll(createMill({ seed: SEED }));
  items.pool("i").drawMany(7);
  trapAt(call);
  expect(refusalOf(() => items.pool("i").drawMany(count)).code).toBe("kernel.trap");
  vi.restoreAllMocks();
  expect(items.next).toBe(7);
  expect(refusalOf(() => items.pool("i").drawMany(50)).code).toBe("argument.disposed");
});

test("a trap in the mill's own kernel costs the families nothing", () => {
  const mill = createMill({ seed: SEED });
  const list = mill.weighted("rarity", [3, 1]);
  const items: PoolFamily = mill.pools("items", ITEMS);
  const control = createMill({ seed: SEED }).pools("items", ITEMS);
  expect([...items.pool("i").drawMany(20)]).toEqual([...control.pool("i").drawMany(20)]);
  const kernel = kernelOf(() => list.pick());
  expect(refusalOf(() => kernel.call(readOutside)).code).toBe("kernel.trap");
  expect([...items.pool("i.weapon").drawMany(60)]).toEqual([...control.pool("i.weapon").drawMany(60)]);
  expect(items.pool("i").quantity("axe")).toBe(control.pool("i").quantity("axe"));
});
