// Node, Bun and Deno run this: what threads make is what one thread makes. It ends by itself, with a mill that is open.
import { deepStrictEqual } from "node:assert/strict";
import { createMill } from "rollmill";
import { openThreads } from "rollmill/threads";

const SEED = "moria";
const [PICKS, ENDLESS] = [3_000_000, 1e12];
const nounsOf = (mill) => ({
  loot: mill.weighted("loot", { gold: 70, gem: 25, crown: 5 }),
  list: mill.weighted("list", [5, 0, 1, 10, 1]),
  walk: mill.walk("isle", { preset: "five-ways", walkers: 24, steps: 400_000 }),
  weapon: mill.recipe("weapon"),
});

const mill = await openThreads({ seed: SEED, threads: 2 });
const [here, there] = [nounsOf(createMill({ seed: SEED })), nounsOf(mill)];
const calls = Object.fromEntries(Object.entries(there).map(([name, noun]) => [name, mill.inThreads(noun)]));

deepStrictEqual([...(await calls.loot.count(PICKS)).counts], [...here.loot.count(PICKS).counts]);
deepStrictEqual((await calls.loot.pickMany(PICKS)).entries, here.loot.pickMany(PICKS).entries);
const shared = new Uint32Array(new SharedArrayBuffer(4 * PICKS));
await calls.list.pickInto(shared);
deepStrictEqual(Uint32Array.from(shared), here.list.pickMany(PICKS));
deepStrictEqual((await calls.weapon.makeMany(9000)).at(8999), here.weapon.makeMany(9000).at(8999));
deepStrictEqual((await calls.walk.run()).total.digest(), here.walk.run().total.digest());

// stopped while it runs
const controller = new AbortController();
const onProgress = () => controller.abort("enough");
const reasonOf = (promise) =>
  promise.then(
    () => "nothing was thrown",
    (cause) => cause.code ?? cause,
  );
deepStrictEqual(await reasonOf(calls.loot.count(ENDLESS, { signal: controller.signal, onProgress })), "enough");
deepStrictEqual(await reasonOf(calls.list.count(9, { from: -1 })), "argument.range");

const running = reasonOf(calls.loot.count(ENDLESS));
await mill.close();
deepStrictEqual(await running, "argument.disposed");
deepStrictEqual(await reasonOf(calls.loot.count(5)), "argument.disposed");
await openThreads({ seed: SEED });
