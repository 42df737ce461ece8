import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { checkObjectFiles, loadObject, type ObjectTexts, parseObjects, saveObject } from "../../src/objects/index.js";

/** Small files in the last form of version 4. */
const LAST: ObjectTexts = {
  object: `N:1:& Marlinspike~
I:23:4
W:3:0:15:20
P:0:1d7:0:0:0:50:60
A:30:1 to 100
N:2:& Boathook~
I:23:4
P:0:0:0:0:0
A:10:1 to 100
N:3:& Signet~
I:40:3
A:5:1 to 9
`,
  objectBase: "N:sword:Blade~\nN:amulet:Amulet~\n",
  egoItem: `N:1:quality:Keen
C:d4:d4:0:0:0:0:0:10:20
T:sword:0:99:average:20:1 to 100
N:2:quality:Blunt
T:sword:0:99:bad:20:1 to 100
N:3:make:Fisher's
T:sword:0:99:good:20:1 to 100
N:4:material:Whalebone
T:sword:0:99:great:20:1 to 100
N:5:suffix:of Squalls
L:d20:1:SLAY_EVIL | BRAND_COLD
F:RES_COLD
T:sword:0:99:good:20:1 to 100
`,
  egoThemes: "",
  artifact: `N:1:of the Gale
I:amulet:
W:20:3:15:9000:no
A:40:5 to 100
L:30:SLAY_EVIL
affix:Whalebone
N:2:of the Lull
I:amulet:Bell
A:40:5 to 100
`,
};

describe("the last form of version 4", () => {
  const { spec, issues } = parseObjects(LAST);

  test("loads with warnings about what has no effect, once for each file", () => {
    expect(issues.filter(({ severity }) => severity === "error")).toEqual([]);
    const places = issues.map(({ code, where }) => `${code} ${where.file}:${where.line}`);
    expect(places).toEqual([
      "object.files ego_themes.txt:1",
      "object.unused object.txt:4",
      "object.duplicate object.txt:7",
      "object.unused ego_item.txt:2",
      "object.unused ego_item.txt:3",
      "object.unused ego_item.txt:5",
      "object.unused artifact.txt:3",
      "object.unused artifact.txt:6",
    ]);
  });

  test("affixes of a class are prefixes that exclude one another and themselves", () => {
    const byName = new Map(spec?.affixes.map((affix) => [affix.name, affix]));
    expect(byName.get("Keen")).toMatchObject({ kind: "prefix", excludes: [1, 2] });
    expect(byName.get("Fisher's")).toMatchObject({ kind: "prefix", excludes: [3] });
    expect(byName.get("of Squalls")).toMatchObject({ kind: "suffix", excludes: [] });
    const made = createMill({ seed: "gale" })
      .objects("o", LAST)
      .makeMany(500, { level: 90, great: true, tval: "sword" });
    const names = [...made].map(({ affixes }) => affixes.map(({ name }) => name));
    const count = (own: readonly string[], ...some: readonly string[]) =>
      own.filter((name) => some.includes(name)).length;
    expect(Math.max(...names.map((own) => count(own, "Keen", "Blunt")))).toBe(1);
    expect(Math.max(...names.map((own) => count(own, "Whalebone")))).toBe(1);
    expect(Math.max(...names.map((own) => count(own, "of Squalls")))).toBeGreaterThan(1);
    expect(Math.max(...names.map((own) => own.length))).toBeGreaterThan(3);
  });

  test("levels below good count as the lowest level, and slays and brands have values", () => {
    expect(spec?.levels).toEqual(["good", "great", "uber", "artifact"]);
    const types = new Map(spec?.flags.map(({ name, type }) => [name, type]));
    expect([types.get("SLAY_EVIL"), types.get("BRAND_COLD"), types.get("LIGHT")]).toEqual(["VSLAY", "VBRAND", "MISC"]);
    expect(spec?.affixes[4].pvals[0].flags).toEqual(["SLAY_EVIL", "BRAND_COLD"]);
    expect(spec?.affixes.map(({ targets }) => targets[0].level)).toEqual([0, 0, 0, 1, 0]);
  });

  test("an artifact without an ordinary kind gets a kind of its own", () => {
    const [gale, lull] = spec?.artifacts ?? [];
    const kindOf = ({ tval, sval }: typeof gale) =>
      spec?.kinds.find((kind) => kind.tval === tval && kind.sval === sval);
    expect(kindOf(gale)).toMatchObject({ name: "& Amulet~", flags: ["INSTA_ART"] });
    expect(kindOf(lull)).toMatchObject({ name: "& Bell~", flags: ["INSTA_ART"] });
  });

  test("ammunition keeps valued slays and brands, and loses other values (first hour 16)", () => {
    const texts = {
      ...LAST,
      object: "N:1:& Pellet~\nI:16:1\nP:0:1d4:0:0:0\nA:30:1 to 100\nL:3:STEALTH\n",
      objectBase: "N:shot:Shot~\n",
      egoItem: "N:1:quality:Keen\nL:5:255:SLAY_EVIL | BRAND_COLD\nL:2:255:SPEED\nT:shot:0:99:good:20:0 to 100\n",
      artifact: "",
    };
    const maker = createMill({ seed: "gale" }).objects("o", texts);
    const made = [...maker.makeMany(100, { level: 30 })];
    const keen = made.filter(({ affixes }) => affixes.length > 0);
    expect(keen.length).toBeGreaterThan(10);
    for (const one of keen) {
      expect(one.pvals).toEqual({ SLAY_EVIL: 5, BRAND_COLD: 5 });
      expect(loadObject(maker.files, saveObject(maker.files, one))).toEqual(one);
    }
    expect(made.find(({ affixes }) => affixes.length === 0)?.pvals).toEqual({ STEALTH: 3 });
  });

  test("no affix of a class is warned of for excluding itself (first hour 16)", () => {
    const found = spec === undefined ? [] : checkObjectFiles(spec);
    expect(found.filter(({ where }) => where.file === "ego_item.txt")).toEqual([]);
  });

  test("the earlier form stays strict", () => {
    const earlier = { ...LAST, egoItem: "N:5:suffix:of Squalls\nC:0:0:0:0:0:0:0:1:2\n" };
    const errors = parseObjects(earlier).issues.filter(({ severity }) => severity === "error");
    expect(errors.map(({ where }) => `${where.file}:${where.line}`)).toEqual(
      expect.arrayContaining(["object.txt:4", "object.txt:7", "ego_item.txt:2", "artifact.txt:3", "artifact.txt:5"]),
    );
  });
});
