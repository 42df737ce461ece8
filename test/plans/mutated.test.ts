// Damaged plan files: a host refuses them, or they give results. None makes the kernel trap or loop without an end.
import { expect, test } from "vitest";
import { crc32 } from "../../src/formats/bytes.js";
import { bake } from "../../src/plans/index.js";
import { IS_SOAK } from "../soak.js";
import { Host } from "./host.js";
import { openNouns, SEED, smallOf } from "./nouns.js";

const CASES = IS_SOAK ? { nouns: 100_000, worlds: 20_000 } : { nouns: 2000, worlds: 200 };
const VALUES = [0, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 16, 2 ** 20, 2 ** 24];

test.each(["nouns", "worlds"] as const)("mutated plans of %s are refused or harmless", { timeout: 6_000_000 }, (of) => {
  const plan = bake(smallOf(openNouns())[of]);
  let seed = 2463534242;
  const below = (m: number) => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % m;
  };
  const outcomes = { opened: 0, PLAN: 0, VERSION: 0, MEMORY: 0 };
  for (let one = 0; one < CASES[of]; one++) {
    const words = new Uint32Array(plan.buffer.slice(0));
    for (let spoilt = below(3); spoilt >= 0; spoilt--) {
      const at = below(words.length - 1);
      words[at] = [VALUES[below(VALUES.length)], words[at] ^ (1 << below(32)), words[at] + below(3) - 1][below(3)];
    }
    const length = below(8) === 0 ? 1 + below(words.length) : words.length;
    const bytes = new Uint8Array(words.buffer, 0, 4 * length);
    words[length - 1] = crc32(bytes.subarray(0, -4));
    const host = new Host(bytes);
    if (host.status === "OK") host.all(50);
    outcomes[host.status === "OK" ? "opened" : (host.status as "PLAN")]++;
  }
  // both kinds of cases occur, so the mutations reach the checks, and pass them
  expect(outcomes.opened).toBeGreaterThan(CASES[of] / 10);
  expect(outcomes.PLAN).toBeGreaterThan(CASES[of] / 10);
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
