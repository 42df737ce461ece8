// Table rolls: rows of weighted results and jumps, with constant script weights.

import { apart } from "../apart.mjs";
import { freeze, loadLine, resultLaw, SCRIPT_WEIGHT, SEED_TABLE, sharedTable } from "../inputs/tables.mjs";
import { sumLoop, tally } from "../loops.mjs";
import { ours } from "../ours.mjs";

const BUFFER = 65_536; // rolls per bulk call
const SINGLES = 4_096; // calls per timed function
const COUNTED = 1_000_000; // rolls per count call
const COUNTED_SLOWLY = 65_536; // rolls per count call of a rival that calls a function for each roll

export const rolls = {
  name: "rolls",
  unit: "roll",
  cases: [
    { name: "seed", open: () => open(SEED_TABLE, inBulk) },
    { name: "seed single", open: () => open(SEED_TABLE, oneByOne) },
    { name: "seed count", open: () => open(SEED_TABLE, counted) },
    { name: "rig_root_r", open: openShared },
  ],
};

async function open(text, form) {
  const table = freeze(text, () => SCRIPT_WEIGHT);
  const rollmill = ours(await import("rollmill")).table(text, SCRIPT_WEIGHT);
  const js = (form) => apart("js", import.meta.url, "openJs", text, form);
  return { law: resultLaw(table), draws: 200_000, contenders: await form(rollmill, table, js) };
}

function openShared(notice) {
  const text = sharedTable("rig_root_r");
  if (text !== null) return open(text, inBulk);
  notice("rolls rig_root_r is skipped: there is no ../shared/data/drdt beside the project.");
  return null;
}

/**
 * Converts a list of [result, times] to counts in the order of the table's results; the last count is for no result.
 */
function byResult(entries, none, { results }) {
  const counts = [...results.map(() => 0), none];
  for (const [result, times] of entries) counts[results.indexOf(result)] += times;
  return counts;
}

function rollMany(rollmill, table, draws) {
  const { ids, results } = rollmill.rollMany(draws);
  const times = tally(ids, results.length + 1);
  return byResult(
    results.map((result, id) => [result, times[id]]),
    times[results.length],
    table,
  );
}

async function inBulk(rollmill, table, js) {
  const { cRival } = await import("../rivals/c.mjs");
  const load = loadLine(table);
  const c = await cRival("rolls", load);
  const branchFree = await cRival("rolls", load, { name: "c, branch-free", defines: ["BRANCH_FREE"] });
  return [
    {
      ...into("rollmill", rollmill.rollInto, new Uint16Array(BUFFER)),
      sample: (draws) => rollMany(rollmill, table, draws),
    },
    ...[c, branchFree].filter(Boolean),
    js("inBulk"),
  ];
}

function into(name, rollInto, out) {
  return {
    name,
    ops: BUFFER,
    run() {
      rollInto(out);
      return out[0];
    },
  };
}

function oneByOne(rollmill, table, js) {
  return [calls("rollmill", rollmill.roll, table), js("oneByOne")];
}

function calls(name, roll, table) {
  const loop = sumLoop(() => (roll() === null ? 0 : 1));
  return {
    name,
    ops: SINGLES,
    run: () => loop(SINGLES),
    sample(draws) {
      const rolled = Array.from({ length: draws }, roll);
      const found = rolled.filter((result) => result !== null);
      return byResult(
        found.map((result) => [result, 1]),
        draws - found.length,
        table,
      );
    },
  };
}

async function counted(rollmill, table, js) {
  const { oldschooljsRolls } = await import("../rivals/npm/rolls.mjs");
  const oldschooljs = oldschooljsRolls(table);
  return [
    {
      name: "rollmill",
      ops: COUNTED,
      run: () => rollmill.count(COUNTED).total,
      sample(draws) {
        const { counts, none } = rollmill.count(draws);
        return byResult(counts, none, table);
      },
    },
    js("counted"),
    {
      name: "oldschooljs",
      npm: true,
      ops: COUNTED_SLOWLY,
      run: () => oldschooljs.count(COUNTED_SLOWLY)[0],
      sample: (draws) => oldschooljs.count(draws),
    },
  ];
}

/** Opens the contender `js` of this case, which runs in a separate process. */
export async function openJs(text, form) {
  const { jsRolls } = await import("../rivals/js/rolls.mjs");
  const table = freeze(text, () => SCRIPT_WEIGHT);
  const { rollInto, roll, count } = jsRolls(table);
  if (form === "oneByOne") return calls("js", roll, table);
  const sample = (draws) => [...count(draws)];
  if (form === "counted") return { name: "js", ops: COUNTED, run: () => count(COUNTED)[0], sample };
  return { ...into("js", rollInto, new Uint32Array(BUFFER)), sample };
}
