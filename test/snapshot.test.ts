import { describe, expect, test } from "vitest";
import { createMill, type Mill, type TableObject } from "../src/index.js";
import { refusalOf } from "./refusal.js";
import { resultsOf } from "./tables/cases.js";
import { SEED_TABLE } from "./tables/seedTable.js";

const seed = "moria";
const WEIGHTS = [10, 25, 100, 25, 2];
const HOARD: TableObject = {
  rows: [
    {
      columns: [
        { result: "Ringil", weight: { script: 1600 } },
        { result: "Grond", weight: { script: 1700 } },
        { result: "rags", weight: 100 },
      ],
    },
  ],
};

const open = (snapshot?: Uint8Array, name = "a"): { mill: Mill; rolls: (count: number) => unknown[] } => {
  const mill = createMill({ seed, now: "2026-01-05", ...(snapshot === undefined ? {} : { snapshot }) });
  const list = mill.weighted(`${name}/list`, WEIGHTS);
  const table = mill.table(`${name}/table`, SEED_TABLE);
  const hoard = mill.table(`${name}/hoard`, HOARD, { script: "nwangband" });
  const shop = mill.table(`${name}/shop`, HOARD, { script: "nwangband" });
  const rolls = (count: number) => [
    [...list.pickMany(count)],
    Array.from({ length: count }, () => table.roll()),
    resultsOf(hoard.rollMany(count)),
    resultsOf(shop.rollMany(count)),
  ];
  return { mill, rolls };
};
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

describe("a mill made from a snapshot goes on as if never interrupted", () => {
  test("cursors and one-shots, wherever it is cut", () => {
    const whole = open().rolls(600) as unknown[][];
    for (const cut of [0, 1, 5, 99, 300]) {
      const before = open();
      const first = before.rolls(cut) as unknown[][];
      const after = open(before.mill.snapshot()).rolls(600 - cut) as unknown[][];
      expect(first.map((part, i) => [...part, ...after[i]])).toEqual(whole);
    }
    // one Ringil for each of two callers, one Grond for both
    const artifacts = whole.flat().filter((each) => each === "Ringil" || each === "Grond");
    expect(artifacts.toSorted()).toEqual(["Grond", "Ringil", "Ringil"]);
  });

  test("a snapshot of a snapshot is the same; taking one changes nothing", () => {
    const { mill, rolls } = open();
    rolls(40);
    const taken = mill.snapshot();
    expect(text(mill.snapshot())).toBe(text(taken));
    expect(JSON.parse(text(open(taken).mill.snapshot()))).toEqual(JSON.parse(text(taken)));
    const [later, control] = [rolls(10), open(taken).rolls(10)];
    expect(later).toEqual(control);
  });

  test("what is not made again is kept for a later snapshot", () => {
    const { mill, rolls } = open();
    rolls(33);
    const idle = createMill({ seed, snapshot: mill.snapshot() });
    idle.weighted("other", [1]).pickMany(5);
    expect(open(idle.snapshot()).rolls(7)).toEqual(rolls(7));
  });

  test("the time goes with it, and an option goes before it", () => {
    const mill = createMill({ seed, now: "2026-01-05T08:30" });
    expect(createMill({ seed, snapshot: mill.snapshot() }).now).toBe("2026-01-05T08:30");
    expect(createMill({ seed, snapshot: mill.snapshot(), now: "2027-02-02" }).now).toBe("2027-02-02");
    const unread = createMill({ seed });
    expect(JSON.parse(text(unread.snapshot()))).not.toHaveProperty("now");
  });

  test("hostile names come through, and cost under 100 bytes each", () => {
    const names = ["__proto__", "constructor", "toString", "7", "0", "\ud800", "\u0000", '"\\', "矿坑"];
    const mill = createMill({ seed });
    for (const [i, name] of names.entries()) mill.weighted(name, WEIGHTS).pickMany(i + 1);
    const snapshot = mill.snapshot();
    const again = createMill({ seed, snapshot });
    expect(text(again.snapshot())).toBe(text(snapshot));
    expect(names.map((name) => again.weighted(name, WEIGHTS).next)).toEqual(names.map((_, i) => i + 1));
    const crowd = createMill({ seed });
    for (let i = 0; i < 1000; i++) crowd.weighted(`list ${i}`, [1]).pickMany(123_456);
    expect(crowd.snapshot().length).toBeLessThan(100 * 1000);
  });

  test("the last cursor there is", () => {
    const mill = createMill({ seed });
    mill.weighted("a", WEIGHTS).next = 2 ** 42;
    expect(createMill({ seed, snapshot: mill.snapshot() }).weighted("a", WEIGHTS).next).toBe(2 ** 42);
  });
});

describe("what is no snapshot of this mill is refused, and the mill is not made", () => {
  const good = JSON.parse(text(open().mill.snapshot())) as Record<string, unknown>;
  const withName = (state: unknown) => ({ ...good, state: { names: { a: state } } });
  const refused = (snapshot: unknown) => refusalOf(() => createMill({ seed, snapshot: snapshot as Uint8Array }));

  test.each([
    ["no bytes", new Uint8Array(0)],
    ["a text", bytes("hello")],
    ["bytes that are no UTF-8", new Uint8Array([0xff, 0xfe, 0])],
    ["half a snapshot", bytes(good).subarray(0, 40)],
    ["another format", bytes({ ...good, format: "other" })],
    ["a list", bytes([])],
    ["null", bytes("null")],
    ["no state", bytes({ ...good, state: undefined })],
    ["a state that is a list", bytes({ ...good, state: [] })],
    ["names that are a list", bytes({ ...good, state: { names: [] } })],
    ["a name's state that is null", bytes(withName(null))],
    ["a cursor that is left out", bytes(withName({}))],
    ["a cursor that is a text", bytes(withName({ next: "3" }))],
    ["a cursor below 0", bytes(withName({ next: -1 }))],
    ["a cursor of a fraction", bytes(withName({ next: 0.5 }))],
    ["a cursor beyond 2^42", bytes(withName({ next: 2 ** 42 + 1 }))],
    ["a shared state that is a list", bytes({ ...good, state: { names: {}, shared: [] } })],
    ["forks that are no list", bytes(withName({ next: 3, forks: {} }))],
    ["a fork without an id", bytes(withName({ next: 3, forks: [{ next: 1 }] }))],
    ["a fork with an invalid id", bytes(withName({ next: 3, forks: [{ id: [1], next: 1 }] }))],
    [
      "a fork with an id of more than 64 bits",
      bytes(withName({ next: 3, forks: [{ id: { integer: "9".repeat(19) }, next: 1 }] })),
    ],
    ["a fork without a cursor", bytes(withName({ next: 3, forks: [{ id: "x" }] }))],
    ["a fork of the mill without names", bytes({ ...good, state: { names: {}, forks: [{ id: "x" }] } })],
    ["a system that is a number", bytes(withName({ system: 7, next: 3 }))],
    [
      "a state that is nested too deep",
      bytes(withName({ next: 3, state: JSON.parse("[".repeat(600) + "]".repeat(600)) })),
    ],
    ["a time that is a number", bytes({ ...good, now: 5 })],
    ["not bytes at all", "text"],
    ["an object", {}],
  ])("%s", (_, snapshot) => expect(refused(snapshot).code).toBe("snapshot.invalid"));

  test.each([
    ["one-shots that are not a list", { names: { a: { next: 3, state: "1600" } } }],
    ["one-shots that are text", { names: { a: { next: 3, state: ["1600"] } } }],
  ])("the table refuses %s", (_, state) => {
    const mill = createMill({ seed, snapshot: bytes({ ...good, state }) });
    expect(refusalOf(() => mill.table("a", SEED_TABLE)).code).toBe("snapshot.invalid");
  });

  test("a table that needs shared one-shots refuses negative ones", () => {
    const state = { names: {}, shared: { values: { "one-shots": [-1] } } };
    const mill = createMill({ seed, snapshot: bytes({ ...good, state }) });
    const roll = () => mill.table("a", HOARD, { script: "nwangband" }).rollMany(10);
    expect(refusalOf(roll).code).toBe("snapshot.invalid");
  });

  test("one of another seed", () => {
    expect(refusalOf(() => createMill({ seed: "other", snapshot: bytes(good) })).code).toBe("snapshot.invalid");
  });

  test("one of another stream version", () => {
    for (const stream of [0, 1, 3, "2", undefined]) {
      expect(refused(bytes({ ...good, stream })).code).toBe("snapshot.version");
    }
  });
});

describe("a snapshot from a stranger (audit 12)", () => {
  const good = JSON.parse(text(open().mill.snapshot())) as Record<string, unknown>;
  const twice = (field: object) => [
    { id: 5, ...field },
    { id: "x", ...field },
    { id: 5, ...field },
  ];
  const DECK = { roots: { deck: { kind: "finite", records: [1, 2, 3] } } } as const;
  const root = (quantities: readonly unknown[]) => ({ name: "deck", active: [], quantities });

  test.each([
    ["of a noun", { names: { a: { next: 3, forks: twice({ next: 1 }) } } }],
    ["of a fork", { names: { a: { next: 3, forks: [{ id: 1, next: 1, forks: twice({ next: 1 }) }] } } }],
    ["of the mill", { names: {}, forks: twice({ names: {} }) }],
    ["of shared state", { names: {}, shared: { values: {}, forks: twice({ values: {} }) } }],
  ])("has a fork %s twice", (_, state) => {
    const snapshot = bytes({ ...good, state });
    expect(refusalOf(() => createMill({ seed, snapshot })).code).toBe("snapshot.invalid");
  });

  test.each([
    ["a root", [root([[1, 0]]), root([])]],
    [
      "a record",
      [
        root([
          [1, 0],
          [2, 0],
          [1, 1],
        ]),
      ],
    ],
  ])("has %s of a family of pools twice", (_, roots) => {
    const mill = createMill({ seed, snapshot: bytes({ ...good, state: { names: { a: { next: 3, state: roots } } } }) });
    expect(refusalOf(() => mill.pools("a", DECK)).code).toBe("snapshot.invalid");
  });

  test("has a name of another system", () => {
    const mill = createMill({ seed });
    mill.weighted("a", WEIGHTS).pick();
    mill.fork("x").weighted("b", WEIGHTS).fork(1).pick();
    const again = createMill({ seed, snapshot: mill.snapshot() });
    expect(refusalOf(() => again.pools("a", DECK)).code).toBe("snapshot.invalid");
    expect(refusalOf(() => again.walk("a", { layers: [{ name: "l", steps: 1 }] })).code).toBe("snapshot.invalid");
    expect(refusalOf(() => again.fork("x").pools("b", DECK)).code).toBe("snapshot.invalid");
    expect(again.weighted("a", WEIGHTS).next).toBe(1);
    expect(JSON.parse(text(again.snapshot()))).toEqual(JSON.parse(text(mill.snapshot())));
  });

  test("a name that two handles of a fork open for two systems is refused", () => {
    const mill = createMill({ seed });
    mill.fork("x").weighted("a", WEIGHTS).pick();
    const family = mill.fork("x").pools("a", DECK);
    expect(refusalOf(() => family.pool("deck").draw()).code).toBe("argument.name-taken");
  });
});

describe("forks nested 12,000 deep (audit 12)", () => {
  const DEPTH = 12_000;
  const nested = <Forkable extends { fork(id: number): Forkable }>(from: Forkable) => {
    let at = from;
    for (let i = 0; i < DEPTH; i++) at = at.fork(i % 3);
    return at;
  };
  const openHoard = (mill: Mill) => mill.table("hoard", HOARD, { script: "nwangband" });

  test("of a noun are saved, restored and released", () => {
    const mill = createMill({ seed });
    const hoard = nested(openHoard(mill));
    const first = resultsOf(hoard.rollMany(40));
    const again = createMill({ seed, snapshot: mill.snapshot() });
    expect(text(again.snapshot())).toBe(text(mill.snapshot()));
    const other = openHoard(again);
    expect(resultsOf(nested(other).rollMany(40))).toEqual(resultsOf(hoard.rollMany(40)));
    other.releaseFork(0);
    expect(resultsOf(nested(other).rollMany(40)).length).toBe(first.length);
    again.dispose();
  });

  test("of a mill are saved, restored, searched and released", () => {
    const mill = createMill({ seed });
    openHoard(mill);
    const deep = nested(mill);
    const rolled = resultsOf(openHoard(deep).rollMany(40));
    expect(rolled.length).toBe(40);
    const snapshot = deep.snapshot();
    const again = createMill({ seed, snapshot });
    expect(nested(again).snapshot()).toEqual(snapshot);
    expect(resultsOf(openHoard(nested(again)).rollMany(9))).toEqual(resultsOf(openHoard(deep).rollMany(9)));
    again.releaseFork(0);
    expect(again.snapshot().length).toBeLessThan(200);
    mill.dispose();
  });
});
