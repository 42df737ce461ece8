import { describe, expect, test } from "vitest";
import type { AtOptions, BulkOptions, Counts, Odds } from "../../src/calls/index.js";
import { add, ONE, toNumber } from "../../src/fractions.js";
import { createMill, type Mill } from "../../src/mill.js";
import { agrees } from "../statistics/chiSquare.js";

/** The calls of a noun, by their roles: the verb differs from system to system, the laws do not. */
export interface Calls {
  /** The noun itself: its cursor. */
  readonly noun: { next: number };
  readonly one: (options?: AtOptions) => unknown;
  readonly many: (n: number, options?: BulkOptions) => Iterable<unknown>;
  /** Fills arrays of the caller's with `n` results, and reads the results back from them. */
  readonly into: (n: number, options?: BulkOptions) => Iterable<unknown>;
  readonly count: (n: number, options?: BulkOptions) => Counts<unknown>;
  readonly odds: () => Odds<unknown>;
  /** What the odds say of a result; default the result itself. Undefined and null stand for none. */
  readonly outcomeOf?: (result: unknown) => unknown;
}

/** A noun that the battery tests. */
export interface Subject {
  readonly name: string;
  /** Opens the same noun in any mill. */
  readonly open: (mill: Mill, name: string) => Calls;
  /** Whether results depend on those before them: such a noun has no `at` and no `from`. */
  readonly stateful?: true;
  /** Results of a bulk call, more than one block of them; default 3,000. */
  readonly bulk?: number;
  /** Results of a count that is compared with the odds; default 200,000. */
  readonly counted?: number;
  /** The least number of results of which progress is reported more than once; default 2^20 + 1. */
  readonly long?: number;
}

const SEED = "laws";
const BLOCK = 1024;

/** Declares the laws that hold for every noun. */
export function testLaws(subject: Subject): void {
  const open = (mill = createMill({ seed: SEED })) => subject.open(mill, "it");
  const bulk = subject.bulk ?? 3000;

  describe(`${subject.name}: the laws of every noun`, () => {
    test("single calls in a row are one bulk call, and both move the cursor", () => {
      const [single, many] = [open(), open()];
      const results = [...many.many(bulk)];
      expect(Array.from({ length: bulk }, () => single.one())).toEqual(results);
      expect([single.noun.next, many.noun.next]).toEqual([bulk, bulk]);
    });

    test("the parts of a bulk call, put together, are the whole", () => {
      const whole = [...open().many(bulk)];
      const parts = open();
      const sizes = [1, BLOCK - 1, 0, 700];
      const rest = bulk - sizes.reduce((sum, size) => sum + size);
      expect([...sizes, rest].flatMap((n) => [...parts.many(n)])).toEqual(whole);
    });

    test("Into fills the caller's arrays with the same results", () => {
      expect([...open().into(bulk)]).toEqual([...open().many(bulk)]);
      expect([...open().into(0)]).toEqual([]);
    });

    test("an unknown option is refused by every call", () => {
      const calls = open();
      const strange = { strange: 1 } as AtOptions & BulkOptions;
      for (const call of [() => calls.one(strange), () => calls.many(1, strange), () => calls.count(1, strange)]) {
        expect(call).toThrow(expect.objectContaining({ code: "argument.option" }));
      }
      expect(calls.noun.next).toBe(0);
    });

    test("numbers of results that are no counts are refused, and change nothing", () => {
      const calls = open();
      for (const n of [-1, 0.5, Number.NaN, "3" as unknown as number, 2 ** 42 + 1]) {
        expect(() => calls.many(n)).toThrow(expect.objectContaining({ code: "argument.range" }));
        expect(() => calls.count(n)).toThrow(expect.objectContaining({ code: "argument.range" }));
      }
      expect(calls.noun.next).toBe(0);
    });

    test("an aborted call throws the signal's reason and changes nothing", () => {
      const calls = open();
      const reason = new Error("enough");
      const aborted = AbortSignal.abort(reason);
      for (const call of [calls.many, calls.count, calls.into]) {
        expect(() => call(bulk, { signal: aborted })).toThrow(reason);
      }
      const controller = new AbortController();
      const options = { signal: controller.signal, onProgress: () => controller.abort(reason) };
      expect(() => calls.count(subject.long ?? 2 ** 20 + 1, options)).toThrow(reason);
      expect([calls.noun.next, calls.one()]).toEqual([0, open().one()]);
    });

    test("a snapshot continues where the mill was", () => {
      const mill = createMill({ seed: SEED });
      const calls = open(mill);
      calls.many(700);
      const later = open(createMill({ seed: SEED, snapshot: mill.snapshot() }));
      expect(later.noun.next).toBe(700);
      expect([...later.many(bulk)]).toEqual([...calls.many(bulk)]);
    });

    test("after the mill is disposed of, every call says so", () => {
      const mill = createMill({ seed: SEED });
      const calls = open(mill);
      mill.dispose();
      for (const call of [() => calls.one(), () => calls.many(1), () => calls.count(1)]) {
        expect(call).toThrow(expect.objectContaining({ code: "argument.disposed" }));
      }
    });

    test("the odds add up to exactly 1", () => {
      const { odds, none } = open().odds();
      expect(odds.reduce((sum, { probability }) => add(sum, probability), none)).toEqual(ONE);
    });

    test("counts have the results of the odds, and a total", () => {
      const calls = open();
      const { total, none, counts } = calls.count(bulk);
      expect([...counts.keys()]).toEqual(calls.odds().odds.map(({ result }) => result));
      expect([total, [...counts.values()].reduce((sum, count) => sum + count, none)]).toEqual([bulk, bulk]);
    });
  });

  if (subject.stateful !== true) testAddresses(subject, open);
}

/** The laws of nouns whose result k is a function of k. */
function testAddresses(subject: Subject, open: (mill?: Mill) => Calls): void {
  const bulk = subject.bulk ?? 3000;
  const far = 2 ** 31 - 5;

  describe(`${subject.name}: the laws of addresses`, () => {
    test("a result by itself is the one of the bulk call, and leaves the cursor", () => {
      const calls = open();
      for (const from of [0, BLOCK - 3, 65_536 - 3, far]) {
        const results = [...calls.many(6, { from })];
        expect([5, 0, 3].map((k) => calls.one({ at: from + k }))).toEqual([5, 0, 3].map((k) => results[k]));
      }
      expect(calls.noun.next).toBe(0);
    });

    test("a range starts anywhere, leaves the cursor, and does not depend on earlier calls", () => {
      const whole = [...open().many(bulk)];
      const calls = open();
      calls.many(40, { from: far });
      for (const [from, to] of [
        [2000, bulk],
        [BLOCK - 1, BLOCK + 1],
        [0, 5],
      ]) {
        expect([...calls.many(to - from, { from })]).toEqual(whole.slice(from, to));
      }
      expect(calls.noun.next).toBe(0);
      calls.noun.next = 1500;
      expect([calls.one(), calls.one()]).toEqual(whole.slice(1500, 1502));
      expect([...calls.many(3)]).toEqual(whole.slice(1502, 1505));
    });

    test("indices that are out of range are refused", () => {
      const calls = open();
      for (const at of [-1, 0.5, Number.NaN, 2 ** 42, "0" as unknown as number]) {
        expect(() => calls.one({ at })).toThrow(expect.objectContaining({ code: "argument.range" }));
        expect(() => calls.many(1, { from: at })).toThrow(expect.objectContaining({ code: "argument.range" }));
        expect(() => {
          calls.noun.next = at === 2 ** 42 ? -2 : at;
        }).toThrow(expect.objectContaining({ code: "argument.range" }));
      }
    });

    test("counts agree with the odds (α = 10⁻⁶), and with the results counted one by one", () => {
      const calls = open();
      const n = subject.counted ?? 200_000;
      const { odds, none } = calls.odds();
      const found = calls.count(n, { from: 17 });
      const law = [...odds.map(({ probability }) => toNumber(probability)), toNumber(none)];
      expect(agrees([...found.counts.values(), found.none], law)).toBe(true);
      const few = calls.count(bulk, { from: 17 });
      const { outcomeOf = (result: unknown) => result } = calls;
      const tally = new Map<unknown, number>();
      for (const result of calls.many(bulk, { from: 17 })) {
        const outcome = outcomeOf(result) ?? null;
        tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      }
      for (const [result, count] of few.counts) expect([result, tally.get(result) ?? 0]).toEqual([result, count]);
      expect(tally.get(null) ?? 0).toBe(few.none);
    });
  });
}
