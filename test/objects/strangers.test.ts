import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { type MadeObject, type ObjectMaker, saveObject } from "../../src/objects/index.js";
import { FlagBits } from "../../src/objects/law/flagBits.js";
import { FLAGS } from "../../src/objects/parse/flags.js";
import { codeOf } from "../refusal.js";
import { DUNGEON } from "./dungeon.js";
import { smallWith } from "./small.js";

const drops = createMill({ seed: "moria" }).objects("drops", DUNGEON);
const plain = drops.make({ level: 1, kind: drops.files.kinds[1].number, artifacts: false });
const affix = drops.files.affixes[0].number;

describe("objects that are given to a maker", () => {
  const other = createMill({ seed: "moria" }).objects("drops", DUNGEON);

  test.each<[string, (object: MadeObject) => MadeObject]>([
    [
      "of another mill under the same files",
      ({ index }) => other.make({ level: 1, kind: plain.kind.number, artifacts: false, at: index }),
    ],
    ["copied", (object) => structuredClone(object)],
    ["copied as JSON", (object) => JSON.parse(JSON.stringify(object))],
  ])("may be %s", (_, copy) => {
    const object = copy(plain);
    expect(object.kind).not.toBe(plain.kind);
    expect(drops.addAffix(object, affix)).toEqual(drops.addAffix(plain, affix));
    expect(drops.addAffix(drops.addAffix(object, affix), affix)).toEqual(
      drops.addAffix(drops.addAffix(plain, affix), affix),
    );
    expect(saveObject(drops.files, object)).toEqual(saveObject(drops.files, plain));
  });

  test("are themselves not changed, and come with the maker's own records", () => {
    const copy = structuredClone(plain);
    expect(drops.addAffix(copy, affix).kind).toBe(plain.kind);
    expect(copy).toEqual(plain);
  });

  test.each<[string, object]>([
    ["a kind of other files", { kind: { ...plain.kind, name: "Spoon" } }],
    ["a foreign affix", { affixes: [{ number: affix, name: "of Spoons" }], depths: [1] }],
    ["an artifact that is none", { artifact: {} }],
    ["a theme that is none", { theme: null }],
    ["no kind", { kind: undefined }],
    ["affixes that are no list", { affixes: 7 }],
    ["a number out of range", { toHit: 1e6 }],
    ["nine depths", { depths: Array.from({ length: 9 }, () => 1) }],
    ["an unknown flag", { flags: ["GLOW"] }],
    ["an affix level that there is not", { affixLevel: 4 }],
  ])("are refused with %s", (_, change) => {
    const object = { ...plain, ...change } as MadeObject;
    expect(codeOf(() => drops.addAffix(object, affix))).toBe("object.saved");
    expect(codeOf(() => saveObject(drops.files, object))).toBe("object.saved");
  });

  test.each([null, undefined, 7, "kris"])("are no %s", (value) => {
    expect(codeOf(() => drops.addAffix(value as never, affix))).toBe("argument.type");
    expect(codeOf(() => saveObject(drops.files, value as never))).toBe("argument.type");
  });
});

describe("options without types", () => {
  const ask = { level: 40, great: true };
  const maker = () => createMill({ seed: "moria" }).objects("drops", DUNGEON);

  test.each<[string, unknown, string]>([
    ["none", undefined, "argument.type"],
    ["null", null, "argument.type"],
    ["a list", [], "argument.type"],
    ["a level that is big", { level: 30n }, "argument.range"],
    ["no level", {}, "argument.range"],
    ["an unknown option", { levle: 3 }, "argument.option"],
    ["a quality in words", { good: "yes" }, "argument.type"],
    ["artifacts of 0", { artifacts: 0 }, "argument.type"],
    ["a type of null", { tval: null }, "argument.type"],
    ["a type that is an object", { tval: {} }, "argument.type"],
    ["a kind in a list", { kind: [1] }, "argument.type"],
    ["a theme of null", { theme: null }, "argument.type"],
    ["an affix in place of a list", { with: "Keen" }, "argument.type"],
    ["a number of affixes", { with: 5 }, "argument.type"],
    ["a set of affixes", { with: new Set([1]) }, "argument.type"],
    ["a hole among affixes", { with: new Array(1) }, "argument.type"],
    ["an affix level by number", { affixLevel: 1 }, "argument.type"],
    ["attempts in words", { attempts: "many" }, "argument.range"],
    ["attempts that are big", { attempts: 5n }, "argument.range"],
    ["attempts that are a function", { attempts: () => 1 }, "argument.range"],
    ["an artifact and no artifacts", { artifact: 1, artifacts: false }, "object.request"],
    ["an artifact of an affix level", { artifact: 1, affixLevel: "good" }, "object.request"],
    ["a limit of null", { limit: null }, "argument.type"],
    ["a limit without a most", { limit: { power: () => 1 } }, "object.request"],
    ["scores of null", { limit: { most: 1, scores: null } }, "argument.type"],
    ["flags of null", { limit: { most: 1, scores: { flags: null } } }, "argument.type"],
    ["a score of what there is not", { limit: { most: 1, scores: { toHitt: 1 } } }, "object.request"],
    ["a power that is none", { limit: { most: 1, power: 5 } }, "argument.type"],
    ["progress told to a word", { onProgress: "me" }, "argument.type"],
    ["a signal that is none", { signal: {} }, "argument.type"],
  ])("%s are refused", (name, change, code) => {
    const isChange = typeof change === "object" && change !== null && !Array.isArray(change) && name !== "no level";
    const options = (isChange ? { ...ask, ...change } : change) as never;
    const drops = maker();
    const room = drops.makeMany(2, { ...ask, from: 5, artifacts: false });
    expect(codeOf(() => drops.makeMany(2, options))).toBe(code);
    expect(codeOf(() => drops.make(options))).toBe(code);
    expect(codeOf(() => drops.makeInto(room, options))).toBe(code);
    expect(codeOf(() => drops.replay(2, options))).toBe(code);
    expect([drops.next, drops.claims]).toEqual([0, []]);
  });

  test("an index of null is refused, and so is the other name of an index", () => {
    const room = maker().makeMany(2, { ...ask, from: 5 });
    for (const call of ["makeMany", "makeInto"] as const) {
      const given = (call === "makeMany" ? 2 : room) as never;
      expect(codeOf(() => maker()[call](given, { ...ask, from: null } as never))).toBe("argument.range");
      expect(codeOf(() => maker()[call](given, { ...ask, at: 1 } as never))).toBe("argument.option");
    }
    expect(codeOf(() => maker().make({ ...ask, at: null } as never))).toBe("argument.range");
    expect(codeOf(() => maker().make({ ...ask, from: 1 } as never))).toBe("argument.option");
    expect(codeOf(() => maker().replay(3, { ...ask, from: 1 } as never))).toBe("argument.option");
  });

  test("scores are told what is near", () => {
    const scores = { toHitt: 1 } as never;
    expect(() => drops.make({ ...ask, limit: { most: 1, scores } })).toThrow('Did you mean "toHit"?');
  });

  test.each([null, undefined, [], {}, "objects"])("there is no room in %j", (room) => {
    expect(codeOf(() => drops.makeInto(room as never, ask))).toBe("argument.type");
  });

  test.each([null, "7", 7n, 1.5, -1, undefined])("nothing is replayed up to %s", (to) => {
    const drops = maker();
    expect(codeOf(() => drops.replay(to as never, ask))).toBe("argument.range");
    expect(drops.next).toBe(0);
  });

  test.each([Number.NaN, "7", undefined, null])(
    "a power of %s is refused at once, and no artifact is made",
    (power) => {
      const drops = maker();
      let calls = 0;
      // after many objects, so that artifacts were made before it
      const measure = () => (++calls > 1500 ? (power as number) : 0);
      const limit = { most: 1, power: measure };
      expect(codeOf(() => drops.makeMany(3000, { ...ask, limit }))).toBe("object.request");
      expect(calls).toBe(1501);
      expect([drops.next, drops.claims]).toEqual([0, []]);
      expect(drops.makeMany(500, ask).toHit).toEqual(maker().makeMany(500, ask).toHit);
    },
  );

  test("of good and great, great counts", () => {
    const both = maker().makeMany(50, { level: 40, good: true, great: true });
    expect([both.making.quality, both.toHit]).toEqual(["great", maker().makeMany(50, ask).toHit]);
  });
});

describe("files without types", () => {
  const open = (texts: unknown, options?: unknown) =>
    codeOf(() => createMill({ seed: 1 }).objects("o", texts as never, options as never));

  test.each([undefined, null, {}, "files", { ...DUNGEON, object: 7 }, { ...DUNGEON, flags: null }])(
    "%j are refused",
    (texts) => {
      expect(open(texts)).toBe("argument.type");
    },
  );

  test.each<[unknown, string]>([
    [null, "argument.type"],
    [{ files: null }, "argument.type"],
    [{ files: { object: 7 } }, "argument.type"],
  ])("options %j are refused", (options, code) => {
    expect(open(DUNGEON, options)).toBe(code);
  });

  test("options of undefined are none", () => {
    expect(open(DUNGEON, { files: undefined })).toBeUndefined();
  });
});

describe("a game without affixes, themes and artifacts", () => {
  test("makes its kinds", () => {
    const none = smallWith({ egoItem: "", egoThemes: "", artifact: "" });
    const drops = createMill({ seed: "moria" }).objects("drops", none);
    const objects = drops.makeMany(300, { level: 30, great: true });
    expect(new Set(objects.kind)).toEqual(new Set([0, 1]));
    expect([...objects.affixCount, ...objects.theme, ...objects.artifact].some(Boolean)).toBe(false);
    expect([drops.claims, objects.name(0)]).toEqual([[], expect.stringMatching(/Kris|Splint Coat/)]);
    drops.replay(900, { level: 30 });
    expect(drops.next).toBe(900);
  });
});

describe("after the mill was disposed of", () => {
  const used = () => {
    const mill = createMill({ seed: "moria" });
    const drops = mill.objects("drops", DUNGEON);
    drops.makeMany(5, { level: 5 });
    return { mill, drops };
  };

  test.each<[string, (drops: ObjectMaker) => unknown]>([
    ["make", (drops) => drops.make({ level: 5 })],
    ["makeMany", (drops) => drops.makeMany(3, { level: 5 })],
    ["with a power", (drops) => drops.makeMany(3, { level: 5, limit: { most: 1, power: () => 1 } })],
    ["replay", (drops) => drops.replay(30, { level: 5 })],
    ["addAffix", (drops) => drops.addAffix(plain, affix)],
  ])("%s says so", (_, call) => {
    const { mill, drops } = used();
    mill.dispose();
    expect(codeOf(() => call(drops))).toBe("argument.disposed");
  });

  test("a call that it happened amid says so, and makes no artifact", () => {
    const { mill, drops } = used();
    const before = drops.claims;
    const great = { level: 40, great: true };
    expect(codeOf(() => drops.makeMany(1_200_000, { ...great, onProgress: () => mill.dispose() }))).toBe(
      "argument.disposed",
    );
    expect([drops.next, drops.claims]).toEqual([5, before]);
    const judged = used();
    const power = () => {
      judged.mill.dispose();
      return 0;
    };
    expect(codeOf(() => judged.drops.makeMany(50, { ...great, limit: { most: 1, power } }))).toBe("argument.disposed");
  });
});

describe("damaged snapshots", () => {
  const restore = (change: (made: unknown[]) => unknown) => () => {
    const mill = createMill({ seed: "moria" });
    mill.objects("drops", DUNGEON).makeMany(1500, { level: 40, great: true });
    const text = new TextDecoder().decode(mill.snapshot());
    const [list] = /(?<="artifacts":)\[.*?\]/.exec(text) ?? ["[]"];
    const changed = text.replace(list, JSON.stringify(change(JSON.parse(list))));
    const snapshot = new TextEncoder().encode(changed);
    return createMill({ seed: "moria", snapshot }).objects("drops", DUNGEON).claims;
  };

  test("are refused with null for an artifact, a number, or one artifact twice", () => {
    expect(codeOf(restore(() => [null]))).toBe("snapshot.invalid");
    expect(codeOf(restore(() => [7]))).toBe("snapshot.invalid");
    expect(codeOf(restore(([first]) => [first, first]))).toBe("snapshot.invalid");
    expect(codeOf(restore((made) => made))).toBeUndefined();
    for (const claim of [
      { artifact: 60_000, maker: "drops", object: 1 },
      { artifact: "'Nothing'", maker: "drops", object: 1 },
      { artifact: "'Oar'", maker: "drops", object: 2 ** 42 },
      { artifact: "'Oar'", maker: 1, object: 1 },
    ]) {
      expect(codeOf(restore(() => [claim]))).toBe("snapshot.invalid");
    }
  });
});

describe("places of flags", () => {
  test("of flags that are none, or of the other sort, are not asked for", () => {
    const bits = new FlagBits(FLAGS);
    expect(() => bits.bit("STR")).toThrow("STR");
    expect(() => bits.pval("SLAY_ORC")).toThrow("SLAY_ORC");
    expect(() => bits.mask(["GLOW"])).toThrow("GLOW");
  });
});
