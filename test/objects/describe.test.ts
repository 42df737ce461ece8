import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeObject, describeText } from "../../src/objects/show/describe.js";
import type { Naming } from "../../src/objects/show/names.js";
import type { MadeObject, RandomValue } from "../../src/objects/types.js";
import { FILES, made } from "./made.js";

/** Leather mail that an affix has been at: its own to-ac is 0 … 4 or so, its stealth -5 … -2. */
const mail = made({
  kind: 3,
  affixes: ["Emerald", "of Rust", "Emerald"],
  depths: [15, 40, 0],
  ...{ ac: 11, weight: 123, dice: 1, sides: 2, toHit: -1, toDam: 2, toAc: 3 },
  flags: ["FREE_ACT", "RES_FIRE"],
  pvals: { STEALTH: -3, STR: 1, SPEED: 2 },
});

describe("what is said of an object", () => {
  test("its name, what it is made of, and every text once, in that order", () => {
    const sword = made({ affixes: ["Emerald", "of Rust", "Sharp", "Emerald"], theme: "of the Ferry" });
    const { changes, ...rest } = describeObject({ ...sword, depths: [15, 40, 0, 3] }, FILES);
    expect(rest).toEqual({
      name: "an Emerald Long Sword of the Ferry (2d5)",
      kind: "Long Sword",
      colour: "g",
      theme: "of the Ferry",
      affixes: [
        { name: "Emerald", kind: "prefix", level: "great", depth: 15, isOfTheme: false, description: "It is green." },
        { name: "of Rust", kind: "suffix", level: "good", depth: 40, isOfTheme: false, description: "It is red." },
        { name: "Sharp", kind: "prefix", level: null, depth: 0, isOfTheme: true, description: "" },
        { name: "Emerald", kind: "prefix", level: "great", depth: 3, isOfTheme: false, description: "It is green." },
      ],
      description: ["It is green.", "It is red.", "The toll is paid."],
    });
  });

  test("an artifact's name and text, and the kind's, which may have several lines", () => {
    const { artifact, affixes, description } = describeObject(made({ artifact: "'Oar'", affixLevel: -1 }), FILES);
    expect([artifact, affixes, description]).toEqual(["'Oar'", [], ["It has seen the other side."]]);
    const boots = describeObject(made({ kind: 2 }), FILES);
    expect([boots.kind, boots.description]).toEqual(["Pair of Boots", ["Two of them, of one size."]]);
    expect("artifact" in boots || "theme" in boots).toBe(false);
  });

  test("the name follows the naming, which is checked", () => {
    const sword = made({ affixes: ["Sharp", "Sharp"] });
    expect(describeObject(sword, FILES, { affixes: "all", hideDice: true }).name).toBe(
      "a Sharp and *Sharp* Long Sword",
    );
    const synthetic: Naming["synthetic"] = [{ affixes: ["Sharpe"], name: "Keen", kind: "prefix" }];
    expect(() => describeObject(sword, FILES, { synthetic })).toThrow('Did you mean "Sharp"?');
  });

  test("it is plain data", () => {
    const described = describeObject(mail, FILES);
    expect(JSON.parse(JSON.stringify(described))).toEqual(described);
  });
});

describe("changes against the kind", () => {
  test("none where everything is the kind's", () => {
    expect(describeObject(made(), FILES).changes).toEqual({ flagsGained: [], flagsLost: [], pvals: {} });
  });

  test("every number, every flag, every value, with what the kind can have by itself", () => {
    expect(describeObject(mail, FILES).changes).toEqual({
      ac: { from: 14, to: 11 },
      weight: { from: 0, to: 123 },
      dice: { from: 0, to: 1 },
      sides: { from: 0, to: 2 },
      // to-hit is -1 as always
      toDam: { from: { least: 0, most: 0 }, to: 2 },
      toAc: { from: { least: 1, most: 4 }, to: 3 },
      flagsGained: ["FREE_ACT"],
      flagsLost: ["IGNORE_COLD"],
      pvals: {
        STEALTH: { from: { least: -6, most: -2 }, to: -3 },
        SPEED: { from: { least: 0, most: 0 }, to: 2 },
        // two lines of the kind
        INFRA: { from: { least: 2, most: 4 }, to: 0 },
      },
    });
  });

  test("the kind and its changes give the object", () => {
    const number = fc.integer({ min: -9, max: 9 });
    const object: fc.Arbitrary<MadeObject> = fc
      .record({
        kind: fc.constantFrom(1, 2, 3),
        ...{ ac: fc.nat(20), weight: fc.nat(200), dice: fc.nat(3), sides: fc.nat(6) },
        ...{ toHit: number, toDam: number, toAc: number },
        flags: fc.subarray(["IGNORE_COLD", "RES_FIRE", "FREE_ACT", "SLAY_ORC"]),
        pvals: fc.dictionary(
          fc.constantFrom("STEALTH", "INFRA", "STR", "SPEED"),
          number.filter((value) => value !== 0),
        ),
      })
      .map(made);
    fc.assert(
      fc.property(object, (one) => {
        const { changes } = describeObject(one, FILES);
        const { kind } = one;
        for (const name of ["ac", "weight", "dice", "sides"] as const) {
          expect(changes[name]?.to ?? kind[name]).toBe(one[name]);
          expect(changes[name]?.from ?? kind[name]).toBe(kind[name]);
        }
        for (const name of ["toHit", "toDam", "toAc"] as const) {
          expect(changes[name]?.to ?? onlyValue(kind[name])).toBe(one[name]);
        }
        const { flagsGained, flagsLost } = changes;
        const flags = new Set([...kind.flags, ...flagsGained].filter((flag) => !flagsLost.includes(flag)));
        expect(flags).toEqual(new Set(one.flags));
        const valued = new Map<string, number | undefined>(kind.number === 3 ? [["STR", 1]] : []);
        for (const [flag, { to }] of Object.entries(changes.pvals)) valued.set(flag, to);
        expect(new Map([...valued].filter(([, value]) => value !== 0))).toEqual(new Map(Object.entries(one.pvals)));
      }),
    );
  });

  /** The value of what is not random: what is must be among the changes. */
  function onlyValue({ base, dice, bonus, negated }: RandomValue): number | undefined {
    if (dice !== 0 || bonus !== 0) return undefined;
    return negated ? 0 - base : base;
  }
});

describe("the text for a terminal", () => {
  test("has the name, the texts, the affixes and all changes, a line each", () => {
    expect(
      describeText(describeObject(mail, FILES)),
    ).toBe(`Emerald Leather Mail of Rust (-1,+2) [11,+3] <-3 STEALTH, +1 STR, +2 SPEED>
  It is green.
  It is red.
  Colour: g
  Affixes: Emerald (depth 15), of Rust (depth 40), Emerald (depth 0)
  Against the Leather Mail:
    base armour class: 14 to 11
    weight: 0.0 lb to 12.3 lb
    dice: 0 to 1
    sides: 0 to 2
    to-dam: +0 to +2
    to-ac: (+1 … +4) to +3
    STEALTH: (-6 … -2) to -3
    SPEED: +0 to +2
    INFRA: (+2 … +4) to +0
    gained: FREE_ACT
    lost: IGNORE_COLD`);
  });

  test("names the affix levels and the theme", () => {
    const sword = made({ affixes: ["Sharp", "(Guard)"], theme: "of the Ferry", toHit: 3 });
    expect(describeText(describeObject(sword, FILES))).toBe(`a Long Sword of the Ferry (2d5) (+3,+0)
  The toll is paid.
  Colour: w
  Affixes: (Guard) (great, depth 15)
  Theme: of the Ferry, from Sharp (good, depth 15)
  Against the Long Sword:
    to-hit: +0 to +3`);
  });

  test("is the name alone where there is no more to say", () => {
    expect(describeText(describeObject(made({ kind: 5 }), FILES))).toBe("a Bow");
  });
});
