import { describe, expect, test } from "vitest";
import { add, type Fraction, fraction, ONE, toNumber, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { colourOf, descriptionOf, nameOf, type ObjectMaker, parseObjects, rowOf } from "../../src/objects/index.js";
import { affixOdds } from "../../src/objects/odds/themes.js";
import { codeOf } from "../refusal.js";
import { DUNGEON } from "./dungeon.js";
import { SMALL } from "./small.js";

const ASKED = { level: 30, good: true };
const maker = (seed = "calls"): ObjectMaker => createMill({ seed }).objects("drops", DUNGEON);

describe("files that were parsed already", () => {
  test("are unsealed by a change: they are texts no more", () => {
    const { spec } = parseObjects(SMALL);
    expect(codeOf(() => createMill({ seed: 1 }).objects("o", { ...spec } as never))).toBe("argument.type");
  });

  test("unknown files and options are refused", () => {
    const open = (texts: object, options: object) => () =>
      createMill({ seed: 1 }).objects("o", texts as never, options);
    expect(codeOf(open({ ...SMALL, egoItems: "" }, {}))).toBe("argument.type");
    expect(codeOf(open(SMALL, { file: "x" }))).toBe("argument.option");
    expect(codeOf(open(SMALL, { files: { objects: "x" } }))).toBe("argument.option");
    expect(codeOf(() => parseObjects(SMALL, { level: ["good"] } as never))).toBe("argument.option");
  });
});

describe("counts", () => {
  test("are those of the objects that the bulk call makes, artifacts included", () => {
    const n = 70_000;
    const objects = [...maker().makeMany(n, ASKED)];
    const times = (is: (object: (typeof objects)[number]) => boolean) => objects.filter(is).length;
    const drops = maker();
    const { affix, theme } = { affix: drops.find("affix", 1), theme: drops.find("theme", 1) };
    const byKind = drops.count(n, { ...ASKED, of: "kind" });
    const { claims, next } = drops;
    expect([next, claims]).toEqual([
      n,
      objects
        .flatMap(({ artifact, index }) =>
          artifact === undefined ? [] : [{ artifact: artifact.number, object: index }],
        )
        .sort((a, b) => a.artifact - b.artifact)
        .map((claim) => ({
          artifact: drops.find("artifact", claim.artifact),
          maker: drops.name,
          object: claim.object,
        })),
    ]);
    expect(byKind).toMatchObject({ total: n, none: 0 });
    expect([...byKind.counts.values()].reduce((sum, count) => sum + count, 0)).toBe(n);
    for (const [kind, count] of [...byKind.counts].slice(0, 4)) {
      expect(count).toBe(times((object) => object.kind.number === kind.number));
    }
    const byAffix = maker().count(n, { ...ASKED, of: "affix" });
    expect(byAffix.none).toBe(times(({ affixes }) => affixes.length === 0));
    expect(byAffix.counts.get(maker().find("affix", 1))).toBeUndefined();
    expect(countOf(byAffix.counts, affix.number)).toBe(times(({ affixes }) => affixes.some((own) => own.number === 1)));
    const byTheme = maker().count(n, { ...ASKED, of: "theme", from: 0 });
    expect(byTheme.none).toBe(times((object) => object.theme === undefined));
    expect(countOf(byTheme.counts, theme.number)).toBe(times((object) => object.theme?.number === 1));
    const byArtifact = maker().count(n, { ...ASKED, of: "artifact" });
    expect([...byArtifact.counts.values()].reduce((sum, count) => sum + count, byArtifact.none)).toBe(n);
    expect(byArtifact.none).toBe(n - claims.length);
  });

  test("that fail change nothing", () => {
    const drops = maker();
    expect(codeOf(() => drops.count(5, { ...ASKED, of: "kinds" } as never))).toBe("argument.type");
    expect(codeOf(() => drops.count(5, ASKED as never))).toBe("argument.type");
    expect(codeOf(() => drops.count(2 ** 42 + 1, { ...ASKED, of: "kind" }))).toBe("argument.range");
    expect(codeOf(() => drops.count(2, { ...ASKED, of: "kind", artifact: 1 }))).toBe("object.impossible");
    expect([drops.next, drops.claims]).toEqual([0, []]);
  });
});

describe("odds", () => {
  const drops = maker();
  const kind = drops.find("kind", "Longsword");
  const slot = { kind: kind.name, level: 30, affixLevel: "great" };
  const sumOf = (odds: readonly { readonly probability: Fraction }[]) =>
    odds.reduce((sum, { probability }) => add(sum, probability), ZERO);

  test("of every question add up to exactly 1", () => {
    const has = [1, 2];
    for (const { odds, none } of [
      drops.odds({ of: "kind", level: 30, good: true }),
      drops.odds({ of: "kind", level: 30, tval: "sword" }),
      drops.odds({ of: "affix", ...slot }),
      drops.odds({ of: "affix", ...slot, depth: 60, has }),
      drops.odds({ of: "theme", kind: kind.number, level: 30, has }),
      drops.odds({ of: "themeOfTwoSlots", ...slot }),
      drops.odds({ of: "affixLevel", level: 30, great: true }),
      drops.odds({ of: "slots", kind: kind.number, level: 30, good: true }),
      drops.odds({ of: "depth", level: 30 }),
    ]) {
      expect(odds.length).toBeGreaterThan(0);
      expect(add(sumOf(odds), none)).toEqual(ONE);
    }
  });

  test("of an affix are the law's, in the order of the files", () => {
    const law = affixOdds(drops.files, { kind, level: 30, affixLevel: 1 });
    const { odds, none } = drops.odds({ of: "affix", ...slot });
    expect(odds.map(({ result, probability }) => [result, probability])).toEqual([...law.affixes]);
    expect(none).toEqual(law.none);
  });

  test("of levels, slots and depths are by name and number", () => {
    const { odds } = drops.odds({ of: "affixLevel", level: 0 });
    expect(odds).toEqual([
      { result: "good", probability: fraction(9n, 10n) },
      { result: "great", probability: fraction(1n, 10n) },
    ]);
    expect(drops.odds({ of: "slots", kind: kind.number, level: 0 }).odds.map(({ result }) => result)).toEqual([0, 1]);
    expect(drops.odds({ of: "depth", level: 0 }).odds).toEqual([{ result: 0, probability: ONE }]);
  });

  test("of kinds list the same kinds as counts that are 0", () => {
    const none = { artifacts: false, of: "kind", from: 0 } as const;
    const swords = drops.odds({ of: "kind", level: 30, tval: "sword" }).odds.map(({ result }) => result);
    expect([...drops.count(0, { ...none, level: 30, tval: "sword" }).counts]).toEqual(swords.map((one) => [one, 0]));
    expect([...drops.count(3, { ...none, level: 30, kind: kind.number }).counts]).toEqual([[kind, 3]]);
  });

  test("of kinds agree with counts", () => {
    const n = 200_000;
    const { counts } = drops.count(n, { ...ASKED, of: "kind", artifacts: false, from: 0 });
    const { odds } = drops.odds({ of: "kind", ...ASKED });
    expect([...counts.keys()]).toEqual(odds.map(({ result }) => result));
    for (const { result, probability } of odds) {
      const share = toNumber(probability);
      // 6 standard deviations
      expect(Math.abs((counts.get(result) ?? 0) - n * share)).toBeLessThan(6 * Math.sqrt(n * share * (1 - share)) + 1);
    }
  });

  test.each<[string, unknown, string]>([
    ["no question", undefined, "argument.type"],
    ["an unknown one", { of: "kinds", level: 1 }, "argument.type"],
    ["a name of Object", { of: "constructor", level: 1 }, "argument.type"],
    ["an option of another", { of: "depth", level: 1, good: true }, "argument.option"],
    ["no level", { of: "kind" }, "argument.range"],
    ["an unknown kind", { of: "slots", level: 1, kind: "Spoon" }, "object.name"],
    ["an unknown affix", { of: "theme", level: 1, kind: 1, has: ["Spoony"] }, "object.name"],
    ["affixes by a word", { of: "theme", level: 1, kind: 1, has: "Keen" }, "argument.type"],
    ["an unknown affix level", { of: "affix", level: 1, kind: 1, affixLevel: "best" }, "object.request"],
    ["a depth below 0", { of: "affix", level: 1, kind: 1, affixLevel: "good", depth: -1 }, "argument.range"],
  ])("%s is refused", (_, query, code) => {
    expect(codeOf(() => drops.odds(query as never))).toBe(code);
  });
});

describe("what a maker tells without making", () => {
  const drops = maker();

  test("records by name", () => {
    expect([drops.find("kind", "longsword").name, drops.find("affix", "1").number]).toEqual([
      drops.find("kind", "Longsword").name,
      1,
    ]);
    expect([drops.find("theme", 1).number, drops.find("artifact", 1).number]).toEqual([1, 1]);
    for (const look of ["kind", "affix", "theme", "artifact"] as const) {
      expect(codeOf(() => drops.find(look, "no such thing"))).toBe("object.name");
    }
    expect(codeOf(() => drops.find("kinds" as never, "Longsword"))).toBe("argument.type");
  });

  test("names, rows, descriptions and colours are those of columns", () => {
    const objects = drops.makeMany(40, { ...ASKED, from: 0 });
    const naming = { affixes: "all", repeats: "count" } as const;
    for (const [k, object] of [...objects].entries()) {
      expect(nameOf(drops.files, object, naming)).toBe(objects.name(k, naming));
      expect(rowOf(drops.files, object, naming)).toEqual(objects.row(k, naming));
      expect(descriptionOf(drops.files, object, naming)).toEqual(objects.describe(k, naming));
      expect(colourOf(drops.files, object)).toBe(objects.colour(k));
    }
    expect(codeOf(() => nameOf(drops.files, objects.at(0), { affixes: "most" } as never))).toBe("argument.type");
    expect(codeOf(() => objects.name(0, { afixes: "all" } as never))).toBe("argument.option");
  });

  test("why no object can fit a request", () => {
    const { name } = drops.find("artifact", 1);
    expect(drops.whyImpossible(ASKED)).toBeUndefined();
    expect(drops.whyImpossible({ level: 255, artifact: name })).toMatchObject({
      code: "object.impossible",
      severity: "error",
    });
    expect(codeOf(() => drops.whyImpossible({ level: 1, kind: "Spoon" }))).toBe("object.name");
    expect(codeOf(() => drops.whyImpossible({ level: 1, from: 3 } as never))).toBe("argument.option");
    expect(codeOf(() => drops.whyImpossible({ level: 1, limit: { most: 1 } }))).toBe("object.request");
  });
});

describe("indices", () => {
  test("of objects end at 2^42", () => {
    const drops = maker();
    const last = 2 ** 42 - 1;
    expect(drops.make({ ...ASKED, at: last }).index).toBe(last);
    drops.next = last;
    expect([drops.make(ASKED).index, drops.next]).toEqual([last, 2 ** 42]);
    expect(codeOf(() => drops.make(ASKED))).toBe("argument.range");
    expect(codeOf(() => drops.make({ ...ASKED, at: 2 ** 42 }))).toBe("argument.range");
    expect(
      codeOf(() => {
        drops.next = 2 ** 42 + 1;
      }),
    ).toBe("argument.range");
  });

  test("of columns are theirs alone", () => {
    const objects = maker().makeMany(5, { ...ASKED, from: 100 });
    expect([objects.from, objects.at(4).index, [...objects].length]).toEqual([100, 104, 5]);
    for (const k of [-1, 5, 0.5]) expect(codeOf(() => objects.at(k))).toBe("argument.range");
  });

  test("made into are those of the call", () => {
    const drops = maker();
    const objects = drops.makeMany(50, ASKED);
    const again = maker().makeMany(50, { ...ASKED, from: 50 });
    expect([...drops.makeInto(objects, ASKED)].length).toBe(50);
    expect([objects.from, drops.next]).toEqual([50, 100]);
    expect(objects.kind).toEqual(again.kind);
  });
});

/** The count of the record with a number: other makers have other records. */
function countOf(counts: ReadonlyMap<{ readonly number: number }, number>, wanted: number): number | undefined {
  return [...counts].find(([{ number }]) => number === wanted)?.[1];
}

test("a fork cannot be called while an object of another fork is being made: they share the kernel", () => {
  const maker = createMill({ seed: "moria" }).objects("drops", DUNGEON);
  const codes = new Set<unknown>();
  const power = () => {
    try {
      maker.fork("other").make({ level: 30, great: true, at: 0 });
    } catch (cause) {
      codes.add((cause as { readonly code?: unknown }).code);
    }
    return 0;
  };
  const asked = { level: 30, great: true, at: 3, artifacts: false } as const;
  const judged = maker.fork("one").make({ ...asked, limit: { most: 1, power } });
  expect([...codes]).toEqual(["argument.busy"]);
  expect(judged).toEqual(maker.fork("one").make({ ...asked, limit: { most: 1, power: () => 0 } }));
});
