import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { rollmill } from "./rollmill.js";

const words = (...args: string[]) => rollmill(["random", "words", "--seed", "moria", ...args]);
const dump = (...args: string[]) => rollmill(["random", "dump", "--seed", "moria", ...args]);
const stream = (name: string) => createMill({ seed: "moria" }).stream(name);
const decimal = (list: Uint32Array) => Array.from(list, (word) => `${word}\n`).join("");

describe("random words prints one decimal u32 per line", () => {
  test("the words of a name and a plane from an index on, over the end of a block", async () => {
    const { code, stdout, stderr } = await words("--name", "loot", "--plane", "2", "--from", "1020", "-n", "8");
    expect(stdout).toBe(decimal(stream("loot").words(8, { plane: 2, from: 1020 })));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("by default one word of plane 0 and index 0; no word with -n 0", async () => {
    expect((await words("--name", "loot")).stdout).toBe(decimal(stream("loot").words(1)));
    expect((await words("-n", "0")).stdout).toBe("");
  });

  test("the last index and the last plane", async () => {
    const [from, plane] = [2 ** 42 - 2, 2 ** 32 - 1];
    const { stdout } = await words("--name", "loot", "--plane", String(plane), "--from", String(from), "-n", "2");
    expect(stdout).toBe(decimal(stream("loot").words(2, { plane, from })));
  });

  test("more words than one batch", async () => {
    const { stdout } = await words("--name", "loot", "--from", "7", "-n", "300000");
    expect(stdout).toBe(decimal(stream("loot").words(300_000, { from: 7 })));
  });

  test("without --seed, the printed random seed repeats the run", async () => {
    const first = await rollmill(["random", "words", "-n", "3"]);
    const seed = /^seed: (\S+)\n$/.exec(first.stderr)?.[1];
    expect((await rollmill(["random", "words", "-n", "3", "--seed", String(seed)])).stdout).toBe(first.stdout);
  });
});

describe("random dump writes little-endian words", () => {
  test("byte by byte", async () => {
    const { bytes, stderr } = await dump("--name", "loot", "--bytes", "40");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    expect(Array.from({ length: 10 }, (_, i) => view.getUint32(i * 4, true))).toEqual([...stream("loot").words(10)]);
    expect(stderr).toBe("");
  });

  test.each([0, 1, 7, 1048577])("exactly %d bytes", async (count) => {
    const { bytes } = await dump("--name", "loot", "--bytes", String(count));
    const whole = Buffer.from(stream("loot").words(Math.ceil(count / 4)).buffer);
    expect(bytes.length).toBe(count);
    expect(bytes.equals(whole.subarray(0, count))).toBe(true);
  });

  test.each([2, 3, 100_000])("with %d planes, a word of each in turn", async (planes) => {
    const count = planes * 3 + 1;
    const { bytes } = await dump("--name", "loot", "--planes", String(planes), "--bytes", String(count * 4));
    const loot = stream("loot");
    const found = new Uint32Array(new Uint8Array(bytes).buffer);
    for (const i of [0, 1, planes - 1, planes, planes + 1, 3 * planes - 1, 3 * planes]) {
      expect(found[i]).toBe(loot.word(Math.floor(i / planes), { plane: i % planes }));
    }
  });
});
