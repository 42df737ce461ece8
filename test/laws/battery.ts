import { describe, expect, test, vi } from "vitest";
import { type AtOptions, type BulkOptions, Columns, type Counts, type Odds } from "../../src/calls/index.js";
import { add, ONE, toNumber } from "../../src/fractions.js";
import { createMill, type Mill } from "../../src/mill.js";
import { type Parsed, SpecReader, specOf } from "../../src/spec/index.js";
import { agrees } from "../statistics/chiSquare.js";
import { type ForkCalls, type Keys, testForks } from "./forkLaws.js";

/** The calls that make results, by their roles: the verb differs from system to system, the laws do not. */
export interface MakingCalls extends ForkCalls {
  /** Fills arrays of the caller's with `n` results, and reads the results back from them. */
  readonly into: (n: number, options?: BulkOptions) => Iterable<unknown>;
}

/** The calls of a noun. */
export interface Calls extends MakingCalls {
  /** The noun itself: its cursor. */
  readonly noun: { next: number };
  readonly count: (n: number, options?: BulkOptions) => Counts<unknown>;
  readonly odds: () => Odds<unknown>;
  /** What the odds and the counts say of the results of `many`; default the results. "" and null stand for none. */
  readonly outcomes?: (n: number, options?: BulkOptions) => Iterable<unknown>;
}

/** A noun that the battery tests. */
export interface Subject<Source> {
  readonly name: string;
  /** What the noun is opened from, as users write it. */
  readonly source: Source;
  /** The descriptor of its system, or what parses the source there. */
  readonly system: { parse(source: unknown, options: object): Parsed<object> };
  /** Opens the same noun in any mill, from the source or from what was parsed of it. */
  readonly open: (mill: Mill, name: string, source: Source) => Calls;
  /** Opens the noun itself on other keys. */
  readonly onKeys: (keys: Keys) => unknown;
  /** Whether even a call with an index needs the state of the noun. */
  readonly readsState?: true;
  /** Whether results depend on those before them: such a noun has no `at` and no `from`. */
  readonly stateful?: true;
  /** Whether `many` returns a typed array, not columns. */
  readonly typedArray?: true;
  /**
   * The results that counts list. Default: exactly the results of the odds. `"occurring"`: only the results that
   * occurred. `"odds and others"`: the results of the odds, and other results that occurred.
   */
  readonly listed?: "occurring" | "odds and others";
  /** Results of a bulk call, more than two blocks of them; default 3,000. */
  readonly bulk?: number;
  /** Results of a count that is compared with the odds; default 200,000. */
  readonly counted?: number;
  /** The least count during which progress is reported more than once; default 2^20 + 1, as for all bulk calls. */
  readonly long?: number;
}

const SEED = "laws";
const BLOCK = 1024;
const BATCH = 65_536;
const FAR = 2 ** 31 - 5;
const REPORTED = 2 ** 20 + 1;

const coded = (code: string) => expect.objectContaining({ code });

/** Options of a call that aborts at its first report. */
function stopping(reason: Error): BulkOptions {
  const controller = new AbortController();
  return { signal: controller.signal, onProgress: () => controller.abort(reason) };
}

/** Declares the laws that hold for every noun. */
export function testLaws<Source>(subject: Subject<Source>): void {
  const { name, source, system, bulk = 3000, long = REPORTED } = subject;
  // (a sealed spec is a source: the types of the systems say so, each for its own)
  const spec = specOf(system.parse(source, { name: "it" })) as Source;
  const open = (mill = createMill({ seed: SEED })) => subject.open(mill, "it", spec);
  testMaking(name, open, { bulk, long });
  testCursor(subject, open);
  testCounts(subject, open);
  const { onKeys, stateful = false, readsState = false } = subject;
  testForks({ name, open, onKeys, stateful, readsState, results: stateful ? 150 : 40 });
  if (subject.stateful !== true) {
    testAddresses(name, open, bulk);
    testCursorOfAddresses(subject, open);
    testLawOfCounts(subject, open);
  }

  describe(`${name}: opening`, () => {
    test("a parsed spec opens the same noun, and is not parsed again", () => {
      const results = [...subject.open(createMill({ seed: SEED }), "it", source).many(100)];
      const parsers = [vi.spyOn(system, "parse"), vi.spyOn(SpecReader.prototype, "run")];
      try {
        expect([...open().many(100)]).toEqual(results);
        for (const parser of parsers) expect(parser).not.toHaveBeenCalled();
      } finally {
        for (const parser of parsers) parser.mockRestore();
      }
    });

    if (subject.typedArray !== true) {
      test("columns give result k by at(k) and in their iteration, and refuse any other k", () => {
        const columns = open().many(50) as Columns<unknown>;
        expect(columns).toBeInstanceOf(Columns);
        expect([columns.length, columns.from]).toEqual([50, 0]);
        expect(Array.from({ length: 50 }, (_, k) => columns.at(k))).toEqual([...columns]);
        for (const k of [-1, 50, 0.5, Number.NaN, "0" as unknown as number]) {
          expect(() => columns.at(k)).toThrow(coded("argument.range"));
        }
      });
    }
  });
}

/** Declares the laws of raw words: results by their addresses, without a cursor, counts or odds. */
export function testWords(name: string, openIn: (mill: Mill) => MakingCalls, onKeys: (keys: Keys) => unknown): void {
  const open = (mill = createMill({ seed: SEED })) => openIn(mill);
  testMaking(name, open, { bulk: 3000, long: REPORTED });
  testAddresses(name, open, 3000);
  testForks({ name, open, onKeys, stateless: true });
}

/** The laws of the calls that make results. */
function testMaking(
  name: string,
  open: (mill?: Mill) => MakingCalls,
  { bulk, long }: { readonly bulk: number; readonly long: number },
): void {
  const bulkCalls = ({ many, into, count }: MakingCalls & Partial<Calls>) =>
    count === undefined ? [many, into] : [many, into, count];

  describe(`${name}: the laws of making`, () => {
    test("Into fills the caller's arrays with the same results", () => {
      expect([...open().into(bulk)]).toEqual([...open().many(bulk)]);
      expect([...open().into(0)]).toEqual([]);
    });

    test("an unknown option is refused by every call, and changes nothing", () => {
      const mill = createMill({ seed: SEED });
      const calls = open(mill);
      const before = mill.snapshot();
      const strange = { strange: 1 } as AtOptions & BulkOptions;
      expect(() => calls.one(strange)).toThrow(coded("argument.option"));
      expect(() => calls.one({ from: 1 } as AtOptions)).toThrow(coded("argument.option"));
      for (const call of bulkCalls(calls)) {
        expect(() => call(1, strange)).toThrow(coded("argument.option"));
        expect(() => call(1, { at: 1 } as BulkOptions)).toThrow(coded("argument.option"));
      }
      expect(mill.snapshot()).toEqual(before);
    });

    test("numbers of results that are no counts are refused, and change nothing", () => {
      const mill = createMill({ seed: SEED });
      const { many, count } = open(mill) as MakingCalls & Partial<Calls>;
      const before = mill.snapshot();
      for (const n of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, null, "3", 2 ** 42 + 1]) {
        for (const call of [many, count ?? many]) {
          expect(() => call(n as number)).toThrow(coded("argument.range"));
        }
      }
      expect(mill.snapshot()).toEqual(before);
    });

    test("progress is reported in ascending order, to the end", () => {
      const { many, count = many } = open() as MakingCalls & Partial<Calls>;
      const reported: number[] = [];
      const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
        expect(total).toBe(long);
        reported.push(done);
      };
      count(long, { onProgress });
      expect([reported.length > 1, reported.at(-1)]).toEqual([true, long]);
      expect(reported.every((done, i) => i === 0 || done > reported[i - 1])).toBe(true);
    });

    test("an aborted call throws the signal's reason and changes nothing", () => {
      const mill = createMill({ seed: SEED });
      const calls: MakingCalls & Partial<Calls> = open(mill);
      const before = mill.snapshot();
      const reason = new Error("enough");
      const aborted = AbortSignal.abort(reason);
      for (const call of bulkCalls(calls)) {
        expect(() => call(bulk, { signal: aborted })).toThrow(reason);
      }
      const { many, count = many } = calls;
      for (const call of [() => many(REPORTED, stopping(reason)), () => count(long, stopping(reason))]) {
        expect(call).toThrow(reason);
      }
      expect(mill.snapshot()).toEqual(before);
      expect([...calls.many(10)]).toEqual([...open().many(10)]);
    });

    test("after the mill is disposed of, every call says so", () => {
      const mill = createMill({ seed: SEED });
      const calls = open(mill);
      mill.dispose();
      for (const call of bulkCalls(calls)) expect(() => call(1)).toThrow(coded("argument.disposed"));
    });
  });
}

/** The laws of the cursor. */
function testCursor<Source>({ name, bulk = 3000 }: Subject<Source>, open: (mill?: Mill) => Calls): void {
  describe(`${name}: the laws of the cursor`, () => {
    test("single calls in a row are one bulk call, and both move the cursor", () => {
      const [single, many] = [open(), open()];
      const results = [...many.many(bulk)];
      expect(Array.from({ length: bulk }, () => single.one())).toEqual(results);
      expect([single.noun.next, many.noun.next]).toEqual([bulk, bulk]);
    });

    test("the cursor moves on over single calls, bulk calls, Into and counts", () => {
      const whole = [...open().many(bulk)];
      const calls = open();
      expect([calls.one(), ...calls.many(1500), ...calls.into(3), calls.one()]).toEqual(whole.slice(0, 1505));
      calls.count(700);
      expect([calls.noun.next, calls.one()]).toEqual([2205, whole[2205]]);
    });

    test("a call of more than a batch is the calls of its parts", () => {
      const [whole, parts] = [open(), open()];
      const results = [...whole.many(BATCH + 40)];
      expect([...parts.many(700)]).toEqual(results.slice(0, 700));
      parts.count(BATCH - 740);
      expect([...parts.many(80)]).toEqual(results.slice(-80));
      expect([whole.noun.next, parts.noun.next]).toEqual([BATCH + 40, BATCH + 40]);
    });

    test("the parts of a bulk call, put together, are the whole", () => {
      const whole = [...open().many(bulk)];
      const parts = open();
      const sizes = [1, BLOCK - 1, 0, 700];
      const rest = bulk - sizes.reduce((sum, size) => sum + size);
      expect([...sizes, rest].flatMap((n) => [...parts.many(n)])).toEqual(whole);
    });

    test("a snapshot continues where the mill was", () => {
      const mill = createMill({ seed: SEED });
      const calls = open(mill);
      calls.many(700);
      const later = open(createMill({ seed: SEED, snapshot: mill.snapshot() }));
      expect(later.noun.next).toBe(700);
      expect([...later.many(bulk)]).toEqual([...calls.many(bulk)]);
    });

    test("after the mill is disposed of, the single call says so too", () => {
      const mill = createMill({ seed: SEED });
      const calls = open(mill);
      mill.dispose();
      expect(() => calls.one()).toThrow(coded("argument.disposed"));
    });
  });
}

/** The laws of counts and odds. */
function testCounts<Source>({ name, bulk = 3000, listed }: Subject<Source>, open: (mill?: Mill) => Calls): void {
  describe(`${name}: the laws of counts and odds`, () => {
    test("the odds add up to exactly 1", () => {
      const { odds, none } = open().odds();
      expect(odds.reduce((sum, { probability }) => add(sum, probability), none)).toEqual(ONE);
    });

    test("counts have the results of the odds in their order, and a total; they move the cursor", () => {
      const calls = open();
      const results = calls.odds().odds.map(({ result }) => result);
      const { total, none, counts } = calls.count(bulk);
      const counted = [...counts.keys()];
      if (listed === "occurring") expect(counted).toEqual(results.filter((result) => counts.has(result)));
      else if (listed === "odds and others") expect(counted.filter((key) => results.includes(key))).toEqual(results);
      else expect(counted).toEqual(results);
      expect([total, [...counts.values()].reduce((sum, count) => sum + count, none)]).toEqual([bulk, bulk]);
      expect(calls.noun.next).toBe(bulk);
    });

    test("counts are those of the results", () => {
      const calls = open();
      const { none, counts } = calls.count(bulk);
      const { many, outcomes = many } = open();
      const tally = new Map<unknown, number>();
      for (const outcome of outcomes(bulk)) {
        const key = outcome === "" ? null : outcome;
        tally.set(key, (tally.get(key) ?? 0) + 1);
      }
      for (const [result, count] of counts) expect([result, tally.get(result) ?? 0]).toEqual([result, count]);
      expect(tally.get(null) ?? 0).toBe(none);
    });
  });
}

/** The laws of calls whose result k is a function of k. */
function testAddresses(name: string, open: (mill?: Mill) => MakingCalls, bulk: number): void {
  describe(`${name}: the laws of addresses`, () => {
    test("a result by itself is the one of the bulk call", () => {
      const calls = open();
      for (const from of [0, BLOCK - 3, BATCH - 3, FAR]) {
        const results = [...calls.many(6, { from })];
        expect([5, 0, 3].map((k) => calls.one({ at: from + k }))).toEqual([5, 0, 3].map((k) => results[k]));
      }
    });

    test("a range starts anywhere, and does not depend on earlier calls", () => {
      const whole = [...open().many(bulk, { from: 0 })];
      const calls = open();
      calls.many(40, { from: FAR });
      for (const [from, to] of [
        [2000, bulk],
        [BLOCK - 1, BLOCK + 1],
        [0, 5],
      ]) {
        expect([...calls.many(to - from, { from })]).toEqual(whole.slice(from, to));
        expect([...calls.into(to - from, { from })]).toEqual(whole.slice(from, to));
      }
    });

    test("only an integer is a number of results, and others change nothing", () => {
      const mill = createMill({ seed: SEED });
      const calls: MakingCalls & Partial<Calls> = open(mill);
      const { many, count = many } = calls;
      const before = mill.snapshot();
      for (const n of [-1, 0.5, Number.NaN, 2 ** 53, "5", null, () => 5, class {}, { length: () => 5 }] as number[]) {
        expect(() => many(n)).toThrow(coded("argument.range"));
        expect(() => count(n)).toThrow(coded("argument.range"));
      }
      expect(mill.snapshot()).toEqual(before);
    });

    test("indices that are out of range are refused, and change nothing", () => {
      const mill = createMill({ seed: SEED });
      const calls: MakingCalls & Partial<Calls> = open(mill);
      const { many, count = many } = calls;
      const before = mill.snapshot();
      for (const at of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 42, "0" as unknown as number]) {
        expect(() => calls.one({ at })).toThrow(coded("argument.range"));
        expect(() => calls.many(1, { from: at })).toThrow(coded("argument.range"));
        expect(() => calls.into(1, { from: at })).toThrow(coded("argument.range"));
        expect(() => count(1, { from: at })).toThrow(coded("argument.range"));
      }
      expect(mill.snapshot()).toEqual(before);
    });
  });
}

/** The laws of a cursor over results that have addresses. */
function testCursorOfAddresses<Source>({ name, bulk = 3000 }: Subject<Source>, open: (mill?: Mill) => Calls): void {
  describe(`${name}: the laws of a cursor over addresses`, () => {
    test("calls with an index leave the cursor", () => {
      const calls = open();
      calls.noun.next = 40;
      calls.one({ at: 7 });
      calls.many(10, { from: 7 });
      calls.into(10, { from: 7 });
      calls.count(10, { from: 7 });
      expect(calls.noun.next).toBe(40);
    });

    test("a cursor that is set continues there", () => {
      const whole = [...open().many(bulk)];
      const calls = open();
      calls.noun.next = 1500;
      expect([calls.one(), calls.one()]).toEqual(whole.slice(1500, 1502));
      expect([...calls.many(3)]).toEqual(whole.slice(1502, 1505));
      for (const next of [-1, 0.5, Number.NaN, 2 ** 42 + 1, "0" as unknown as number]) {
        expect(() => {
          calls.noun.next = next;
        }).toThrow(coded("argument.range"));
      }
      expect(calls.noun.next).toBe(1505);
    });
  });
}

/** The law of counts over independent results. */
function testLawOfCounts<Source>({ name, counted = 200_000 }: Subject<Source>, open: () => Calls): void {
  test(`${name}: counts agree with the odds (α = 10⁻⁶)`, () => {
    const calls = open();
    const { odds, none } = calls.odds();
    const found = calls.count(counted, { from: 17 });
    const law = [...odds.map(({ probability }) => toNumber(probability)), toNumber(none)];
    const seen = [...odds.map(({ result }) => found.counts.get(result) ?? 0), found.none];
    expect(seen.reduce((sum, count) => sum + count)).toBe(counted);
    expect(agrees(seen, law)).toBe(true);
  });
}
