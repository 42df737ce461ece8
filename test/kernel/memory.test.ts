import { describe, expect, test } from "vitest";
import { type Address, Status } from "../../src/kernel/index.js";
import { AliasHead } from "../../src/kernel/layout.js";
import { refusalOf } from "../refusal.js";
import { openKernel, wordIn } from "./open.js";

const MIB = 2 ** 20;

function allocate(kernel: ReturnType<typeof openKernel>, bytes: number): Address {
  return (kernel.call((exports) => exports.allocate(bytes)) >>> 0) as Address;
}

describe("the arena", () => {
  test("hands out blocks of 16-byte alignment that do not overlap, and views see what is written", () => {
    const kernel = openKernel(4 * MIB);
    const blocks = [1, 15, 16, 17, 0, 4096, 70_000, 300_000].map((bytes) => ({ bytes, at: allocate(kernel, bytes) }));
    for (const [i, { bytes, at }] of blocks.entries()) {
      expect(at % 16).toBe(0);
      kernel.u8(at, bytes).fill(i + 1);
    }
    for (const [i, { bytes, at }] of blocks.entries())
      expect(kernel.u8(at, bytes).every((byte) => byte === i + 1)).toBe(true);
    // growth detached the first view; what was written is still there
    expect(kernel.u16(blocks[7].at, 2)[1]).toBe(0x0808);
    expect(kernel.u32(blocks[7].at, 2)[1]).toBe(0x0808_0808);
  });

  test("never grows over its limit, refuses with 0, and goes on with what fits", () => {
    const kernel = openKernel(2 * MIB);
    const before = wordIn(kernel, [1, 2], { high: 0, plane: 2, index: 3 });
    expect(allocate(kernel, 2 * MIB)).toBe(0);
    let taken = 0;
    while (allocate(kernel, 100_000) !== 0) taken++;
    expect(taken).toBeGreaterThan(14);
    expect(kernel.bytes).toBeLessThanOrEqual(2 * MIB);
    expect(allocate(kernel, 100_000)).toBe(0);
    expect(allocate(kernel, 16)).not.toBe(0);
    expect(wordIn(kernel, [1, 2], { high: 0, plane: 2, index: 3 })).toBe(before);
    expect(refusalOf(() => kernel.taken(0 as Address, "a test")).code).toBe("kernel.memory");
  });

  test("a request that wraps around the address space, or ends in its last page, is refused", () => {
    const kernel = openKernel(2 * MIB);
    const top = allocate(kernel, 0);
    for (const bytes of [
      2 ** 32 - 1,
      2 ** 32 - 16,
      2 ** 32 - top,
      2 ** 32 - top - 16,
      2 ** 32 - top - 65_536,
      2 ** 31,
    ]) {
      expect([bytes, allocate(kernel, bytes)]).toEqual([bytes, 0]);
    }
    expect(allocate(kernel, 16)).toBe(top);
  });

  test("memory that must be zero is, where something was built and given back before", () => {
    const kernel = openKernel(4 * MIB);
    const n = 2 ** 12;
    const list = kernel.call((exports) => exports.createAlias(n));
    const at = kernel.read(list, AliasHead).shares as Address;
    kernel.u32(at, n).fill(0xffff);
    expect(kernel.call((exports) => exports.buildAlias(list, n))).toBe(Status.OK);
    // the scratch of the build lies where the walkers come to stand
    const walkers = kernel.call((exports) => exports.createWalkers(n));
    expect(kernel.u32(walkers, 4 * n).every((word) => word === 0)).toBe(true);
  });

  test.each([
    ["alias table", (exports: Exports) => exports.createAlias(2 ** 20)],
    ["table", (exports: Exports) => exports.createTable(2 ** 16, 2 ** 18, 9)],
    ["table of many columns", (exports: Exports) => exports.createTable(2, 2 ** 24, 9)],
    ["walkers", (exports: Exports) => exports.createWalkers(2 ** 20)],
    ["walkers beyond any memory", (exports: Exports) => exports.createWalkers(2 ** 28)],
  ])("a refused %s takes nothing", (_, build) => {
    const kernel = openKernel(2 * MIB);
    const top = allocate(kernel, 0);
    for (let i = 0; i < 3; i++) expect(kernel.call(build)).toBe(0);
    expect(allocate(kernel, 0)).toBe(top);
  });

  test("an alias table whose build finds no room answers so", () => {
    const kernel = openKernel(1.5 * MIB);
    const n = 2 ** 16;
    const list = kernel.taken(
      kernel.call((exports) => exports.createAlias(n)),
      "a list",
    );
    const at = kernel.read(list, AliasHead).shares as Address;
    kernel.u32(at, n).fill(1);
    expect(kernel.call((exports) => exports.buildAlias(list, n))).toBe(Status.OUT_OF_MEMORY);
  });
});

type Exports = Parameters<Parameters<ReturnType<typeof openKernel>["call"]>[0]>[0];
