// Where values end, and where tables of bands do: files that go there at once.
import { expect, test } from "vitest";
import type { ObjectOptions, ObjectTexts } from "../../src/objects/index.js";
import { DUNGEON } from "./dungeon.js";
import { all, asTwin, pairOf } from "./pair.js";

const ELEMENTS = Array.from({ length: 12 }, (_, i) => `E${i}`);
const flagsOf = (prefix: string) => ELEMENTS.map((element) => `${prefix}_${element}`).join(" | ");

/** Affixes that take everything to its end, either way, and flags of more elements than a word of a mask has room for. */
const FAR: ObjectTexts = {
  flags: [
    "GOOD,OBJ\nSPEED,PVAL\nSTEALTH,PVAL",
    ...ELEMENTS.map((element) => `RES_${element},LRES\nIM_${element},IMM\nVULN_${element},VULN`),
  ].join("\n"),
  object: `N:1:& Anvil~
I:23:1
W:1:0:65000:1
P:32700:200d200:32000:-32000:32000
A:10:0 to 254
L:32000:SPEED
L:-32000:STEALTH
N:2:& Millstone~
I:23:2
W:1:0:60000:1
P:1:1d1:0:0:0
A:10:255 to 255
`,
  objectBase: "N:sword:Blade~\n",
  egoItem: `N:1:prefix:Vast
C:32000:-32000:32000:1000:1000:255:255
L:32000:255:SPEED
L:-32000:255:STEALTH
T:sword:0:9:good:10:0 to 255
N:2:prefix:Slight
C:-32000:32000:-32000:-100:-100:-255:-255
L:-32000:255:SPEED
L:32000:255:STEALTH
T:sword:0:9:good:10:0 to 255
N:3:suffix:of Shelter
F:${flagsOf("RES")}
T:sword:0:9:good:10:0 to 255
N:4:suffix:of Nakedness
F:${flagsOf("VULN")}
T:sword:0:9:good:10:0 to 255
N:5:suffix:of Indifference
F:${flagsOf("IM")}
T:sword:0:9:good:4:0 to 255
N:6:suffix:of the Bottom
T:sword:0:9:good:10:255 to 255
`,
  egoThemes: "N:1:suffix:of Nothing\n",
  artifact: "N:1:of Nothing\nI:gold:0\n",
};

/** As many objects of both, compared; returns the maker's. */
function alike(pair: ReturnType<typeof pairOf>, count: number, asked: ObjectOptions) {
  const from = pair.maker.next;
  const objects = all(pair.maker.makeMany(count, asked));
  const twins = objects.map((_, k) => pair.twin.make(from + k, asTwin(pair, asked)));
  expect(objects).toEqual(twins);
  return objects;
}

test("modifiers, pvals, weight, armour and dice stop at their ends", () => {
  const objects = alike(pairOf(FAR), 3000, { level: 100, great: true, kind: 1 });
  const ends = (value: (object: (typeof objects)[number]) => number) => {
    const values = objects.map(value);
    return [Math.min(...values), Math.max(...values)];
  };
  const MOST = 32_767;
  expect(ends(({ toHit }) => toHit)).toEqual([-MOST, MOST]);
  expect(ends(({ toDam }) => toDam)).toEqual([-MOST, MOST]);
  expect(ends(({ toAc }) => toAc)).toEqual([-MOST, MOST]);
  expect(ends(({ pvals }) => pvals.SPEED ?? 0)).toEqual([-MOST, MOST]);
  expect(ends(({ pvals }) => pvals.STEALTH ?? 0)).toEqual([-MOST, MOST]);
  expect(ends(({ ac }) => ac)).toEqual([0, MOST]);
  expect(ends(({ weight }) => weight)).toEqual([0, 65_535]);
  const least = alike(pairOf(FAR), 300, { level: 255, good: true, kind: 2 });
  expect(Math.min(...least.map(({ dice, sides }) => dice + sides))).toBe(2);
});

test("no object has contradictory flags, of however many elements", () => {
  const objects = alike(pairOf(FAR, { name: "elements" }), 2000, { level: 60, great: true });
  for (const element of ELEMENTS) {
    const seen = new Set(
      objects.map(({ flags }) =>
        ["RES", "IM", "VULN"].filter((prefix) => flags.includes(`${prefix}_${element}`)).join(),
      ),
    );
    expect([...seen].sort(), element).toEqual(["", "IM", "RES", "VULN"]);
  }
});

test("depth 255 has kinds and affixes of its own, and a depth that a boost brings there has too", () => {
  const pair = pairOf(FAR, { name: "bottom" });
  for (const asked of [{ level: 255 }, { level: 254 }, { level: 240, great: true }, { level: 250, good: true }]) {
    const objects = alike(pair, 400, asked);
    expect(objects.some(({ kind }) => kind.number === 2)).toBe(asked.level !== 254);
    for (const { affixes, depths } of objects) {
      affixes.forEach(({ number }, i) => {
        if (number === 6) expect(depths[i]).toBeGreaterThanOrEqual(255);
      });
    }
    expect(objects.some(({ affixes }) => affixes.some(({ number }) => number === 6))).toBe(true);
  }
});

test("objects of a request that takes more attempts than one call makes are as single ones are", () => {
  const { maker } = pairOf(DUNGEON, { name: "rare" });
  const asked = { level: 30, great: true, kind: 3, with: [71, 71, 71], theme: 3 };
  const both = all(maker.makeMany(2, { ...asked, from: 0 }));
  expect(both).toEqual([0, 1].map((k) => maker.make({ ...asked, at: k })));
  expect(both[0].words).toBeGreaterThan(65_536 * 8);
});

/** Two themes at once, one of which is certain if alone, and kinds of which the only affix excludes itself. */
const NEAR: ObjectTexts = {
  ...FAR,
  object: "N:1:& Sabre~\nI:23:1\nA:10:1 to 127\nN:2:& Sling~\nI:19:1\nA:10:1 to 127\nP:0:0d0:0:0:-9\n",
  egoItem: `N:1:prefix:Left
T:sword:0:9:good:10:0 to 127
N:2:prefix:Right
T:sword:0:9:good:10:0 to 127
N:3:prefix:Lone
C:0:0:d4
T:bow:0:9:good:10:0 to 127
X:Lone
N:4:suffix:of More
C:0:0:d4
`,
  egoThemes: `N:1:suffix:of Faint Hearts
T:sword:0:9:0 to 127
A:Left:1
A:Right:1
A:of More:20
N:2:suffix:of Both Hands
T:sword:0:9:0 to 127
A:Left:100
A:Right:100
N:3:suffix:of Some Hands
T:sword:0:9:0 to 127
A:Left:1
A:Right:2
A:of More:10
`,
};

test("of several themes one is chosen in proportion, none counting more than a certain one", () => {
  const objects = alike(pairOf(NEAR, { name: "hands" }), 12_000, { level: 60, great: true, kind: 1 });
  const themes = new Set(objects.flatMap(({ theme }) => (theme === undefined ? [] : [theme.number])));
  expect([...themes].sort()).toEqual([1, 2, 3]);
});

test("a slot stays empty where every affix is excluded", () => {
  const objects = alike(pairOf(NEAR, { name: "lone" }), 300, { level: 60, great: true, kind: 2 });
  expect(new Set(objects.map(({ affixes }) => affixes.length))).toEqual(new Set([1]));
});

test("one more affix goes on from modifiers below 0", () => {
  const pair = pairOf(NEAR, { name: "less" });
  const more = pair.maker.files.affixes[3];
  for (const object of alike(pair, 20, { level: 60, kind: 2, great: true })) {
    const added = pair.maker.addAffix(object, more.number);
    expect(added).toEqual(pair.twin.addAffix(object, more));
    expect(added.toAc).toBeGreaterThan(object.toAc);
  }
});

test("a replay makes the artifacts that making does, and no others", () => {
  for (const asked of [
    { level: 30 },
    { level: 12, good: true },
    { level: 45, kind: 4, great: true },
    { level: 40, kind: 22, great: true },
  ]) {
    const [made, replayed] = [pairOf(DUNGEON).maker, pairOf(DUNGEON).maker];
    for (const to of [100, 700, 1500]) {
      made.makeMany(to - made.next, asked);
      replayed.replay(to, asked);
      expect(replayed.claims).toEqual(made.claims);
    }
    expect(made.claims.length).toBeGreaterThan(0);
  }
});
