import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { checkObjectFiles, LEVELS, nameOf, parseObjects, rowOf } from "../../src/objects/index.js";
import type { ObjectFiles, ObjectTexts } from "../../src/objects/types.js";
import { SMALL, smallWith } from "./small.js";

const TOTEMS: ObjectTexts = {
  object: `N:1:& Bone Totem~
I:totem:1
A:10:1 to 50
N:2:& Sling Stone~
I:210:4
P:0:1d3:0:0:0
A:10:1 to 50
N:3:& Blade~
I:23:1
P:0:2d5:0:0:0
A:10:1 to 50
`,
  objectBase: `N:totem:Totem~
F:HATES_FIRE
N:pebble:Pebble~
I:210:ammunition
N:sword:Blade~
`,
  egoItem: `D:levels:plain | fine | rare | unheard-of
N:1:prefix:Carved
T:totem:0:9:plain:10:1 to 50
T:TOTEM:0:9:rare:10:51 to 60
N:2:suffix:of Flame
F:BRAND_FIRE | REGEN
T:pebble:0:9:plain:10:1 to 50
T:sword:0:9:fine:10:1 to 50
`,
  egoThemes: "",
  artifact: "",
};

function filesOf(texts: ObjectTexts): ObjectFiles {
  const { spec: files, issues } = parseObjects(texts);
  if (files === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return files;
}

const placesOf = (texts: ObjectTexts) =>
  parseObjects(texts)
    .issues.filter(({ severity }) => severity === "error")
    .map(({ code, where: { file, line, column } }) => `${file}:${line}:${column} ${code}`);

describe("item types and level words come from the files", () => {
  const files = filesOf(TOTEMS);

  test("a type without a number has a free one; numbers and groups can be stated", () => {
    expect(files.bases.map(({ tval, word, group }) => [tval, word, group])).toEqual([
      [23, "sword", "weapon"],
      [210, "pebble", "ammunition"],
      [256, "totem", "other"],
    ]);
    expect(files.kinds.map(({ tval, type }) => [tval, type.word])).toEqual([
      [256, "totem"],
      [210, "pebble"],
      [23, "sword"],
    ]);
    expect(files.kinds[0].flags).toEqual(["HATES_FIRE"]);
    expect(checkObjectFiles(files)).toEqual([]);
  });

  test("objects of these types are made, requested, and shown by these words", () => {
    const maker = createMill({ seed: "totems" }).objects("totems", TOTEMS);
    const totem = maker.make({ level: 20, tval: "totem", with: ["Carved"], great: true, kind: "Bone Totem" });
    expect(nameOf(maker.files, totem)).toBe("a Carved Bone Totem");
    expect(rowOf(maker.files, totem).tval).toBe("totem");
    // ammunition keeps brands only
    const stone = maker.make({ level: 20, kind: "sling stone", with: ["of Flame"], great: true, affixLevel: "fine" });
    expect(stone.flags).toEqual(["BRAND_FIRE"]);
    expect(nameOf(maker.files, stone)).toBe("a Sling Stone of Flame (1d3)");
    expect(maker.odds({ of: "affixLevel", level: 20, great: true }).odds.map(({ result }) => result)).toEqual([
      "fine",
      "rare",
    ]);
    expect(maker.whyImpossible({ level: 20, tval: "pebble", with: ["Carved"] })?.message).toContain("totem");
  });

  test("the group decides what can be good", () => {
    const goodKinds = (texts: ObjectTexts) =>
      createMill({ seed: "good" })
        .objects("good", texts)
        .odds({ of: "kind", level: 5, good: true })
        .odds.map(({ result }) => result.number);
    expect(goodKinds(TOTEMS)).toEqual([2, 3]);
    const objectBase = TOTEMS.objectBase.replace("N:totem:Totem~", "$&\nI:200:armour");
    expect(goodKinds({ ...TOTEMS, objectBase })).toEqual([1, 2, 3]);
  });

  test("a record replaces the built-in type with its number or its word", () => {
    const objectBase = SMALL.objectBase.replace("N:sword:Blade~", "N:glaive:Blade~\nI:23");
    const glaives = smallWith({
      objectBase,
      egoItem: SMALL.egoItem.replaceAll("T:sword", "T:glaive"),
      egoThemes: SMALL.egoThemes.replaceAll("T:sword", "T:glaive"),
      artifact: SMALL.artifact.replaceAll("I:sword", "I:glaive"),
    });
    expect(filesOf(glaives).bases[0]).toMatchObject({ tval: 23, word: "glaive", group: "weapon" });
    expect(placesOf({ ...glaives, artifact: SMALL.artifact })).toEqual(["artifact.txt:2:3 object.name"]);
  });

  test("wrong types are errors at their place", () => {
    const base = (objectBase: string) => placesOf({ ...TOTEMS, objectBase: TOTEMS.objectBase + objectBase });
    expect(base("N:idol:I~\nI:210\n")).toEqual(["object_base.txt:6:1 object.duplicate"]);
    expect(base("N:Totem:I~\n")).toEqual(["object_base.txt:6:1 object.duplicate"]);
    expect(base("N:idol:I~\nI:0\n")).toEqual(["object_base.txt:7:3 object.number"]);
    expect(base("N:idol:I~\nI:256\n")).toEqual(["object_base.txt:7:3 object.number"]);
    expect(base("N:idol:I~\nI:7:armor\n")).toEqual(["object_base.txt:7:5 object.name"]);
    expect(base("N:12:I~\n")).toEqual(["object_base.txt:6:3 object.line"]);
    const object = (line: string) => placesOf({ ...TOTEMS, object: TOTEMS.object.replace("I:210:4", line) });
    expect(object("I:211:4")).toEqual(["object.txt:5:3 object.name"]);
    expect(object("I:256:4")).toEqual(["object.txt:5:3 object.name"]);
    expect(object("I:idol:4")).toEqual(["object.txt:5:3 object.name"]);
  });

  test("levels have the order of their line, and one line sets them", () => {
    expect(files.levels).toEqual(["plain", "fine", "rare", "unheard-of"]);
    expect(files.affixes[0].targets.map(({ level }) => level)).toEqual([0, 2]);
    expect(filesOf(SMALL).levels).toEqual(LEVELS);
    const levels = (line: string) => placesOf({ ...TOTEMS, egoItem: `${line}\n` });
    expect(levels("D:levels:a")).toEqual([]);
    expect(levels("D:levels:a || b")).toEqual(["ego_item.txt:1:13 object.line"]);
    expect(levels("D:levels:a | b | a")).toEqual(["ego_item.txt:1:18 object.duplicate"]);
    expect(levels("D:level:a")).toEqual(["ego_item.txt:1:3 object.line"]);
    expect(levels("D:levels:a\nD:levels:b")).toEqual(["ego_item.txt:2:1 object.duplicate"]);
    const many = Array.from({ length: 256 }, (_, i) => `l${i}`).join("|");
    expect(levels(`D:levels:${many}`)).toEqual(["ego_item.txt:1:10 object.files"]);
  });
});

describe("one unknown type word no longer causes a hundred errors", () => {
  test("an unknown type, level, flag or affix is one error, with the number of its places and the first of them", () => {
    const lines = Array.from({ length: 300 }, () => "T:sward:0:9:gud:5:1 to 9\nX:Hawn\nF:REGENN\n").join("");
    const { issues } = parseObjects(smallWith({ egoItem: `${SMALL.egoItem}${lines}` }));
    expect(issues.map(({ where: { line, column }, code }) => `${line}:${column} ${code}`)).toEqual([
      "22:3 object.name",
      "22:13 object.name",
      "23:3 object.name",
      "24:3 object.flag",
    ]);
    expect(issues[0].message).toContain("300 times; next in line 25, 28, 31 and 296 more");
  });

  test("an unknown word gives the lines of the other places", () => {
    const { issues } = parseObjects(smallWith({ egoItem: SMALL.egoItem.replaceAll("T:sword:0:9", "T:sward:0:9") }));
    expect(issues.map(({ where }) => where.line)).toEqual([4]);
    expect(issues[0].message).toContain("3 times; next in line 5, 21)");
  });

  test("other errors stay in the order of the lines", () => {
    const egoItem = SMALL.egoItem.replace("C:1+d4:", "C:x:").replaceAll("T:sword", "T:sward").replace("G:v", "G:7");
    const { issues } = parseObjects(smallWith({ egoItem }));
    expect(issues.map(({ where }) => where.line)).toEqual([2, 4, 19]);
  });
});
