// Draws from pools: from finite pools, which lose the drawn records and refill when they are empty, and from infinite
// pools.

import { apart } from "../apart.mjs";
import { HEAVIEST_MASS, QUANTITY, weightsOf } from "../inputs/weights.mjs";
import { sumLoop, tally } from "../loops.mjs";
import { ours } from "../ours.mjs";

const BUFFER = 65_536; // draws per bulk call
const LINEAR_BUFFER = 1_024; // draws per bulk call of a rival whose draw takes microseconds
const SINGLES = 4_096; // calls per timed function
const LINEAR_LIMIT = 1_024; // most records for a rival that searches linearly; more would only take longer
const WHOLE = 2; // how often a check empties a full pool

export const pools = {
  name: "pools",
  unit: "draw",
  cases: [
    ...[8, 64, 256, 1024, 4096, 65_536].map((n) => ({ name: `n=${n}`, open: () => open(n, finite) })),
    { name: "n=64 single", open: () => open(64, oneByOne) },
    { name: "256 shared by 4", open: () => open(256, shared) },
    { name: "infinite 1024", open: () => open(1024, infinite) },
  ],
};

/** The law of the first draw from a full pool: all quantities are the same, so the masses alone decide. */
async function open(n, form) {
  const masses = weightsOf(n, HEAVIEST_MASS);
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const contenders = await form(masses);
  return { law: masses.map((mass) => mass / total), draws: Math.max(100_000, 20 * n), contenders };
}

async function finite(masses) {
  const { lootTablePools } = await import("../rivals/npm/pools.mjs");
  const contenders = [
    stocked("rollmill", await rollmillPool(masses), masses),
    await c(masses),
    await c(masses, { name: "c, branch-free", defines: ["BRANCH_FREE"] }),
    apart("js", import.meta.url, "openJs", masses.length),
  ];
  if (masses.length <= LINEAR_LIMIT) {
    const loot = lootTablePools(masses, QUANTITY);
    contenders.push({ ...stocked("loot-table", loot, masses, LINEAR_BUFFER), npm: true });
  }
  return contenders.filter(Boolean);
}

async function oneByOne(masses) {
  const { lootTablePools } = await import("../rivals/npm/pools.mjs");
  const loot = lootTablePools(masses, QUANTITY);
  return [
    single("rollmill", await rollmillPool(masses), masses),
    apart("js", import.meta.url, "openJs", masses.length, "oneByOne"),
    { ...single("loot-table", loot, masses), npm: true },
  ];
}

/** Opens the contender `js` of {@link finite} or {@link oneByOne}, which runs in a separate process. */
export async function openJs(n, form) {
  const { jsPools } = await import("../rivals/js/pools.mjs");
  const masses = weightsOf(n, HEAVIEST_MASS);
  const pool = jsPools(masses, QUANTITY);
  return form === "oneByOne" ? single("js", pool, masses) : stocked("js", pool, masses);
}

/**
 * Two pools with the same records: with three subpools that list all of them, so that a draw changes four totals, and
 * without.
 */
async function shared(masses) {
  const ids = masses.map((_, id) => id);
  const three = { a: { records: ids }, b: { records: ids }, c: { records: ids } };
  return [
    stocked("rollmill", await rollmillPool(masses, three), masses),
    { ...stocked("rollmill, unshared", await rollmillPool(masses), masses), reference: true },
  ];
}

async function infinite(masses) {
  const library = ours(await import("rollmill"));
  const pool = into("rollmill", library.infinitePool(masses).drawInto);
  const picks = into("rollmill, weighted list", library.list(masses).pickInto);
  return [pool, { ...picks, reference: true }].map((one) => ({
    ...one,
    sample: (count) => tally(drawn(one, count), masses.length),
  }));
}

async function rollmillPool(masses, subpools = {}) {
  return ours(await import("rollmill")).pool(masses, { quantity: QUANTITY, subpools });
}

/** A contender that fills a buffer in each call. */
function into(name, drawInto, ops = BUFFER) {
  const out = new Uint32Array(ops);
  return {
    name,
    ops,
    drawInto,
    run() {
      drawInto(out);
      return out[0];
    },
  };
}

function drawn({ drawInto }, draws) {
  const out = new Uint32Array(draws);
  drawInto(out);
  return out;
}

/** A contender with a finite pool. Its samples are draws from the full pool; each drawn record is put back. */
function stocked(name, pool, masses, ops) {
  return {
    ...into(name, pool.drawInto, ops),
    sample(draws) {
      const counts = masses.map(() => 0);
      const one = new Uint32Array(1);
      for (let k = 0; k < draws; k++) {
        pool.drawInto(one);
        counts[one[0]]++;
        pool.putBack(one[0]);
      }
      assertWhole(tally(drawn(pool, WHOLE * QUANTITY * masses.length), masses.length));
      return counts;
    },
  };
}

/** A contender whose pool is called once per draw. */
function single(name, pool, masses) {
  const loop = sumLoop(pool.draw);
  return { ...stocked(name, pool, masses), ops: SINGLES, run: () => loop(SINGLES) };
}

async function c(masses, options) {
  const { cRival } = await import("../rivals/c.mjs");
  const rival = await cRival("pools", [masses.length, QUANTITY, ...masses].join(" "), options);
  return (
    rival && {
      ...rival,
      async sample(draws) {
        assertWhole(await rival.sample(draws, WHOLE));
        return rival.sample(draws);
      },
    }
  );
}

/** Throws if some record was not drawn exactly as often as its quantity in the emptied pools. */
function assertWhole(counts) {
  const record = counts.findIndex((count) => count !== WHOLE * QUANTITY);
  if (record < 0) return;
  const problem = `Record ${record} was drawn ${counts[record]} times`;
  throw new Error(`${problem} from ${WHOLE} full pools, expected ${WHOLE * QUANTITY}.`);
}
