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
    const plain = drops.make({ level: 1, kind: drops.files.kinds[1].number, artifacts: false, at: 9 });
    const affix = drops.files.affixes[0].number;
    expect(drops.addAffix(drops.load(drops.save(plain)), affix)).toEqual(drops.addAffix(plain, affix));
  });

  test("are refused under other files", () => {
    const others = createMill({ seed: "moria" }).objects("drops", { ...DUNGEON, object: `${DUNGEON.object}\n#\n` });
    expect(() => others.load(drops.save(objects.at(0)))).toThrow("[object.saved]");
  });

  test("are refused under other affix levels, which would mean others", () => {
    const opened = (levels: readonly string[]) => {
      const egoItem = `D:levels:${levels.join(" | ")}\n${DUNGEON.egoItem}`;
      return createMill({ seed: "moria" }).objects("drops", { ...DUNGEON, egoItem });
    };
    const usual = ["good", "great", "uber", "artifact"];
    expect(opened(usual).files.levels).toEqual(drops.files.levels);
    expect(() => opened(["awful", ...usual]).load(drops.save(objects.at(0)))).toThrow("[object.saved]");
  });

  test.each<[string, unknown]>([
    ["no object", 7],
    ["another number of slots", { affixSlots: 9 }],
    ["another number of flags", { flagCount: 1 }],
    ["an unknown kind", { kind: 60_000 }],
    ["an unknown affix", { affixes: [60_000], depths: [1] }],
    ["too many affixes", { affixes: Array.from({ length: 9 }, () => 1) }],
    ["a depth too many", { depths: [1, 2, 3, 4, 5, 6, 7, 8] }],
    ["a fraction", { toHit: 0.5 }],
    ["another quality", { quality: "best" }],
    ["an unknown flag", { flags: ["GLOW"] }],
    ["a flag that takes a value", { flags: ["STR"] }],
    ["a value of a flag that takes none", { pvals: { SLAY_ORC: 1 } }],
    ["a value of 0", { pvals: { STR: 0 } }],
    ["values in a list", { pvals: [] }],
    ["a level that there is not", { affixLevel: 4 }],
    ["a hole for a depth", { affixes: [], depths: new Array(1) }],
    ["a value of no flag", { pvals: { GLOW: 1 } }],
    ["no values", { pvals: null }],
  ])("with %s are refused", (_, change) => {
    const saved = drops.save(objects.at(0));
    const changed = typeof change === "number" ? change : { ...saved, ...(change as object) };
    expect(() => drops.load(changed)).toThrow("[object.saved]");
  });
});
