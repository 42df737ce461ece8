import { describe, expect, test } from "vitest";
import { benchModule, type Contender, type MeasureOptions } from "./modules.js";

const { measure, median, ratio } = await benchModule("harness");

const COIN = { law: [0.5, 0.5], draws: 1000 };
const fair = (): number[] => [500, 500];

function options(extra: Partial<MeasureOptions> = {}): MeasureOptions {
  return { rounds: 3, seconds: 0.001, notice: () => {}, progress: () => {}, ...extra };
}

/** A contender that times itself, and writes down when its turn comes. */
function clocked(name: string, turns: string[], extra: Partial<Contender> = {}): Contender {
  const time = async (): Promise<number> => {
    turns.push(name);
    return turns.length;
  };
  return { name, time, sample: fair, ...extra };
}

describe("medians and ratios", () => {
  test("a median is the middle value, or the mean of the two", () => {
    expect(median([3, 1, 100])).toBe(3);
    expect(median([1, 2, 4, 100])).toBe(3);
  });

  test("a machine that slows down from round to round leaves the ratio alone", () => {
    const slower = [1, 2, 4, 8, 16];
    const ours = slower.map((ns) => ns * 3);
    expect(ratio(ours, slower)).toBe(3);
  });
});

describe("a measured case", () => {
  test("contenders take turns, each round starts from another one, and the warm-up counts for nothing", async () => {
    const turns: string[] = [];
    const contenders = ["a", "b", "c"].map((name) => clocked(name, turns));
    const rows = await measure({ ...COIN, contenders }, options());
    expect(turns.join("")).toBe("abc" + "abc" + "bca" + "cab");
    expect(rows.map(({ ns }) => ns)).toEqual([
      [4, 9, 11],
      [5, 7, 12],
      [6, 8, 10],
    ]);
  });

  test("a round counts only if the core was ours alone before it and after it", async () => {
    const turns: string[] = [];
    const contenders = ["a", "b"].map((name) => clocked(name, turns));
    const probes = [false, true, false, true, true];
    const isAlone = async (): Promise<boolean> => probes.shift() ?? true;
    const rows = await measure({ ...COIN, contenders }, options({ rounds: 2, isAlone }));
    expect(turns.join("")).toBe("ab" + "ab" + "ab" + "ba");
    expect(rows.map(({ ns }) => ns)).toEqual([
      [5, 8],
      [6, 7],
    ]);
  });

  test("a timed function is called over and over, and its time is divided by its operations", async () => {
    let calls = 0;
    const run = (): number => calls++;
    const [row] = await measure({ ...COIN, contenders: [{ name: "a", ops: 10, run, sample: fair }] }, options());
    expect(calls).toBeGreaterThan(10);
    expect(row.ns).toHaveLength(3);
    for (const ns of row.ns) expect(ns).toBeGreaterThan(0);
  });

  test("an error inside a timed function fails the case", async () => {
    const run = (): number => {
      throw new Error("a bug of ours");
    };
    const contenders = [{ name: "a", ops: 1, run, sample: fair }];
    await expect(measure({ ...COIN, contenders }, options())).rejects.toThrow("a bug of ours");
  });

  test("a function whose result is no number fails the case, for nothing would keep it alive", async () => {
    const contenders = [{ name: "a", ops: 1, run: () => undefined as unknown as number, sample: fair }];
    await expect(measure({ ...COIN, contenders }, options())).rejects.toThrow("returned no number");
  });

  test("an npm package that is wrong is left out with a notice", async () => {
    const notices: string[] = [];
    const turns: string[] = [];
    const wrong = clocked("loaded-dice", turns, { npm: true, sample: () => [600, 400] });
    const contenders = [clocked("a", turns), wrong];
    const rows = await measure({ ...COIN, contenders }, options({ notice: (text) => notices.push(text) }));
    expect(rows.map(({ name }) => name)).toEqual(["a"]);
    expect(notices).toEqual([expect.stringMatching(/^loaded-dice is not timed: .*chi-square/)]);
  });

  test("a contender of the project's own that is wrong fails the case", async () => {
    const contenders = [clocked("c", [], { sample: () => [600, 400] })];
    await expect(measure({ ...COIN, contenders }, options())).rejects.toThrow(/^c: Its results do not follow/);
  });
});
