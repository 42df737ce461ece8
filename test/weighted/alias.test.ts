import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Kernel } from "../../src/kernel/index.js";
import { Status } from "../../src/kernel/index.js";
import { AliasHead } from "../../src/kernel/layout.js";
import { firstDifference, openKernel } from "../kernel/open.js";
import { type AliasTwin, aliasAudit, aliasPick, aliasTwin } from "../oracle/alias.js";
import { BelowTemplate } from "../oracle/below.js";

const MAX_TOTAL = 2 ** 32 - 1;

/** Lists that have broken samplers before, or are at an edge of the arithmetic. */
const EDGES: readonly (readonly number[])[] = [
  [1],
  [MAX_TOTAL],
  [1, 1],
  [5, 5],
  [0, 1],
  [1, 0],
  [0, 0, 7],
  [7, 0, 0],
  [MAX_TOTAL - 1, 1],
  [1, MAX_TOTAL - 1],
  [2 ** 31, 2 ** 31 - 1],
  [1, 2, 3],
  [0, MAX_TOTAL, 0],
  [MAX_TOTAL - 3, 1, 1, 1],
  ...[3, 4, 5, 7, 8, 9, 63, 64, 65, 1023, 1024, 1025].flatMap((n) => [
    Array.from({ length: n }, () => 1),
    Array.from({ length: n }, () => Math.floor(MAX_TOTAL / n)),
    Array.from({ length: n }, (_, i) => (i === n - 1 ? MAX_TOTAL - n + 1 : 1)),
    Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 0 : i)),
  ]),
];

const list = fc
  .array(fc.oneof(fc.nat(10), fc.nat(1000), fc.integer({ min: 0, max: 2 ** 32 - 1 })), { minLength: 1, maxLength: 70 })
  .map((weights) => fitted(weights))
  .filter((weights) => weights.some((weight) => weight > 0));

/** The same list with its total brought down to at most 2^32 − 1: what is too much is dropped to 0. */
function fitted(weights: readonly number[]): number[] {
  let total = 0;
  return weights.map((weight) => {
    if (total + weight > MAX_TOTAL) return 0;
    total += weight;
    return weight;
  });
}

describe("the integer audit: over all columns every entry has exactly 2^k times its weight", () => {
  const check = (weights: readonly number[]) => {
    const table = aliasTwin(weights);
    const parts = aliasAudit(table);
    expect(parts).toEqual(parts.map((_, i) => BigInt(weights[i] ?? 0) << BigInt(table.k)));
    expect(table.shares.every((share) => share >= 0n && share <= table.total)).toBe(true);
  };

  test.each(EDGES.map((weights) => [`${weights.length}: ${weights.slice(0, 4)}`, weights] as const))(
    "of %s",
    (_, weights) => check(weights),
  );

  test("of any list", () => fc.assert(fc.property(list, check), { seed: 30120, numRuns: 500 }));
});

describe("the kernel's table = the twin's, column by column", () => {
  const check = (weights: readonly number[]) => {
    const kernel = openKernel();
    expect(readTable(kernel, buildTable(kernel, weights))).toEqual(expected(aliasTwin(weights)));
  };

  test.each(EDGES.map((weights) => [`${weights.length}: ${weights.slice(0, 4)}`, weights] as const))(
    "of %s",
    (_, weights) => check(weights),
  );

  test("of any list", () => fc.assert(fc.property(list, check), { seed: 30121, numRuns: 200 }));

  test("of 2^18 entries, 1 to 16,384 each", () => {
    const weights = Array.from({ length: 2 ** 18 }, (_, i) => 1 + (Math.imul(i, 0x9e3779b1) >>> 18));
    const kernel = openKernel();
    const built = readTable(kernel, buildTable(kernel, weights));
    const twin = expected(aliasTwin(weights));
    expect(firstDifference(built.columns, twin.columns)).toBe(-1);
    expect(firstDifference(built.shares, twin.shares)).toBe(-1);
  });

  test("of 2^24 entries, the most there can be: exact, by an audit of the kernel's own arrays", () => {
    const n = 2 ** 24;
    const kernel = openKernel(2 ** 30);
    const weights = Uint32Array.from({ length: n }, (_, i) => 1 + ((i * 7) & 127));
    const { k, total, columns, shares } = readTable(kernel, buildTable(kernel, weights));
    expect([k, total]).toEqual([24, weights.reduce((sum, weight) => sum + weight)]);
    // parts are at most 128 · 2^24: doubles hold them exactly
    const parts = new Float64Array(n);
    for (let c = 0; c < n; c++) {
      parts[c] += shares[c];
      parts[columns[c] & (n - 1)] += total - shares[c];
    }
    expect(parts.findIndex((part, i) => part !== weights[i] * n)).toBe(-1);
    const threshold = (share: number) => (share === total ? 0 : Math.floor((share * 256) / total));
    expect(columns.findIndex((column, c) => column >>> 24 !== threshold(shares[c]))).toBe(-1);
  });

  test("building leaves nothing behind but the table", () => {
    const kernel = openKernel(2 ** 21);
    // a table takes 128 KiB and, while it is built, 192 KiB more: ten fit 2 MiB only if that is given back
    for (let i = 0; i < 10; i++) buildTable(kernel, new Array(2 ** 14).fill(1));
  });
});

describe("a pick enumerated whole: at 16-bit words each entry wins with exactly its weight", () => {
  // The pick of kernel.md at 16 bits: f = q is settled by a uniform below T against the remainder, T of them in all.
  const wins = (weights: readonly number[]): bigint[] => {
    const { k, total, shares, aliases } = aliasTwin(weights);
    const width = BigInt(2 ** (16 - k));
    const counts = shares.map(() => 0n);
    for (let word = 0; word < 65536; word++) {
      const c = word >>> (16 - k);
      const f = BigInt(word) % width;
      const q = (shares[c] * width) / total;
      const remainder = (shares[c] * width) % total;
      counts[c] += f < q ? total : f > q ? 0n : remainder;
      counts[aliases[c]] += f < q ? 0n : f > q ? total : total - remainder;
    }
    return counts;
  };

  test.each([[[1]], [[1, 2]], [[3, 0, 4]], [[10, 25, 100, 25, 2]], [[1, 1, 1, 1, 1, 1, 65535]], [EDGES[30]]])(
    "%j",
    (weights) => {
      const counts = wins(weights);
      expect(counts).toEqual(counts.map((_, i) => BigInt(weights[i] ?? 0) * 65536n));
    },
  );
});

test("the twin picks by f, and settles f = q by an extra word", () => {
  // weights 1, 2: T = 3, k = 1, t_0 = 2 of 3, alias 1; q_0 = ⌊2·2^31 / 3⌋ = 0x55555555, remainder 1
  const table = aliasTwin([1, 2]);
  expect(table).toMatchObject({ k: 1, shares: [2n, 3n], aliases: [1, 1], thresholds: [0x55555555, 2 ** 31] });
  const third = (r: number) => () => Math.ceil((r * 2 ** 32) / 3) + 1;
  const never = () => Number.NaN;
  expect([0, 0x55555554, 0x55555556, 2 ** 31, 2 ** 32 - 1].map((word) => aliasPick(table, word, never))).toEqual([
    0, 0, 1, 1, 1,
  ]);
  expect([0, 1, 2].map((r) => aliasPick(table, 0x55555555, third(r)))).toEqual([0, 1, 1]);
  expect([0, 1, 2].map((r) => new BelowTemplate(32).uniform(3, third(r)))).toEqual([0, 1, 2]);
});

function buildTable(kernel: Kernel, weights: ArrayLike<number>): Address {
  const list = kernel.taken(
    kernel.call((exports) => exports.createAlias(weights.length)),
    "a list",
  );
  kernel.u32(kernel.read(list, AliasHead).shares as Address, weights.length).set(weights);
  expect(kernel.call((exports) => exports.buildAlias(list, weights.length))).toBe(Status.OK);
  return list;
}

/** The head and the arrays. */
function readTable(kernel: Kernel, list: Address) {
  const { bits: k, total, columns, shares } = kernel.read(list, AliasHead);
  return {
    k,
    total,
    columns: kernel.u32(columns as Address, 2 ** k).slice(),
    shares: kernel.u32(shares as Address, 2 ** k).slice(),
  };
}

/** What should stand there: q and alias packed into one u32, q of a full column 0. */
function expected({ k, total, shares, aliases, thresholds }: AliasTwin) {
  const columns = aliases.map((alias, c) => (thresholds[c] === 2 ** (32 - k) ? 0 : thresholds[c]) * 2 ** k + alias);
  return { k, total: Number(total), columns: Uint32Array.from(columns), shares: Uint32Array.from(shares, Number) };
}
