// Decisions that a word does not settle: below(m) where the word times m lies just under a multiple of 2^32, and alias picks
// that tie. One word in 2^32 / m is such a one, and few of those make a difference. The objects here, at which the extra
// words decide what is made, were found by going through the words of billions.
import { describe, expect, test } from "vitest";
import type { MadeObject, ObjectOptions } from "../../src/objects/index.js";
import { ObjectTwin } from "../oracle/objectTwin.js";
import { type WordRead, wordsInOrder } from "../oracle/objectWords.js";
import type { StreamWords } from "../oracle/words.js";
import { streamKey } from "../oracle/words.js";
import { DUNGEON } from "./dungeon.js";
import { all, asTwin, pairOf } from "./pair.js";
import { named } from "./scripted.js";

const SEED = "moria";
const NAME = "drops";
/** An extra word that makes the r of below, or of a tie, 0; and one that makes it the greatest that there is. */
const [LEAST, MOST] = [1, 0xffff_ffff];

const { maker: known } = pairOf(DUNGEON, { seed: SEED, name: NAME });
const words = () => wordsInOrder(streamKey(SEED, NAME));

/** The words of all objects, but that the extra words of word `index` are all `extra`. */
function spoilt(index: number, extra: number): StreamWords {
  const own = words();
  return {
    word: own.word,
    extra: (plane, other, i) => (other === index ? extra : own.extra(plane, other, i)),
  };
}

/**
 * What a twin makes with its own words and with spoilt extra words at `index`: they are asked for, or the last two would not
 * differ. Returns the first, and which of the others it is.
 */
function decided(make: (twin: ObjectTwin) => MadeObject | undefined, index: number) {
  let read: WordRead | undefined;
  const watch = (word: WordRead) => {
    if (word.index === index) read = word;
  };
  const own = make(new ObjectTwin(known.files, words(), { watch }));
  const [least, most] = [LEAST, MOST].map((extra) => make(new ObjectTwin(known.files, spoilt(index, extra))));
  expect(least).not.toEqual(most);
  const says = JSON.stringify(own) === JSON.stringify(most) ? "most" : "least";
  expect(own).toEqual(says === "most" ? most : least);
  return { own, says, decision: read?.decision };
}

const SWORD: ObjectOptions = { level: 60, great: true, kind: 3, artifacts: false };

/** What is decided, by which word of which object, what is asked of it, and whether its extra words say the least or the most. */
const MADE: readonly (readonly [string, number, number, ObjectOptions, string])[] = [
  ["artifact, try", 2_270_992_135, 0, { level: 30, good: true }, "least"],
  ["artifact, try", 3_412_752_384, 0, { level: 30, great: true }, "most"],
  ["artifact, line of", 2_462_897_677, 1, { level: 11, great: true, kind: 4 }, "most"],
  ["artifact, line of", 2_548_493_329, 1, { level: 25, great: true, kind: 111 }, "most"],
  ["artifact, choice", 2_202_766_065_594, 1, { level: 80, great: true }, "least"],
  ["kind", 371_927_162, 1, { level: 30 }, "least"],
  ["kind", 186_566_005, 1, { level: 30 }, "most"],
  ["kind", 185_598_423, 2, { level: 30, good: true }, "least"],
  ["kind", 352_219_355, 2, { level: 30, good: true }, "most"],
  ["kind", 2_199_057_884_832, 2, { level: 30, great: true }, "least"],
  ["kind", 315_989_938, 2, { level: 30, great: true }, "most"],
  ["affix level", 2_201_967_713_226, 0, SWORD, "least"],
  ["affix level", 2_202_952_052_972, 1, { level: 50, great: true, kind: 47 }, "least"],
  ["affix level", 4_884_051_467, 1, { level: 60, great: true, kind: 110 }, "most"],
  ["slots", 2_919_356_099, 3, { level: 30 }, "least"],
  ["slots", 6_737_410_738, 5, { level: 30, good: true }, "most"],
  ["slots", 1_506_885_743, 2, { level: 127, great: true, kind: 116 }, "least"],
  ["slots", 180_030_116, 2, { level: 100, great: true, kind: 22 }, "most"],
  ["slot, boost", 6_950_526_538, 11, SWORD, "least"],
  ["slot, boost", 1_445_056_690, 3, SWORD, "most"],
  ["slot, affix", 297_484_629, 6, SWORD, "least"],
  ["slot, affix", 258_204_300, 4, SWORD, "most"],
  ["slot, affix", 178_899_944, 7, { level: 30, great: true }, "least"],
  ["slot, affix", 59_717_526, 7, { level: 30, great: true }, "most"],
  ["slot, another affix", 6_901_648_500, 13, { level: 40, great: true, kind: 116, artifacts: false }, "least"],
  ["Honed, to-hit, d3", 4_435_449_294, 7, SWORD, "least"],
  ["Padded, to-ac, d3", 4_105_013_330, 11, { level: 60, great: true, kind: 81 }, "most"],
  ["Many-Layered, flag", 1_496_878_229, 11, { level: 120, great: true, kind: 81, artifacts: false }, "most"],
  ["Twice-Engraved, pval flag", 5_790_169_477, 9, { level: 127, great: true, kind: 116 }, "least"],
  ["Twice-Engraved, pval flag", 6_292_606_211, 9, { level: 60, great: true, kind: 110 }, "most"],
  ["theme", 4_791_055_415, 14, { level: 60, great: true, kind: 22, artifacts: false }, "least"],
  ["theme", 8_513_670_127, 13, SWORD, "most"],
];

test.each(MADE)("%s of object %d: its extra words are the twin's", (decision, index, place, asked, says) => {
  const open = decided((twin) => twin.make(index, asTwin({ maker: known }, asked)), place);
  expect(open).toMatchObject({ says, decision: expect.stringMatching(`^${decision}`) });
  for (const before of [0, 40]) {
    const { maker, twin } = pairOf(DUNGEON, { seed: SEED, name: NAME });
    const from = index - before;
    const twins = Array.from({ length: before + 2 }, (_, k) => twin.make(from + k, asTwin({ maker }, asked)));
    if (before === 0) expect(twins[0]).toEqual(open.own);
    expect(all(maker.makeMany(before + 2, { ...asked, from }))).toEqual(twins);
    const { maker: other } = pairOf(DUNGEON, { seed: SEED, name: NAME });
    other.next = from;
    other.replay(index + 2, asked);
    expect(other.claims).toEqual(maker.claims);
  }
});

/** Objects that get one more affix, and the words that are behind it then. */
const TWO_THEMES = { level: 40, kind: 3, has: ["of the Palisade", "of the Clean Conscience"], more: "Stout-Hearted" };
const SMUGGLER = { level: 40, kind: 51, has: ["Felt-Soled"], more: "of the Heron" };
const LAYERS = { level: 60, kind: 81, has: [], more: "Many-Layered" };
const ENGRAVED = { level: 60, kind: 110, has: [], more: "Engraved" };

/** What is decided, by which word after which others of which object, and how. */
const ADDED = [
  ["theme, choice", 4_294_967_303, 4_052_012_726, 1, TWO_THEMES, "least"],
  ["theme", 4_398_046_511_102, 517_380_842, 0, TWO_THEMES, "most"],
  ["theme", 13, 646_680_169, 0, SMUGGLER, "least"],
  ["Smuggler's: of Loose Knots", 7, 3_279_945_898, 3, SMUGGLER, "least"],
  ["Smuggler's: of Loose Knots", 7, 202_415_545, 3, SMUGGLER, "most"],
  ["Smuggler's: Tarred", 4_294_967_303, 2_693_267_726, 4, SMUGGLER, "least"],
  ["Smuggler's: Tarred", 8, 68_869_468, 4, SMUGGLER, "most"],
  ["Many-Layered, flag", 7, 386_741_385, 0, LAYERS, "least"],
  ["Many-Layered, flag", 8, 708_022, 0, LAYERS, "most"],
  ["Engraved, pval flag", 7, 2_865_626_795, 0, ENGRAVED, "most"],
  ["Engraved, pval flag", 9, 514_797_080, 0, ENGRAVED, "least"],
] as const;

describe("one more affix, far along an object's words", () => {
  test.each(ADDED)(
    "%s of object %d after %d words: its extra words are the twin's",
    (decision, index, read, i, on, says) => {
      const { files } = known;
      const plain = known.makeMany(400, { level: on.level, kind: on.kind, artifacts: false, from: 0 });
      const bare = all(plain).find(({ affixes }) => affixes.length === 0);
      if (bare === undefined) throw new Error("every object has an affix");
      const affixes = on.has.map((name) => named(files.affixes, name));
      const object = { ...bare, index, words: read, affixes, depths: affixes.map(() => on.level) };
      const more = named(files.affixes, on.more);
      const open = decided((twin) => twin.addAffix(object, more), read + i);
      expect(open).toMatchObject({ says, decision: expect.stringMatching(`^${decision}`) });
      expect(known.addAffix(object, more.number)).toEqual(open.own);
    },
  );
});
