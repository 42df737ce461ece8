import fc from "fast-check";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { type Decision, explain, receipt } from "../../src/instruments/index.js";
import type { MadeObject, ObjectFiles, ObjectOptions, ObjectTexts } from "../../src/objects/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { LIGHTHOUSE } from "../objects/lighthouse.js";
import { anyFiles } from "../objects/oddsFiles.js";
import { files as TWIN } from "../objects/twinFiles.js";
import { codeOf } from "../refusal.js";
import { integers } from "./random.js";

// a program of plain JavaScript without declarations
const CHECKER = "../../examples/check-receipt.mjs";
const { check }: { check: (receipt: unknown) => void } = await import(CHECKER);

const random = integers(7);
const SPEC = { seed: "moria", spec: "" };

function anyQuality(): ObjectOptions {
  return {
    level: 1 + (random(3) === 0 ? random(255) : random(60)),
    ...[{}, { good: true }, { great: true }][random(3)],
  };
}

const words = (decisions: readonly Decision[]) => decisions.map(({ word }) => word);

test("the objects of docs/determinism.md", () => {
  const drops = createMill({ seed: "moria" }).objects("drops", DUNGEON);
  const cudgel = explain(drops, { at: 11850, with: { level: 30, good: true } });
  expect(words(cudgel.decisions)).toEqual([
    3380875858, 347029946, 993308384, 2394093964, 650610392, 2410971380, 1541478950, 142315535, 3917882027, 2892677195,
    1230482835, 298821242, 3996464310, 4103898966, 475570616, 3708577203, 3390297357, 4271732036, 195095161, 3207086437,
    4025666128,
  ]);
  expect(cudgel.decisions.slice(7, 11).map(({ part, what, so }) => [part, what, so])).toEqual([
    ["slot 1 of 2", "boost", "yes"],
    ["slot 1 of 2", "depth", "depth 33"],
    ["slot 1 of 2", "affix at depth 33", "Iron-Bound"],
    ["slot 1 of 2", "Iron-Bound, to-dam, die 1 of 1", "1"],
  ]);
  expect(cudgel.result).toMatchObject({ kind: "Cudgel", theme: "of the Cold Forge" });
  const wrecks = createMill({ seed: "tide" }).objects("wrecks", LIGHTHOUSE);
  expect(words(explain(wrecks, { at: 12, with: { level: 12 } }).decisions)).toEqual([
    2866861970, 2384441622, 2358774708, 1361040673, 632594736, 70775632, 3995818468, 409137226, 1478414072, 2305838957,
    3479459402, 1805161287, 1728024516, 2960317520,
  ]);
});

const FILES: readonly (readonly [string, ObjectTexts | ObjectFiles])[] = [
  ["dungeon", DUNGEON],
  ["lighthouse", LIGHTHOUSE],
  ["twin", TWIN],
];

test.each(FILES)("receipts of objects of the files %s are accepted", (_, files) => {
  const maker = createMill({ seed: "moria" }).objects("maker", files);
  for (let i = 0; i < 250; i++) {
    const at = [i, 2 ** 32 + i, 2 ** 42 - 2 - i][random(3)];
    const made = JSON.parse(JSON.stringify(receipt(maker, { ...SPEC, at, with: anyQuality() })));
    check(made);
    if (i % 20 > 0) continue;
    const { explanation } = made;
    const k = random(explanation.decisions.length);
    explanation.decisions[k].word ^= 1;
    expect(() => check(made)).toThrow("wrong digest");
  }
  expect(maker.claims).toEqual([]);
  expect(maker.next).toBe(0);
});

test("any options: kinds, types, affixes, themes, artifacts, affix levels and limits", () => {
  const mill = createMill({ seed: "moria" });
  for (const [name, texts] of [
    ["dungeon", DUNGEON],
    ["lighthouse", LIGHTHOUSE],
  ] as const) {
    const maker = mill.objects(name, texts);
    const { kinds, affixes, themes, artifacts, levels } = maker.files;
    const one = <T>(from: readonly T[]) => from[random(from.length)];
    let explained = 0;
    for (let i = 0; i < 300; i++) {
      const options: ObjectOptions = {
        ...anyQuality(),
        ...[
          {},
          { kind: one(kinds).number },
          { tval: one(kinds).tval },
          { with: [one(affixes).number], attempts: 200 },
          themes.length > 0 ? { theme: one(themes).number, attempts: 200 } : { artifacts: false },
          { artifact: one(artifacts).number },
          { affixLevel: one(levels) },
          { limit: { most: 20, scores: { toHit: 2, toDam: 3, toAc: 1, ac: 1, dice: 1, flags: { FEATHER: 5 } } } },
          { limit: { most: 12, power: (made: MadeObject) => made.toDam + 3 * made.affixes.length } },
        ][random(9)],
      } as ObjectOptions;
      const code = codeOf(() => explain(maker, { at: i, with: options }));
      expect(["object.impossible", "object.request", "object.name", undefined]).toContain(code);
      explained += Number(code === undefined);
    }
    expect(explained).toBeGreaterThan(120);
  }
});

test("artifacts that were made before, and by the object itself", () => {
  const maker = createMill({ seed: "moria" }).objects("drops", DUNGEON);
  const great = { level: 40, great: true };
  maker.makeMany(300, great);
  const { claims } = maker;
  expect(claims.length).toBeGreaterThan(1);
  for (const { artifact, object } of claims) {
    const { result } = explain(maker, { at: object, with: great });
    expect(result).toMatchObject({ artifact: artifact.name });
  }
  for (let at = 0; at < 300; at++) explain(maker, { at, with: great });
  expect(maker.claims).toEqual(claims);
});

test("rejected attempts are part of the explanation", () => {
  const maker = createMill({ seed: "moria" }).objects("drops", DUNGEON);
  const { decisions, result } = explain(maker, { at: 3, with: { level: 30, great: true, with: ["Iron-Bound"] } });
  const parts = decisions.map(({ part = "" }) => part.split(",")[0]);
  expect(new Set(parts).size).toBeGreaterThan(1);
  expect(parts[0]).toBe("attempt 1");
  expect(result).toMatchObject({ affixes: expect.arrayContaining(["Iron-Bound"]) });
});

test("any files", () => {
  let explained = 0;
  for (const [i, files] of fc.sample(anyFiles, { numRuns: 100, seed: 1 }).entries()) {
    const maker = createMill({ seed: `files ${i}` }).objects("any", files);
    for (let at = 0; at < 6; at++) {
      const code = codeOf(() => explain(maker, { at, with: anyQuality() }));
      expect(["object.impossible", undefined]).toContain(code);
      explained += Number(code === undefined);
    }
  }
  expect(explained).toBeGreaterThan(200);
});

test("refuses what cannot be explained", () => {
  const maker = createMill({ seed: "moria" }).objects("drops", DUNGEON);
  expect(codeOf(() => explain(maker, { at: 1 }))).toBe("argument.range");
  expect(codeOf(() => explain(maker, { at: -1, with: { level: 1 } }))).toBe("argument.range");
  expect(codeOf(() => explain(maker, { with: { level: 1, tier: 2 } }))).toBe("argument.option");
  expect(codeOf(() => explain(maker, { with: { level: 1, kind: "Cudgle" } }))).toBe("object.name");
});
