import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  halfNormalTable,
  M_BONUS_TOTAL,
  MAX_M_BONUS,
  MAX_M_BONUS_LEVEL,
  mBonusOdds,
} from "../../src/objects/law/mBonus.js";

const maxima = Array.from({ length: MAX_M_BONUS + 1 }, (_, max) => max);
const levels = Array.from({ length: MAX_M_BONUS_LEVEL + 1 }, (_, level) => level);
const odds = (max: number, level: number) => [...mBonusOdds(max, level)];
const anyMax = fc.integer({ min: 0, max: MAX_M_BONUS });
const anyLevel = fc.integer({ min: 0, max: MAX_M_BONUS_LEVEL });

function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}

function meanOf(weights: readonly number[]): number {
  return sum(weights.map((weight, value) => weight * value)) / M_BONUS_TOTAL;
}

function spreadOf(weights: readonly number[]): number {
  const mean = meanOf(weights);
  return Math.sqrt(sum(weights.map((weight, value) => weight * (value - mean) ** 2)) / M_BONUS_TOTAL);
}

/** ∫ e^(−t²/2) from 0 to k/64 as two integers: all terms positive, e^(−z²/2) · Σ z^(2n+1) / (1·3·5 … (2n+1)). */
function positiveSeries(k: number): { readonly above: bigint; readonly below: bigint } {
  const unit = 1n << 256n;
  const [square, scale] = [BigInt(k * k), 4096n];
  let [odd, exponential] = [(BigInt(k) * unit) / 64n, unit];
  let [above, below] = [odd, exponential];
  for (let n = 1n; n < 160n; n++) {
    odd = (odd * square) / (scale * (2n * n + 1n));
    exponential = (exponential * square) / (scale * 2n * n);
    above += odd;
    below += exponential;
  }
  return { above, below };
}

describe("the half normal table", () => {
  test("every entry is the correctly rounded one, by another series in twice the digits", () => {
    const whole = positiveSeries(256);
    const scale = 1n << 80n;
    const halfway = (1n << 79n) - (1n << 40n);
    halfNormalTable().forEach((entry, k) => {
      const { above, below } = positiveSeries(k + 1);
      const exact = (scale * (1n << 20n) * above * whole.below) / (below * whole.above);
      const distance = exact - BigInt(entry) * scale;
      expect(distance > -halfway && distance < halfway, `entry ${k}`).toBe(true);
    });
  });

  test("it has 256 rising entries, its first and last ones known, and ends at 2^20", () => {
    const table = halfNormalTable();
    expect(table).toHaveLength(256);
    expect([...table.slice(0, 3)]).toEqual([13073, 26142, 39206]);
    expect([63, 127, 191, 255].map((k) => table[k])).toEqual([715897, 1000929, 1045811, 1048576]);
    expect(table.every((entry, k) => k === 0 || entry > table[k - 1])).toBe(true);
  });

  test("68.27 and 95.45 in a hundred lie within one and two deviations", () => {
    expect(halfNormalTable()[63] / 2 ** 20).toBeCloseTo(0.6827, 3);
    expect(halfNormalTable()[127] / 2 ** 20).toBeCloseTo(0.9545, 3);
  });
});

describe("the odds of m_bonus", () => {
  test("the weights of every bonus at every level sum to 2^31", () => {
    const wrong = maxima.flatMap((max) => levels.filter((level) => sum(odds(max, level)) !== 2 ** 31));
    expect(wrong).toEqual([]);
  });

  test("they are what the law says, case by case", () => {
    for (const [max, level] of [
      [1, 1],
      [5, 30],
      [10, 127],
      [13, 77],
      [255, 100],
    ]) {
      expect(odds(max, level), `m_bonus(${max}, ${level})`).toEqual(caseByCase(max, level));
    }
  });

  test("a higher level never gives less, nor does a larger bonus give less on the whole", () => {
    fc.assert(
      fc.property(anyMax, anyLevel, anyLevel, (max, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((level) => odds(max, level));
        return low.every((_, value) => sum(high.slice(0, value + 1)) <= sum(low.slice(0, value + 1)));
      }),
    );
    for (const level of [1, 30, 64, 127]) {
      const means = maxima.map((max) => meanOf(odds(max, level)));
      expect(means.filter((mean, max) => max > 0 && mean <= means[max - 1])).toEqual([]);
    }
  });

  test("level L gives, read backwards, what 128 − L does", () => {
    fc.assert(
      fc.property(anyMax, fc.integer({ min: 1, max: 127 }), (max, level) => {
        expect(odds(max, 128 - level)).toEqual(odds(max, level).reverse());
      }),
    );
  });

  test("half way down the mean is exactly half of the bonus", () => {
    expect(maxima.filter((max) => meanOf(odds(max, 64)) !== max / 2)).toEqual([]);
  });

  test("the mean is max · level / 128 and the spread max / 4, but for what is clamped at two deviations and more", () => {
    for (const max of [40, 100, 252, 255]) {
      for (const level of [0, 10, 32, 64, 100, 127]) {
        const clamped = clampedNormal(max, level);
        expect(Math.abs(meanOf(odds(max, level)) - clamped.mean), `mean of ${max} at ${level}`).toBeLessThan(max / 400);
        expect(Math.abs(spreadOf(odds(max, level)) / clamped.spread - 1), `spread of ${max} at ${level}`).toBeLessThan(
          0.01,
        );
      }
    }
  });

  test("nothing comes of a bonus of 0, and level 0 leaves the upper half of the normal law", () => {
    for (const level of [0, 64, 127]) expect(odds(0, level)).toEqual([M_BONUS_TOTAL]);
    expect(odds(4, 0)).toEqual([1484930048, 519145472, 130140160, 12836864, 431104]);
    expect(odds(3, 0)[0]).toBeGreaterThan(M_BONUS_TOTAL / 2);
  });

  test("levels above 127 are level 127", () => {
    for (const level of [128, 255, 1e6]) expect(odds(9, level)).toEqual(odds(9, 127));
    expect(odds(9, 127)).not.toEqual(odds(9, 126));
  });
});

describe("golden values", () => {
  test("some bonuses", () => {
    expect(odds(1, 64)).toEqual([1073741824, 1073741824]);
    expect(odds(2, 30)).toEqual([1120145888, 833958976, 193378784]);
    expect(odds(5, 30)).toEqual([629315420, 681586628, 524325692, 217658336, 65075820, 29521752]);
    expect(odds(9, 127)).toEqual([
      1364440, 2439908, 6185465, 14876508, 35868758, 79759668, 155588039, 259086576, 351878902, 1240435384,
    ]);
  });

  test("all of them, as little-endian words by bonus and level", () => {
    const rows = maxima.flatMap((max) => levels.map((level) => mBonusOdds(max, level)));
    const bytes = new DataView(new ArrayBuffer(4 * rows.reduce((length, row) => length + row.length, 0)));
    let offset = 0;
    for (const weight of rows.flatMap((row) => [...row])) {
      bytes.setUint32(offset, weight, true);
      offset += 4;
    }
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(
      "42cc6c3d446646e6a4830de236639017f406254a8a73d3e7e3eb02a097bd0b75",
    );
  });
});

/** The law of the documentation, its cases walked one by one but for those of a cell. */
function caseByCase(max: number, level: number): number[] {
  const weights: number[] = new Array(max + 1).fill(0);
  const table = [0, ...halfNormalTable()];
  for (let meanCase = 0; meanCase < 128; meanCase++) {
    const mean = Math.floor((max * level) / 128) + (meanCase < (max * level) % 128 ? 1 : 0);
    for (let spreadCase = 0; spreadCase < 4; spreadCase++) {
      const spread = Math.floor(max / 4) + (spreadCase < max % 4 ? 1 : 0);
      for (let half = 0; half < 512; half++) {
        const deviation = Math.round((spread * (2 * half + 1)) / 256);
        const cell = Math.floor(half / 2);
        for (const value of [mean + deviation, mean - deviation]) {
          weights[Math.max(0, Math.min(max, value))] += table[cell + 1] - table[cell];
        }
      }
    }
  }
  return weights;
}

/** Mean and spread of the normal law around max · level / 128, clamped to 0 … max, by the midpoint rule. */
function clampedNormal(max: number, level: number): { readonly mean: number; readonly spread: number } {
  let [mass, first, second] = [0, 0, 0];
  for (let z = -6; z < 6; z += 1 / 1024) {
    const middle = z + 1 / 2048;
    const density = Math.exp((-middle * middle) / 2);
    const value = Math.min(max, Math.max(0, (max * level) / 128 + (middle * max) / 4));
    mass += density;
    first += density * value;
    second += density * value * value;
  }
  const mean = first / mass;
  return { mean, spread: Math.sqrt(second / mass - mean * mean) };
}
