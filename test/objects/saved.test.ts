import { describe, expect, test } from "vitest";
import { createMill, type RollmillError } from "../../src/index.js";
import {
  loadObject,
  type MadeObject,
  type ObjectMaker,
  type ObjectTexts,
  type SavedObject,
  saveObject,
} from "../../src/objects/index.js";
import { plainName } from "../../src/objects/parse/names.js";
import { DUNGEON } from "./dungeon.js";
import { all, realIsMissing, realTexts } from "./pair.js";

const GREAT = { level: 40, great: true };
const opened = (texts: ObjectTexts = DUNGEON) => createMill({ seed: "moria" }).objects("drops", texts);
/** The files with other affix levels. */
const levelled = (...levels: readonly string[]): ObjectTexts => ({
  ...DUNGEON,
  egoItem: `D:levels:${levels.join(" | ")}\n${DUNGEON.egoItem}`,
});
const drops = opened();
const objects = all(drops.makeMany(3000, GREAT));

function issueOf(call: () => unknown): RollmillError["issues"][number] | undefined {
  try {
    call();
  } catch (cause) {
    return (cause as RollmillError).issues[0];
  }
  return undefined;
}

function found(is: (object: MadeObject) => boolean): MadeObject {
  const object = objects.find(is);
  if (object === undefined) throw new Error("there is no such object");
  return object;
}

const themed = found(({ theme }) => theme !== undefined);
const artifact = found((object) => object.artifact !== undefined);
const plain = found(
  ({ theme, artifact: none, affixes }) => theme === undefined && none === undefined && affixes.length === 3,
);

describe("saved objects", () => {
  test("come back as they were, artifacts and themes included, through JSON", () => {
    for (const object of objects) {
      expect(loadObject(drops.files, JSON.parse(JSON.stringify(saveObject(drops.files, object))))).toEqual(object);
    }
  });

  test("take one more affix as the objects themselves do, and come back with it", () => {
    const bare = drops.make({ level: 1, kind: drops.files.kinds[1].number, artifacts: false, at: 9 });
    const [affix, other] = drops.files.affixes;
    const more = drops.addAffix(loadObject(drops.files, saveObject(drops.files, bare)), affix.number);
    expect(more).toEqual(drops.addAffix(bare, affix.number));
    expect(more.added).toBe(1);
    for (const object of [more, drops.addAffix(more, other.number)])
      expect(loadObject(drops.files, saveObject(drops.files, object))).toEqual(object);
  });

  test("have records and affix levels by their names", () => {
    const { kind, affixes, theme, affixLevel, format } = saveObject(drops.files, themed);
    expect([format, kind.tval, kind.sval]).toEqual([2, themed.kind.type.word, themed.kind.sval]);
    expect(plainName(themed.kind.name)).toBe(kind.name);
    expect(affixes).toEqual(themed.affixes.map(({ name }) => name));
    expect(theme).toEqual({ name: themed.theme?.name, number: themed.theme?.number });
    expect(affixLevel).toBe(drops.files.levels[themed.affixLevel]);
  });
});

/** The files with the numbers of all affixes, kinds and so on reversed, and a comment. */
function renumbered(texts: typeof DUNGEON): ObjectTexts {
  const turned = (text: string) =>
    `# turned\n${text.replace(/^N:(\d+):/gm, (_, number: string) => `N:${5000 - Number(number)}:`)}`;
  return {
    ...texts,
    object: turned(texts.object),
    egoItem: turned(texts.egoItem),
    egoThemes: turned(texts.egoThemes),
    artifact: turned(texts.artifact),
  };
}

describe("Objects 2: saves go by the names of records", () => {
  test("a comment and other numbers of the records change nothing", () => {
    const others = opened(renumbered(DUNGEON));
    for (const object of objects.slice(0, 400)) {
      const loaded = loadObject(others.files, saveObject(drops.files, object));
      const names = ({ kind, affixes, theme, artifact: own }: MadeObject) =>
        [kind, ...affixes, theme, own].map((record) => record?.name);
      expect(names(loaded)).toEqual(names(object));
      expect({ ...loaded, kind: 0, affixes: 0, theme: 0, artifact: 0 }).toEqual({
        ...object,
        ...{ kind: 0, affixes: 0, theme: 0, artifact: 0 },
      });
    }
  });

  test("one more affix level changes nothing either", () => {
    const others = opened(levelled("awful", "good", "great", "uber", "artifact"));
    expect(loadObject(others.files, saveObject(drops.files, plain)).affixLevel).toBe(plain.affixLevel + 1);
  });

  test.each<[string, (saved: SavedObject) => SavedObject, string, (saved: SavedObject) => unknown]>([
    ["affix", (saved) => saved, "affixes[1]", ({ affixes }) => affixes[1]],
    ["theme", (saved) => saved, "theme", ({ theme }) => theme?.name],
  ])("a vanished %s is an error with its name, or is dropped", (what, _, path, nameOf) => {
    const object = what === "affix" ? plain : themed;
    const saved = saveObject(drops.files, object);
    const name = String(nameOf(saved));
    const without = (text: string) => text.replaceAll(name, "of Nowhere");
    const others = opened({
      ...DUNGEON,
      egoItem: without(DUNGEON.egoItem),
      egoThemes: without(DUNGEON.egoThemes),
      artifact: without(DUNGEON.artifact),
    });
    expect(issueOf(() => loadObject(others.files, saved))).toMatchObject({ code: "object.saved", where: { path } });
    expect(issueOf(() => loadObject(others.files, saved))?.message).toContain(name);
    const left = loadObject(others.files, saved, { missing: "drop" });
    expect(left?.affixes.map((affix) => affix.name)).toEqual(
      object.affixes.map((affix) => affix.name).filter((own) => own !== name),
    );
    expect(left?.depths.length).toBe(left?.affixes.length);
    expect([left?.theme, left?.toHit, left?.flags]).toEqual([undefined, object.toHit, object.flags]);
  });

  test.each(["kind", "artifact"] as const)("an object whose %s has vanished is dropped as a whole", (what) => {
    const saved = saveObject(drops.files, artifact);
    const gone = { ...saved, [what]: { ...saved[what], name: "Nothing" } };
    expect(issueOf(() => loadObject(drops.files, gone))).toMatchObject({ code: "object.saved", where: { path: what } });
    expect(loadObject(drops.files, gone, { missing: "drop" })).toBeUndefined();
  });

  test("vanished flags and levels are dropped too", () => {
    const saved = {
      ...saveObject(drops.files, plain),
      flags: [...plain.flags, "GLOW"],
      pvals: { ...plain.pvals, LUCK: 2 },
      affixLevel: "best",
    };
    expect(issueOf(() => loadObject(drops.files, saved))?.code).toBe("object.saved");
    expect(loadObject(drops.files, saved, { missing: "drop" })).toEqual({ ...plain, affixLevel: 0 });
  });

  test("of two artifacts with one name, the number tells which", () => {
    const lines = "I:sword:Longsword\nW:1:1:9:9\nP:0:2d5:1:1:0\nA:10:1 to 127\n";
    const artifact = `${DUNGEON.artifact}\nN:900:'Twin'\n${lines}N:901:'Twin'\n${lines}`;
    const maker = opened({ ...DUNGEON, artifact });
    for (const number of [901, 900]) {
      const twin = maker.make({ level: 5, artifact: number });
      expect(twin.artifact?.number).toBe(number);
      expect(loadObject(maker.files, saveObject(maker.files, twin))).toEqual(twin);
    }
    expect(maker.claims.map((claim) => claim.artifact.number)).toEqual([900, 901]);
  });
});

describe("Objects 2: a tampered save is refused by the laws of the files", () => {
  const tampered = (object: MadeObject, change: object) => () =>
    loadObject(drops.files, { ...saveObject(drops.files, object), ...change });
  const stranger = drops.files.affixes.find(({ targets }) => !targets.some(({ tval }) => tval === plain.kind.tval));
  const otherTheme = drops.files.themes.find((theme) => theme !== themed.theme);
  const otherKind = drops.files.kinds.find(({ tval }) => tval !== 0 && tval !== artifact.kind.tval);
  const [first, ...rest] = saveObject(drops.files, plain).affixes;

  test.each<[string, MadeObject, object, string]>([
    ["more slots than its level gives", plain, { slots: 8 }, "slots"],
    [
      "more affixes than slots",
      plain,
      { slots: 3, affixes: [first, ...rest, first], depths: [...plain.depths, 40] },
      "affixes",
    ],
    ["an affix that its kind cannot get", plain, { affixes: [stranger?.name, ...rest] }, "affixes[0]"],
    ["a depth that no boost gives", plain, { depths: [3, ...plain.depths.slice(1)] }, "depths[0]"],
    ["a greater to-hit", plain, { toHit: plain.toHit + 300 }, "toHit"],
    ["other dice", plain, { dice: plain.dice + 1 }, "dice"],
    ["another weight", plain, { weight: plain.weight + 1 }, "weight"],
    ["a flag of no record", plain, { flags: [...plain.flags, "TELEPATHY"] }, "flags"],
    ["a flag less", artifact, { flags: artifact.flags.slice(1) }, "flags"],
    ["a value of no record", plain, { pvals: { ...plain.pvals, SPEED: 9 } }, "pvals.SPEED"],
    ["a theme without its affixes", plain, { theme: otherTheme }, ""],
    ["another theme", themed, { theme: otherTheme }, ""],
    ["a theme less, whose affixes stay", themed, { theme: null }, ""],
    [
      "another kind for an artifact",
      artifact,
      { kind: { ...otherKind, name: plainName(otherKind?.name ?? "") } },
      "kind",
    ],
    ["an affix on an artifact", artifact, { affixes: [first], depths: [40] }, "affixes[0]"],
    ["other numbers of an artifact", artifact, { toDam: artifact.toDam + 1 }, "toDam"],
    ["no affix level", plain, { affixLevel: null }, "affixLevel"],
    ["a level below its depths", plain, { level: 1 }, ""],
    ["added affixes that were not", plain, { added: 1, depths: [40, 40, 41] }, "depths[2]"],
  ])("%s", (_, object, change, path) => {
    const issue = issueOf(tampered(object, change));
    expect(issue?.code).toBe("object.saved");
    if (path !== "") expect(issue?.where.path).toBe(path);
    expect(loadObject(drops.files, { ...saveObject(drops.files, object), ...change }, { laws: "skip" })).toBeDefined();
  });

  test("an object that a program has changed is saved only on request", () => {
    const better = { ...plain, toHit: plain.toHit + 300 };
    expect(issueOf(() => saveObject(drops.files, better))).toMatchObject({
      code: "object.saved",
      where: { path: "toHit" },
    });
    expect(loadObject(drops.files, saveObject(drops.files, better, { laws: "skip" }), { laws: "skip" })).toEqual(
      better,
    );
  });

  test.each<[string, unknown]>([
    ["no object", 7],
    ["another format", { format: 1 }],
    ["an unknown kind", { kind: { name: "Spoon", tval: "sword", sval: 1 } }],
    ["a kind by number", { kind: 1 }],
    ["an unknown affix", { affixes: ["of Spoons"], depths: [1] }],
    ["too many affixes", { affixes: Array.from({ length: 9 }, () => first) }],
    ["a depth too many", { depths: [1, 2, 3, 4, 5, 6, 7, 8] }],
    ["a fraction", { toHit: 0.5 }],
    ["another quality", { quality: "best" }],
    ["an unknown flag", { flags: ["GLOW"] }],
    ["a flag that takes a value", { flags: ["STR"] }],
    ["a value of a flag that takes none", { pvals: { SLAY_ORC: 1 } }],
    ["a value of 0", { pvals: { STR: 0 } }],
    ["values that are a list", { pvals: [] }],
    ["flags that are a text", { flags: "STR" }],
    ["holes for depths", { depths: new Array(plain.depths.length) }],
    ["more added affixes than affixes", { added: 4 }],
  ])("is refused with %s", (_, change) => {
    const saved = saveObject(drops.files, plain);
    const changed = typeof change === "object" && change !== null ? { ...saved, ...change } : change;
    expect(issueOf(() => loadObject(drops.files, changed))?.code).toBe("object.saved");
  });

  test.each([{ laws: "keep" }, { missing: true }])("the options %j are refused", (options) => {
    expect(issueOf(() => loadObject(drops.files, saveObject(drops.files, plain), options as never))?.code).toBe(
      "argument.type",
    );
  });
});

/** Makes objects in every way that a maker has, and expects that each of them keeps the laws. */
function expectLawful(maker: ObjectMaker, count: number): void {
  const qualities = [{}, { good: true }, { great: true }];
  const scores = { toHit: 1, toDam: 1, toAc: 1 };
  for (const level of [0, 1, 7, 20, 45, 90, 127]) {
    for (const quality of qualities) {
      for (const extra of [{}, { limit: { most: 8, scores } }, { affixLevel: maker.files.levels[2] }]) {
        const asked = { level, ...quality, ...extra };
        if (maker.whyImpossible(asked) !== undefined) continue;
        for (const object of all(maker.makeMany(count, asked))) {
          expect(loadObject(maker.files, saveObject(maker.files, object))).toEqual(object);
          const { theme, artifact: own, affixes } = object;
          if (theme !== undefined || own !== undefined || affixes.length > 2) continue;
          const more = maker.files.affixes[object.index % maker.files.affixes.length];
          if (affixes.some(({ number, excludes }) => excludes.includes(more.number) || more.excludes.includes(number)))
            continue;
          const added = maker.addAffix(object, more.number);
          expect(loadObject(maker.files, saveObject(maker.files, added))).toEqual(added);
        }
      }
    }
  }
  for (const { number } of maker.files.artifacts) {
    const asked = { level: 20, artifact: number };
    if (maker.whyImpossible(asked) !== undefined) continue;
    maker.releaseArtifact(number);
    const made = maker.make(asked);
    expect(loadObject(maker.files, saveObject(maker.files, made))).toEqual(made);
  }
}

describe("every object that a maker makes keeps the laws", () => {
  test("of the project's own files", () => {
    expectLawful(opened(), 60);
  });

  test.skipIf(realIsMissing)(
    "of a game's own files (../shared/data is needed)",
    () => {
      expectLawful(opened(realTexts()), 25);
    },
    60_000,
  );
});
