import { expect, test } from "vitest";
import { toCsv } from "../../src/formats/index.js";
import { itemColumns } from "../../src/index.js";

test("items become their name, their stats, and the word of each slot under a name of its own", () => {
  const items = {
    length: 2,
    words: { str: Uint16Array.of(0, 1), type: Uint16Array.of(2, 1) },
    vocabulary: { str: ["", "strong"], type: ["", "axe", "sword"] },
    stats: { str: Int16Array.of(7, -3), crit: Int32Array.of(15, 0) },
    decimals: { str: 0, crit: 1 },
    name: (k: number) => ["Sword", "Strong Axe"][k],
  };
  expect(toCsv(itemColumns(items))).toBe(
    "name,str,crit,slot.str,type\nSword,7,1.5,,sword\nStrong Axe,-3,0,strong,axe\n",
  );
});
