import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { DUNGEON } from "./dungeon.js";

const drops = createMill({ seed: "moria" }).objects("drops", DUNGEON);
const objects = drops.makeMany(600, { level: 40, great: true });

describe("saved objects", () => {
  test("come back as they were, artifacts and themes included, through JSON", () => {
    for (let k = 0; k < objects.length; k++) {
      const object = objects.at(k);
      expect(drops.load(JSON.parse(JSON.stringify(drops.save(object))))).toEqual(object);
    }
    expect(objects.theme.some((theme) => theme > 0)).toBe(true);
    expect(objects.artifact.some((artifact) => artifact > 0)).toBe(true);
  });

  test("take one more affix as the objects themselves do", () => {
    const plain = drops.make({ level: 1, kind: drops.files.kinds[1].number, artifacts: false, from: 9 });
    const affix = drops.files.affixes[0].number;
    expect(drops.addAffix(drops.load(drops.save(plain)), affix)).toEqual(drops.addAffix(plain, affix));
  });

  test("are refused under other files", () => {
    const others = createMill({ seed: "moria" }).objects("drops", { ...DUNGEON, object: `${DUNGEON.object}\n#\n` });
    expect(() => others.load(drops.save(objects.at(0)))).toThrow(/of other edit files/);
  });

  test("are refused under other affix levels, which would mean others", () => {
    const opened = (levels: readonly string[]) => createMill({ seed: "moria" }).objects("drops", DUNGEON, { levels });
    const usual = ["good", "great", "uber", "artifact"];
    expect(opened(usual).load(drops.save(objects.at(0)))).toEqual(objects.at(0));
    expect(() => opened(["awful", ...usual]).load(drops.save(objects.at(0)))).toThrow(/of other edit files/);
  });

  test.each([
    ["no object", 7, /no saved object/],
    ["another number of slots", { affixSlots: 9 }, /room for others/],
    ["another number of flags", { flagCount: 1 }, /room for others/],
    ["an unknown kind", { kind: 60_000 }, /kind: there is no such record/],
    ["an unknown affix", { affixes: [60_000], depths: [1] }, /affixes: there is no such record/],
    ["too many affixes", { affixes: Array.from({ length: 9 }, () => 1) }, /affixes are not usable/],
    ["a depth too many", { depths: [1, 2, 3, 4, 5, 6, 7, 8] }, /damaged/],
    ["a fraction", { toHit: 0.5 }, /toHit is not usable.*-32767 to 32767/],
    ["another quality", { quality: "best" }, /the quality is not usable/],
    ["an unknown flag", { flags: ["GLOW"] }, /flags are not usable/],
    ["a flag that takes a value", { flags: ["STR"] }, /flags are not usable/],
    ["a value of a flag that takes none", { pvals: { SLAY_ORC: 1 } }, /the pval SLAY_ORC is not usable/],
    ["a value of 0", { pvals: { STR: 0 } }, /the pval STR is not usable: got 0/],
    ["values in a list", { pvals: [] }, /pvals are not usable/],
    ["a level that there is not", { affixLevel: 4 }, /affixLevel is not usable.*-1 to 3/],
    ["a hole for a depth", { affixes: [], depths: new Array(1) }, /depths are not usable/],
    ["a value of no flag", { pvals: { GLOW: 1 } }, /the pval GLOW/],
    ["no values", { pvals: null }, /pvals are not usable/],
  ])("with %s are refused", (_, change, message) => {
    const saved = drops.save(objects.at(0));
    const changed = typeof change === "number" ? change : { ...saved, ...change };
    expect(() => drops.load(changed)).toThrow(message);
  });
});
