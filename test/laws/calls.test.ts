import { describe, expect, test } from "vitest";
import type { BulkOptions, LongCall } from "../../src/calls/index.js";
import { RollmillError } from "../../src/errors/index.js";
import { hexPicture, toPng } from "../../src/formats/index.js";
import { createMill, type Mill } from "../../src/mill.js";
import { checkObjectFiles, parseObjects, tallyObjects } from "../../src/objects/index.js";
import { LayerMap, mergeLayerMaps, mergeSavedRuns, WalkMap } from "../../src/walks/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { SEED_TABLE } from "../tables/seedTable.js";

/** A noun in a mill, and its calls that take a signal and `onProgress`. */
interface Opened {
  /** The bulk calls by name. Each makes `results` results. */
  readonly bulk: Readonly<Record<string, (options?: LongCall) => unknown>>;
  /** The other calls that use the state or the kernel. */
  readonly other: Readonly<Record<string, () => unknown>>;
  /** Fills something of the caller; undefined for a noun that fills nothing. */
  readonly into?: (out: unknown, options?: BulkOptions) => unknown;
}

interface Subject {
  readonly name: string;
  readonly results: number;
  readonly open: (mill: Mill) => Opened;
  /** Creates what {@link Opened.into} fills, with some contents. */
  readonly room?: (mill: Mill) => unknown;
}

const SEED = "calls";
const coded = (code: string) => expect.objectContaining({ code });
const sevens = () => new Uint32Array(100_000).fill(7);

/** Two relics that come once, one of them once for all tables of the mill, and rags. */
const RELICS = {
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

const ASKED = { level: 40, great: true } as const;
const LAYERS = { layers: [{ name: "land", walkers: 40, steps: 30_000 }] };

const SUBJECTS: readonly Subject[] = [
  {
    name: "weighted lists",
    results: 100_000,
    open: (mill) => {
      const list = mill.weighted("it", [100, 25, 0, 5]);
      return {
        bulk: {
          pickMany: (options) => list.pickMany(100_000, options),
          pickInto: (options) => list.pickInto(new Uint32Array(100_000), options),
          count: (options) => [...list.count(100_000, options).counts],
        },
        other: { pick: () => list.pick(), next: () => (list.next = 3) },
        into: (out, options) => list.pickInto(out as Uint32Array, options),
      };
    },
    room: sevens,
  },
  {
    name: "streams",
    results: 100_000,
    open: (mill) => {
      const stream = mill.stream("it");
      return {
        bulk: {
          words: (options) => stream.words(100_000, options),
          wordsInto: (options) => stream.wordsInto(new Uint32Array(100_000), options),
        },
        other: { word: () => stream.word(3) },
        into: (out, options) => stream.wordsInto(out as Uint32Array, options),
      };
    },
    room: sevens,
  },
  {
    name: "frozen tables",
    results: 100_000,
    open: (mill) => {
      const table = mill.table("it", SEED_TABLE, { script: () => 60 });
      return {
        bulk: {
          rollMany: (options) => [...table.rollMany(100_000, options).ids],
          rollInto: (options) => table.rollInto(new Uint16Array(100_000), options),
          count: (options) => [...table.count(100_000, options).counts],
        },
        other: { roll: () => table.roll(), odds: () => table.odds(), next: () => (table.next = 3) },
        into: (out, options) => table.rollInto(out as Uint32Array, options),
      };
    },
    room: sevens,
  },
  {
    name: "live tables with one-shots",
    results: 70_000,
    open: (mill) => {
      const table = mill.table("it", RELICS, { script: "nwangband" });
      return {
        bulk: {
          rollMany: (options) => [...table.rollMany(70_000, options).ids],
          rollInto: (options) => table.rollInto(new Uint16Array(70_000), options),
          count: (options) => [...table.count(70_000, options).counts],
        },
        other: { roll: () => table.roll(), odds: () => table.odds(), next: () => (table.next = 3) },
        into: (out, options) => table.rollInto(out as Uint32Array, options),
      };
    },
    room: () => new Uint32Array(70_000).fill(7),
  },
  {
    name: "finite pools",
    results: 100_000,
    open: (mill) => {
      const records = [1, 2, 3].map((id) => ({ id: `r${id}`, mass: id, quantity: 20 }));
      const family = mill.pools("it", {
        roots: { loot: { kind: "finite", records, subpools: { rare: { records: [["r1", 1]] } } } },
      });
      const loot = family.pool("loot");
      return {
        bulk: {
          drawMany: (options) => [...loot.drawMany(100_000, options).records],
          drawInto: (options) => loot.drawInto(new Uint32Array(100_000), options),
          count: (options) => [...loot.count(100_000, options).counts],
        },
        other: { draw: () => loot.draw(), peek: () => loot.peek(), restock: () => loot.restock() },
        into: (out, options) => loot.drawInto(out as Uint32Array, options),
      };
    },
    room: sevens,
  },
  {
    name: "recipes",
    results: 100_000,
    open: (mill) => {
      const recipe = mill.recipe("it", "weapon");
      return {
        bulk: {
          makeMany: (options) => recipe.makeMany(100_000, options).stats,
          makeInto: (options) => recipe.makeInto(recipe.makeMany(100_000, { from: 0 }), options).stats,
          count: (options) => [...recipe.count(100_000, { ...options, of: "type" }).counts],
        },
        other: { make: () => recipe.make(), next: () => (recipe.next = 3) },
        into: (out, options) => recipe.makeInto(out as never, options),
      };
    },
    room: (mill) => mill.recipe("it", "weapon").makeMany(100_000, { from: 7 }),
  },
  {
    name: "objects",
    results: 70_000,
    open: (mill) => {
      const maker = mill.objects("it", DUNGEON);
      return {
        bulk: {
          makeMany: (options) => maker.makeMany(70_000, { ...ASKED, ...options }).kind,
          makeInto: (options) => {
            const out = maker.makeMany(70_000, { ...ASKED, artifacts: false, from: 0 });
            return maker.makeInto(out, { ...ASKED, ...options }).kind;
          },
          count: (options) => [...maker.count(70_000, { ...ASKED, ...options, of: "artifact" }).counts],
          tally: (options) => tallyObjects(maker, { levels: [40], n: 70_000, ...options }).levels[0].meanAffixes,
        },
        other: {
          make: () => maker.make(ASKED),
          replay: () => maker.replay(maker.next + 5, ASKED),
          releaseArtifact: () => maker.releaseArtifact(1),
          next: () => (maker.next = 3),
        },
        into: (out, options) => maker.makeInto(out as never, { ...ASKED, ...options }),
      };
    },
    room: (mill) => mill.objects("it", DUNGEON).makeMany(70_000, { ...ASKED, artifacts: false, from: 9 }),
  },
  {
    name: "walks",
    results: 1_200_000,
    open: (mill) => {
      const walk = mill.walk("it", LAYERS);
      return {
        bulk: {
          run: (options) => walk.run(options).total.digest(),
          runLayer: (options) => walk.runLayer(options).digest(),
        },
        other: { start: () => walk.start() },
      };
    },
  },
];

/** A signal that is aborted at look number `at`. */
function signalAt(at: number) {
  const looks = { count: 0 };
  const reason = new Error("enough");
  const throwIfAborted = () => {
    looks.count++;
    if (looks.count >= at) throw reason;
  };
  const { signal } = new AbortController();
  Object.defineProperty(signal, "throwIfAborted", { value: throwIfAborted });
  return { looks, reason, signal };
}

/** Ways to make a call fail while it runs. */
const FAILURES: readonly [string, () => { readonly options: LongCall; readonly error: unknown }][] = [
  [
    "its signal is aborted at the third look",
    () => {
      const { signal, reason } = signalAt(3);
      return { options: { signal }, error: reason };
    },
  ],
  [
    "onProgress aborts the signal",
    () => {
      const controller = new AbortController();
      const error = new Error("enough");
      return { options: { signal: controller.signal, onProgress: () => controller.abort(error) }, error };
    },
  ],
  [
    "onProgress throws",
    () => {
      const onProgress = () => {
        throw new Error("my own");
      };
      return { options: { onProgress }, error: coded("argument.callback") };
    },
  ],
  [
    "onProgress is async",
    () => ({ options: { onProgress: () => Promise.reject(new Error("later")) }, error: coded("argument.callback") }),
  ],
];

function refusal(call: () => unknown): unknown {
  try {
    call();
  } catch (cause) {
    return cause instanceof RollmillError ? cause.code : cause;
  }
  return "no error";
}

describe.each(SUBJECTS)("$name: the laws of calls", ({ open, results, room }) => {
  test("Hostile: a failed call changes nothing", () => {
    const mill = createMill({ seed: SEED });
    const calls = open(mill);
    for (const call of Object.values(calls.bulk)) call();
    const before = mill.snapshot();
    const [out, same] = [room?.(mill), room?.(mill)];
    for (const [title, failure] of FAILURES) {
      for (const [name, call] of Object.entries(calls.bulk)) {
        const { options, error } = failure();
        expect(() => call(options), `${name}: ${title}`).toThrow(error as Error);
        expect(mill.snapshot(), `${name}: ${title}`).toEqual(before);
      }
      if (room === undefined) continue;
      const { options, error } = failure();
      expect(() => calls.into?.(out, options), title).toThrow(error as Error);
      expect(out, title).toEqual(same);
      expect(mill.snapshot(), title).toEqual(before);
    }
    const undisturbed = open(createMill({ seed: SEED }));
    for (const call of Object.values(undisturbed.bulk)) call();
    for (const [name, call] of Object.entries(calls.bulk)) expect(call(), name).toEqual(undisturbed.bulk[name]());
  });

  test("Hostile: one busy flag: a call from a callback of the same object is refused, of another object it is not", () => {
    const mill = createMill({ seed: SEED });
    const calls = open(mill);
    const undisturbed = open(createMill({ seed: SEED }));
    const list = mill.weighted("other", [3, 1]);
    const table = mill.table("another", SEED_TABLE, { script: () => 5 });
    const own = { ...calls.bulk, ...calls.other };
    const picks: number[] = [];
    for (const [name, call] of Object.entries(calls.bulk)) {
      const refused: unknown[] = [];
      const onProgress = () => {
        for (const other of Object.values(own)) refused.push(refusal(other));
        picks.push(...list.pickMany(50));
        table.rollMany(40);
      };
      expect(call({ onProgress }), name).toEqual(undisturbed.bulk[name]());
      expect([name, ...new Set(refused)]).toEqual([name, "argument.busy"]);
    }
    const alone = createMill({ seed: SEED }).weighted("other", [3, 1]);
    expect(picks).toEqual([...alone.pickMany(picks.length)]);
  });

  test("Hostile: what was disposed of says so, and only that, also with arguments that are wrong", () => {
    const mill = createMill({ seed: SEED });
    const calls = open(mill);
    for (const call of Object.values(calls.bulk)) call();
    mill.dispose();
    mill.dispose();
    for (const call of [...Object.values(calls.bulk), ...Object.values(calls.other)]) {
      expect(refusal(call)).toBe("argument.disposed");
    }
    for (const call of Object.values(calls.bulk)) {
      expect(refusal(() => call({ strange: 1 } as LongCall))).toBe("argument.disposed");
    }
    if (calls.into !== undefined) expect(refusal(() => calls.into?.("no array"))).toBe("argument.disposed");
  });

  test("Hostile: an abort is seen: the signal is looked at after every part", () => {
    const calls = open(createMill({ seed: SEED }));
    for (const [name, call] of Object.entries(calls.bulk)) {
      const { looks, signal } = signalAt(Number.POSITIVE_INFINITY);
      call({ signal });
      // a part has at most 65,536 results; of a walk at most 2²⁰ steps
      expect([name, looks.count > Math.floor(results / (results > 2 ** 20 ? 2 ** 20 : 65_536))]).toEqual([name, true]);
    }
  });

  test("Hostile: one check of arrays: arrays in shared and in resizable buffers are filled, also with a signal", () => {
    const { signal } = new AbortController();
    const fillAll = (wrap: (values: Uint32Array) => Uint32Array) => {
      const { into } = open(createMill({ seed: SEED }));
      return [{}, { signal }].map((options) => {
        const out = wrap(new Uint32Array(3000));
        into?.(out, options);
        return [...out];
      });
    };
    if (!(room?.(createMill({ seed: SEED })) instanceof Uint32Array)) return;
    const expected = fillAll((values) => values);
    const buffers = [
      (bytes: number) => new SharedArrayBuffer(bytes),
      (bytes: number) => Reflect.construct(ArrayBuffer, [bytes, { maxByteLength: 2 * bytes }]) as ArrayBuffer,
    ];
    for (const buffer of buffers) {
      expect(fillAll(({ byteLength, length }) => new Uint32Array(buffer(byteLength), 0, length))).toEqual(expected);
      expect(fillAll(({ byteLength }) => new Uint32Array(buffer(byteLength)))).toEqual(expected);
    }
    const shrinking = Reflect.construct(ArrayBuffer, [64, { maxByteLength: 64 }]) as ArrayBuffer;
    const out = new Uint32Array(shrinking, 16, 4);
    Reflect.apply(Reflect.get(shrinking, "resize"), shrinking, [16]);
    const mill = createMill({ seed: SEED });
    const before = mill.snapshot();
    open(mill).into?.(out);
    expect(mill.snapshot()).toEqual(before);
  });

  test("Hostile: one check of arrays: what cannot hold the results is refused, and changes nothing", () => {
    const mill = createMill({ seed: SEED });
    const { into } = open(mill);
    if (into === undefined) return;
    const before = mill.snapshot();
    const detached = new Uint32Array(8);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const wrong = [
      undefined,
      null,
      7,
      "text",
      [],
      {},
      { length: 3 },
      new Uint8Array(4),
      new Int32Array(4),
      new Float64Array(4),
      new DataView(new ArrayBuffer(8)),
      new Proxy(new Uint32Array(4), {}),
      detached,
    ];
    for (const out of wrong) expect(refusal(() => into(out))).toBe("argument.type");
    expect(mill.snapshot()).toEqual(before);
  });
});

describe("the laws of calls with callbacks", () => {
  const throwing = () => {
    throw new Error("my own");
  };

  test("Hostile: a failed call changes nothing: a failed live roll spends no one-shots, so the relic comes later", () => {
    const open = (mill: Mill) => mill.table("hoard", RELICS, { script: "nwangband" });
    const mill = createMill({ seed: SEED });
    const table = open(mill);
    const before = mill.snapshot();
    const failures: readonly (() => unknown)[] = [
      () => table.rollMany(5000, { signal: signalAt(2).signal }),
      () => table.rollMany(500, { onProgress: throwing }),
      () => table.rollMany(500, { chosen: throwing }),
      () => table.roll({ script: { set: "nwangband", spent: [1601] }, chosen: throwing }),
      () => table.rollMany(70_000, { script: { set: "nwangband", spent: [1600, 1700] }, onProgress: throwing }),
    ];
    for (const fail of failures) {
      expect(fail).toThrow();
      expect(mill.snapshot()).toEqual(before);
    }
    expect([...table.rollMany(500)]).toEqual([...open(createMill({ seed: SEED })).rollMany(500)]);
  });

  test("Hostile: a callback that throws or rejects is named with its table, row and id", () => {
    const source = { rows: [{ columns: [{ result: "gem", weight: { script: 5 } }] }] };
    const table = createMill({ seed: SEED }).table("loot", source, { script: () => 3 });
    const cases: readonly [() => unknown, string][] = [
      [() => table.roll({ script: throwing }), "table.script"],
      [() => table.rollMany(3, { script: throwing }), "table.script"],
      [() => table.odds({ script: throwing }), "table.script"],
      [() => table.roll({ chosen: throwing }), "argument.callback"],
      [() => table.rollMany(3, { chosen: throwing }), "argument.callback"],
    ];
    for (const [call, code] of cases) {
      expect(call).toThrow(expect.objectContaining({ code, cause: new Error("my own") }));
      expect(call).toThrow(/(?=.*loot)(?=.*row 0)(?=.*script 5)/);
    }
    const async = (async () => 3) as unknown as () => number;
    expect(() => table.roll({ script: async })).toThrow(coded("table.script"));
    expect(() => table.roll({ chosen: async })).toThrow(coded("argument.callback"));
  });

  test("Hostile: a limit whose power throws or rejects is named with the maker and the object, and the objects stay", () => {
    const maker = createMill({ seed: SEED }).objects("drops", DUNGEON);
    const out = maker.makeMany(50, { ...ASKED, from: 0 });
    const kinds = out.kind.slice();
    for (const [power, code] of [
      [throwing, "argument.callback"],
      [(async () => 3) as never, "argument.callback"],
      [(() => "3") as never, "object.request"],
    ] as const) {
      expect(() => maker.makeInto(out, { ...ASKED, limit: { most: 1, power } })).toThrow(coded(code));
      expect(() => maker.make({ ...ASKED, limit: { most: 1, power } })).toThrow(/object \d+.*drops/);
    }
    expect([out.kind, out.from, maker.next]).toEqual([kinds, 0, 0]);
  });

  test("Hostile: an array that a callback transfers or shrinks is refused, and the index stays", () => {
    const list = createMill({ seed: SEED }).weighted("list", [1, 2]);
    const out = new Uint32Array(100);
    const onProgress = () => void structuredClone(out.buffer, { transfer: [out.buffer] });
    expect(() => list.pickInto(out, { onProgress })).toThrow(coded("argument.type"));
    expect(list.next).toBe(0);
  });

  test("Hostile: a signal does not change rolls with many hops, and a failed call leaves the index", () => {
    const rows = [
      { columns: [{ jump: 1, weight: 1_000_000 }] },
      {
        columns: [
          { jump: 0, weight: 20_000 },
          { result: "end", weight: 1 },
        ],
      },
    ];
    const table = createMill({ seed: SEED }).table("long", { rows }, { maxHops: 2 ** 31 - 1 });
    const { signal } = new AbortController();
    expect(table.rollMany(3, { from: 0, signal }).ids).toEqual(table.rollMany(3, { from: 0 }).ids);
    expect(() => table.rollMany(3, { signal, maxHops: 1500 })).toThrow(coded("table.hops"));
    expect(table.next).toBe(0);
  });

  test("Hostile: the error of many rolls names the first roll that fails, with and without a signal", () => {
    const poisoned = { result: "gem", weight: { script: 7 } };
    const rows = [
      { columns: [{ result: "rags", weight: 1000 }, ...[1, 2, 3].map((jump) => ({ jump, weight: 2 }))] },
      { columns: [poisoned] },
      {
        columns: [
          { jump: 2, weight: 4e9 },
          { result: "coin", weight: 1 },
        ],
      },
      { columns: [{ result: "never", weight: 0 }] },
    ];
    const script = () => -1;
    const table = createMill({ seed: SEED }).table("loot", { rows }, { script, mode: "frozen" });
    const codeOf = (call: () => unknown) => {
      try {
        return String(call());
      } catch (cause) {
        return String(cause);
      }
    };
    const seen = new Set<string>();
    for (const onDead of ["throw", "null"] as const) {
      const options = { onDead, maxHops: 1500 };
      const single = Array.from({ length: 3000 }, (_, at) => codeOf(() => table.roll({ at, ...options })));
      for (const from of [0, 3, 700, 1024, 1500, 2047, 2200]) {
        const expected = single.slice(from).find((result) => result.startsWith("RollmillError"));
        const { signal } = new AbortController();
        const onProgress = () => undefined;
        for (const call of [{}, { signal }, { onProgress }]) {
          expect(codeOf(() => table.rollMany(3000 - from, { from, ...options, ...call }))).toBe(expected);
        }
        expect(codeOf(() => table.rollMany(3000 - from, { from, mode: "live", ...options }))).toBe(expected);
        seen.add(/\[[a-z.]+\]/.exec(expected ?? "")?.[0] ?? "");
      }
    }
    expect([...seen].sort()).toEqual(["[table.dead]", "[table.hops]", "[table.script]"]);
  });

  test("Hostile: an abort is seen between the values of the odds of a strength", () => {
    const recipe = createMill({ seed: SEED }).recipe("weapon");
    const { looks, signal } = signalAt(Number.POSITIVE_INFINITY);
    expect(recipe.odds({ of: "strength", signal })).toEqual(recipe.odds({ of: "strength" }));
    expect(looks.count).toBeGreaterThan(50);
    const { signal: stop, reason } = signalAt(20);
    expect(() => recipe.odds({ of: "strength", signal: stop })).toThrow(reason);
  });

  test("Hostile: an abort is seen: in exact odds, checks, and everything that is done with a map", () => {
    const mill = createMill({ seed: SEED });
    const { spec: files } = parseObjects(DUNGEON);
    if (files === undefined) throw new Error("the files have errors");
    const maker = mill.objects("drops", DUNGEON);
    const recipe = mill.recipe("weapon");
    const map = mill.walk("land", LAYERS).runLayer();
    const halves = [0, 20].map((from) => mill.walk("land", LAYERS).runLayer({ walkers: { from, to: from + 20 } }));
    const savedRuns = [0, 20].map((from) =>
      mill
        .walk("land", LAYERS)
        .start({ walkers: { from, to: from + 20 } })
        .save(),
    );
    const [kind, affixLevel] = [files.kinds[3].number, files.levels[0]];
    const chunks = () => [...map.chunks()];
    const calls: Readonly<Record<string, readonly [least: number, (call: LongCall) => unknown]>> = {
      "odds of kinds": [files.kinds.length, (call) => maker.odds({ of: "kind", level: 30, great: true, ...call })],
      "odds of affixes": [
        files.affixes.length,
        (call) => maker.odds({ of: "affix", level: 30, kind, affixLevel, ...call }),
      ],
      "odds of themes": [files.themes.length, (call) => maker.odds({ of: "theme", level: 30, kind, has: [], ...call })],
      "odds of themes of two slots": [
        files.affixes.length,
        (call) => maker.odds({ of: "themeOfTwoSlots", level: 30, kind, affixLevel, ...call }),
      ],
      whyImpossible: [5, ({ signal }) => maker.whyImpossible({ level: 30, theme: files.themes[0].number, signal })],
      checkObjectFiles: [files.kinds.length + files.affixes.length, (call) => checkObjectFiles(files, call)],
      probability: [5, (call) => recipe.probability({ words: { type: "sword" } }, call)],
      "new LayerMap": [chunks().length, (call) => new LayerMap(chunks(), call).cells],
      mergeLayerMaps: [chunks().length, (call) => mergeLayerMaps(halves, call).cells],
      digest: [2, (call) => new LayerMap(chunks()).digest(call)],
      hexPicture: [3 * chunks().length, (call) => hexPicture([new LayerMap(chunks())], call)],
      "hexPicture of several cells a pixel": [
        2 * chunks().length,
        (call) => hexPicture([new LayerMap(chunks())], { maxSide: 20, ...call }),
      ],
      toPng: [3 * chunks().length + 2, (call) => toPng(new LayerMap(chunks()), { legend: true, ...call })],
      mergeSavedRuns: [2, (call) => mergeSavedRuns(savedRuns, call).result.map.cells],
      summary: [
        2,
        ({ signal }) => new WalkMap([{ name: "land", steps: 1, map: new LayerMap(chunks()) }]).summary({ signal }),
      ],
    };
    for (const [name, [least, call]] of Object.entries(calls)) {
      const { looks, signal } = signalAt(Number.POSITIVE_INFINITY);
      expect(call({ signal }), name).toEqual(call({}));
      expect([name, looks.count >= least]).toEqual([name, true]);
      for (const at of [1, 2, looks.count]) {
        const { signal: stop, reason } = signalAt(at);
        expect(() => call({ signal: stop }), `${name}, look ${at}`).toThrow(reason);
      }
    }
  });

  test("Hostile: an aborted call changes nothing: a run of a walk goes on from where it was, also from a copy of its memory", () => {
    const spec = { walkers: 300, steps: 2 ** 20, grid: { kind: "torus", rows: 64, cols: 64 } } as const;
    const run = createMill({ seed: SEED }).walk("land", spec).start();
    const whole = createMill({ seed: SEED }).walk("land", spec).start();
    const parts = [10, 60_000, 5, 7];
    for (const steps of parts) {
      const before = [run.steps, [...run.positions()], run.map().digest()];
      for (const at of [2, 4]) {
        const { signal, reason } = signalAt(at);
        expect(() => run.advance(steps + 100_000, { signal })).toThrow(reason);
        expect([run.steps, [...run.positions()], run.map().digest()]).toEqual(before);
      }
      const refused: unknown[] = [];
      const onProgress = () => {
        for (const call of [() => run.advance(1), () => run.map(), () => run.position(0), () => run.visitsAt(0, 0)]) {
          refused.push(refusal(call));
        }
      };
      run.advance(steps, { onProgress });
      expect([...new Set(refused)]).toEqual(["argument.busy"]);
    }
    const steps = parts.reduce((sum, part) => sum + part);
    expect(run.map().digest()).toBe(whole.advance(steps).map().digest());
    run.dispose();
    run.dispose();
    for (const call of [() => run.advance(-1), () => run.map(), () => run.position(-1), () => run.visitsAt(0, 0)]) {
      expect(refusal(call)).toBe("argument.disposed");
    }
  });

  test("Hostile: out of memory is reported as such, with the bytes that were asked for and the limit", () => {
    const mill = createMill({ seed: SEED, maxMemory: 2 ** 20 });
    const list = mill.weighted("large", new Array(2 ** 18).fill(1));
    expect(() => list.pick()).toThrow(coded("kernel.memory"));
    expect(() => list.pick()).toThrow(new RegExp(`also needed: [1-9][0-9]+ bytes.*${2 ** 20}`));
    expect(() => mill.weighted("small", [1]).pickMany(2 ** 40)).toThrow(coded("kernel.memory"));
    for (const walkers of [2 ** 17, 2 ** 28, 2 ** 32 - 1]) {
      const walk = mill.walk(`${walkers} walkers`, { walkers, steps: 1 });
      const sizes = new RegExp(`also needed: ${12 * walkers} bytes.*${2 ** 20}`);
      expect(() => walk.start()).toThrow(
        expect.objectContaining({ code: "kernel.memory", message: expect.stringMatching(sizes) }),
      );
    }
  });
});
