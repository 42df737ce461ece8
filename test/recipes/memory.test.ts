import { describe, expect, test } from "vitest";
import { usedBytes } from "../../src/kernel/copy.js";
import { openKernel } from "../kernel/open.js";

const LIMIT = 2 ** 20;
const [COLUMNS, GROUPS] = [4, 2];

/** Returns the bytes that a recipe takes. */
function bytesOf(columns: number, groups: number): number {
  const kernel = openKernel(LIMIT);
  const before = usedBytes(kernel);
  expect(kernel.call((exports) => exports.createRecipe(columns, groups))).not.toBe(0);
  return usedBytes(kernel) - before;
}

/** Returns a kernel with so many free bytes. */
function kernelWith(bytes: number): ReturnType<typeof openKernel> {
  const kernel = openKernel(LIMIT);
  expect(kernel.call((exports) => exports.allocate(LIMIT - usedBytes(kernel) - bytes))).not.toBe(0);
  expect(LIMIT - usedBytes(kernel)).toBe(bytes);
  return kernel;
}

describe("createRecipe out of memory", () => {
  const [head, columns, all] = [bytesOf(0, 0), bytesOf(COLUMNS, 0), bytesOf(COLUMNS, GROUPS)];
  const STEP = 16;

  test.each([
    ["its head", head - STEP],
    ["its first column", head],
    ["its last column", columns - STEP],
    ["its first stats", columns],
    ["its last stats", all - STEP],
  ])("fails at %s: returns 0 and leaks nothing, and a smaller recipe is created later", (_, free) => {
    const kernel = kernelWith(free);
    const before = usedBytes(kernel);
    for (let times = 0; times < 3; times++) {
      expect(kernel.call((exports) => exports.createRecipe(COLUMNS, GROUPS))).toBe(0);
      expect(usedBytes(kernel)).toBe(before);
    }
    const small = kernel.call((exports) => exports.createRecipe(0, 0));
    expect(small !== 0).toBe(free >= head);
  });

  test("succeeds with exactly the bytes that it takes", () => {
    expect(kernelWith(all).call((exports) => exports.createRecipe(COLUMNS, GROUPS))).not.toBe(0);
  });
});
