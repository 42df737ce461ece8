import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { MadeObject, ObjectMaker } from "../../src/objects/index.js";
import { DUNGEON } from "./dungeon.js";
import { all } from "./pair.js";

const GREAT = { level: 40, great: true };

function maker(seed = "moria"): ObjectMaker {
  return createMill({ seed }).objects("drops", DUNGEON);
}

describe("objects that are too good", () => {
  const scores = { toHit: 1, toDam: 2, toAc: 1, flags: { SLAY_ORC: 10, STR: 5 } };
  const score = (object: MadeObject) =>
    object.toHit +
    2 * object.toDam +
    object.toAc +
    (object.flags.includes("SLAY_ORC") ? 10 : 0) +
    5 * (object.pvals.STR ?? 0);

  test("scores in the kernel and a measure of one's own take back the same affixes", () => {
    const most = 9;
    const options = { ...GREAT, artifacts: false };
    const limited = all(maker().makeMany(1500, { ...options, limit: { most, scores } }));
    const judged = all(maker().makeMany(1500, { ...options, limit: { most, power: score } }));
    expect(judged).toEqual(limited);
    const free = all(maker().makeMany(1500, options));
    expect(free.some((object) => score(object) > most && object.affixes.length > 0)).toBe(true);
    expect(limited.every((object) => score(object) <= most || object.affixes.length === 0)).toBe(true);
  });

  test("what is exactly at the limit stays", () => {
    const options = { level: 10, good: true, artifacts: false };
    const free = all(maker().makeMany(600, options));
    const one = free.find((object) => score(object) > 0 && object.affixes.length === 1 && object.slots === 1);
    if (one === undefined) throw new Error("there is none");
    const ask = (most: number) => maker().make({ ...options, at: one.index, limit: { most, scores } });
    expect(ask(score(one))).toEqual(one);
    expect(ask(score(one) - 1).affixes).toEqual([]);
  });

  test("artifacts are settled alike by both, and by a replay", () => {
    const limit = { most: 9, power: score };
    const whole = all(maker().makeMany(900, { ...GREAT, limit }));
    expect(all(maker().makeMany(900, { ...GREAT, limit: { most: 9, scores } }))).toEqual(whole);
    const later = maker();
    later.replay(600, { ...GREAT, limit });
    expect(all(later.makeMany(300, { ...GREAT, limit }))).toEqual(whole.slice(600));
  });

  test("an abort is seen between the attempts at an object", () => {
    const stop = new AbortController();
    let judged = 0;
    const power = () => {
      if (++judged === 3) stop.abort(new Error("enough"));
      return 0;
    };
    const drops = maker();
    const [{ name }] = drops.files.affixes;
    const request = { ...GREAT, with: Array.from({ length: 3 }, () => name), signal: stop.signal };
    expect(() => drops.make({ ...request, limit: { most: 9, power } })).toThrow("enough");
    expect(judged).toBeLessThan(12);
  });

  test("a measure that asks its own maker is refused, one that asks another is not", () => {
    const drops = maker();
    const other = maker("else");
    const inside = (asked: ObjectMaker) => ({
      ...GREAT,
      limit: { most: 5, power: () => asked.make({ level: 1, artifacts: false }).toHit },
    });
    expect(() => drops.makeMany(20, inside(drops))).toThrow("[argument.busy]");
    expect(drops.makeMany(20, inside(other)).length).toBe(20);
  });

  test("a limit needs one of the two, and known flags", () => {
    const drops = maker();
    expect(() => drops.make({ ...GREAT, limit: { most: 1 } })).toThrow("[object.request]");
    expect(() => drops.make({ ...GREAT, limit: { most: 1, scores: { flags: { SLAY_ORCS: 1 } } } })).toThrow(
      "[object.request]",
    );
    expect(() => drops.make({ ...GREAT, limit: { most: 1.5, scores: {} } })).toThrow("[argument.range]");
  });
});
