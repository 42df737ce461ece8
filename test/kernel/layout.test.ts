import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BATCH_RESULTS, BLOCK_WORDS, PlanImage, Status } from "../../src/kernel/index.js";
import * as generated from "../../src/kernel/layout.js";
import { type Layout, viewsOf } from "../../src/kernel/views.js";
import { keyIn, openKernel } from "./open.js";

type AnyLayout = Layout<Record<string, number>>;

const ADDRESS = 64;
const FILL = 0xa5;

/** A layout with the fields of each width and sign, in an order that needs padding, as the build would emit it. */
const SAMPLE: AnyLayout = {
  bytes: 16,
  offsets: { small: 0, wide: 4, negative: 8, byte: 10, last: 12 },
  write(to, address, values) {
    to.u8[address] = values.small;
    to.u32[(address + 4) >>> 2] = values.wide;
    to.i16[(address + 8) >>> 1] = values.negative;
    to.i8[address + 10] = values.byte;
    to.i32[(address + 12) >>> 2] = values.last;
  },
  read: (from, address) => ({
    small: from.u8[address],
    wide: from.u32[(address + 4) >>> 2],
    negative: from.i16[(address + 8) >>> 1],
    byte: from.i8[address + 10],
    last: from.i32[(address + 12) >>> 2],
  }),
};

const emitted = Object.entries(generated as Record<string, unknown>).filter((entry): entry is [string, AnyLayout] =>
  isLayout(entry[1]),
);
const layouts: [string, AnyLayout][] = [["a sample", SAMPLE], ...emitted];

describe.each(layouts)("the layout %s", (_, layout) => {
  const fields = Object.keys(layout.offsets);

  test("has its fields in order, without overlap, within its bytes", () => {
    const widths = fields.map((field) => widthOf(layout, field));
    let end = 0;
    for (const [i, field] of fields.entries()) {
      expect(layout.offsets[field]).toBeGreaterThanOrEqual(end);
      expect(layout.offsets[field] % widths[i]).toBe(0);
      end = layout.offsets[field] + widths[i];
    }
    expect(layout.bytes).toBe(end);
  });

  test("reads what it wrote, and writes nothing else", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat({ max: 127 })), (numbers) => {
        const values = Object.fromEntries(fields.map((field) => [field, Number(numbers.next().value)]));
        const views = viewsOf(new ArrayBuffer(ADDRESS + 4 * Math.ceil(layout.bytes / 4) + ADDRESS));
        views.u8.fill(FILL);
        layout.write(views, ADDRESS, values);
        expect(layout.read(views, ADDRESS)).toEqual(values);
        const outside = [...views.u8.subarray(0, ADDRESS), ...views.u8.subarray(ADDRESS + layout.bytes)];
        expect(outside.every((byte) => byte === FILL)).toBe(true);
      }),
    );
  });

  test("puts the same bytes into a plan", () => {
    const values = Object.fromEntries(fields.map((field, i) => [field, i + 1]));
    // records can be adjacent only if their size keeps the alignment of the widest field
    const widest = Math.max(...fields.map((field) => widthOf(layout, field)));
    const count = layout.bytes % widest === 0 ? 3 : 1;
    const image = new PlanImage();
    const offset = image.putAll(layout, new Array<typeof values>(count).fill(values));
    const views = viewsOf(image.bytes.slice().buffer);
    for (let i = 0; i < count; i++) expect(layout.read(views, offset + i * layout.bytes)).toEqual(values);
  });
});

describe("the kernel and TypeScript use the same numbers", () => {
  const key = keyIn("moria", "loot");

  test("words of a block", () => {
    const kernel = openKernel();
    kernel.run(key, (exports) => exports.fillWindow(0, 0, 3, 2 * BLOCK_WORDS));
    const window = kernel.u32(kernel.window, 2 * BLOCK_WORDS).slice();
    const single = (block: number, offset: number) =>
      kernel.run(key, (exports) => exports.wordOf(0, 0, block, offset)) >>> 0;
    expect(window[BLOCK_WORDS - 1]).toBe(single(3, BLOCK_WORDS - 1));
    expect(window[BLOCK_WORDS]).toBe(single(4, 0));
  });

  test("results of a batch: the window holds that many words", () => {
    const kernel = openKernel();
    const { bytes } = kernel;
    kernel.run(key, (exports) => exports.fillWindow(0, 0, 0, BATCH_RESULTS));
    expect(kernel.bytes).toBe(bytes);
    const last = kernel.windowView[BATCH_RESULTS - 1];
    const [block, offset] = [BATCH_RESULTS / BLOCK_WORDS - 1, BLOCK_WORDS - 1];
    expect(last).toBe(kernel.run(key, (exports) => exports.wordOf(0, 0, block, offset)) >>> 0);
  });

  test("status codes: a list that was built reports OK", () => {
    const kernel = openKernel();
    const status = kernel.call((exports) => {
      const list = exports.createAlias(1);
      kernel.u32(kernel.read(list, generated.AliasHead).shares, 1)[0] = 5;
      return exports.buildAlias(list, 1);
    });
    expect(status).toBe(Status.OK);
  });
});

function isLayout(value: unknown): value is AnyLayout {
  return typeof value === "object" && value !== null && "offsets" in value && "write" in value;
}

/** Bytes of a field: how many a write of all ones changes. */
function widthOf(layout: AnyLayout, field: string): number {
  const views = viewsOf(new ArrayBuffer(4 * Math.ceil(layout.bytes / 4) + 16));
  const zeros = Object.fromEntries(Object.keys(layout.offsets).map((name) => [name, 0]));
  layout.write(views, 0, { ...zeros, [field]: -1 });
  return views.u8.reduce((changed, byte) => changed + (byte === 0 ? 0 : 1), 0);
}
