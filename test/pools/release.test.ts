import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { PoolFamily } from "../../src/pools/index.js";
import { KernelPools, spareKernels } from "../../src/pools/kernel.js";
import { pools } from "../../src/pools/system.js";
import { firstDifference, keyIn, openBranch, openKernel, servicesWith } from "../kernel/open.js";
import { refusalOf } from "../refusal.js";
import { onePool, PoolsPair, planOf } from "./pair.js";

const DECK = { roots: { deck: { kind: "finite", records: Array.from({ length: 52 }, (_, card) => card) } } } as const;

const openDeck = () => createMill({ seed: "moria" }).pools("deck", DECK);

/** Draws cards of a fork. */
const cardsOf = (family: PoolFamily, id: number, n = 20) => [...family.fork(id).pool("deck").drawMany(n)];

test("a handle of a released fork is refused, and the next fork with this id begins anew (audit 12)", () => {
  const family = openDeck();
  const [fork, other] = [family.fork(1), family.fork(1)];
  const pool = fork.pool("deck");
  const first = [...pool.drawMany(20)];
  family.releaseFork(1);
  const uses = [
    () => pool.draw(),
    () => pool.drawMany(3),
    () => pool.peek(),
    () => pool.total,
    () => pool.records,
    () => pool.odds(),
    () => fork.next,
    () => fork.restock(),
    () => fork.pool("deck"),
  ];
  for (const use of uses) expect(refusalOf(use).code).toBe("argument.disposed");
  // one of these forks gets the kernel of the released one
  const others = [2, 1].map((id) => cardsOf(family, id));
  expect([first, ...others]).toEqual([1, 2, 1].map((id) => cardsOf(openDeck(), id)));
  // a handle that has not used the old state finds the new one
  expect(other.next).toBe(20);
});

test("forks that are released one after another share a kernel", () => {
  let opened = 0;
  const openCounted = () => {
    opened++;
    return openKernel();
  };
  const scope = servicesWith("moria", openCounted);
  const options = { name: "deck" };
  const plan = pools.compile(pools.parse(DECK, options).spec ?? expect.unreachable(), options);
  const create = pools.state?.(plan, { ...scope, name: "deck" }, {}) ?? expect.unreachable();
  const stream = openBranch("moria", "deck", create);
  const family = pools.open({ kernel: openKernel(), name: "deck", stream, plan }, {}, scope);
  for (let id = 0; id < 10; id++) {
    expect(cardsOf(family, id)).toEqual(cardsOf(openDeck(), id));
    family.releaseFork(id);
  }
  expect(opened).toBe(1);
});

test("a fork that is released while it draws goes on with its draws", () => {
  const family = openDeck();
  const n = 200_000;
  const draws = family
    .fork(1)
    .pool("deck")
    .drawMany(n, {
      onProgress: () => {
        family.releaseFork(1);
        family.fork(2).pool("deck").draw();
      },
    });
  expect(firstDifference([...draws].map(Number), cardsOf(openDeck(), 1, n).map(Number))).toBe(-1);
});

test("the release of a mill's fork refuses held handles, and that of a disposed mill does no harm (audit 12)", () => {
  const mill = createMill({ seed: "moria" });
  const pool = mill.fork("a").fork("b").pools("deck", DECK).fork(1).pool("deck");
  pool.drawMany(20);
  mill.releaseFork("a");
  expect(refusalOf(() => pool.draw()).code).toBe("argument.disposed");
  const family = mill.pools("deck", DECK);
  family.fork(1).pool("deck").draw();
  mill.dispose();
  expect(() => family.releaseFork(1)).not.toThrow();
});

test("a kernel that was used before makes the draws of a new one", () => {
  const takeKernel = spareKernels(() => openKernel());
  const large = onePool(Array.from({ length: 5000 }, (_, i) => [1 + (i % 7), 1 + (i % 11)]));
  for (const size of [5000, 37, 2, 300]) {
    // fills the memory with other numbers
    const first = new KernelPools(takeKernel(), "items", keyIn("moria", "items"), large);
    first.draw(0, 0, new Uint32Array(3000));
    first.dispose();
    const records = Array.from({ length: size }, (_, i) => i);
    const lists = [records, records.slice(0, Math.ceil(size / 2))].map((list) => ({
      records: list,
      masses: list.map((i) => 1 + (i % 5)),
    }));
    const quantities = records.map((i) => 1 + (i % 4));
    const pair = new PoolsPair(planOf(quantities, lists), { takeKernel });
    for (const pool of [0, 1, 0]) pair.drawBy(pool, 500, [1, 100, 7]);
  }
});
