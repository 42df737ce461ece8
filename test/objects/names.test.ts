import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkedNaming, type Naming, objectColour, objectName } from "../../src/objects/show/names.js";
import type { KindSpec, MadeObject } from "../../src/objects/types.js";
import { FILES, type Making, made } from "./made.js";

const nameOf = (making: Making, naming?: Naming) => objectName(made(making), naming);
/** Without dice, which the sword has. */
const wordsOf = (making: Making, naming: Naming = {}) => nameOf(making, { ...naming, hideDice: true });

describe("what stands before the name", () => {
  test("a before consonants, an before vowels, of whatever word comes first", () => {
    expect(wordsOf({})).toBe("a Long Sword");
    expect(wordsOf({ affixes: ["Emerald"] })).toBe("an Emerald Long Sword");
    expect(wordsOf({ kind: 4 })).toBe("an Emerald Ring");
    expect(wordsOf({ kind: 4, affixes: ["Sharp"] })).toBe("a Sharp Emerald Ring");
  });

  test("the first letter decides, whatever marks stand before or on it", () => {
    const called = (fullName: string) =>
      objectName({ ...made({ kind: 4 }), kind: { ...made({ kind: 4 }).kind, fullName } });
    expect(called("& *Iron* Ring~")).toBe("an *Iron* Ring");
    expect(called("& Übel~")).toBe("an Übel");
    expect(called("& Žal~")).toBe("a Žal");
    expect(called("& 8~")).toBe("a 8");
    expect(called("&Iron~")).toBe("an Iron");
  });

  test("nothing where the kind has no mark of an article, and the before an artifact in any case", () => {
    expect(nameOf({ kind: 3, ac: 0 })).toBe("Leather Mail");
    expect(wordsOf({ artifact: "'Oar'" })).toBe("the Long Sword 'Oar'");
    expect(nameOf({ kind: 3, ac: 0, artifact: "of the Idol" })).toBe("the Leather Mail of the Idol");
  });

  test("the mark of the plural is gone, wherever it stands", () => {
    expect(nameOf({ kind: 2, ac: 0 })).toBe("a Pair of Boots");
  });
});

describe("one affix on either side", () => {
  test("a prefix, a suffix, both", () => {
    expect(wordsOf({ affixes: ["Sharp"] })).toBe("a Sharp Long Sword");
    expect(wordsOf({ affixes: ["of Rust"] })).toBe("a Long Sword of Rust");
    expect(wordsOf({ affixes: ["of Rust", "Sharp"] })).toBe("a Sharp Long Sword of Rust");
  });

  test("the best of them is of the highest affix level, and of those the first", () => {
    expect(wordsOf({ affixes: ["Sharp", "Emerald", "Old"] })).toBe("an Emerald Long Sword");
    expect(wordsOf({ affixes: ["Sharp", "Old", "Sharp"] })).toBe("a Sharp Long Sword");
    expect(wordsOf({ affixes: ["Old", "Sharp"] })).toBe("an Old Long Sword");
    expect(wordsOf({ affixes: ["of Rust", "(Guard)"] })).toBe("a Long Sword (Guard)");
  });

  test("the level is that of the line under which it came: by the real depth, …", () => {
    // at 21 the first line is too shallow, the second one makes it good like the others
    expect(wordsOf({ affixes: ["Sharp", "Emerald"], level: 20 })).toBe("an Emerald Long Sword");
    expect(wordsOf({ affixes: ["Sharp", "Emerald"], level: 21 })).toBe("a Sharp Long Sword");
  });

  test("… by the depth of the choice, boosted or not, …", () => {
    const making = { affixes: ["(Guard)", "of the Hoar"], affixLevel: 2 };
    expect(wordsOf({ ...making, depths: [15, 30] })).toBe("a Long Sword of the Hoar");
    expect(wordsOf({ ...making, depths: [15, 29] })).toBe("a Long Sword (Guard)");
  });

  test("… by the object's affix level, …", () => {
    const making = { affixes: ["Sharp", "Emerald"], level: 10 };
    expect(wordsOf({ ...making, affixLevel: 1 })).toBe("an Emerald Long Sword");
    expect(wordsOf({ ...making, affixLevel: 0 })).toBe("a Sharp Long Sword");
  });

  test("… and by the first line that fits, not by the best one", () => {
    expect(wordsOf({ affixes: ["(Guard)", "of Rust"] })).toBe("a Long Sword (Guard)");
  });

  test("what came under no line at all is the least, but is named where there is nothing else", () => {
    expect(wordsOf({ affixes: ["Emerald", "Sharp"], depths: [0, 15] })).toBe("a Sharp Long Sword");
    expect(wordsOf({ affixes: ["of the Hoar", "of Rust"], depths: [30, 15] })).toBe("a Long Sword of the Hoar");
    expect(wordsOf({ kind: 7, affixes: ["of the Hoar", "of Rust"], depths: [30, 15] })).toBe("a Saber of Rust");
    expect(wordsOf({ kind: 8, affixes: ["of the Hoar", "of Rust"], depths: [30, 15] })).toBe("a Scimitar of Rust");
    expect(nameOf({ kind: 4, affixes: ["Emerald", "of Rust"] })).toBe("an Emerald Emerald Ring of Rust");
  });
});

describe("a theme", () => {
  test("own affixes are not said twice: it has its side to itself, and the other side is another affix's", () => {
    const affixes = ["Emerald", "of Rust"];
    expect(wordsOf({ affixes, theme: "of the Ferry" })).toBe("an Emerald Long Sword of the Ferry");
    expect(wordsOf({ affixes, theme: "Royal" })).toBe("a Royal Long Sword of Rust");
    expect(wordsOf({ theme: "Royal" })).toBe("a Royal Long Sword");
  });

  test("own affixes are not said twice in every policy", () => {
    const affixes = ["Sharp", "Old", "of Rust", "Sharp"];
    const synthetic = [{ affixes: ["Old", "of Rust"], name: "of Ages", kind: "suffix" }] as const;
    const themed = { affixes, theme: "of the Ferry" };
    expect(wordsOf(themed, { affixes: "all" })).toBe("an Old Long Sword of the Ferry");
    expect(wordsOf(themed, { affixes: "synthetic", synthetic })).toBe("an Old Long Sword of the Ferry");
    expect(wordsOf({ ...themed, theme: "Royal" }, { affixes: "synthetic", synthetic })).toBe(
      "a Royal Long Sword of Ages",
    );
  });

  test("an artifact's name stands instead of its affixes'", () => {
    expect(wordsOf({ artifact: "'Oar'", affixes: ["Sharp", "of Rust"] }, { affixes: "all" })).toBe(
      "the Long Sword 'Oar'",
    );
  });
});

describe("all affixes", () => {
  const all = (affixes: readonly string[], repeats?: "stars" | "count") =>
    wordsOf({ affixes }, { affixes: "all", repeats });

  test("prefixes follow one another, suffixes have commas between them, in their order", () => {
    expect(all(["Sharp", "of Rust", "Emerald", "of the Hoar", "(Guard)"])).toBe(
      "a Sharp Emerald Long Sword of Rust, of the Hoar, (Guard)",
    );
    expect(all(["Emerald", "Sharp"])).toBe("an Emerald Sharp Long Sword");
    expect(all([])).toBe("a Long Sword");
  });

  test("a repeat has one more star, around what follows of and the", () => {
    expect(all(["Sharp", "Old", "Sharp", "Sharp"])).toBe("a Sharp, *Sharp* and **Sharp** Old Long Sword");
    expect(all(["of the Hoar", "of Rust", "of the Hoar", "of Rust", "of Rust"])).toBe(
      "a Long Sword of the Hoar, of the *Hoar*, of Rust, of *Rust*, of **Rust**",
    );
    expect(all(["(Guard)", "(Guard)"], "stars")).toBe("a Long Sword (Guard), *(Guard)*");
  });

  test("or is counted", () => {
    expect(all(["Sharp", "of Rust", "Sharp", "Old", "of Rust", "of Rust"], "count")).toBe(
      "a Sharp (x2) Old Long Sword of Rust (x3)",
    );
  });
});

describe("synthetic names", () => {
  const named = (affixes: readonly string[], ...synthetic: NonNullable<Naming["synthetic"]>) =>
    wordsOf({ affixes }, checkedNaming({ affixes: "synthetic", synthetic }, FILES));
  const ages = { affixes: ["Old", "of Rust"], name: "of Ages", kind: "suffix" } as const;

  test("one stands for its affixes, all of which must be there, and the best of the others has the other side", () => {
    expect(named(["Old", "of Rust"], ages)).toBe("a Long Sword of Ages");
    expect(named(["Old", "of Rust", "Sharp", "of the Hoar"], ages)).toBe("a Sharp Long Sword of Ages");
    expect(named(["Old", "(Guard)"], ages)).toBe("an Old Long Sword (Guard)");
    expect(named(["Old", "of Rust"], { ...ages, kind: "prefix", name: "Aged" })).toBe("an Aged Long Sword");
    expect(named(["Old", "of Rust", "(Guard)"], { ...ages, kind: "prefix", name: "Aged" })).toBe(
      "an Aged Long Sword (Guard)",
    );
  });

  test("the one of the most affixes wins, the first of those", () => {
    const great = { affixes: ["Old", "of Rust", "Sharp"], name: "Great", kind: "prefix" } as const;
    expect(named(["Old", "Sharp", "of Rust"], ages, great)).toBe("a Great Long Sword");
    expect(named(["Old", "Sharp", "of Rust"], { ...great, affixes: ["Old", "Sharp"] }, ages)).toBe(
      "a Great Long Sword of Rust",
    );
    expect(named(["Old", "Sharp", "of Rust"], ages, { ...great, affixes: ["Old", "Sharp"] })).toBe(
      "a Sharp Long Sword of Ages",
    );
  });

  test("one that lists an affix twice needs it twice", () => {
    const keen = { affixes: ["Sharp", "Sharp"], name: "Keen", kind: "prefix" } as const;
    expect(named(["Sharp", "Old"], keen)).toBe("a Sharp Long Sword");
    expect(named(["Sharp", "Old", "Sharp"], keen)).toBe("a Keen Long Sword");
  });

  test("they change nothing where they are not asked for", () => {
    expect(wordsOf({ affixes: ["Old", "of Rust"] }, { synthetic: [ages] })).toBe("an Old Long Sword of Rust");
  });
});

describe("numbers", () => {
  test("the whole of a name", () => {
    const making = { affixes: ["Emerald"], theme: "of the Ferry", toHit: 7, toDam: 9 };
    expect(nameOf(making)).toBe("an Emerald Long Sword of the Ferry (2d5) (+7,+9)");
    expect(nameOf({ artifact: "'Oar'", dice: 3, sides: 3, toHit: 5, toAc: -2, pvals: { STR: 2 } })).toBe(
      "the Long Sword 'Oar' (3d3) (+5,+0) [-2] <+2>",
    );
  });

  test("dice of weapons, ammunition and diggers, not of bows, boots or rings, unless a flag shows them", () => {
    expect(nameOf({ kind: 6 })).toBe("an Iron Shot (1d4)");
    expect(nameOf({ kind: 5 })).toBe("a Bow");
    expect(nameOf({ kind: 2 })).toBe("a Pair of Boots [2,+0]");
    expect(nameOf({ kind: 2, flags: ["SHOW_DICE"] })).toBe("a Pair of Boots (1d1) [2,+0]");
    expect(nameOf({ kind: 2, flags: ["SHOW_DICE"] }, { hideDice: true })).toBe("a Pair of Boots [2,+0]");
  });

  test("to-hit and to-dam where either is not 0, or a flag shows them", () => {
    expect(nameOf({ kind: 4, toDam: -3 })).toBe("an Emerald Ring (+0,-3)");
    expect(nameOf({ kind: 4, toHit: 1 })).toBe("an Emerald Ring (+1,+0)");
    expect(nameOf({ kind: 4, flags: ["SHOW_MODS"] })).toBe("an Emerald Ring (+0,+0)");
  });

  test("armour with what is added to it, and what is added to none", () => {
    expect(nameOf({ kind: 3, ac: 14, toAc: 3 })).toBe("Leather Mail [14,+3]");
    expect(nameOf({ kind: 3, ac: 0, toAc: 3 })).toBe("Leather Mail [0,+3]");
    expect(nameOf({ kind: 3, ac: 0, toAc: 0 })).toBe("Leather Mail");
    expect(nameOf({ kind: 2, ac: 0, toAc: -1 })).toBe("a Pair of Boots [0,-1]");
    expect(nameOf({ kind: 4, toAc: 3 })).toBe("an Emerald Ring [+3]");
    expect(nameOf({ kind: 4, ac: 1 })).toBe("an Emerald Ring [1,+0]");
  });

  test("a hidden base armour class leaves what is added to it", () => {
    expect(nameOf({ kind: 3, ac: 14, toAc: 3 }, { hideAc: true })).toBe("Leather Mail [+3]");
    expect(nameOf({ kind: 3, ac: 14, toAc: 0 }, { hideAc: true })).toBe("Leather Mail");
  });

  test("values that are the same once, others by their flags", () => {
    expect(nameOf({ kind: 4, pvals: { STR: 2, CON: 2 } })).toBe("an Emerald Ring <+2>");
    expect(nameOf({ kind: 4, pvals: { STR: 2, CON: 2, SPEED: -1 } })).toBe(
      "an Emerald Ring <+2 STR, +2 CON, -1 SPEED>",
    );
  });
});

describe("the law of names", () => {
  const affixes = fc.array(fc.constantFrom(...FILES.affixes.map(({ name }) => name)), { maxLength: 8 });
  const number = fc.integer({ min: -20, max: 20 });
  const object: fc.Arbitrary<MadeObject> = fc
    .record({
      kind: fc.constantFrom(1, 2, 3, 4, 5, 6),
      affixes,
      level: fc.nat(255),
      affixLevel: fc.nat(3),
      ...{ toHit: number, toDam: number, toAc: number, ac: fc.nat(20), dice: fc.nat(9), sides: fc.nat(9) },
      flags: fc.subarray(["SHOW_DICE", "SHOW_MODS", "FREE_ACT"]),
      pvals: fc.dictionary(fc.constantFrom("STR", "SPEED", "STEALTH"), number),
      // marks and blanks anywhere
      name: fc.string({ unit: fc.constantFrom("&", "~", " ", "a", "B", "'") }),
      extra: fc.constantFrom<Making>({}, { theme: "Royal" }, { theme: "of the Ferry" }, { artifact: "'Oar'" }),
    })
    .map(({ name, extra, ...making }) => {
      const { kind, ...rest } = made({ ...making, ...extra });
      return { ...rest, kind: { ...kind, fullName: `${kind.fullName}${name}` } };
    });
  const naming: fc.Arbitrary<Naming> = fc.record({
    affixes: fc.constantFrom("best", "all", "synthetic", undefined),
    repeats: fc.constantFrom("stars", "count", undefined),
    synthetic: fc.constant([{ affixes: ["Old", "of Rust"], name: "of Ages", kind: "suffix" }]),
    hideAc: fc.boolean(),
    hideDice: fc.boolean(),
  });

  test("no mark of the files and no double blank is left in one, and none at its ends", () => {
    fc.assert(
      fc.property(object, naming, (one, how) => {
        expect(objectName(one, how)).not.toMatch(/^& |~| {2}|^ | $|^$/);
      }),
    );
  });

  test("with all affixes, each of them is named as often as it is there, unless there is an artifact or a theme", () => {
    fc.assert(
      fc.property(affixes, (list) => {
        const name = wordsOf({ affixes: list }, { affixes: "all" });
        for (const affix of ["Sharp", "Emerald", "Old", "Rust", "Hoar", "(Guard)"]) {
          expect(name.split(affix).length - 1).toBe(list.filter((other) => other.includes(affix)).length);
        }
      }),
    );
  });
});

describe("the colour", () => {
  test("is the last affix's that has one, else the kind's", () => {
    expect(objectColour(made({ affixes: ["of Rust", "Emerald", "Sharp"] }))).toBe("g");
    expect(objectColour(made({ affixes: ["Emerald", "of Rust"] }))).toBe("r");
    expect(objectColour(made({ affixes: ["Sharp"] }))).toBe("w");
    expect(objectColour(made({ kind: 4 }))).toBe("g");
    expect(objectColour(made({ kind: 3 }))).toBeUndefined();
  });

  test("is none where the kind's line has no second field", () => {
    const kind = (G: string): KindSpec => ({ ...made().kind, text: { G: [G] } });
    expect(["|", ":", "", "|:", "|: w "].map((G) => objectColour({ ...made(), kind: kind(G) }))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      "w",
    ]);
  });
});
