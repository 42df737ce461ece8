// Table rolls: rows of weighted results and jumps, with the script weights frozen.

import { apart } from "../apart.mjs";
import { freeze, loadLine, resultLaw, SEED_TABLE, sharedTable } from "../inputs/tables.mjs";
import { sumLoop, tally } from "../loops.mjs";

const BUFFER = 65_536; // rolls per bulk call
const SINGLES = 4_096; // calls per timed function
const COUNTED = 1_000_000; // rolls per count call: what a count is for
const COUNTED_SLOWLY = 65_536; // the same for a rival that counts call by call

/** Every script id of the two tables; those of rig_root_r are one-shots, which weigh 100 until they are chosen. */
const hundred = () => 100;

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
  const table = freeze(text, hundred);
  const { createMill } = await import("rollmill");
  const mill = createMill({ seed: "bench" });
  const { scriptIds } = mill.table("script ids", text);
  const ours = mill.table("rolls", text, { weights: Object.fromEntries(scriptIds.map((id) => [id, hundred()])) });
  const js = (form) => apart("js", import.meta.url, "openJs", text, form);
  return { law: resultLaw(table), draws: 200_000, contenders: await form(ours, table, js) };
}

function openShared(notice) {
  const text = sharedTable("rig_root_r");
  if (text !== null) return open(text, inBulk);
  notice("rolls rig_root_r is skipped: there is no ../shared/data/drdt beside the project.");
  return null;
}

/** Counts of the table's results from a [result, times] list, the rolls without a result last. */
function byResult(entries, none, { results }) {
  const counts = [...results.map(() => 0), none];
  for (const [result, times] of entries) counts[results.indexOf(result)] += times;
  return counts;
}

function rollMany(ours, table, draws) {
  const { ids, results, none } = ours.rollMany(draws);
  const times = tally(ids, results.length + 1).slice(0, results.length);
  return byResult(
    results.map((result, id) => [result, times[id]]),
    none,
    table,
  );
}

async function inBulk(ours, table, js) {
  const { cRival } = await import("../rivals/c.mjs");
  const load = loadLine(table);
  const c = await cRival("rolls", load);
  const branchFree = await cRival("rolls", load, { name: "c, branch-free", defines: ["BRANCH_FREE"] });
  return [
    {
      ...into("rollmill", (out) => ours.rollInto(out), new Uint16Array(BUFFER)),
      sample: (draws) => rollMany(ours, table, draws),
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

function oneByOne(ours, table, js) {
  return [calls("rollmill", () => ours.roll(), table), js("oneByOne")];
}

function calls(name, roll, table) {
  const loop = sumLoop(() => (roll() === null ? 0 : 1));
  return {
    name,
    ops: SINGLES,
    run: () => loop(SINGLES),
    sample(draws) {
      const rolled = Array.from({ length: draws }, roll);
      const alive = rolled.filter((result) => result !== null);
      return byResult(
        alive.map((result) => [result, 1]),
        draws - alive.length,
        table,
      );
    },
  };
}

async function counted(ours, table, js) {
  const { oldschooljsRolls } = await import("../rivals/npm/rolls.mjs");
  const oldschooljs = oldschooljsRolls(table);
  return [
    {
      name: "rollmill",
      ops: COUNTED,
      run: () => ours.count(COUNTED).total,
      sample(draws) {
        const { counts, none } = ours.count(draws);
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

/** The contender of each form that runs apart. */
export async function openJs(text, form) {
  const { jsRolls } = await import("../rivals/js/rolls.mjs");
  const table = freeze(text, hundred);
  const { rollInto, roll, count } = jsRolls(table);
  if (form === "oneByOne") return calls("js", roll, table);
  const sample = (draws) => [...count(draws)];
  if (form === "counted") return { name: "js", ops: COUNTED, run: () => count(COUNTED)[0], sample };
  return { ...into("js", rollInto, new Uint32Array(BUFFER)), sample };
}
