import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { MadeObject, MadeObjects, MakeObjectsOptions, ObjectMaker, ObjectTexts } from "../../src/objects/index.js";
import { DUNGEON } from "./dungeon.js";

const GREAT = { level: 40, great: true };

function maker(seed = "moria"): ObjectMaker {
  return createMill({ seed }).objects("drops", DUNGEON);
}

function all(objects: MadeObjects): readonly MadeObject[] {
  return Array.from({ length: objects.length }, (_, k) => objects.at(k));
}

describe("one object and many", () => {
  test("any split of a batch gives the same objects, artifacts included", () => {
    const whole = all(maker().makeMany(3000, GREAT));
    const split = maker();
    const parts = [1, 2, 1000, 24, 1023, 1, 949].flatMap((count) => all(split.makeMany(count, GREAT)));
    expect(parts).toEqual(whole);
    expect(whole.filter(({ artifact }) => artifact !== undefined).length).toBeGreaterThan(5);
  });

  test("an object by its index leaves the cursor where it is, and is the same again", () => {
    const drops = maker();
    const objects = all(drops.makeMany(2000, GREAT));
    for (const k of [0, 7, 1999]) expect(drops.make({ ...GREAT, at: k })).toEqual(objects[k]);
    expect(all(drops.makeMany(2000, { ...GREAT, from: 0 }))).toEqual(objects);
    expect(drops.next).toBe(2000);
  });

  test("replayed artifacts let objects be made from anywhere on", () => {
    const objects = all(maker().makeMany(2500, GREAT));
    const later = maker();
    later.replay(1500, GREAT);
    expect(later.next).toBe(1500);
    expect(all(later.makeMany(1000, GREAT))).toEqual(objects.slice(1500));
  });

  test("artifacts can be turned off", () => {
    const objects = all(maker().makeMany(3000, { ...GREAT, artifacts: false }));
    expect(objects.every(({ artifact }) => artifact === undefined)).toBe(true);
  });

  test("objects of another maker are no room for these", () => {
    const other = createMill({ seed: "moria" }).objects("others", DUNGEON).makeMany(3, GREAT);
    expect(() => maker().makeInto(other, GREAT)).toThrow("[argument.type]");
  });
});

describe("artifacts", () => {
  test("each is made at most once, whatever the batches and the options", () => {
    const drops = maker();
    const found = [1, 500, 3, 2000, 4096].flatMap((count, i) => {
      return all(drops.makeMany(count, { level: 20 + 15 * i, great: i % 2 === 0 })).flatMap(({ artifact, index }) =>
        artifact === undefined ? [] : [{ artifact, maker: "drops", object: index }],
      );
    });
    expect(new Set(found.map(({ artifact }) => artifact)).size).toBe(found.length);
    expect(drops.claims).toEqual(found.toSorted((a, b) => a.artifact.number - b.artifact.number));
  });

  test("one that is asked for is made, once", () => {
    const drops = maker();
    const { name, allocations } = drops.files.artifacts[0];
    const asked = { level: allocations[0].least, artifact: name };
    expect(drops.make(asked).artifact?.name).toBe(name);
    expect(drops.make({ ...asked, at: 0 }).artifact?.name).toBe(name);
    expect(() => drops.make(asked)).toThrow("[object.impossible]");
    expect(() => maker().makeMany(2, asked)).toThrow("[object.impossible]");
  });

  test("an artifact out of depth, or of another kind, is said to be impossible", () => {
    const drops = maker();
    const artifact = drops.files.artifacts.find(({ allocations }) => allocations.every(({ most }) => most < 200));
    expect(() => drops.make({ level: 255, artifact: artifact?.name })).toThrow("[object.impossible]");
    const other = drops.files.kinds.find(({ tval }) => tval !== artifact?.tval && tval !== 0);
    expect(() => drops.make({ level: 1, artifact: artifact?.name, kind: other?.number })).toThrow(
      "[object.impossible]",
    );
  });

  test("one that is asked for is not replayed, and goes with no affixes", () => {
    const drops = maker();
    const { name } = drops.files.artifacts[0];
    drops.replay(2000, { level: 20, great: true, artifact: name });
    expect([drops.claims, drops.next]).toEqual([[], 2000]);
    const affix = drops.files.affixes[0].name;
    expect(() => drops.make({ level: 20, artifact: name, with: [affix] })).toThrow("[object.request]");
  });

  test("a call amid a call is refused, so that no artifact is forgotten", () => {
    const drops = maker();
    const inside = () => {
      drops.makeMany(5, GREAT);
    };
    expect(() => drops.makeMany(1_200_000, { ...GREAT, onProgress: inside })).toThrow("[argument.busy]");
    expect([drops.claims, drops.next]).toEqual([[], 0]);
  });

  test("an aborted call makes none", () => {
    const drops = maker();
    const controller = new AbortController();
    const options: MakeObjectsOptions = {
      ...GREAT,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error("enough")),
    };
    expect(() => drops.makeMany(1_200_000, options)).toThrow("enough");
    expect([drops.claims, drops.next]).toEqual([[], 0]);
    expect(all(drops.makeMany(500, GREAT))).toEqual(all(maker().makeMany(500, GREAT)));
  });
});

describe("snapshots", () => {
  test("a restored mill goes on where the other was", () => {
    const mill = createMill({ seed: "moria" });
    const drops = mill.objects("drops", DUNGEON);
    drops.makeMany(1500, GREAT);
    const snapshot = mill.snapshot();
    const rest = all(drops.makeMany(1500, GREAT));
    const restored = createMill({ seed: "moria", snapshot }).objects("drops", DUNGEON);
    expect(restored.claims.length).toBeGreaterThan(0);
    expect(all(restored.makeMany(1500, GREAT))).toEqual(rest);
  });

  test("a comment in the edit files changes nothing, a damaged state is refused", () => {
    const mill = createMill({ seed: "moria" });
    mill.objects("drops", DUNGEON).makeMany(1500, GREAT);
    const snapshot = mill.snapshot();
    const others = { ...DUNGEON, artifact: `${DUNGEON.artifact}\n# changed\n` };
    const restored = (files: ObjectTexts) => createMill({ seed: "moria", snapshot }).objects("drops", files);
    expect(all(restored(others).makeMany(500, GREAT))).toEqual(all(restored(DUNGEON).makeMany(500, GREAT)));
    const text = new TextDecoder().decode(snapshot).replace('[{"artifact":', '[{"artefact":');
    const damaged = createMill({ seed: "moria", snapshot: new TextEncoder().encode(text) });
    expect(() => damaged.objects("drops", DUNGEON)).toThrow("[snapshot.invalid]");
  });
});

describe("requests", () => {
  test("a kind, a type, affixes and a theme are had by every object", () => {
    const drops = maker();
    const { kinds, themes } = drops.files;
    const sword = kinds.find(({ tval }) => tval === 23);
    expect(
      all(drops.makeMany(200, { ...GREAT, kind: sword?.number, artifacts: false })).every(({ kind }) => kind === sword),
    ).toBe(true);
    expect(all(drops.makeMany(200, { ...GREAT, tval: "sword" })).every(({ kind }) => kind.tval === 23)).toBe(true);
    const [first, second] = drops.make({ ...GREAT, kind: sword?.number, at: 0, artifacts: false }).affixes;
    const both = all(drops.makeMany(50, { ...GREAT, with: [first.name, second.number] }));
    expect(both.every(({ affixes }) => affixes.includes(first) && affixes.includes(second))).toBe(true);
    const twice = all(drops.makeMany(20, { ...GREAT, with: [first.name, first.name] }));
    expect(twice.every(({ affixes }) => affixes.filter((affix) => affix === first).length >= 2)).toBe(true);
    const made = all(drops.makeMany(30_000, { ...GREAT, artifacts: false })).find(({ theme }) => theme !== undefined);
    const theme = themes.find((own) => own === made?.theme);
    expect(all(drops.makeMany(5, { ...GREAT, theme: theme?.name })).every((object) => object.theme === theme)).toBe(
      true,
    );
  });

  test("what comes of a request is what the unasked objects that meet it are: the same law", () => {
    // the first object of a request is the first attempt that meets it, word by word
    const drops = maker();
    const plain = drops.make({ ...GREAT, at: 3, artifacts: false, tval: "sword" });
    const asked = drops.make({ ...GREAT, at: 3, tval: "sword", with: [plain.affixes[0].name] });
    // no word is read for an artifact where affixes are asked for, nor where artifacts are turned off
    expect(asked).toEqual(plain);
  });

  test("a split request gives the same objects, though attempts differ", () => {
    const affix = maker().make({ ...GREAT, at: 1, artifacts: false }).affixes[0].name;
    const whole = all(maker().makeMany(300, { ...GREAT, with: [affix] }));
    const split = maker();
    const parts = [7, 93, 200].flatMap((count) => all(split.makeMany(count, { ...GREAT, with: [affix] })));
    expect(parts).toEqual(whole);
  });

  test("names that are not there are refused with the nearest one", () => {
    const drops = maker();
    const { name } = drops.files.affixes[0];
    expect(() => drops.make({ ...GREAT, with: [`${name}x`] })).toThrow(`Did you mean ${JSON.stringify(name)}?`);
    expect(() => drops.make({ ...GREAT, affixLevel: "better" })).toThrow("[object.request]");
    expect(() => drops.make({ ...GREAT, tval: "spoon" })).toThrow("[object.request]");
    expect(() => drops.make({ level: 256 })).toThrow("[argument.range]");
    expect(() => drops.make({ ...GREAT, kind: "" })).toThrow("[object.name]");
  });

  test("a type that hardly ever comes is refused, a kind of it is not", () => {
    const object = `${DUNGEON.object}\nN:900:& Gauge~\nI:5:9\nA:65535:1 to 255\nN:901:& Feather~\nI:1:9\nA:1:1 to 255\n`;
    const many = Array.from({ length: 40 }, (_, i) => `N:${910 + i}:& Peg ${i}~\nI:5:${20 + i}\nA:65535:1 to 255\n`);
    const drops = createMill({ seed: "moria" }).objects("drops", { ...DUNGEON, object: object + many.join("") });
    expect(() => drops.make({ level: 5, tval: "skeleton" })).toThrow("[object.impossible]");
    expect(drops.make({ level: 5, kind: "Feather", artifacts: false }).kind.number).toBe(901);
  });

  test("attempts end", () => {
    const drops = maker();
    const affix = drops.make({ ...GREAT, at: 0, artifacts: false }).affixes[0].name;
    const often = Array.from({ length: 5 }, () => affix);
    expect(() => drops.makeMany(1, { ...GREAT, with: often, attempts: 100 })).toThrow("[object.impossible]");
    expect(drops.next).toBe(0);
  });
});

describe("one more affix", () => {
  test("comes on a plain object, goes on with its words, and is the same every time", () => {
    const drops = maker();
    const plain = all(drops.makeMany(500, { level: 5, tval: "sword", artifacts: false })).find(
      ({ affixes }) => affixes.length === 1,
    );
    if (plain === undefined) throw new Error("there is none");
    const affix = drops.make({ ...GREAT, tval: "sword", artifacts: false }).affixes[0];
    const more = drops.addAffix(plain, affix.name);
    expect(more.affixes).toEqual([...plain.affixes, affix]);
    expect(more.depths).toEqual([...plain.depths, plain.level]);
    expect(more.words).toBeGreaterThanOrEqual(plain.words);
    expect({ index: more.index, kind: more.kind, level: more.level }).toEqual({
      index: plain.index,
      kind: plain.kind,
      level: 5,
    });
    expect(drops.addAffix(plain, affix.number)).toEqual(more);
  });

  test("is refused for artifacts, themes, full objects and what excludes it", () => {
    const drops = maker();
    const objects = all(drops.makeMany(20_000, { level: 60, great: true }));
    const artifact = objects.find((object) => object.artifact !== undefined);
    const themed = objects.find((object) => object.theme !== undefined);
    const any = drops.files.affixes[0].name;
    if (artifact === undefined || themed === undefined) throw new Error("there is none");
    expect(() => drops.addAffix(artifact, any)).toThrow("[object.request]");
    expect(() => drops.addAffix(themed, any)).toThrow("[object.request]");
    const excluding = drops.files.affixes.find(({ excludes }) => excludes.length > 0);
    const shallow = all(drops.makeMany(200, { level: 1, artifacts: false }));
    const plain = shallow.find(({ affixes }) => affixes.length === 0);
    if (excluding === undefined || plain === undefined) throw new Error("there is none");
    const full = Array.from({ length: 8 }).reduce<MadeObject>((object) => {
      const { theme, affixes } = object;
      return theme === undefined && affixes.length < 8 ? drops.addAffix(object, drops.files.affixes[1].name) : object;
    }, plain);
    expect(() => drops.addAffix(full, any)).toThrow("[object.request]");
    const other = drops.files.affixes.find(({ number }) => number === excluding.excludes[0]);
    const one = drops.addAffix(plain, other?.name ?? "");
    expect(() => drops.addAffix(one, excluding.name)).toThrow("[object.request]");
  });
});
