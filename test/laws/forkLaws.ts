import { describe, expect, test } from "vitest";
import type { ForkId, StreamKey } from "../../src/address.js";
import type { AtOptions, BulkOptions, Noun, State, System } from "../../src/calls/index.js";
import { Guard, MillNode, Place, Scope } from "../../src/calls/index.js";
import { StateNode } from "../../src/calls/state.js";
import { createMill, type Mill } from "../../src/mill.js";
import { isParsed, specOf } from "../../src/spec/index.js";
import { keyOfTwin, openKernel, servicesWith } from "../kernel/open.js";
import { forkTwin, nameTwin, seedKeyTwin, type TwinKey } from "../oracle/words.js";

const SEED = "forks";
const NAME = "it";

/** Something that can be forked, and the calls that make its results. */
export interface ForkCalls {
  readonly one: (options?: AtOptions) => unknown;
  readonly many: (n: number, options?: BulkOptions) => Iterable<unknown>;
  readonly fork: (id: ForkId) => ForkCalls;
  readonly releaseFork: (id: ForkId) => void;
  /** The same calls of another noun, which must be of the same system. */
  readonly of: (noun: unknown) => ForkCalls;
}

/** The keys that a noun reads words by: that of its name, and those of further names such as "it/land". */
export interface Keys {
  readonly key: StreamKey;
  keyOf(name: string): StreamKey;
}

/** A noun whose forks are tested. */
export interface ForkSubject {
  readonly name: string;
  /** Opens the noun in a mill, as "it". */
  readonly open: (mill: Mill) => ForkCalls;
  /** Opens the noun itself on other keys, with a new state. */
  readonly onKeys: (keys: Keys) => unknown;
  /** Whether results depend on those before them. */
  readonly stateful?: boolean;
  /** Whether the noun has no `next` and no state at all. */
  readonly stateless?: boolean;
  /** Whether even a call with an index needs the state: pools are found in it. */
  readonly readsState?: boolean;
  /** Results that are compared; default 40. */
  readonly results?: number;
}

/** Opens a noun of a system on given keys. */
export function openOn<Options extends object, Spec extends object, Plan, N extends Noun, S extends State>(
  system: System<Options, Spec, Plan, N, S>,
  input: unknown,
  given: Options,
  { key, keyOf }: Keys,
): N {
  const options = { ...given, name: NAME };
  const spec = isParsed(system.noun, input) ? (input as Spec) : specOf(system.parse(input, options));
  const plan = system.compile(spec, options);
  const services = servicesWith(SEED);
  const create = system.state?.(plan, { ...services, name: NAME }, options) ?? (() => ({ next: 0 }) as S);
  const { shared } = new MillNode();
  const node = new StateNode();
  const root = { guard: new Guard(), create, keyOf, sharedNode: () => shared };
  const stream = new Scope(key, root, new Place(() => node));
  return system.open({ kernel: openKernel(), name: NAME, stream, plan }, options, services);
}

/** The keys after forks of a mill, then forks of the noun, by the twin. */
function keysAfter(ofMill: readonly ForkId[], ofNoun: readonly ForkId[]): Keys {
  const forked = (key: TwinKey, ids: readonly ForkId[]) =>
    ids.reduce<TwinKey>((parent, id) => forkTwin(parent, typeof id === "number" ? BigInt(id) : id), key);
  const mill = forked(seedKeyTwin(SEED), ofMill);
  const keyOf = (name: string) => keyOfTwin(forked(nameTwin(mill, name), ofNoun));
  return { key: keyOf(NAME), keyOf };
}

const IDS: readonly ForkId[] = ["player/7", "", "☃\ud800", 5, -5, 2 ** 53 - 1, -(2n ** 63n), [5, 0], [-1, 2 ** 31 - 1]];

/** Declares the laws of forks. */
export function testForks(subject: ForkSubject): void {
  const { name, results: n = 40 } = subject;
  const newMill = () => createMill({ seed: SEED });
  const open = (mill = newMill()) => subject.open(mill);
  const results = (calls: ForkCalls, count = n) => [...calls.many(count)];
  const twin = (ofMill: readonly ForkId[], ofNoun: readonly ForkId[]) =>
    results(open().of(subject.onKeys(keysAfter(ofMill, ofNoun))));

  describe(`${name}: the laws of forks`, () => {
    test("a fork is the same noun on the forked key", () => {
      const parent = open();
      const own = results(open());
      expect(own).toEqual(twin([], []));
      const seen = new Set([JSON.stringify(own)]);
      for (const id of IDS) {
        const forked = results(parent.fork(id));
        expect([id, forked]).toEqual([id, twin([], [id])]);
        seen.add(JSON.stringify(forked));
      }
      expect(seen.size).toBe(1 + IDS.length);
    });

    test("a fork of a fork has both ids, in order", () => {
      const both = results(open().fork("a").fork(7));
      expect(both).toEqual(twin([], ["a", 7]));
      expect(both).not.toEqual(results(open().fork(7).fork("a")));
    });

    test("equal ids give the same fork, and other ids another one", () => {
      for (const [a, b] of [
        [5, 5n],
        [0, -0],
        [
          [0, 1],
          [-0, 1],
        ],
      ] as const) {
        expect(results(open().fork(a))).toEqual(results(open().fork(b)));
      }
      expect(results(open().fork(5))).not.toEqual(results(open().fork("5")));
    });

    test("an id that is none is refused, and changes nothing", () => {
      const mill = newMill();
      const calls = open(mill);
      const before = mill.snapshot();
      for (const id of [0.5, 2 ** 53, 2n ** 63n, [1], [1, 2, 3], [0, 2 ** 31], Number.NaN]) {
        expect(() => calls.fork(id as ForkId)).toThrow(expect.objectContaining({ code: "argument.range" }));
        expect(() => mill.fork(id as ForkId)).toThrow(expect.objectContaining({ code: "argument.range" }));
      }
      for (const id of [undefined, null, {}, true]) {
        expect(() => calls.fork(id as unknown as ForkId)).toThrow(expect.objectContaining({ code: "argument.type" }));
      }
      expect(mill.snapshot()).toEqual(before);
    });

    test("the order of forks does not matter, and forks in turn are each fork alone", () => {
      const alone = ["a", 7].map((id) => results(open().fork(id)));
      const parent = open();
      const before = results(open());
      const [b, a] = [parent.fork(7), parent.fork("a")];
      const inTurn: [unknown[], unknown[], unknown[]] = [[], [], []];
      const stepped = subject.stateless === true ? 1 : n;
      for (let k = 0; k < stepped; k++) {
        for (const [i, calls] of [a, b, parent].entries()) {
          inTurn[i].push(...(stepped === 1 ? calls.many(n) : [calls.one()]));
        }
      }
      expect(inTurn).toEqual([...alone, before]);
    });

    test("a name in a forked mill reads the words of the forked key", () => {
      const mill = newMill();
      expect(results(open(mill.fork("save 1")))).toEqual(twin(["save 1"], []));
      expect(results(open(mill.fork("save 1").fork([1, -2])).fork(7))).toEqual(twin(["save 1", [1, -2]], [7]));
      expect(twin(["save 1"], [])).not.toEqual(twin([], ["save 1"]));
    });

    test("a fork of a mill finds what its parent opened", () => {
      const mill = newMill();
      const own = open(mill);
      const fork = mill.fork("save 1");
      const found = fork.get(NAME);
      expect(fork.get(NAME)).toBe(found);
      expect(results(own.of(found))).toEqual(twin(["save 1"], []));
      expect(results(open(mill))).toEqual(twin([], []));
      expect(mill.fork("save 1").get("another")).toBeUndefined();
    });

    test("after the mill is disposed of, its forks say so", () => {
      const mill = newMill();
      const forks = [open(mill).fork(1), open(mill.fork(2))];
      mill.dispose();
      for (const fork of forks) {
        expect(() => fork.many(n)).toThrow(expect.objectContaining({ code: "argument.disposed" }));
      }
    });
  });
  if (subject.stateless !== true) testStates(subject);
}

/** The laws of the states of forks. */
function testStates({ name, open: openIn, results: n = 40, stateful, readsState }: ForkSubject): void {
  const newMill = () => createMill({ seed: SEED });
  const open = (mill = newMill()) => openIn(mill);

  describe(`${name}: the laws of the states of forks`, () => {
    test("two handles of a fork share its state", () => {
      const whole = [
        ...open()
          .fork("a")
          .many(2 * n),
      ];
      const parent = open();
      const [one, other] = [parent.fork("a"), parent.fork("a")];
      expect([...one.many(n - 1), other.one(), ...one.many(1), ...parent.fork("a").many(n - 1)]).toEqual(whole);
    });

    test("two handles of a fork of the mill share its states", () => {
      const whole = [...open(newMill().fork("a")).many(2 * n)];
      const mill = newMill();
      expect([...open(mill.fork("a")).many(n), ...open(mill.fork("a")).many(n)]).toEqual(whole);
    });

    test("a snapshot continues the forks of the noun and of the mill", () => {
      const mill = newMill();
      const forksIn = (from: Mill) => {
        const own = open(from);
        const inFork = own.of(from.fork("save 1").get(NAME));
        const far = own.of(from.fork("save 1").fork(3).get(NAME));
        return [own, own.fork("a"), own.fork("a").fork(2n ** 60n), own.fork([1, -2]), inFork, inFork.fork("q"), far];
      };
      for (const [i, calls] of forksIn(mill).entries()) calls.many(n + i);
      const snapshot = mill.snapshot();
      const later = createMill({ seed: SEED, snapshot });
      expect(later.snapshot()).toEqual(snapshot);
      expect(forksIn(later).map((calls) => [...calls.many(n)])).toEqual(
        forksIn(mill).map((calls) => [...calls.many(n)]),
      );
      expect(later.snapshot()).toEqual(mill.snapshot());
    });

    test("a fork that is released begins anew, with the forks under it; others keep their state", () => {
      const parent = open();
      const first = [...parent.fork("a").many(n)];
      const under = [...parent.fork("a").fork(1).many(n)];
      parent.fork("b").many(n);
      parent.releaseFork("a");
      expect([...parent.fork("a").many(n)]).toEqual(first);
      expect([...parent.fork("a").fork(1).many(n)]).toEqual(under);
      const other = open().fork("b");
      other.many(n);
      expect([...parent.fork("b").many(n)]).toEqual([...other.many(n)]);
    });

    test("a held fork does not use a state that no snapshot has (audit 12)", () => {
      const mill = newMill();
      const parent = open(mill);
      const held = [parent.fork("a"), parent.fork("a").fork(1), open(mill.fork("b"))];
      for (const calls of held) calls.many(n);
      parent.releaseFork("a");
      mill.releaseFork("b");
      for (const calls of held) {
        expect(() => calls.many(n)).toThrow(expect.objectContaining({ code: "argument.disposed" }));
        expect(() => calls.one()).toThrow(expect.objectContaining({ code: "argument.disposed" }));
      }
    });

    test("a fork of a mill that is released begins anew", () => {
      const mill = newMill();
      const first = [...open(mill.fork("a")).many(n)];
      mill.releaseFork("a");
      expect([...open(mill.fork("a")).many(n)]).toEqual(first);
    });

    test("a fork alone leaves no state, nor does a result by its index", () => {
      const mill = newMill();
      const calls = open(mill);
      const before = mill.snapshot();
      const forks = readsState === true ? [] : [calls.fork("a"), calls.fork("b").fork(1), open(mill.fork(2)).fork(3)];
      if (stateful !== true) for (const fork of forks) fork.one({ at: 7 });
      expect(mill.snapshot()).toEqual(before);
    });
  });
}
