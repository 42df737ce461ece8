import { describe, expect, test } from "vitest";
import { checkObjectFiles, parseObjects } from "../../src/objects/index.js";
import type { ObjectTexts } from "../../src/objects/types.js";
import { SMALL, smallWith } from "./small.js";

/** The warnings as `file:line "record" "what it has"`. */
function warningsOf(changes: Partial<ObjectTexts>): string[] {
  const types = ["amulet", "ring", "bow", "helm", "polearm"].map((word) => `N:${word}:Thing~\n`);
  const objectBase = `${SMALL.objectBase}${types.join("")}`;
  const { spec: files, issues } = parseObjects(smallWith({ objectBase, ...changes }));
  expect(issues).toEqual([]);
  const found = files === undefined ? [] : checkObjectFiles(files);
  expect(found.every(({ severity }) => severity === "warning")).toBe(true);
  return found.map(({ where, message }) => {
    const facts = [
      /"[^"]*"/.exec(message)?.[0],
      /because ([^:.]*)/.exec(message)?.[1],
      /got ("[^"]*")/.exec(message)?.[1],
    ].filter((fact) => fact !== undefined);
    return `${where.file}:${where.line} ${facts.join(" ")}`;
  });
}

describe("check sees what can never be made", () => {
  test("nothing, in files that are whole", () => {
    expect(warningsOf({})).toEqual([]);
  });

  test("an affix without T lines, with none that counts, or with none that reaches a kind", () => {
    const egoItem = `${SMALL.egoItem}N:7:prefix:Lost
N:8:prefix:Idle
T:sword:0:9:good:0:1 to 9
N:9:prefix:Astray
T:sword:0:3:good:5:1 to 9
T:ring:0:9:good:5:1 to 9
N:10:prefix:Narrow
T:sword:4:4:good:5:1 to 9
`;
    expect(warningsOf({ egoItem })).toEqual([
      'ego_item.txt:22 "Lost" it has no T line',
      'ego_item.txt:23 "Idle" all its T lines have the probability 0',
      'ego_item.txt:26 "Astray" none of its T lines matches a kind "T:sword:0:3"',
    ]);
  });

  test("a theme without T lines, that reaches no kind, or whose affixes meet on none", () => {
    const egoThemes = `${SMALL.egoThemes}N:2:suffix:of None
A:Hewn:5
N:3:suffix:of Nowhere
T:ring:0:9:1 to 9
N:4:suffix:of Twice
T:sword:0:9:1 to 9
A:Hewn:5
A:Hewn:5
A:of Rust:0
N:5:suffix:of Apart
T:hard armour:0:9:1 to 9
A:Hewn:5
A:of Rust:5
N:6:suffix:of Both
T:hard armour:0:9:1 to 9
T:sword:4:4:1 to 9
A:Hewn:5
A:of Two Gifts:5
`;
    expect(warningsOf({ egoThemes })).toEqual([
      'ego_themes.txt:7 "of None" it has no T line',
      'ego_themes.txt:10 "of Nowhere" its T line matches no kind "T:ring:0:9"',
      'ego_themes.txt:11 "of Twice" no kind can get more than 1 of its affixes that have a weight above 0',
      'ego_themes.txt:16 "of Apart" no kind can get more than 1 of its affixes that have a weight above 0',
    ]);
  });

  test("a theme whose affixes exclude one another, in either's X lines", () => {
    const egoThemes = `${SMALL.egoThemes}N:2:suffix:of Strife
T:sword:0:9:1 to 9
A:of Rust:5
A:Hewn:5
`;
    expect(warningsOf({ egoThemes })).toEqual(['ego_themes.txt:7 "of Strife" its affixes exclude one another']);
    const egoItem = SMALL.egoItem.replace("X:of Rust\n", "").replace("D:It crumbles", "X:Hewn\n$&");
    expect(warningsOf({ egoItem, egoThemes })).toEqual(warningsOf({ egoThemes }));
  });

  test("a theme of which too little can meet, by the last unit of weight", () => {
    const theme = (weight: number) => `${SMALL.egoThemes}N:2:suffix:of Dust
T:sword:0:9:1 to 9
A:Hewn:1
A:of Two Gifts:1
A:Absent:${weight}
`;
    const egoItem = `${SMALL.egoItem}N:7:prefix:Absent
T:hard armour:0:9:good:5:1 to 9
`;
    // 8·2²/(2 + 30) is one half-percent
    expect(warningsOf({ egoItem, egoThemes: theme(30) })).toEqual([]);
    expect(warningsOf({ egoItem, egoThemes: theme(31) })).toEqual([
      'ego_themes.txt:7 "of Dust" the affixes that one kind can get have too little weight (at most 2 of 33)',
    ]);
  });

  test("an affix whose line comes behind others that always match before it", () => {
    const hidden = (lines: string) => warningsOf({ egoItem: `${SMALL.egoItem}N:7:prefix:Hid\n${lines}` });
    const warning = 'ego_item.txt:23 "Hid" T lines of probability 0 always match first';
    const dead = "T:sword:0:9:good:0";
    expect(hidden(`${dead}:1 to 20\nT:sword:4:4:good:5:5 to 20\n`)).toEqual([warning.replace(":23", ":24")]);
    expect(hidden(`${dead}:1 to 9\n${dead}:10 to 20\nT:sword:4:4:great:5:5 to 20\n`)).toEqual([
      warning.replace(":23", ":25"),
    ]);
    // a depth, a level or a kind that is left makes it one that can come
    expect(hidden(`${dead}:1 to 9\n${dead}:11 to 20\nT:sword:4:4:great:5:5 to 20\n`)).toEqual([]);
    expect(hidden(`${dead}:1 to 20\nT:sword:4:4:good:5:5 to 21\n`)).toEqual([]);
    expect(hidden("T:sword:0:9:great:0:1 to 20\nT:sword:4:4:good:5:5 to 20\n")).toEqual([]);
    expect(hidden("T:sword:5:9:good:0:1 to 20\nT:sword:0:9:good:5:5 to 20\n")).toEqual([
      'ego_item.txt:23 "Hid" "T:sword:5:9"',
    ]);
  });

  test("a weapon or a piece of armour that can get no affix, but no trinket and nothing of an artifact's", () => {
    const kind = (number: number, name: string, rest: string) =>
      `N:${number}:& ${name}~\nI:${rest}\nW:1:0:1:1\nA:10:1 to 9\n`;
    const object = `${SMALL.object}${kind(11, "Sling", "19:1")}${kind(12, "Hood", "32:1")}${kind(13, "Ring", "45:1")}${kind(14, "Spear", "22:1\nF:INSTA_ART")}`;
    expect(warningsOf({ object })).toEqual(['object.txt:24 "Sling" "bow:1"', 'object.txt:28 "Hood" "helm:1"']);
  });

  test("a kind of commonness 0 is made on request alone, unless it is an artifact's", () => {
    const object = SMALL.object.replace("A:30:1 to 40", "A:0:1 to 40").replace("A:20:5 to 60\n", "");
    expect(warningsOf({ object })).toEqual([
      'object.txt:3 "Kris" its commonness is 0',
      'object.txt:12 "Splint Coat" it has no A line',
    ]);
  });

  test("an artifact of no kind, without odds, or that requires what its kind cannot get", () => {
    const artifact = `${SMALL.artifact}N:3:A
I:sword:5
N:4:B
I:sword:4
P:0:2d5:0:0:0
A:0:1 to 9
N:5:C
I:hard armour:2
P:9:0d0:0:0:0
A:10:1 to 9
Q:Hewn
N:6:D
I:sword:4
P:0:2d5:0:0:0
A:10:1 to 9
Q:Hewn
Q:of Rust
`;
    expect(warningsOf({ artifact })).toEqual([
      'artifact.txt:16 "A" no kind has its tval and sval "sword:5"',
      'artifact.txt:18 "B" all its A lines have the probability 0',
      'artifact.txt:22 "C" its kind cannot get a required affix "Q:Hewn"',
      'artifact.txt:27 "D" a required affix excludes another required affix "Q:Hewn"',
    ]);
  });

  test("an artifact whose depths are the wrong way round is made nearer the surface, now and then", () => {
    const artifact = `${SMALL.artifact}N:3:A\nI:sword:4\nP:0:2d5:0:0:0\nA:10:9 to 5\n`;
    expect(warningsOf({ artifact })).toEqual([]);
  });

  test("an affix that excludes itself comes once, which is no mistake (first hour 16)", () => {
    const egoItem = SMALL.egoItem.replace("X:of Rust", "X:Hewn");
    expect(warningsOf({ egoItem })).toEqual([]);
    const named = egoItem.replace("N:1:prefix:", "N:1:material:");
    expect(warningsOf({ egoItem: named })).toEqual([]);
  });

  test("dead T lines: hidden by earlier lines, for no kind, or too shallow for its kinds", () => {
    const added = (lines: string) => warningsOf({ egoItem: `${SMALL.egoItem}N:7:prefix:Hid\n${lines}` });
    const hidden = 'ego_item.txt:24 "Hid" earlier T lines of the affix always match first "T:sword:4:4"';
    expect(added("T:sword:0:9:good:5:1 to 50\nT:sword:4:4:great:9:10 to 40\n")).toEqual([hidden]);
    expect(added("T:sword:0:9:great:5:1 to 50\nT:sword:4:4:good:9:10 to 40\n")).toEqual([]);
    expect(added("T:sword:0:9:good:5:1 to 50\nT:sword:4:4:good:9:10 to 51\n")).toEqual([]);
    expect(added("T:sword:0:9:good:5:1 to 50\nT:sword:7:8:good:9:10 to 51\n")).toEqual([
      'ego_item.txt:24 "Hid" "T:sword:7:8"',
    ]);
    const object = SMALL.object.replace("A:20:5 to 60", "A:20:30 to 60");
    const egoItem = (most: number) =>
      `${SMALL.egoItem}N:7:prefix:Hid\nT:sword:0:9:good:5:1 to 50\nT:hard armour:0:9:good:9:1 to ${most}\n`;
    expect(warningsOf({ object, egoItem: egoItem(14) })).toEqual(['ego_item.txt:24 "Hid" "T:hard armor:0:9"']);
    expect(warningsOf({ object, egoItem: egoItem(15) })).toEqual([]);
    const egoThemes = `${SMALL.egoThemes}T:ring:0:9:1 to 127\n`;
    expect(warningsOf({ egoThemes })).toEqual(['ego_themes.txt:7 "of the Ferry" "T:ring:0:9"']);
  });

  test("depths where nothing can be drawn, of each quality", () => {
    const object = SMALL.object.replace("A:30:1 to 40", "A:30:3 to 10").replace("A:20:5 to 60", "A:20:20 to 60");
    expect(warningsOf({ object })).toEqual([
      'object.txt:1 "1 to 2, 11 to 19" "1 to 2, 11 to 19"',
      'object.txt:1 "1 to 14" "1 to 14"',
      'object.txt:1 "1 to 9" "1 to 9"',
    ]);
  });

  test("kinds without a base: a type that has kinds but no record, once for all of its kinds", () => {
    const egoItem = SMALL.egoItem.replace("T:sword:0:99:artifact", "T:junk:0:9:good:5:1 to 9\n$&");
    const kinds = [1, 2, 3].map((i) => `N:${10 + i}:& Twig~\nI:3:${i}\nA:10:1 to 9\n`).join("");
    expect(warningsOf({ object: SMALL.object + kinds, egoItem })).toEqual(['object.txt:24 "junk" "junk"']);
  });

  test("artifacts without power lines: without a P line, an artifact loses all values of its kind", () => {
    const artifact = SMALL.artifact.replace("P:0:3d3:5:6:-1\n", "");
    expect(warningsOf({ artifact })).toEqual(["artifact.txt:1 \"'Oar'\""]);
    const object = SMALL.object.replace("P:0:2d3:0:-1:0\n", "");
    expect(warningsOf({ artifact, object })).toEqual([]);
  });

  test("contradictions within an affix", () => {
    const added = (lines: string) =>
      warningsOf({ egoItem: `${SMALL.egoItem}N:7:prefix:Odd\nT:sword:0:9:good:5:1 to 9\n${lines}` });
    const one = ['ego_item.txt:22 "Odd"'];
    expect(added("F:IM_FIRE | VULN_FIRE\n")).toEqual(one);
    expect(added("F:RES_COLD | VULN_COLD\n")).toEqual(one);
    expect(added("F:IM_FIRE | VULN_COLD\n")).toEqual([]);
    expect(added("C:d4:0:0\nM:5:255:255\n")).toEqual(one);
    expect(added("C:1+d4:0:-d3\nM:5:3:-1\n")).toEqual([]);
    expect(added("C:0:0:-d3\nM:255:255:0\n")).toEqual(one);
    expect(added("L:-d3:0:STR | CON\n")).toEqual(one);
    expect(added("Z:1:1+M2:4:STAT\n")).toEqual(one);
    expect(added("R2:3:SLAY_ORC | SLAY_TROLL\n")).toEqual(one);
    expect(added("R2:2:SLAY_ORC | SLAY_TROLL\n")).toEqual([]);
  });
});
