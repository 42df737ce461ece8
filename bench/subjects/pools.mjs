// Draws from pools: from finite ones, which lose what is drawn and refill when they are empty, and from infinite ones.

import { apart } from "../apart.mjs";
import { HEAVIEST_MASS, QUANTITY, weightsOf } from "../inputs/weights.mjs";
import { tally } from "../loops.mjs";
import { ours } from "../ours.mjs";

const BUFFER = 65_536; // draws per bulk call
const LINEAR_BUFFER = 1_024; // the same for a rival whose draw takes microseconds
const LINEAR_LIMIT = 1_024; // with more records a linear search only gets slower
const WHOLE = 2; // full pools that a check draws until they are empty

export const pools = {
  name: "pools",
  unit: "draw",
  cases: [
    ...[8, 64, 256, 1024, 4096, 65_536].map((n) => ({ name: `n=${n}`, open: () => open(n, finite) })),
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

/** The contender of {@link finite} that runs in a process of its own. */
export async function openJs(n) {
  const { jsPools } = await import("../rivals/js/pools.mjs");
  const masses = weightsOf(n, HEAVIEST_MASS);
  return stocked("js", jsPools(masses, QUANTITY), masses);
}

/** Every record in the root and in three subpools, so that a draw changes four totals; and the same with the root alone. */
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

/** A contender that fills a buffer per call. */
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

/** A contender with stock. Its samples are draws from the full pool; each is put back. */
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

/** Throws unless every record was drawn exactly as often as the full pools hold it. */
function assertWhole(counts) {
  const record = counts.findIndex((count) => count !== WHOLE * QUANTITY);
  if (record < 0) return;
  const problem = `Record ${record} was drawn ${counts[record]} times`;
  throw new Error(`${problem} from ${WHOLE} full pools, expected ${WHOLE * QUANTITY}.`);
}
