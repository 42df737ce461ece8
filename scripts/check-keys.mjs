// Proves that no two of many seeds and names have the same key. It takes about a minute of CPU time and 80 MB, so the
// tests check only a part of the seeds. Run `npm run build` first.
import { nameKey, seedKey } from "../build/modules/address.js";

const TEXTS = [
  [0x20, 95],
  [0xc0, 105],
  [0x3b1, 25],
  [0x4e00, 600],
  [0x1f300, 175],
].flatMap(([first, count]) => Array.from({ length: count }, (_, i) => String.fromCodePoint(first + i)));

/** Returns how many of the keys are equal to another one. */
function repeatedKeys(count, keyOf) {
  const halves = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const { k0, k1 } = keyOf(i);
    halves[2 * i] = k0;
    halves[2 * i + 1] = k1;
  }
  const keys = new BigUint64Array(halves.buffer).sort();
  let repeated = 0;
  for (let i = 1; i < count; i++) if (keys[i] === keys[i - 1]) repeated++;
  return repeated;
}

/** The texts of up to two characters, in order. */
function textOf(i) {
  if (i <= TEXTS.length) return i === 0 ? "" : TEXTS[i - 1];
  const at = i - TEXTS.length - 1;
  return TEXTS[Math.floor(at / TEXTS.length)] + TEXTS[at % TEXTS.length];
}

/** Random names of 12 characters, from a linear congruential generator of period 2^48: all are different. */
function randomNames() {
  let state = 1n;
  return () => {
    state = (state * 0x5deece66dn + 11n) & 0xffff_ffff_ffffn;
    return state.toString(16).padStart(12, "0");
  };
}

const mill = seedKey("moria");
const nextName = randomNames();
const checks = [
  ["10^6 integers as seeds", 1e6, (i) => seedKey(i)],
  ["texts of up to two characters as seeds", 1 + 1000 + 1e6, (i) => seedKey(textOf(i))],
  ["10^7 random names", 1e7, () => nameKey(mill, nextName())],
];
for (const [what, count, keyOf] of checks) {
  const repeated = repeatedKeys(count, keyOf);
  console.log(`${what}: ${repeated} repeated keys`);
  if (repeated > 0) process.exitCode = 1;
}
