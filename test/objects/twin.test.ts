import { describe, expect, test } from "vitest";
import { mBonusOdds } from "../../src/objects/law/mBonus.js";
import type { MadeObject } from "../../src/objects/types.js";
import { affixWeight, drawableKinds, kindsAt, themeOdds, withoutContradictions } from "../oracle/objectTables.js";
import { ObjectTwin } from "../oracle/objectTwin.js";
import { named, scripted } from "./scripted.js";
import { affix, blade, files, jack, made, NORMAL, PLAIN, withAffixes } from "./twinFiles.js";

describe("themes", () => {
  const odds = (theme: string, ...names: string[]) =>
    themeOdds(named(files.themes, theme), { level: 10, kind: jack, affixes: names.map(affix), affixLevel: 0 }, 10);

  test("the odds are those of the article, in half percents", () => {
    expect(odds("of Wards", "of Acid", "of Frost")).toBe(46);
    expect(odds("of Wards", "of Acid", "of Frost", "of Flames")).toBe(103);
    expect(odds("of Wards", "of Acid", "of Frost", "of Flames", "of Sparks")).toBe(184);
    expect(odds("of Wards", "Thick", "Lasting")).toBe(8);
    expect(odds("of Wards", "Thick", "of Acid", "Lasting")).toBe(39);
  });

  test("one affix, however often, makes none; nor do a kind or a depth that no T line has", () => {
    expect(odds("of Wards", "of Acid", "of Acid", "of Acid")).toBe(0);
    const affixes = [affix("of Acid"), affix("of Frost")];
    const wards = named(files.themes, "of Wards");
    expect(themeOdds(wards, { level: 4, kind: jack, affixes, affixLevel: 0 }, 4)).toBe(0);
    expect(themeOdds(wards, { level: 4, kind: jack, affixes, affixLevel: 0 }, 5)).toBe(46);
    expect(themeOdds(wards, { level: 101, kind: jack, affixes, affixLevel: 0 }, 101)).toBe(0);
    expect(themeOdds(wards, { level: 10, kind: blade, affixes, affixLevel: 0 }, 10)).toBe(0);
  });

  test("weights of 100 and 100 are certain, and the second of two equal parts is applied in any case", () => {
    // the theme's odds, its choice, the chance of Thick's second line: 39 is below 40
    const object = withAffixes("Blade", "199/200 0 39/100", "Left", "Right");
    expect(object.theme?.name).toBe("of Both Hands");
    expect(object.affixes.map(({ name }) => name)).toEqual(["Left", "Right"]);
    expect(object.flags).toEqual(["REGEN", "FEATHER", "SHOW_DICE"].sort(inListOrder));
    expect(object.toAc).toBe(2);
    expect(withAffixes("Blade", "199/200 0 40/100", "Left", "Right").toAc).toBe(1);
    // one Thick of its own, so that the theme brings the second alone
    expect(withAffixes("Blade", "199/200 0 39/100", "Thick", "Left", "Right").toAc).toBe(2);
    expect(withAffixes("Blade", "199/200 0 40/100", "Thick", "Left", "Right").toAc).toBe(1);
  });

  test("where odds sum to more than 200, the choice is in proportion to them", () => {
    // Left and Mended: 8 · 20² / 20 = 160; with Right the other theme's 8 · 200² / 200, cut to 200, besides
    const later = withAffixes("Blade", "159/200 0", "Left", "Mended");
    expect(later.theme?.name).toBe("of Later");
    const either = (choice: string) =>
      withAffixes("Blade", `160/200 199/200 ${choice}`, "Left", "Mended", "Right").theme?.name;
    expect(either("199/360 0/100")).toBe("of Both Hands");
    expect(either("200/360")).toBe("of Later");
  });
});

const inListOrder = (a: string, b: string) => {
  const names = files.flags.map(({ name }) => name);
  return names.indexOf(a) - names.indexOf(b);
};

describe("applying an affix", () => {
  test("a minimum raises the roll, then the sum: an existing -1 with minimum 2 becomes 2", () => {
    expect(withAffixes("Blade", "", "Mended").toDam).toBe(2);
    expect(withAffixes("Ring", "", "of Might").pvals).toEqual({ STR: 2 });
    expect(withAffixes("Ring", "", "of Might", "of Might").pvals).toEqual({ STR: 4 });
  });

  test("resistance and vulnerability cancel, immunity beats both", () => {
    expect(withAffixes("Jack", "", "of Flames", "of Tinder").flags).toEqual([]);
    expect(withAffixes("Jack", "", "of Flames", "of Salamanders").flags).toEqual(["IM_FIRE"]);
    expect(withAffixes("Jack", "", "of Salamanders", "of Tinder", "of Flames").flags).toEqual(["IM_FIRE"]);
    expect(withAffixes("Jack", "", "of Tinder", "of Salamanders").flags).toEqual(["IM_FIRE"]);
    expect(withAffixes("Hide", "").flags).toEqual(["GOOD"]);
    const all = new Set(["RES_FIRE", "VULN_FIRE", "IM_FIRE", "RES_COLD", "VULN_ACID", "RES_FEAR"]);
    expect([...withoutContradictions(files, all)]).toEqual(["IM_FIRE", "RES_COLD", "VULN_ACID", "RES_FEAR"]);
  });

  test("ammunition keeps slays, brands and what fire and acid do, and loses armour and values", () => {
    // two flags of three, then of two; to-hit d3
    const script = "0/3 0/2 2/3";
    const dart = withAffixes("Dart", script, "Mixed");
    expect(dart).toMatchObject({ toHit: 3, toAc: 0, ac: 0 });
    expect(dart.pvals).toEqual({});
    expect(dart.flags).toEqual(["SLAY_ORC", "BRAND_FIRE", "IGNORE_FIRE", "HATES_ACID", "SHOW_DICE"]);
    expect(withAffixes("Jack", script, "Mixed")).toMatchObject({ toHit: 3, toAc: 2, ac: 7, pvals: { SPEED: 2 } });
  });

  test("a random flag that nothing is left of costs no word", () => {
    const twice = withAffixes("Jack", "2/3 1/2 0/3 0 0/3", "Mixed", "Mixed");
    expect(twice.flags.filter((flag) => ["REGEN", "FEATHER", "SLAY_ORC"].includes(flag))).toHaveLength(3);
  });

  test("rolls, percentages and dice, each rounded down and none below its end", () => {
    // -(1 + d4 + M3): 3, and the least word's bonus of 0
    expect(withAffixes("Blade", "2/4 0", "Blunted")).toMatchObject({
      toHit: -4,
      ac: 0,
      weight: 90,
      dice: 1,
      sides: 4,
    });
    expect(withAffixes("Jack", "0/4 4294967295", "Blunted")).toMatchObject({ toHit: -5, ac: 4, weight: 72 });
  });

  test("what would leave its range ends at the nearer end", () => {
    const hide = withAffixes("Hide", "0/3 0/2 2/3", "Mixed");
    expect(hide).toMatchObject({ toHit: 32767, ac: 32767, weight: 65535 });
  });

  test("a bonus is the least value whose weights are above half of the word", () => {
    const [none] = mBonusOdds(3, 10);
    const toHit = (word: number) => withAffixes("Blade", `0/4 ${word}`, "Blunted").toHit;
    expect([toHit(2 * none - 1), toHit(2 * none)]).toEqual([-2, -3]);
  });

  test("random values go to flags that have none, each with a roll of its own", () => {
    const object = withAffixes("Ring", "0/5 1/2 3/4 0/2", "of Chance");
    expect(object.pvals).toEqual({ STR: -1, INT: 2, CHR: 1 });
  });
});

describe("which affixes come", () => {
  test("of two T lines for one kind the first counts that fits depth and affix level", () => {
    const weigh = (level: number, affixLevel: number, depth = level) =>
      affixWeight(affix("of Coats"), { level, kind: jack, affixes: [], affixLevel }, depth);
    expect([weigh(10, 0), weigh(10, 1), weigh(26, 0), weigh(26, 1)]).toEqual([0, 10, 25, 25]);
    // a boost opens what is deeper, and closes nothing
    expect([weigh(10, 0, 26), weigh(10, 1, 300), weigh(101, 1, 101)]).toEqual([25, 10, 0]);
  });

  test("the boost reads a word in every slot, and its depth another", () => {
    const script = "1/400 99/100 1/2 0/20 63/128 0";
    expect(made(script, { kind: blade })).toMatchObject({ depths: [21], affixLevel: 0, slots: 1, toDam: 0 });
  });

  test("an excluded affix is drawn again among those that are not, and not at all where there are none", () => {
    // weights 30 and 10: the lower half of the words is Sharp's, the next quarter Rusty's
    const slots = "1/50 99/100 3/4 0/2 1/2";
    const twice = made(`${slots} 19/20 0 19/20 2147483648 0/30`, { kind: blade, quality: "good" });
    expect(twice.affixes.map(({ name }) => name)).toEqual(["Sharp", "Sharp"]);
    expect(twice.slots).toBe(2);
    const reversed = made(`${slots} 19/20 2147483648 19/20 0 0/10`, { kind: blade, quality: "good" });
    expect(reversed.affixes.map(({ name }) => name)).toEqual(["Rusty", "Rusty"]);
    const once = made(`${slots} 19/20 0 19/20 0`, { kind: named(files.kinds, "Ring"), quality: "good" });
    expect(once.affixes.map(({ name }) => name)).toEqual(["Lonely"]);
  });

  test("where nothing is legal, a slot costs its boost alone", () => {
    expect(made("1/400 99/100 1/2 19/20", { kind: named(files.kinds, "Dart") }).affixes).toEqual([]);
  });
});

describe("kinds, levels and slots", () => {
  test("a kind is drawn by the depths of its line, no deeper than the deepest", () => {
    const kinds = drawableKinds(files, "normal");
    expect(kinds.map(({ number }) => number)).toEqual([1, 2, 3]);
    const numbersAt = (depth: number) => kindsAt(kinds, depth).kinds.map(({ number }) => number);
    expect([numbersAt(0), numbersAt(60), numbersAt(61), numbersAt(255)]).toEqual([[], [1, 2, 3], [1, 3], [1, 3]]);
  });

  test("a great object of a kind asked for reads one word of affix level, two of slots", () => {
    // 10 + 250 of 100 is reached at any rate; 11 + 3 + 1 slots end at 8, and nothing comes on a Dart
    const script = "1/15 99/100 11/12 1/2";
    const object = made(`${script}${" 19/20".repeat(8)}`, {
      level: 250,
      quality: "great",
      kind: named(files.kinds, "Dart"),
    });
    expect(object).toMatchObject({ affixLevel: 2, slots: 8, affixes: [], kind: { number: 2 } });
  });

  test("an affix level of 2 takes a roll below 10 and the level", () => {
    expect(made("1/400 19/100 0/2", { kind: blade }).affixLevel).toBe(1);
    expect(made("1/400 20/100 0/2", { kind: blade }).affixLevel).toBe(0);
    expect(made("1/50 20/100 0/4 0/2 0/2", { kind: named(files.kinds, "Hide"), quality: "good" }).affixLevel).toBe(1);
  });

  test("a kind of the flag GOOD has a slot less, and none at level 0 is boosted", () => {
    const kind = named(files.kinds, "Hide");
    expect(made("1/50 99/100 3/4 0/2 0/2", { kind, quality: "good" }).slots).toBe(0);
    expect(made("1/400 99/100 0/2", { kind }).slots).toBe(0);
    expect(made("1/400 99/100 1/2", { kind: blade, level: 0 })).toMatchObject({ slots: 1, affixes: [] });
  });

  test("an affix level that is named costs no word", () => {
    expect(made("1/400 0/2", { kind: blade, affixLevel: 3 })).toMatchObject({ affixLevel: 3, slots: 0 });
  });
});

describe("artifacts", () => {
  const blades = { tval: 23, level: 12 };

  test("lines that begin deeper read a word each, and the choice is among those that passed", () => {
    // 'First' passes by 100 and, one in 16, by 300; 'Second' by 100: 399 of 500 is the deeper line's
    const first = made("0/400 0/16 399/500 2/3", blades);
    expect(first).toMatchObject({ artifact: { name: "'First'" }, toHit: 1, weight: 90, pvals: { STR: 3 } });
    expect(first).toMatchObject({ level: 12, quality: "normal", index: 7, kind: { name: "& Blade~" } });
    expect(first).toMatchObject({ flags: ["REGEN", "SHOW_DICE"], affixLevel: -1, affixes: [], slots: 0 });
    expect(made("0/400 1/16 100/200", blades).artifact?.name).toBe("'Second'");
    expect(made("0/400 199/200", { ...blades, level: 50 }).artifact?.name).toBe("'Second'");
  });

  test("each is made once; what was made before moves no words, and its own object finds it again", () => {
    const claims = new Map([[1, 3]]);
    expect(made("0/400 0/16 99/100", blades, { claims }).artifact?.name).toBe("'Second'");
    expect([...claims]).toEqual([
      [1, 3],
      [2, 7],
    ]);
    expect(made("0/400 0/16 0/1", blades, { claims }).artifact?.name).toBe("'Second'");
    claims.set(2, 4);
    const ordinary = made("0/400 0/16 0 0 99/100 0/2", blades, { claims });
    expect(ordinary).toMatchObject({ artifact: undefined, kind: { number: 1 }, toDam: -1 });
  });

  test("one that is asked for is made straight away, unless it is another's or the depth is below its lines", () => {
    const [artifact] = files.artifacts;
    expect(made("0/3", { artifact, level: 50 })).toMatchObject({ level: 50, slots: 0, pvals: { STR: 1 } });
    const twin = new ObjectTwin(files, scripted(""), { claims: new Map([[1, 3]]) });
    expect(twin.make(7, { ...NORMAL, artifact })).toBe(undefined);
    twin.claims.clear();
    expect(twin.make(7, { ...NORMAL, level: 51, artifact })).toBe(undefined);
  });

  test("one that needs affixes is tried for once they have come, and they stay on record", () => {
    // weights 30, 10 and 10 in four columns: Sharp, then Rare, which the third column begins with
    const slots = "1/400 0/100 2/3 19/20 0 19/20 2147483648";
    const object = made(`${slots} 0/400 0/100`, { kind: blade, level: 25 });
    expect(object).toMatchObject({ artifact: { name: "'Third'" }, dice: 9, toDam: 0, affixLevel: 1 });
    expect(object.affixes.map(({ name }) => name)).toEqual(["Sharp", "Rare"]);
    expect(object.flags).toEqual(["SHOW_DICE"]);
  });
});

describe("requests and limits", () => {
  test("a request throws away what does not meet it, and goes on with the next word", () => {
    const attempt = (slots: number) => `99/100 ${slots}/2`;
    const script = `${attempt(0)} ${attempt(1)} 19/20 2147483648 ${attempt(1)} 19/20 0`;
    const object = made(script, { kind: blade, withAffixes: [affix("Sharp")] });
    expect(object.affixes.map(({ name }) => name)).toEqual(["Sharp"]);
    const none = new ObjectTwin(files, scripted(`${attempt(0)} ${attempt(0)}`));
    expect(none.make(7, { ...NORMAL, kind: blade, withAffixes: [affix("Sharp")], attempts: 2 })).toBe(undefined);
  });

  test("an affix that makes an object too good is taken back, its words are not", () => {
    const script = "1/400 99/100 1/2 19/20 0";
    const limited = made(script, { kind: blade, isBroken: ({ toDam }) => toDam >= 0 });
    expect(limited).toMatchObject({ affixes: [], depths: [], toDam: -1, slots: 1 });
  });

  test("a theme that makes it too good takes the affix with it", () => {
    const isBroken = ({ toAc }: { toAc: number }) => toAc > 1;
    const twin = new ObjectTwin(files, scripted(`${PLAIN} 0 0 0`));
    const object = twin.make(7, { ...NORMAL, kind: blade }) as MadeObject;
    const left = twin.addAffix(object, affix("Left"));
    expect(twin.addAffix(left, affix("Right"), { isBroken })).toEqual({ ...left, words: 6 });
  });
});
