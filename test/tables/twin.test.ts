import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, type Fraction, fraction, multiply, ONE, ZERO } from "../../src/fractions.js";
import type { Script, TableObject } from "../../src/tables/index.js";
import { tableOdds } from "../../src/tables/odds.js";
import { freeze } from "../../src/tables/rolling.js";
import { belowTwin, prefixPick, rollTwin, type TwinWords } from "../oracle/tableTwin.js";
import { planOf, specOf, twoDaOf } from "./build.js";
import { SEED_TABLE } from "./seedTable.js";

/** The middle one of the words that give r below m. */
const wordOf = (r: number, m: number) => Number((BigInt(2 * r + 1) * 2n ** 32n) / BigInt(2 * m));
/** Words by hop, the same for every roll; an extra word is an error. */
const wordsOf = (...byHop: number[]): TwinWords => ({
  word: (plane) => byHop[plane],
  extra: () => {
    throw new Error("no extra word was expected");
  },
});
/** A 32-bit finaliser (murmur3's), enough to make words differ. */
function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Words that look random, a function of their address. */
const hashed: TwinWords = {
  word: (plane, index) => mix(mix(plane + 1) ^ index),
  extra: (plane, index, i) => mix(mix(mix(plane + 1) ^ index) ^ (i + 77)),
};

describe("the seed's worked example", () => {
  const spec = specOf(SEED_TABLE);
  const script: Script = () => 100;

  test("r = 144 of 162 picks column 3, a jump to row 1; r = 75 of 225 picks column 0, result 4", () => {
    expect(prefixPick([10n, 25n, 100n, 25n, 2n], 144n)).toBe(3);
    expect(prefixPick([100n, 100n, 25n], 75n)).toBe(0);
    const words = wordsOf(wordOf(144, 162), wordOf(75, 225));
    expect(rollTwin(spec, { words, index: 0, script })).toEqual({ kind: "result", result: "4", path: [0, 1] });
  });

  test("between zero and 162 excludes 162: every r has its column, and each column as many as its weight", () => {
    const weights = [10n, 25n, 100n, 25n, 2n];
    const counts = [0, 0, 0, 0, 0];
    for (let r = 0n; r < 162n; r++) counts[prefixPick(weights, r)]++;
    expect(counts).toEqual([10, 25, 100, 25, 2]);
    expect(() => prefixPick(weights, 162n)).toThrow();
    const first = (r: number) => rollTwin(spec, { words: wordsOf(wordOf(r, 162), 0), index: 0, script });
    expect(first(0)).toMatchObject({ result: "0" });
    expect(first(161)).toMatchObject({ path: [0, 2] });
  });
});

describe("the twin", () => {
  test("a weight of 0 never wins, first, last or between", () => {
    const spec = specOf(twoDaOf(["ra 0 rb 1 rc 0 rd 1 re 0"]));
    for (const [r, won] of [
      [0, "b"],
      [1, "d"],
    ] as const) {
      for (const word of [wordOf(r, 2), r === 0 ? 0 : 0xffff_ffff]) {
        expect(rollTwin(spec, { words: wordsOf(word), index: 0 })).toMatchObject({ result: won });
      }
    }
  });

  test("below takes an extra word only where it matters, and rejects by Lemire", () => {
    const never = () => {
      throw new Error("asked");
    };
    expect(belowTwin(0xffff_ffff, 1n, never)).toBe(0n);
    expect(belowTwin(0x8000_0000, 2n, never)).toBe(1n);
    // word·3 = 2^32 − 1: r of 0 stays below the carry, r of 1 crosses it
    expect(belowTwin(0x5555_5555, 3n, (i) => [0x5555_5555][i])).toBe(0n);
    expect(belowTwin(0x5555_5555, 3n, (i) => [0x5555_5556][i])).toBe(1n);
    // 2^32 mod 3 = 1: an extra word of 0 is refused, and the next one taken
    expect(belowTwin(0x5555_5555, 3n, (i) => [0, 0xffff_ffff][i])).toBe(1n);
  });

  test("every script of a visited row is called in column order, and only the winner's is reported to chosen", () => {
    const calls: string[] = [];
    const spec = specOf(twoDaOf(["1 s5 r0 s6 r1 3", "r2 s7 r3 s8 0 1"]));
    const roll = {
      index: 0,
      context: 5,
      script: (id: number, context: unknown) => {
        calls.push(`ask ${id}`);
        return id === context ? 1 : 0;
      },
      chosen: (id: number, context: unknown) => calls.push(`tell ${id} ${context}`),
    };
    expect(rollTwin(spec, { ...roll, words: wordsOf(0, 0, 0xffff_ffff) })).toEqual({
      kind: "result",
      result: "1",
      path: [0, 1, 0],
    });
    expect(calls).toEqual(["ask 5", "ask 6", "tell 5 5", "ask 7", "ask 8", "ask 5", "ask 6"]);
    expect(rollTwin(spec, { ...roll, words: wordsOf(0, 0), maxHops: 2 })).toEqual({ kind: "hops", path: [0, 1] });
  });

  test("a row without weight is dead and needs no word; a row without usable weights fails", () => {
    const words = wordsOf();
    const spec = specOf(twoDaOf(["r0 1 r1 s1", "r0 s1 r1 0", ""]));
    const script = () => 0;
    expect(rollTwin(spec, { words, index: 0, start: 1, script })).toEqual({ kind: "dead", path: [1] });
    expect(rollTwin(spec, { words, index: 0, start: 2, script })).toEqual({ kind: "dead", path: [2] });
    expect(rollTwin(spec, { words, index: 0, script: () => -1 })).toEqual({
      kind: "failed",
      row: 0,
      column: 1,
      path: [0],
    });
    expect(rollTwin(spec, { words, index: 0, script: () => 0xffff_ffff })).toEqual({
      kind: "failed",
      row: 0,
      path: [0],
    });
  });
});

const SIZE = 4;
const column = fc
  .tuple(
    fc.oneof(
      fc.constantFrom("a", "b").map((result) => ({ result })),
      fc.nat(SIZE - 1).map((jump) => ({ jump })),
    ),
    fc.oneof(
      fc.nat(3),
      fc.nat(2).map((script) => ({ script })),
    ),
  )
  .map(([target, weight]) => ({ ...target, weight }));
const table = fc
  .array(
    fc.array(column, { maxLength: 3 }).map((columns) => ({ columns })),
    { minLength: SIZE, maxLength: SIZE },
  )
  .map((rows): TableObject => ({ rows }));
const answers = fc.array(fc.constantFrom(0, 1, 5, -1), { minLength: 3, maxLength: 3 });

describe("law", () => {
  test("frozen = live: what a live visit weighs is what the frozen table holds, and it fails where that is poisoned", () => {
    fc.assert(
      fc.property(table, answers, fc.nat(1000), (source, byId, index) => {
        const plan = planOf(source);
        const script: Script = (id) => byId[id];
        const { weights, failed } = freeze(plan, 0, { script, context: undefined });
        const live = rollTwin(plan.spec, { words: hashed, index, script, maxHops: 20 });
        const spec = {
          ...plan.spec,
          rows: plan.spec.rows.map((row, r) => ({
            ...row,
            columns: row.columns.map((entry, c) => ({ ...entry, weight: weights[plan.rowStart[r] + c] })),
          })),
        };
        const frozen = rollTwin(spec, { words: hashed, index, maxHops: 20 });
        const poisoned = live.path.find((row) => failed.has(row));
        if (poisoned === undefined) expect(frozen).toEqual(live);
        else expect(live).toMatchObject({ kind: "failed", row: poisoned });
        expect(live.kind === "failed").toBe(poisoned !== undefined);
      }),
      { seed: 20269, numRuns: 500 },
    );
  });

  test("odds = rolls: over every r of every row visited, the twin's ends weigh what the odds say", () => {
    const small = table.filter(({ rows }) =>
      rows.every(({ columns }) => columns.every((entry) => !("jump" in entry) || entry.jump === 0)),
    );
    fc.assert(
      fc.property(
        small,
        answers.filter((byId) => !byId.includes(-1)),
        (source, byId) => {
          const plan = planOf(source);
          const script: Script = (id) => byId[id];
          const frozen = freeze(plan, 0, { script, context: undefined });
          const { odds, none, endless } = tableOdds(plan, 0, frozen);
          const end = plan.rowStart[1];
          const total = frozen.weights.slice(0, end).reduce((a, b) => a + b, 0);
          // one row that may jump to itself: a roll of one hop ends with these chances, and else begins again
          const ends = new Map<string, Fraction>();
          for (let r = 0; r < Math.max(total, 1); r++) {
            const words = wordsOf(total === 0 ? 0 : wordOf(r, total));
            const outcome = rollTwin(plan.spec, { words, index: 0, script, maxHops: 1 });
            const key = outcome.kind === "result" ? `r${outcome.result}` : outcome.kind;
            ends.set(key, add(ends.get(key) ?? ZERO, fraction(1n, BigInt(Math.max(total, 1)))));
          }
          const again = ends.get("hops") ?? ZERO;
          expect(endless).toEqual(again.numerator === again.denominator ? ONE : ZERO);
          if (endless.numerator > 0n) return;
          const stop = add(ONE, multiply(again, fraction(-1n, 1n)));
          expect(multiply(none, stop)).toEqual(ends.get("dead") ?? ZERO);
          for (const { result, probability } of odds)
            expect(multiply(probability, stop)).toEqual(ends.get(`r${result}`) ?? ZERO);
        },
      ),
      { seed: 20270, numRuns: 200 },
    );
  });
});
