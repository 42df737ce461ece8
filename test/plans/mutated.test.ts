// Damaged plan files: a host refuses them, or they give results. None makes the kernel trap or loop without an end.
import { expect, test } from "vitest";
import { crc32 } from "../../src/formats/bytes.js";
import { Host } from "./host.js";
import { mutantsOf, openNouns, SEED, smallPlans } from "./nouns.js";

const VALUES = [0, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 16, 2 ** 20, 2 ** 24];

const plans = Object.entries(smallPlans(openNouns()));

let seed = 2463534242;
const below = (m: number) => {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) % m;
};

/** Spoils up to three of the words first … end − 1 of a plan, whose checksum then fits again. */
function spoil(plan: Uint8Array, first: number, end: number, cut: boolean): Uint8Array {
  const words = new Uint32Array(plan.slice().buffer);
  for (let spoilt = below(3); spoilt >= 0; spoilt--) {
    // the first words of a section have its counts
    const at = first + below(below(2) === 0 ? Math.min(400, end - first) : end - first);
    const other = words[first + below(end - first)];
    words[at] = [VALUES[below(VALUES.length)], words[at] ^ (1 << below(32)), words[at] + below(3) - 1, other][below(4)];
  }
  const length = cut && below(8) === 0 ? 1 + below(words.length) : words.length;
  const bytes = new Uint8Array(words.buffer, 0, 4 * length);
  words[length - 1] = crc32(bytes.subarray(0, -4));
  return bytes;
}

test.each(plans)("mutated plans of %s are refused or harmless", { timeout: 6_000_000 }, (name, plan) => {
  const cases = mutantsOf(name);
  const outcomes = { opened: 0, PLAN: 0, VERSION: 0, MEMORY: 0 };
  for (let one = 0; one < cases; one++) {
    const host = new Host(spoil(plan, 0, plan.length / 4 - 1, true));
    if (host.status === "OK") host.all(50);
    outcomes[host.status === "OK" ? "opened" : (host.status as "PLAN")]++;
  }
  // both kinds of cases occur, so the mutations reach the checks, and pass them
  expect(outcomes.opened).toBeGreaterThan(cases / 10);
  expect(outcomes.PLAN).toBeGreaterThan(cases / 10);
});

// a write outside the memory of a noun would change the results of its neighbours
test.each(plans.slice(1))("mutations of %s do not change other nouns", { timeout: 6_000_000 }, (name, plan) => {
  const cases = mutantsOf(name);
  const [others, own] = [plans[0][1], plan].map((bytes) => new Uint32Array(bytes.slice().buffer));
  const section = own.subarray(5, -1);
  const words = Uint32Array.from([...others.subarray(0, 5), ...section, ...others.subarray(5, -1), 0]);
  words[4] += own[4];
  const whole = new Uint8Array(words.buffer);
  const neighbours = new Host(plans[0][1]).all(50);
  let opened = 0;
  for (let one = 0; one < cases; one++) {
    const host = new Host(spoil(whole, 9, 5 + section.length, false));
    if (host.status !== "OK") continue;
    opened++;
    expect(host.all(50).slice(-neighbours.length)).toEqual(neighbours);
  }
  expect(opened).toBeGreaterThan(cases / 10);
});

test.each([2 ** 22, 2 ** 24])("a table of %i rows has guides that fit in the memory", (rows) => {
  const counts = new Uint32Array(rows);
  counts[0] = 1;
  // one noun: a table named "t" with the labels {}, and one column that jumps to the last row
  const head = [2, 1, 2, 6 + rows + 2, 0x74, 0x7d7b, rows, 1, 0, 0, 9, 0];
  const words = [0x504d5289, 0x0a4e414c, 1, 2, 1, ...head];
  const plan = new Uint32Array(words.length + rows + 3);
  plan.set(words);
  plan.set(counts, words.length);
  plan.set([5, 2 ** 31 + rows - 1], words.length + rows);
  const bytes = new Uint8Array(plan.buffer);
  plan[plan.length - 1] = crc32(bytes.subarray(0, -4));
  const host = new Host(bytes, SEED, 2 ** 14);
  expect(host.status).toBe("OK");
  expect(new Set(host.all(100)[0])).toEqual(new Set([0]));
});
