// The library and the model, operation for operation: draws over stars, removed records, changed masses, decks that do
// not refill, discards, gains. POOL_OPERATIONS sets the number of operations; 100,000 take about a minute.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type Mill, type PoolFamily, type PoolsInput } from "../../src/index.js";
import { streamKey } from "../independent/port.mjs";
import { codeOf } from "../refusal.js";
import { Model, type ModelMass, type Place, ratioOf, textOf } from "./model.js";

const OPERATIONS = Number(process.env.POOL_OPERATIONS ?? 2000);
const SEED = "moria";
const PLACES: readonly Place[] = ["stock", "discards", "out"];
const RECORDS: readonly (readonly [id: string, mass: ModelMass, quantity: number])[] = [
  ["sword", 3, 2],
  ["axe", "2/3", 3],
  ["ring", 1, 1],
  ["crown", 0.5, 0],
  ["dust", 0, 2],
];
const LISTS: Readonly<Record<string, readonly (readonly [id: string, mass: ModelMass])[]>> = {
  "i.common": [
    ["sword", 3],
    ["axe", 5],
  ],
  "i.rare": [
    ["ring", 0.5],
    ["sword", 0.2],
    ["crown", 1.2],
  ],
  "i.common.weapon": [
    ["sword", 1],
    ["axe", "1/6"],
  ],
  "i.common.trinket": [],
  "i.rare.weapon": [
    ["sword", 2],
    ["crown", 7],
  ],
  "i.rare.trinket": [
    ["dust", 1],
    ["ring", 0.1],
  ],
};
const STARS = ["i.*", "i.*.weapon", "i.*.trinket", "i.rare.*", "i.*.*"];
const PATHS = ["i", ...Object.keys(LISTS), ...STARS];
const IDS = [...RECORDS.map(([id]) => id), "kris", "bow", "helm"];

const KINDS = {
  "a finite root": { kind: "finite" },
  "a root without refills": { kind: "finite", refill: false },
  "an infinite root": { kind: "infinite" },
} as const;

/** The root, as the library and the model take it. */
function open({ kind, ...refill }: (typeof KINDS)[keyof typeof KINDS], name: string) {
  const listed = (path: string) => ({
    records: (LISTS[path] ?? []).map(([id, mass]) => ({ id, mass })),
    subpools: {},
  });
  const spec: PoolsInput = {
    roots: {
      i: {
        kind,
        ...refill,
        records: RECORDS.map(([id, mass, quantity]) => ({ id, mass, ...(kind === "finite" ? { quantity } : {}) })),
        subpools: Object.fromEntries(
          ["common", "rare"].map((rarity) => [
            rarity,
            {
              ...listed(`i.${rarity}`),
              subpools: { weapon: listed(`i.${rarity}.weapon`), trinket: listed(`i.${rarity}.trinket`) },
            },
          ]),
        ),
      },
    },
  };
  const model = new Model(streamKey(SEED, name), {
    finite: kind === "finite",
    refill: !("refill" in refill && refill.refill === false),
  });
  model.pools.set(
    "i",
    RECORDS.map(([id, mass]) => ({ id, mass })),
  );
  for (const [path, list] of Object.entries(LISTS)) {
    model.pools.set(
      path,
      list.map(([id, mass]) => ({ id, mass })),
    );
  }
  for (const [id, , quantity] of RECORDS) model.copies.set(id, { full: quantity, stock: quantity, discards: 0 });
  return { spec, model };
}

const operation = fc.record({
  what: fc.constantFrom(
    ...(["draw", "draw", "draw", "many", "many", "peek", "return", "discard", "discard", "reshuffle"] as const),
    ...(["restock", "gain", "remove", "mass", "mass", "unlist", "add", "add"] as const),
  ),
  path: fc.constantFrom(...PATHS, ...STARS),
  id: fc.constantFrom(...IDS),
  count: fc.integer({ min: 1, max: 4 }),
  place: fc.constantFrom(...PLACES),
  mass: fc.constantFrom<ModelMass>(0, 1, 3, 50, 0.5, 1.2, "1/3", "5/6", "4/2", "0/7"),
});
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

/** A family and its model. Every operation goes to both, and the results must be the same. */
class Both {
  readonly #name: string;
  readonly #spec: PoolsInput;
  readonly #model: Model;
  #mill: Mill = createMill({ seed: SEED });

  constructor(kind: keyof typeof KINDS) {
    this.#name = kind;
    const { spec, model } = open(KINDS[kind], kind);
    this.#spec = spec;
    this.#model = model;
  }

  get #family(): PoolFamily {
    return this.#mill.pools(this.#name, this.#spec);
  }

  apply(one: Operation): void {
    expect(this.#library(one), JSON.stringify(one)).toEqual(this.#expected(one));
    expect(this.#family.next).toBe(this.#model.next);
  }

  #library({ what, path, id, count, place, mass }: Operation): unknown {
    const family = this.#family;
    const pool = family.pool(path);
    const quantity = this.#model.copies.has(id) || !this.#model.isFinite ? {} : { quantity: count };
    const calls: Record<Operation["what"], () => unknown> = {
      draw: () => ({ id: pool.draw() }),
      many: () => ({ ids: [...pool.drawMany(count)] }),
      peek: () => ({ id: pool.peek() }),
      return: () => pool.return(id),
      discard: () => pool.discard(id),
      reshuffle: () => pool.reshuffle(),
      restock: () => pool.restock(),
      gain: () => pool.gain(id, { to: place, copies: count }),
      remove: () => pool.remove(id, { from: place, copies: count }),
      mass: () => family.setMass(path, id, mass),
      unlist: () => family.removeRecord(path, id),
      add: () => family.addToSubpool(path, id, { mass, ...quantity }),
    };
    let result: unknown;
    const code = codeOf(() => {
      result = calls[what]();
    });
    return code === undefined ? result : { code };
  }

  #expected({ what, path, id, count, place, mass }: Operation): unknown {
    const model = this.#model;
    if (what === "draw") return model.draw(path);
    if (what === "many") return model.drawMany(path, count);
    if (what === "peek") return model.peek(path);
    const changes: Record<typeof what, () => string | undefined> = {
      return: () => model.move(path, id, ["out", "stock"]),
      discard: () => model.move(path, id, ["out", "discards"]),
      reshuffle: () => (model.isFinite ? model.reshuffle(path) : "pool.infinite"),
      restock: () => (model.isFinite ? model.restock(path) : "pool.infinite"),
      gain: () => model.move(path, id, [undefined, place, count]),
      remove: () => model.move(path, id, [place, undefined, count]),
      mass: () => model.change(path, id, mass),
      unlist: () => model.change(path, id, undefined),
      add: () => (path === "i" ? "pool.root" : model.add(path, id, { mass, quantity: count })),
    };
    const code = changes[what]();
    return code === undefined ? undefined : { code };
  }

  /** Goes on from a snapshot. The additions are not in it, so they are made again. */
  restore(): void {
    const snapshot = this.#mill.snapshot();
    this.#mill.dispose();
    this.#mill = createMill({ seed: SEED, snapshot });
    for (const { path, id, ...options } of this.#model.added) this.#family.addToSubpool(path, id, options);
  }

  /** Compares the lists, masses, copies, totals and odds of every path. */
  check(): void {
    for (const path of PATHS) {
      const pool = this.#family.pool(path);
      const list = this.#model.list(path);
      const copiesOf = (id: string) =>
        this.#model.isFinite ? PLACES.map((place) => this.#model.count(id, place)) : [];
      expect(
        pool.records.map(({ id, mass, quantity }) => [
          id,
          textOf(ratioOf(mass)),
          quantity === undefined ? [] : PLACES.map((place) => pool.quantity(id, place)),
        ]),
      ).toEqual(list.map(({ id, exact }) => [id, textOf(exact), copiesOf(id)]));
      const masses = list.map(({ id, exact: [n, d] }) => (Number(n) / Number(d)) * (copiesOf(id)[0] ?? 1));
      expect(pool.total).toBeCloseTo(
        masses.reduce((sum, mass) => sum + mass, 0),
        6,
      );
      let odds: unknown;
      const code = codeOf(() => {
        odds = pool.odds().odds.map(({ result, probability }) => [result, JSON.parse(JSON.stringify(probability))]);
      });
      expect(code === undefined ? { odds } : { code }).toEqual(this.#model.odds(path));
    }
  }
}

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])("pools agree with the model: %s", (kind) => {
  test("draws over stars, removals, masses, discards and gains (first hour 15)", () => {
    const perRun = 200;
    const share = kind === "a root without refills" ? 0.5 : 0.25;
    let done = 0;
    fc.assert(
      fc.property(fc.array(operation, { minLength: perRun, maxLength: perRun }), (operations) => {
        const both = new Both(kind);
        for (const [i, one] of operations.entries()) {
          both.apply(one);
          done++;
          if (i % 50 === 49) both.check();
          if (i % 80 === 70) both.restore();
        }
        both.check();
      }),
      { seed: 15, endOnFailure: true, numRuns: Math.ceil((OPERATIONS * share) / perRun) },
    );
    expect(done).toBeGreaterThanOrEqual(OPERATIONS * share);
  });
});
