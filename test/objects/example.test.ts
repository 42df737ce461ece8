import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { ObjectTwin } from "../oracle/objectTwin.js";
import type { WordRead } from "../oracle/objectWords.js";
import { streamKey } from "../oracle/words.js";
import { DUNGEON } from "./dungeon.js";
import { filesOf } from "./scripted.js";

const files = filesOf(DUNGEON);

/** The worked example of docs/determinism.md: object 11850 of `drops`, at level 30, good. */
const DECISIONS: readonly (readonly [decision: string, word: number, asked: string, value: number])[] = [
  ["artifact, try", 3380875858, "below(50)", 39],
  ["kind, depth", 347029946, "m_bonus(5, 30)", 0],
  ["kind", 993308384, "alias of 32", 7],
  ["affix level", 2394093964, "below(100)", 55],
  ["affix level, good", 650610392, "below(4)", 0],
  ["slots", 2410971380, "below(3)", 1],
  ["slots, good", 1541478950, "below(2)", 0],
  ["slot, boost", 142315535, "below(20)", 0],
  ["slot, depth", 3917882027, "below(128)", 116],
  ["slot, affix", 2892677195, "alias of 17", 1],
  ["Iron-Bound, to-dam, d3", 1230482835, "below(3)", 0],
  ["Iron-Bound, to-dam, M5", 298821242, "m_bonus(5, 33)", 0],
  ["slot, boost", 3996464310, "below(20)", 18],
  ["slot, affix", 4103898966, "alias of 17", 13],
  ["theme", 475570616, "below(200)", 22],
  ["theme, choice", 3708577203, "below(126)", 108],
  ["Weighted, to-hit, d2", 3390297357, "below(2)", 1],
  ["Weighted, to-hit, M3", 4271732036, "m_bonus(3, 30)", 3],
  ["Weighted, to-dam, d3", 195095161, "below(3)", 0],
  ["Weighted, to-dam, M3", 3207086437, "m_bonus(3, 30)", 1],
  ["of the Cold Forge: Ponderous, chance", 4025666128, "below(100)", 93],
];

test("the example's decisions are those of the page, word by word, and so is its object", () => {
  const reads: WordRead[] = [];
  const twin = new ObjectTwin(files, streamKey("moria", "drops"), { watch: (read) => reads.push(read) });
  const object = twin.make(11850, { level: 30, quality: "good" });
  expect(reads.map(({ decision, word, asked, value }) => [decision, word, asked, value])).toEqual(DECISIONS);
  expect(reads.map(({ index }) => index)).toEqual(DECISIONS.map((_, index) => index));
  const maker = createMill({ seed: "moria" }).objects("drops", DUNGEON);
  expect(maker.make({ level: 30, good: true, at: 11850 })).toEqual(object);
  expect(object).toMatchObject({
    kind: { name: "& Cudgel~" },
    artifact: undefined,
    theme: { name: "of the Cold Forge" },
    affixes: [{ name: "Iron-Bound" }, { name: "of the Hoar" }],
    depths: [33, 30],
    ...{ affixLevel: 1, slots: 2, words: 21 },
    ...{ toHit: 5, toDam: 6, toAc: 0, ac: 0, dice: 1, sides: 7, weight: 91 },
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
