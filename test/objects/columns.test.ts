import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";

/** Flags without a value, in as many words of 32 as said; all of them on every kris. */
function textsOf(words: number) {
  const names = Array.from({ length: 32 * words - 5 }, (_, i) => `FLAG_${i}`);
  return {
    object: `N:1:& Kris~\nI:23:4\nP:0:2d3:0:0:0\nA:30:0 to 255\nF:${names.join(" | ")}\nL:2+d3:STR | SPEED\n`,
    objectBase: "N:sword:Blade~\n",
    egoItem: "N:1:prefix:Hewn\nC:1:0:0\nT:sword:0:9:good:20:0 to 255\n",
    egoThemes: "N:1:suffix:of Nothing\nT:sword:0:9:0 to 255\n",
    artifact: "N:1:of the Idol\nI:sword:4\n",
    flags: ["STR,STAT", "SPEED,PVAL", ...names.map((name) => `${name},MISC`)].join("\n"),
  };
}

test.each([1, 2, 3, 4, 5, 9])("objects of %i words of flags are the same in bulk and one by one", (words) => {
  const maker = createMill({ seed: "columns" }).objects("drops", textsOf(words));
  const many = maker.makeMany(2100, { level: 9 });
  expect(many.flagWords).toBe(words);
  for (const k of [0, 1, 1022, 1023, 1024, 2047, 2048, 2099]) {
    const one = maker.make({ level: 9, at: k });
    expect(many.at(k)).toEqual(one);
    expect(one.flags.length).toBe(32 * words - 5);
    expect(one.pvals.STR).toBeGreaterThan(0);
  }
});
