import { describe, expect, test } from "vitest";
import { type Address, type Kernel, Status, within } from "../../src/kernel/index.js";
import { JUMP, RowState, TableHead, TableRow } from "../../src/kernel/layout.js";
import { keyOfTwin, openKernel } from "../kernel/open.js";
import { BelowTemplate } from "../oracle/below.js";
import { streamKey, streamWords } from "../oracle/words.js";

const KEY = streamKey("moria", "loot");

/** Columns as [weight, target]; a target of ≥ JUMP is a row. */
type Row = { readonly columns: readonly (readonly [weight: number, target: number])[]; readonly state?: RowState };

/** Builds a plan of `size` rows. Calls `rowOf` twice for each, so that it need not keep millions of them. */
function build(kernel: Kernel, size: number, rowOf: (r: number) => Row, dead: number): Address {
  let columns = 0;
  for (let r = 0; r < size; r++) columns += rowOf(r).columns.length;
  const plan = kernel.taken(
    kernel.call((exports) => exports.createTable(size, columns, dead)),
    "a table",
  );
  const head = kernel.read(plan, TableHead);
  const sums = kernel.u32(head.sums as Address, columns);
  const targets = kernel.u32(head.targets as Address, columns);
  let first = 0;
  for (let r = 0; r < size; r++) {
    const { columns: own, state = RowState.READY } = rowOf(r);
    let total = 0;
    for (const [c, [weight, target]] of own.entries()) {
      total += weight;
      sums[first + c] = total;
      targets[first + c] = target;
    }
    const at = within(head.rows as Address, r * TableRow.bytes);
    kernel.write(at, TableRow, { first, columns: own.length, total, state });
    first += own.length;
  }
  kernel.call((exports) => exports.buildTable(plan));
  return plan;
}

describe("a plan straight in the kernel", () => {
  // from 2^21 rows on, a guide that halves whenever the rows double would have no bits left
  test("2^21 rows: the smallest guide, of two bits", () => {
    const kernel = openKernel(2 ** 29);
    const size = 2 ** 21;
    const far = (r: number) => Math.imul(r + 1, 0x9e3779b1) >>> 11;
    const rowOf = (r: number): Row => ({
      columns: [
        [3, JUMP + far(r)],
        [1, 0],
        [2, 1],
      ],
    });
    const plan = build(kernel, size, rowOf, 2);
    expect(kernel.read(plan, TableHead).wide).toBe(1);
    expect(kernel.run(keyOfTwin(KEY), (exports) => exports.rollTable(plan, 5, 1000, 0, 3, 600))).toBe(Status.OK);
    const ids = [...kernel.u32(kernel.window, 600)];
    const words = streamWords(KEY);
    const template = new BelowTemplate(32);
    const expected = ids.map((_, k) => {
      let row = 5;
      for (let hop = 0; ; hop++) {
        const r = template.below(words.word(hop, k + 3), 6, (i) => words.extra(hop, k + 3, i));
        if (r >= 3) return r === 3 ? 0 : 1;
        row = far(row);
      }
    });
    expect(ids).toEqual(expected);
  });

  test("a failure names the row and the roll, counted from the first of the batch, in any block", () => {
    const kernel = openKernel();
    const rows: Row[] = [
      {
        columns: [
          [999, 0],
          [1, JUMP + 1],
        ],
      },
      { columns: [[1, 0]], state: RowState.POISONED },
      { columns: [[1, JUMP + 2]] },
    ];
    const plan = build(kernel, rows.length, (r) => rows[r], 1);
    const roll = (start: number, offset: number, count: number) =>
      kernel.run(keyOfTwin(KEY), (exports) => exports.rollTable(plan, start, 50, 0, offset, count));
    const words = streamWords(KEY);
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
});
