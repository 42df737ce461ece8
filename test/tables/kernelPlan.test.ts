import { describe, expect, test } from "vitest";
import { type Address, type Kernel, Status } from "../../src/kernel/index.js";
import { openKernel } from "../kernel/open.js";
import { BelowTemplate } from "../oracle/below.js";
import { purposeWords } from "../oracle/words.js";

const JUMP = 2 ** 31;
const READY = 0;
const POISONED = 1;

/** Columns as [weight, target]; a target of ≥ JUMP is a row. */
type Row = { readonly columns: readonly (readonly [weight: number, target: number])[]; readonly state?: number };

function build(kernel: Kernel, rows: readonly Row[], dead: number): Address {
  const columns = rows.flatMap((row) => row.columns);
  const plan = kernel.taken(
    kernel.call((exports) => exports.createTable(rows.length, columns.length, dead)),
    "a table",
  );
  const at = kernel.call((exports) => [exports.tableRows(plan), exports.tableSums(plan), exports.tableTargets(plan)]);
  const [rowWords, sums, targets] = at.map((address, i) =>
    kernel.u32(address, i === 0 ? rows.length * 4 : columns.length),
  );
  let written = 0;
  for (const [r, { columns: own, state = READY }] of rows.entries()) {
    const first = written;
    let total = 0;
    for (const [weight, target] of own) {
      total += weight;
      sums[written] = total;
      targets[written++] = target;
    }
    rowWords.set([first, own.length, total, state], 4 * r);
  }
  kernel.call((exports) => exports.buildTable(plan));
  return plan;
}

describe("a plan straight in the kernel", () => {
  test("2^21 rows: the least guide, of two bits", () => {
    const kernel = openKernel("moria", 2 ** 29);
    const size = 2 ** 21;
    const far = (r: number) => Math.imul(r + 1, 0x9e3779b1) >>> 11;
    const rows = Array.from(
      { length: size },
      (_, r): Row => ({
        columns: [
          [3, JUMP + far(r)],
          [1, 0],
          [2, 1],
        ],
      }),
    );
    const plan = build(kernel, rows, 2);
    expect(kernel.call((exports) => exports.tableWide(plan))).toBe(1);
    expect(kernel.call((exports) => exports.rollTable(plan, 5, 1000, 7, 0, 3, 600))).toBe(Status.OK);
    const ids = [...kernel.u32(kernel.window, 600)];
    const words = purposeWords(kernel.key, 7);
    const { below } = withBelow();
    const expected = ids.map((_, k) => {
      let row = 5;
      for (let hop = 0; ; hop++) {
        const r = below(words.word(hop, k + 3), 6, (i) => words.extra(hop, k + 3, i));
        if (r >= 3) return r === 3 ? 0 : 1;
        row = far(row);
      }
    });
    expect(ids).toEqual(expected);
  });

  test("a failure says which row and which roll, counted from the first of the batch, in any block", () => {
    const kernel = openKernel();
    const rows: Row[] = [
      {
        columns: [
          [999, 0],
          [1, JUMP + 1],
        ],
      },
      { columns: [[1, 0]], state: POISONED },
      { columns: [[1, JUMP + 2]] },
    ];
    const plan = build(kernel, rows, 1);
    const roll = (start: number, offset: number, count: number) =>
      kernel.call((exports) => exports.rollTable(plan, start, 50, 7, 0, offset, count));
    const words = purposeWords(kernel.key, 7);
    const through = Array.from({ length: 9000 }, (_, k) => k).filter((k) => words.word(0, k) / 2 ** 32 >= 0.999);
    expect(through.length).toBeGreaterThan(3);
    for (const k of through.slice(0, 4)) {
      const offset = Math.min(1000, k);
      const earlier = through.filter((each) => each >= offset);
      expect(roll(0, offset, 9000 - offset)).toBe(Status.POISONED_ROW);
      expect(kernel.call((exports) => [exports.failedOffset(), exports.failedRow()])).toEqual([earlier[0] - offset, 1]);
      expect(roll(0, offset, earlier[0] - offset)).toBe(Status.OK);
    }
    expect(roll(1, 3, 5)).toBe(Status.POISONED_ROW);
    expect(roll(2, 3, 5)).toBe(Status.TOO_MANY_HOPS);
    expect(kernel.call((exports) => [exports.failedOffset(), exports.failedRow()])).toEqual([0, 2]);
  });

  test("a column picked from the window: each r of small lists, a total of 0, the largest total", () => {
    const kernel = openKernel();
    const words = purposeWords(kernel.key, 7);
    const { below } = withBelow();
    for (const weights of [[1], [0, 1], [1, 0], [3, 0, 2, 1], [2 ** 32 - 2, 1], [2 ** 31, 2 ** 31 - 1], [0, 0, 5, 0]]) {
      const total = weights.reduce((a, b) => a + b);
      for (let k = 1000; k < 1060; k++) {
        const hop = k % 3;
        kernel.u32(kernel.window, weights.length).set(weights);
        const column = kernel.call((exports) => exports.pickColumn(weights.length, 7, hop, k >> 10, k & 1023));
        const sums = weights.map((_, c) => weights.slice(0, c + 1).reduce((a, b) => a + b));
        const r = below(words.word(hop, k), total, (i) => words.extra(hop, k, i));
        expect([weights, k, column]).toEqual([weights, k, sums.findIndex((sum) => sum > r)]);
      }
    }
    for (const zeros of [[], [0], [0, 0, 0]]) {
      kernel.u32(kernel.window, zeros.length).set(zeros);
      expect(kernel.call((exports) => exports.pickColumn(zeros.length, 7, 0, 0, 0))).toBe(zeros.length);
    }
  });
});

function withBelow(): { below: (word: number, m: number, extra: (i: number) => number) => number } {
  const template = new BelowTemplate(32);
  return { below: (word, m, extra) => template.below(word, m, extra) };
}
