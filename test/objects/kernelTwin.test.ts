import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadObject, type ObjectOptions, saveObject } from "../../src/objects/index.js";
import { IS_SOAK } from "../soak.js";
import { DUNGEON } from "./dungeon.js";
import { all, asTwin, pairOf } from "./pair.js";

const { maker: known } = pairOf(DUNGEON);
const KINDS = known.files.kinds.filter(({ tval }) => tval !== 0);

const quality = fc.constantFrom({}, { good: true }, { great: true });
const level = fc.oneof(fc.integer({ min: 1, max: 127 }), fc.constantFrom(0, 24, 25, 128, 255));
const free = fc.record({ level: fc.integer({ min: 1, max: 127 }) });
const ofKind = fc.record({ level, kind: fc.constantFrom(...KINDS.map(({ number }) => number)) });
const ofLevel = fc.record({ affixLevel: fc.constantFrom(...known.files.levels) });
const options: fc.Arbitrary<ObjectOptions> = fc
  .tuple(fc.oneof(free, ofKind), quality, fc.oneof(fc.constant({}), ofLevel), fc.boolean())
  .map(([where, how, at, artifacts]) => ({ ...where, ...how, ...at, artifacts }));

describe("kernel and twin", () => {
  test("make the same objects, one after another, whatever is asked in between", () => {
    const batches = fc.array(fc.tuple(options, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(batches, fc.string({ minLength: 1 }), (calls, seed) => {
        const pair = pairOf(DUNGEON, { seed });
        for (const [asked, count] of calls) {
          const from = pair.maker.next;
          const twins = Array.from({ length: count }, (_, k) => pair.twin.make(from + k, asTwin(pair, asked)));
          expect(all(pair.maker.makeMany(count, asked))).toEqual(twins);
        }
        const claims = [...pair.twin.claims].map(([artifact, object]) => ({ artifact, object }));
        const made = pair.maker.claims.map(({ artifact, object }) => ({ artifact: artifact.number, object }));
        expect(made).toEqual(claims.toSorted((a, b) => a.artifact - b.artifact));
      }),
      { numRuns: IS_SOAK ? 120 : 30 },
    );
  });

  test("make the same objects again, their own artifacts included", () => {
    const pair = pairOf(DUNGEON, { seed: "again" });
    const asked = { level: 35, great: true };
    for (let round = 0; round < 2; round++) {
      const twins = Array.from({ length: 600 }, (_, k) => pair.twin.make(k, asTwin(pair, asked)));
      expect(all(pair.maker.makeMany(600, { ...asked, from: 0 }))).toEqual(twins);
    }
    expect(pair.maker.claims.length).toBeGreaterThan(0);
  });

  test("make the same objects of a type, with affixes and with a theme", () => {
    const pair = pairOf(DUNGEON, { seed: "asked" });
    const plain = all(pair.maker.makeMany(4000, { level: 30, great: true, artifacts: false }));
    const themed = plain.find(({ theme }) => theme !== undefined);
    const two = plain.find(({ affixes }) => affixes.length > 2);
    const requests: ObjectOptions[] = [
      { level: 30, tval: 23 },
      { level: 60, good: true, tval: 36 },
      { level: 30, great: true, with: [two?.affixes[0].number ?? 0, two?.affixes[1].number ?? 0] },
      { level: 30, great: true, with: [two?.affixes[0].number ?? 0, two?.affixes[0].number ?? 0] },
      { level: 30, great: true, kind: themed?.kind.number ?? 0, theme: themed?.theme?.number ?? 0 },
    ];
    for (const asked of requests) {
      const from = pair.maker.next;
      const twins = Array.from({ length: 4 }, (_, k) => pair.twin.make(from + k, asTwin(pair, asked)));
      expect(all(pair.maker.makeMany(4, asked))).toEqual(twins);
    }
  });

  test("make the same artifacts that are asked for, with the affixes that they require", () => {
    const pair = pairOf(DUNGEON, { seed: "artifacts" });
    let required = 0;
    for (const { number, requires, allocations } of pair.maker.files.artifacts) {
      const asked = { level: Math.max(...allocations.map(({ most }) => most)), great: true, artifact: number };
      const made = pair.maker.make(asked);
      expect(made).toEqual(pair.twin.make(made.index, asTwin(pair, asked)));
      expect(made.affixes.map((affix) => affix.number).toSorted()).toEqual([...requires].toSorted());
      expect(loadObject(pair.maker.files, saveObject(pair.maker.files, made))).toEqual(made);
      required += made.affixes.length;
    }
    expect(required).toBeGreaterThan(0);
  });

  test("add the same affixes, and the themes that they bring", () => {
    const pair = pairOf(DUNGEON, { seed: "more" });
    let themes = 0;
    for (const object of all(pair.maker.makeMany(400, { level: 20, good: true, artifacts: false }))) {
      for (const affix of pair.maker.files.affixes.slice(object.index % 7, (object.index % 7) + 20)) {
        if (object.theme !== undefined || object.affixes.length === 8) break;
        if (object.affixes.some((own) => own.excludes.includes(affix.number) || affix.excludes.includes(own.number)))
          continue;
        const more = pair.maker.addAffix(object, affix.number);
        expect(more).toEqual(pair.twin.addAffix(object, affix));
        if (more.theme !== undefined) themes++;
      }
    }
    expect(themes).toBeGreaterThan(5);
  });

  test("take the same affixes back where an object is too good", () => {
    const pair = pairOf(DUNGEON, { seed: "limit" });
    const limit = { most: 6, scores: { toHit: 1, toDam: 1, toAc: 2, ac: 1, dice: 1, flags: { SLAY_EVIL: 3, STR: 4 } } };
    const isBroken = (object: Parameters<NonNullable<ReturnType<typeof asTwin>["isBroken"]>>[0]) =>
      object.toHit +
        object.toDam +
        2 * object.toAc +
        object.ac +
        object.dice * (object.sides + 1) +
        (object.flags.includes("SLAY_EVIL") ? 3 : 0) +
        4 * (object.pvals.STR ?? 0) >
      limit.most;
    const asked = { level: 30, great: true };
    const twins = Array.from({ length: 1500 }, (_, k) => pair.twin.make(k, { ...asTwin(pair, asked), isBroken }));
    expect(all(pair.maker.makeMany(1500, { ...asked, limit }))).toEqual(twins);
  });
});
