import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { tallyObjects, tallyRows } from "../../src/objects/index.js";
import { DUNGEON } from "./dungeon.js";

const opened = () => createMill({ seed: "tally" }).objects("o", DUNGEON);

describe("tally", () => {
  test("counts each level's own objects, as a mill makes them that has made none before", () => {
    const n = 70_000;
    const { levels } = tallyObjects(opened(), { levels: [30, 7], n, great: true });
    expect(levels.map(({ level, objects }) => [level, objects])).toEqual([
      [30, n],
      [7, n],
    ]);
    for (const tally of levels) {
      const made = opened().makeMany(n, { level: tally.level, from: tally.level * n, great: true });
      const all = Array.from({ length: n }, (_, k) => made.at(k));
      const times = (is: (object: (typeof all)[number]) => boolean) => all.filter(is).length;
      for (const [kind, count] of [...tally.kinds].slice(0, 3))
        expect(count).toBe(times((object) => object.kind.number === kind.number));
      for (const [affix, count] of [...tally.affixes].slice(0, 3)) {
        expect(count).toBe(times(({ affixes }) => affixes.some(({ number }) => number === affix.number)));
      }
      for (const [theme, count] of tally.themes)
        expect(count).toBe(times((object) => object.theme?.number === theme.number));
      expect([...tally.artifacts.values()].every((count) => count === 1)).toBe(true);
      expect(tally.artifacts.size).toBe(times(({ artifact }) => artifact !== undefined));
      expect(tally.affixCounts).toEqual(
        Array.from({ length: 9 }, (_, count) => times(({ affixes }) => affixes.length === count)),
      );
      expect(tally.meanAffixes * n).toBeCloseTo(
        all.reduce((sum, { affixes }) => sum + affixes.length, 0),
        5,
      );
    }
    expect(levels[0].artifacts.size).toBeGreaterThan(3);
  });

  test("one level's artifacts do not thin another's, and the maker is left as it was", () => {
    const maker = opened();
    maker.makeMany(4000, { level: 30, great: true });
    const before = { made: maker.claims, next: maker.next };
    const both = tallyObjects(maker, { levels: [29, 30], n: 3000, great: true });
    expect(both.levels[1]).toEqual(tallyObjects(opened(), { levels: [30], n: 3000, great: true }).levels[0]);
    expect({ made: maker.claims, next: maker.next }).toEqual(before);
    expect(before.made.length).toBeGreaterThan(3);
  });

  test("an aborted one throws the reason, tells progress until then, and changes nothing", () => {
    const maker = opened();
    maker.makeMany(3000, { level: 30, great: true });
    const before = { made: maker.claims, next: maker.next };
    const stop = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }) => {
      expect(total).toBe(3000);
      seen.push(done);
      if (done === 2000) stop.abort(new Error("enough"));
    };
    const run = () => tallyObjects(maker, { levels: [1, 2, 3], signal: stop.signal, onProgress });
    expect(run).toThrow("enough");
    expect(seen.at(-1)).toBe(2000);
    expect({ made: maker.claims, next: maker.next }).toEqual(before);
  });

  test("onProgress sees the artifacts as they were, and can make none that would be forgotten", () => {
    const mill = createMill({ seed: "tally" });
    const maker = mill.objects("o", DUNGEON);
    maker.makeMany(3000, { level: 30, great: true });
    const [made, snapshot] = [maker.claims, mill.snapshot()];
    let told = 0;
    const onProgress = () => {
      told++;
      expect(maker.claims).toEqual(made);
      expect(() => mill.snapshot()).toThrow(/\[argument\.busy\]/);
      expect(() => maker.make({ level: 30 })).toThrow(/\[argument\.busy\]/);
      expect(() => tallyObjects(maker, { levels: [1] })).toThrow(/\[argument\.busy\]/);
    };
    tallyObjects(maker, { levels: [1, 40], great: true, onProgress });
    expect(told).toBeGreaterThanOrEqual(2);
    expect([maker.claims, mill.snapshot()]).toEqual([made, snapshot]);
    expect(maker.make({ level: 30 }).index).toBe(3000);
  });

  test("names the kinds asked for that can get no affix", () => {
    const bare = { ...DUNGEON, object: `${DUNGEON.object}\nN:999:& Turnip~\nI:80:99\nW:1:0:1:1\nA:10:1 to 100\n` };
    const maker = createMill({ seed: "t" }).objects("o", bare);
    const names = (asked: object) =>
      tallyObjects(maker, { levels: [], ...asked }).withoutAffixes.map(({ number }) => number);
    expect(names({})).toContain(999);
    expect(names({ kind: "turnip" })).toEqual([999]);
    expect(names({ tval: "sword" })).toEqual([]);
    expect(names({ good: true })).not.toContain(999);
  });

  test("refuses what it cannot make", () => {
    expect(() => tallyObjects(opened(), { levels: [256] })).toThrow("[argument.range]");
    expect(() => tallyObjects(opened(), { levels: [1], n: 0 })).toThrow(/\[argument\.range\]/);
    expect(() => tallyObjects(opened(), { levels: [1], kind: "Longswrd" })).toThrow("[object.name]");
  });

  test.each([null, undefined, 7, {}, { levels: 3 }, { levels: [1], signal: {} }, { levels: [1], onProgress: 1 }])(
    "refuses %j, which are no options",
    (options) => {
      expect(() => tallyObjects(opened(), options as never)).toThrow(/\[argument\.type\]/);
    },
  );
});

describe("tallyRows", () => {
  test("is a table: shares are of the level's objects, and what did not come has no row", () => {
    const tally = tallyObjects(opened(), { levels: [5, 40], n: 2000, good: true });
    const rows = [...tallyRows(tally)];
    for (const row of rows) expect(row.share).toBe(row.count / 2000);
    expect(rows.every(({ type, count }) => count > 0 || type === "objects")).toBe(true);
    const sum = (level: number, type: string) =>
      rows.filter((row) => row.level === level && row.type === type).reduce((total, { count }) => total + count, 0);
    for (const level of [5, 40]) expect([sum(level, "kind"), sum(level, "affixes")]).toEqual([2000, 2000]);
    expect(rows[1]).toMatchObject({ level: 5, type: "objects", name: "affixes", share: tally.levels[0].meanAffixes });
  });
});
