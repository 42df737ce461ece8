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
  ["artifact, try", 941_342_531, 0, { level: 30, good: true }, "least"],
  ["artifact, try", 4_160_998_315, 0, { level: 30, great: true }, "most"],
  ["artifact, line of", 1_784_322_747, 1, { level: 8, great: true, kind: 4 }, "most"],
  ["artifact, line of", 1_931_874_836, 1, { level: 29, great: true, kind: 111 }, "most"],
  ["artifact, choice", 618_248_222, 1, { level: 80, great: true }, "least"],
  ["kind", 64_772_859, 1, { level: 30 }, "least"],
  ["kind", 33_959_297, 1, { level: 30 }, "most"],
  ["kind", 257_912_278, 2, { level: 30, good: true }, "least"],
  ["kind", 499_113_244, 2, { level: 30, good: true }, "most"],
  ["kind", 143_346_669, 2, { level: 30, great: true }, "least"],
  ["kind", 75_212_121, 2, { level: 30, great: true }, "most"],
  ["affix level", 561_381_283, 0, SWORD, "least"],
  ["affix level", 484_878_029, 1, { level: 50, great: true, kind: 47 }, "least"],
  ["affix level", 58_444_044, 2, { level: 60, great: true, kind: 110 }, "most"],
  ["slots", 73_036_416, 3, { level: 30 }, "least"],
  ["slots", 72_477_349, 5, { level: 30, good: true }, "most"],
  ["slots", 19_380_983, 2, { level: 127, great: true, kind: 116 }, "least"],
  ["slots", 96_474_452, 2, { level: 100, great: true, kind: 22 }, "most"],
  ["slot, boost", 912_741_549, 11, SWORD, "least"],
  ["slot, boost", 3_263_162_785, 8, SWORD, "most"],
  ["slot, affix", 113_959_474, 6, SWORD, "least"],
  ["slot, affix", 34_423_449, 4, SWORD, "most"],
  ["slot, affix", 865_795_702, 7, { level: 30, great: true }, "least"],
  ["slot, affix", 226_567_736, 7, { level: 30, great: true }, "most"],
  ["slot, another affix", 311_845_499, 15, { level: 127, great: true, kind: 116 }, "least"],
  ["Honed, to-hit, d3", 2_580_625_923, 7, SWORD, "least"],
  ["Padded, to-ac, d3", 214_938_948, 7, { level: 60, great: true, kind: 81 }, "most"],
  ["Many-Layered, flag", 815_459_155, 11, { level: 60, great: true, kind: 81 }, "most"],
  ["Twice-Engraved, pval flag", 2_449_009_092, 13, { level: 127, great: true, kind: 116 }, "least"],
  ["Twice-Engraved, pval flag", 1_272_550_738, 7, { level: 60, great: true, kind: 110 }, "most"],
  ["theme", 742_708_128, 14, { level: 60, great: true, kind: 110 }, "least"],
  ["theme", 2_080_649_255, 13, SWORD, "most"],
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
  ["theme, choice", 7, 1_719_975_654, 1, TWO_THEMES, "least"],
  ["theme", 7, 1_876_008_404, 0, TWO_THEMES, "most"],
  ["theme", 8, 2_129_427_262, 0, SMUGGLER, "least"],
  ["Smuggler's: of Loose Knots", 7, 1_264_672_035, 3, SMUGGLER, "least"],
  ["Smuggler's: of Loose Knots", 8, 4_041_684_475, 3, SMUGGLER, "most"],
  ["Smuggler's: Tarred", 7, 666_362_830, 4, SMUGGLER, "least"],
  ["Smuggler's: Tarred", 8, 1_887_979_470, 4, SMUGGLER, "most"],
  ["Many-Layered, flag", 7, 1_660_072_582, 0, LAYERS, "least"],
  ["Many-Layered, flag", 7, 1_396_170_016, 0, LAYERS, "most"],
  ["Engraved, pval flag", 7, 1_851_832_038, 0, ENGRAVED, "most"],
  ["Engraved, pval flag", 7, 2_742_542_656, 0, ENGRAVED, "least"],
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
