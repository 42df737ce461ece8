import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { ObjectTwin } from "../oracle/objectTwin.js";
import type { WordRead } from "../oracle/objectWords.js";
import { streamKey } from "../oracle/words.js";
import { DUNGEON } from "./dungeon.js";
import { filesOf } from "./scripted.js";

const files = filesOf(DUNGEON);

/** The worked example of docs/determinism.md: object 80 of `drops`, at level 30, good. */
const DECISIONS: readonly (readonly [decision: string, word: number, asked: string, value: number])[] = [
  ["artifact, try", 3686062027, "below(50)", 42],
  ["kind, depth", 1588248921, "m_bonus(5, 30)", 1],
  ["kind", 1318274201, "alias of 32", 7],
  ["affix level", 1601091856, "below(100)", 37],
  ["affix level, good", 2540590864, "below(4)", 2],
  ["slots", 1836518130, "below(3)", 1],
  ["slots, good", 922688911, "below(2)", 0],
  ["slot, boost", 206401095, "below(20)", 0],
  ["slot, depth", 1465554828, "below(128)", 43],
  ["slot, affix", 2004012227, "alias of 17", 13],
  ["slot, boost", 4130477644, "below(20)", 19],
  ["slot, affix", 162730937, "alias of 17", 1],
  ["Iron-Bound, to-dam, d3", 1153540809, "below(3)", 0],
  ["Iron-Bound, to-dam, M5", 2748447323, "m_bonus(5, 30)", 2],
  ["theme", 227520854, "below(200)", 10],
  ["theme, choice", 2142768840, "below(126)", 62],
  ["Weighted, to-hit, d2", 2249828911, "below(2)", 1],
  ["Weighted, to-hit, M3", 1893697636, "m_bonus(3, 30)", 1],
  ["Weighted, to-dam, d3", 3386943547, "below(3)", 2],
  ["Weighted, to-dam, M3", 948522214, "m_bonus(3, 30)", 0],
  ["of the Cold Forge: Ponderous, chance", 1375102650, "below(100)", 32],
  ["Ponderous, to-hit, d3", 3418415256, "below(3)", 2],
];

test("the example's decisions are those of the page, word by word, and so is its object", () => {
  const reads: WordRead[] = [];
  const twin = new ObjectTwin(files, streamKey("moria", "drops"), { watch: (read) => reads.push(read) });
  const object = twin.make(80, { level: 30, quality: "good" });
  expect(reads.map(({ decision, word, asked, value }) => [decision, word, asked, value])).toEqual(DECISIONS);
  expect(reads.map(({ index }) => index)).toEqual(DECISIONS.map((_, index) => index));
  const maker = createMill({ seed: "moria" }).objects("drops", DUNGEON);
  expect(maker.make({ level: 30, good: true, at: 80 })).toEqual(object);
  expect(object).toMatchObject({
    kind: { name: "& Cudgel~" },
    artifact: undefined,
    theme: { name: "of the Cold Forge" },
    affixes: [{ name: "of the Hoar" }, { name: "Iron-Bound" }],
    depths: [88, 30],
    ...{ affixLevel: 1, slots: 2, words: 22 },
    ...{ toHit: 0, toDam: 9, toAc: 0, ac: 0, dice: 2, sides: 7, weight: 150 },
    flags: [
      "BRAND_COLD",
      "IGNORE_ACID",
      "IGNORE_ELEC",
      "IGNORE_FIRE",
      "IGNORE_COLD",
      "HATES_FIRE",
      "SHOW_DICE",
      "SHOW_MODS",
    ],
    pvals: {},
  });
});
