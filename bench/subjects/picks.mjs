// Weighted picks: an index into a list of weights, in bulk and one by one.

import { apart } from "../apart.mjs";
import { weightsOf } from "../inputs/weights.mjs";
import { fillLoop, sumLoop, tally } from "../loops.mjs";
import { ours } from "../ours.mjs";

const BUFFER = 65_536; // picks per bulk call
const LINEAR_BUFFER = 1_024; // picks per bulk call of a rival whose pick takes microseconds
const SINGLES = 4_096; // calls per timed function

export const picks = {
  name: "picks",
  unit: "pick",
  cases: [...[8, 64, 1024, 65_536].map(bulk), single(64)],
};

function bulk(n) {
  return { name: `n=${n}`, open: () => open(n, inBulk) };
}

function single(n) {
  return { name: `n=${n} single`, open: () => open(n, oneByOne) };
}

async function open(n, form) {
  const weights = weightsOf(n);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const contenders = await form(weights);
  return { law: weights.map((weight) => weight / total), draws: Math.max(100_000, 20 * n), contenders };
}

async function rollmillList(weights) {
  return ours(await import("rollmill")).list(weights);
}

async function inBulk(weights) {
  const { cRival } = await import("../rivals/c.mjs");
  const { npmPicks } = await import("../rivals/npm/picks.mjs");
  const list = await rollmillList(weights);
  const load = [weights.length, ...weights].join(" ");
  const c = await cRival("picks", load);
  const branchFree = await cRival("picks", load, { name: "c, branch-free", defines: ["BRANCH_FREE"] });
  return [
    into("rollmill", (out) => list.pickInto(out), weights),
    ...[c, branchFree].filter(Boolean),
    apart("js", import.meta.url, "openJs", weights.length, "inBulk"),
    ...npmPicks(weights).map(({ name, pick, linear }) => ({
      ...into(name, fillLoop(pick), weights, linear ? LINEAR_BUFFER : BUFFER),
      npm: true,
    })),
  ];
}

/** Opens the contender `js` of {@link inBulk} or {@link oneByOne}, which runs in a separate process. */
export async function openJs(n, form) {
  const { jsPicks } = await import("../rivals/js/picks.mjs");
  const weights = weightsOf(n);
  const { pick, pickInto } = jsPicks(weights);
  return form === "inBulk" ? into("js", pickInto, weights) : calls("js", pick, weights);
}

/** A contender that fills a buffer in each call. */
function into(name, pickInto, weights, ops = BUFFER) {
  const out = new Uint32Array(ops);
  return {
    name,
    ops,
    run() {
      pickInto(out);
      return out[0];
    },
    sample(draws) {
      const picked = new Uint32Array(draws);
      pickInto(picked);
      return tally(picked, weights.length);
    },
  };
}

async function oneByOne(weights) {
  const { npmPicks } = await import("../rivals/npm/picks.mjs");
  const list = await rollmillList(weights);
  return [
    calls("rollmill", () => list.pick(), weights),
    apart("js", import.meta.url, "openJs", weights.length, "oneByOne"),
    ...npmPicks(weights).map(({ name, pick }) => ({ ...calls(name, pick, weights), npm: true })),
  ];
}

/** A contender that is called once per pick. */
function calls(name, pick, weights) {
  const loop = sumLoop(pick);
  return {
    name,
    ops: SINGLES,
    run: () => loop(SINGLES),
    sample: (draws) => tally(Array.from({ length: draws }, pick), weights.length),
  };
}
