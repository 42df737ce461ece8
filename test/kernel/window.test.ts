import { describe, expect, test } from "vitest";
import { type Address, type Kernel, type KernelExports, Status } from "../../src/kernel/index.js";
import { AliasHead, RowState, TableHead, TableRow } from "../../src/kernel/layout.js";
import { firstDifference, openKernel } from "./open.js";

const RESULTS = 65_536;
const GUARD_WORDS = 8192;

/** A kernel with a guard right behind the window, where the first plan would stand, and whether it is untouched. */
function openGuarded(): { kernel: Kernel; untouched: () => boolean } {
  const kernel = openKernel();
  const guard = kernel.call((exports) => exports.allocate(GUARD_WORDS * 4));
  kernel.u32(guard, GUARD_WORDS).fill(0xabad_cafe);
  return { kernel, untouched: () => kernel.u32(guard, GUARD_WORDS).every((word) => word === 0xabad_cafe) };
}

function buildList(kernel: Kernel, weights: readonly number[]): Address {
  const list = kernel.call((exports) => exports.createAlias(weights.length));
  kernel.u32(kernel.read(list, AliasHead).shares as Address, weights.length).set(weights);
  expect(kernel.call((exports) => exports.buildAlias(list, weights.length))).toBe(Status.OK);
  return list;
}

describe("a full window is filled to its last result and no further", () => {
  const bulk: [string, (kernel: Kernel) => (exports: KernelExports) => unknown][] = [
    ["words", () => (exports) => exports.fillWindow(0, 0, 3, RESULTS)],
    ["picks of one entry", (kernel) => (exports) => exports.pickList(buildList(kernel, [7]), 0, 0, RESULTS)],
    ["picks", (kernel) => (exports) => exports.pickList(buildList(kernel, [7, 1, 2]), 0, 0, RESULTS)],
  ];
  test.each(bulk)("%s", (_, prepare) => {
    const { kernel, untouched } = openGuarded();
    kernel.u32(kernel.window, RESULTS).fill(0xffff_fff0);
    kernel.call(prepare(kernel));
    expect(kernel.u32(kernel.window, RESULTS).indexOf(0xffff_fff0)).toBe(-1);
    expect(untouched()).toBe(true);
  });

  test("picks from any offset in a block, to the window's end: the margin takes what overhangs", () => {
    const { kernel, untouched } = openGuarded();
    for (const weights of [[7], [7, 1, 2]]) {
      const list = buildList(kernel, weights);
      kernel.call((exports) => exports.pickList(list, 0, 0, RESULTS));
      const whole = kernel.u32(kernel.window, RESULTS).slice();
      for (const offset of [1, 2, 3, 5, 1000, 1022, 1023]) {
        kernel.u32(kernel.window, RESULTS).fill(0xffff_fff0);
        kernel.call((exports) => exports.pickList(list, 0, offset, RESULTS - offset));
        const part = kernel.u32(kernel.window, RESULTS - offset);
        expect([offset, firstDifference(part, whole.subarray(offset)), untouched()]).toEqual([offset, -1, true]);
      }
    }
  });

  test.each([
    [2, 3],
    [4, 40_000],
  ])("rolls, ids of %s bytes", (bytes, results) => {
    const { kernel, untouched } = openGuarded();
    const plan = kernel.call((exports) => exports.createTable(1, 1, results));
    const { rows, sums, targets } = kernel.read(plan, TableHead);
    kernel.write(rows as Address, TableRow, { first: 0, columns: 1, total: 9, state: RowState.READY });
    kernel.u32(sums as Address, 1)[0] = 9;
    kernel.u32(targets as Address, 1)[0] = 2;
    kernel.call((exports) => exports.buildTable(plan));
    kernel.u32(kernel.window, RESULTS).fill(0xffff_fff0);
    expect(kernel.call((exports) => exports.rollTable(plan, 0, 5, 0, 0, RESULTS))).toBe(Status.OK);
    const ids = bytes === 4 ? kernel.u32(kernel.window, RESULTS) : kernel.u16(kernel.window, RESULTS);
    expect(ids.every((id) => id === 2)).toBe(true);
    expect(untouched()).toBe(true);
    const after =
      bytes === 4
        ? 0
        : kernel
            .u32(kernel.window, RESULTS)
            .subarray(RESULTS / 2)
            .findIndex((word) => word !== 0xffff_fff0);
    expect(after).toBe(bytes === 4 ? 0 : -1);
  });
});
