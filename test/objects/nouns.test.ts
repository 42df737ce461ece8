import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { KindSpec } from "../../src/objects/index.js";
import { parseObjects } from "../../src/objects/index.js";
import { inNumber, withNoun } from "../../src/objects/parse/names.js";
import { objectName } from "../../src/objects/show/names.js";
import { made } from "./made.js";
import { filesOf } from "./oddsFiles.js";
import { smallWith } from "./small.js";

const JEWELS = filesOf({
  object: `N:1:Protection
I:40:1
N:2:Searching
I:40:2
N:3:Searching
I:45:2
N:4:[Beginners' Charms]
I:90:1
N:5:& Kni|fe|ves|
I:23:1
P:0:1d4:0:0:0
N:6:Bread
I:80:1
N:7:copper
I:100:1
N:8:Light
I:55:1
`,
  objectBase: `N:amulet:Amulet~
N:ring:Ring~
N:magic book:Book~
N:sword:Blade~
N:food:Food
N:staff:Sta|ff|ves|
`,
  egoItem: "",
  egoThemes: "",
  artifact: "",
});

describe("names use the base's noun and plural", () => {
  const kindOf = (number: number): KindSpec => JEWELS.kinds[number - 1];
  const nameOf = (number: number, count?: number) => {
    const kind = kindOf(number);
    return objectName({ ...made(), kind, ac: 0, toAc: number === 1 ? 10 : 0 }, { number: count, hideDice: true });
  };

  test("Protection [+10] is an amulet: a kind without marks has the noun of its base, with an article if it can be counted", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((number) => nameOf(number))).toEqual([
      "an Amulet of Protection [+10]",
      "an Amulet of Searching",
      "a Ring of Searching",
      "a Book [Beginners' Charms]",
      "a Knife",
      "Food of Bread",
      "copper",
      "a Staff of Light",
    ]);
  });

  test("several objects have the number and the plural, also of |sing|plur|; none has no more", () => {
    expect([1, 4, 5, 8].map((number) => nameOf(number, 3))).toEqual([
      "3 Amulets of Protection [+10]",
      "3 Books [Beginners' Charms]",
      "3 Knives",
      "3 Staves of Light",
    ]);
    expect(nameOf(5, 0)).toBe("no more Knives");
    expect(nameOf(5, 1)).toBe("a Knife");
  });

  test("the ending is es after s, h and x", () => {
    const plural = (name: string) => inNumber(name, 2);
    expect(["& Cutlass~", "& Torch~", "& Box~", "& Sword~", "& Pair~ of Boots"].map(plural)).toEqual([
      "Cutlasses",
      "Torches",
      "Boxes",
      "Swords",
      "Pairs of Boots",
    ]);
    expect(inNumber("& Kni|fe|ves| and Fork~", 1)).toBe("Knife and Fork");
  });

  test("a name with a mark, a weapon, and a kind without a base have a noun of their own", () => {
    const other = (name: string) => ({ name, group: "other" }) as const;
    expect(withNoun("& Flask~ of oil", other("Flask~"))).toBe("& Flask~ of oil");
    expect(withNoun("Powder~", other("Flask~"))).toBe("Powder~");
    expect(withNoun("gold", undefined)).toBe("gold");
    expect(withNoun("Axe", { name: "Polearm~", group: "weapon" })).toBe("Axe");
    expect(withNoun("Speed", other("& Ring~"))).toBe("& Ring~ of Speed");
  });

  test("kinds are requested by the full name, or by the name in the file if only one kind has it", () => {
    const maker = createMill({ seed: "nouns" }).objects("jewels", JEWELS);
    expect(maker.find("kind", "Ring of Searching").number).toBe(3);
    expect(maker.find("kind", "amulet of protection").number).toBe(1);
    expect(maker.find("kind", "Protection").number).toBe(1);
    expect(() => maker.find("kind", "Searching")).toThrow("2 (amulet), 3 (ring)");
  });

  test("forms without a third bar are an error at the name", () => {
    const issuesOf = (name: string) =>
      parseObjects(smallWith({ object: `N:1:${name}\nI:23:4\n`, artifact: "" }))
        .issues.filter(({ severity }) => severity === "error")
        .map(({ code, where }) => `${where.line}:${where.column} ${code}`);
    expect(issuesOf("Kni|fe|ves|")).toEqual([]);
    expect(issuesOf("Kni|fe|ves")).toEqual(["1:5 object.line"]);
    expect(issuesOf("Kni|fe")).toEqual(["1:5 object.line"]);
    const { issues } = parseObjects(smallWith({ objectBase: "N:sword:Bla|de\n" }));
    expect(issues[0]).toMatchObject({ code: "object.line", where: { line: 1, column: 9 } });
  });
});
