import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type Mill } from "../../src/index.js";
import {
  type Explained,
  explain,
  explainDiff,
  explainText,
  type Receipt,
  receipt,
} from "../../src/instruments/index.js";
import { cases as recipeCases } from "../recipes/cases.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { anyTable } from "../tables/cases.js";
import { integers } from "./random.js";

// a program of plain JavaScript without declarations
const CHECKER = "../../examples/check-receipt.mjs";
const { check }: { check: (receipt: unknown, spec?: string) => void } = await import(CHECKER);

const random = integers(1);
const SPEC = "the text of the spec";
const list = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i));
/** Small weights, or weights whose total is so large that many words do not decide alone. */
const weight = (most: number) => (random(3) === 0 ? random(Math.floor(2 ** 32 / most)) : random(5));
const entries = (n: number) => list(n, (i) => ({ result: random(6) === 0 ? null : `r${i}`, weight: weight(n + 1) }));
const withQuantity = <T extends { result: string | null }>(entry: T) =>
  entry.result === null ? entry : { ...entry, quantity: ["1", "2d6+1", "2-5"][random(3)] };

function rows() {
  const count = 1 + random(4);
  const labels = list(count, (i) => `row ${i}`);
  return Object.fromEntries(
    labels.map((label) => [
      label,
      [
        ...entries(2 + random(4)).map(withQuantity),
        ...(random(2) === 0 ? [{ jump: labels[random(count)], weight: random(3) }] : []),
        { result: "last", weight: random(8) === 0 ? 0 : 1 },
      ],
    ]),
  );
}

const RECORDS = () => list(1 + random(6), (i) => ({ id: `r${i}`, mass: 1 + random(9), quantity: 1 + random(3) }));

/** A noun with a random spec, of each kind. */
const NOUNS: { readonly [kind: string]: (mill: Mill) => Explained } = {
  weights: (mill) => mill.weighted("weights", [1, ...list(random(40), () => weight(41))]),
  labels: (mill) => mill.weighted("labels", [{ result: "first", weight: 1 }, ...entries(random(20))]),
  quantities: (mill) =>
    mill.weighted("stacks", [{ result: "a", weight: 1, quantity: "3d4" }, ...entries(3).map(withQuantity)]),
  pity: (mill) =>
    mill.pity("banner", {
      list: [{ result: "a", weight: 1 }, { result: "b", weight: 1, quantity: "1d4" }, ...entries(5).map(withQuantity)],
      of: ["a", "b"],
      ...(random(2) === 0 && { featured: "b" }),
      hard: 1 + random(5),
    }),
  noRepeats: (mill) => {
    const all = [{ result: "first", weight: 1 }, { result: "second", weight: 2 }, ...entries(4).map(withQuantity)];
    return mill.noRepeats("music", { list: all, within: 1 });
  },
  dice: (mill) => mill.dice("dice", ["2d6+1", "d2000000000", "3-9", "5", "10d10-7"][random(5)]),
  integer: (mill) => mill.int("int", -5, random(2 ** 31)),
  sample: (mill) => mill.sample("sample", 1 + random(20), { size: 1 }),
  shuffle: (mill) =>
    mill.shuffle(
      "deck",
      list(1 + random(12), (i) => ({ card: i })),
    ),
  table: (mill) => mill.table("table", { rows: rows() }),
  drops: (mill) =>
    mill.drops("drops", { always: [{ result: "bone", quantity: "1d3" }], rolls: "1d4-1", table: { rows: rows() } }),
  finite: (mill) => {
    return mill.pools("bag", { roots: { i: { kind: "finite", records: RECORDS() } } }).pool("i");
  },
  infinite: (mill) =>
    mill
      .pools("deck", { roots: { i: { kind: "infinite", records: RECORDS().map(({ quantity: _, ...rest }) => rest) } } })
      .pool("i"),
  recipe: (mill) => mill.recipe(["weapon", "armor", "trinket"][random(3)] as "weapon"),
};

/** Makes the next result of a noun with a state. */
function advance(source: Explained): void {
  if ("records" in source && source.kind === "finite") source.draw();
  else if ("pull" in source) source.pull();
  else if ("recent" in source) source.pick();
}

function indexFor(source: Explained): number {
  if (("records" in source && source.kind === "finite") || "pull" in source || "recent" in source) return source.next;
  return [random(5), random(5000), 2 ** 32 + random(1000), 2 ** 42 - 2][random(4)];
}

/** Receipts of the results of one noun and its forks. */
function* receiptsOf(kind: string, count: number): Generator<Receipt> {
  const seed = ["moria", "", "☃", random(1000)][random(4)];
  const millForks = [[], ["save 1"], [-5]][random(3)];
  const root = createMill({ seed });
  const noun = NOUNS[kind](millForks.reduce<Mill>((mill, id) => mill.fork(id), root));
  for (let i = 0; i < count; i++) {
    const ids = list(random(3), () => [`player/${i}`, -i, 2n ** 60n, [-3, i] as const][random(4)]);
    const source = "fork" in noun ? ids.reduce<Explained>((one, id) => (one as typeof noun).fork(id), noun) : noun;
    yield JSON.parse(JSON.stringify(receipt(source, { seed, millForks, spec: SPEC, at: indexFor(source) })));
    advance(noun);
    if (source !== noun) advance(source);
  }
  root.dispose();
}

function receiptOf(kind: string): Receipt {
  return receiptsOf(kind, 1).next().value;
}

/** With the digest of the changed content, so that only the changed field can be wrong. */
function signed({ digest: _, ...content }: Receipt): Receipt {
  return { ...content, digest: createHash("sha256").update(JSON.stringify(content)).digest("hex") };
}

function changed(made: Receipt, at: number, fields: object): Receipt {
  const { explanation } = made;
  const decisions = explanation.decisions.map((one, i) => (i === at ? { ...one, ...fields } : one));
  return { ...made, explanation: { ...explanation, decisions } };
}

describe("receipts", () => {
  test.each(Object.keys(NOUNS))("of %s are accepted, and single changes are refused", (kind) => {
    let extra = 0;
    const all = list(IS_SOAK ? 1000 : 12, () => [...receiptsOf(kind, 10)]).flat();
    for (const [i, made] of all.entries()) {
      expect(() => check(made, SPEC)).not.toThrow();
      const { decisions } = made.explanation;
      extra += decisions.filter((one) => one.extra.length > 0).length;
      if (decisions.length === 0 || i % 50 > 0) continue;
      const at = random(decisions.length);
      const { word, extra: read, m, value = -1, weights, choice = 0 } = decisions[at];
      const refuses = (other: Receipt, message: RegExp) =>
        expect(() => check(other, SPEC), message.source).toThrow(message);
      refuses(changed(made, at, { word: word ^ 1 }), /wrong digest/);
      refuses(signed(changed(made, at, { word: word ^ 1 })), /wrong decision/);
      refuses(signed(changed(made, at, { extra: [...read, 1] })), /wrong decision/);
      refuses(signed(changed(made, at, { index: decisions[at].index ^ 1 })), /wrong decision/);
      if (value >= 0) refuses(signed(changed(made, at, { value: value + 1 })), /wrong decision/);
      if (weights === undefined) continue;
      refuses(signed(changed(made, at, { choice: choice + 1 })), /wrong decision/);
      const one = random(weights.length);
      const heavier = weights.map((entry, k) => ({ ...entry, weight: entry.weight + Number(k === one) }));
      refuses(changed(made, at, { weights: heavier }), /wrong digest/);
      const other = weights.map((one) => ({ ...one, weight: one.weight + 1 }));
      refuses(signed(changed(made, at, { weights: other })), /wrong sum/);
      refuses(signed(changed(made, at, { m: m + 1 })), /wrong/);
    }
    // these have totals near 2^32
    if (kind === "table" || kind === "integer") expect(extra).toBeGreaterThan(0);
  });

  test("of alias picks in which extra words decide", () => {
    const total = 2 ** 32 - 1;
    const choices = list(60, (at) => {
      const seed = `tie ${at}`;
      const word = createMill({ seed }).stream("tie").word(at);
      // with two columns, the threshold q of a weight below half of this total is the weight
      const f = word % 2 ** 31;
      const weights = word < 2 ** 31 ? [f, total - f] : [total - f, f];
      const made = receipt(createMill({ seed }).weighted("tie", weights), { seed, spec: SPEC, at });
      const [decision] = made.explanation.decisions;
      expect(decision.alias).toMatchObject({ column: Number(word >= 2 ** 31), f, q: f });
      expect(decision.extra.length).toBeGreaterThan(0);
      check(JSON.parse(JSON.stringify(made)), SPEC);
      return decision.choice === decision.alias?.column;
    });
    expect(new Set(choices).size).toBe(2);
  });

  test("are checked by the program", () => {
    const folder = mkdtempSync(join(tmpdir(), "receipt-"));
    const [file, spec] = ["receipt.json", "loot.json"].map((name) => join(folder, name));
    const run = (made: Receipt) => {
      writeFileSync(file, JSON.stringify(made));
      return spawnSync(process.execPath, ["examples/check-receipt.mjs", file, spec], { encoding: "utf8" });
    };
    writeFileSync(spec, SPEC);
    const made = receiptOf("drops");
    expect(run(made)).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const { status, stderr } = run({ ...made, seed: "another" });
    expect(status).toBe(1);
    expect(stderr).toContain("wrong digest");
    rmSync(folder, { recursive: true });
  });

  test("bind the spec, the seed and the names", () => {
    const made = receiptOf("table");
    expect(() => check(made, "another spec")).toThrow("wrong spec");
    const { explanation } = made;
    const word = /wrong decision/;
    const roll = list(20, () => receiptOf("labels")).find((one) => one.explanation.decisions.length > 0) ?? made;
    expect(() => check(signed({ ...roll, seed: "another" }), SPEC)).toThrow(word);
    expect(() => check(signed({ ...roll, explanation: { ...roll.explanation, name: "another" } }), SPEC)).toThrow(word);
    expect(() => check({ ...made, explanation: { ...explanation, result: "crown" } }, SPEC)).toThrow("wrong digest");
  });
});

describe("explain", () => {
  const mill = createMill({ seed: "moria" });

  test("shows the decisions of docs/determinism.md", () => {
    const chest = mill.weighted("chest", [
      { result: "gold", weight: 70, quantity: "2d6+1" },
      { result: "arrow", weight: 20, quantity: "2-5" },
      { result: null, weight: 10 },
    ]);
    expect(explainText(explain(chest, { at: 0 }))).toBe(`list chest, index 0: {"result":"gold","quantity":9}
  entry: word 745267671 of plane 0, index 0; column 0 of 4, f = 745267671 < q = 1073741824: gold
    entry 1 of 3, total 100: gold 70 ←, arrow 20, nothing 10
  die 1 of 2: word 3953801104 of plane 1, index 0; below(6) = 5: 6
  die 2 of 2: word 1349110805 of plane 2, index 0; below(6) = 1: 2
`);
    const shuffle = explain(mill.shuffle("deck", 5), { at: 1 });
    expect(shuffle.result).toEqual([3, 1, 0, 4, 2]);
    expect(shuffle.decisions.map(({ word }) => word).slice(0, 4)).toEqual([
      2586805361, 672283000, 1672283041, 2760733359,
    ]);
  });

  test("shows the draws of docs/determinism.md, and refreshes without drawing", () => {
    const family = mill.pools("items", {
      roots: {
        i: {
          kind: "finite",
          records: [
            { id: "sword", mass: 3, quantity: 2 },
            { id: "axe", mass: 1, quantity: 1 },
          ],
          subpools: { rare: { records: [{ id: "axe", mass: 5 }, "sword"] } },
        },
        e: { kind: "infinite", records: [{ id: "bat", mass: 3 }, "orc"] },
      },
    });
    const shown = ["i", "i.rare", "e", "i.rare", "i", "i", "i.*"].map((path) => {
      const { decisions, result } = explain(family.pool(path));
      expect(family.pool(path).draw()).toBe(result);
      const [{ word, weights = [], value }] = decisions;
      return [word, weights.map((one) => one.weight), value, result];
    });
    expect(shown).toEqual([
      [2875966955, [6, 1], 4, "sword"],
      [1610623015, [5, 3], 3, "axe"],
      [3910347892, [3, 1], undefined, "bat"],
      [3364834359, [0, 3], 2, "sword"],
      [4032103388, [6, 1], 6, "axe"],
      [1018798766, [6, 0], 1, "sword"],
      [1311601778, [0, 3], 0, "sword"],
    ]);
  });

  test("of items with tiers, requests and powers is the item", () => {
    const armor = mill.recipe("armor");
    for (let at = 0; at < 500; at++) {
      const options = {
        tier: 1 + random(6),
        tierVariance: random(2),
        power: [0.5, 1, 1.5, 3][random(4)],
        ...(random(3) === 0 ? { request: { prefix: "singed", trim: "silk" } } : {}),
      };
      const { result } = explain(armor, { at, with: options });
      expect(result).toEqual(armor.make({ ...options, at }));
    }
  });

  test("of the items of any recipe, and the rolls of any table", () => {
    const items = fc.sample(recipeCases, { numRuns: 300, seed: 1 });
    let explained = 0;
    for (const [i, { recipe, tables, options }] of items.entries()) {
      const maker = createMill({ seed: "moria" }).recipe("any", recipe as never, { tables: tables as never });
      for (let at = 0; at < 5; at++) {
        const code = codeOf(() => explain(maker, { at: i * 10 + at, with: options }));
        expect([undefined, "recipe.candidates"]).toContain(code);
        explained += Number(code === undefined);
      }
    }
    expect(explained).toBeGreaterThan(800);
    for (const rows of fc.sample(anyTable, { numRuns: 300, seed: 1 })) {
      const answers = [0, 1, 7, 1000].map((weight) => (random(2) === 0 ? weight : 3));
      const table = createMill({ seed: "moria" }).table("any", rows, { script: (id) => answers[id], maxHops: 50 });
      for (let at = 0; at < 5; at++) {
        const code = codeOf(() => explain(table, { at }));
        expect([undefined, "table.endless", "table.hops", "weights.overflow"]).toContain(code);
      }
    }
  });

  test("of a table has the weights that scripts return", () => {
    const table = mill.table(
      "scripted",
      {
        rows: {
          a: [
            { jump: "b", weight: { script: "isNight" } },
            { result: "day", weight: 1 },
          ],
          b: [{ result: "night", weight: 1 }],
        },
      },
      { scripts: { isNight: (context) => Number(context) } },
    );
    expect(explain(table, { at: 4, with: { context: 0 } }).result).toBe("day");
    const { decisions, result } = explain(table, { at: 4, with: { context: 1e9 } });
    expect(decisions.map(({ what, so }) => [what, so])).toEqual([
      ["row 0 (a)", "to row 1 (b)"],
      ["row 1 (b)", "night"],
    ]);
    expect(decisions[0].weights?.[0]).toEqual({ name: "to row 1 (b)", weight: 1e9, sum: 1e9 });
    expect(result).toBe("night");
    expect(table.next).toBe(0);
  });

  test("finds where two versions part", () => {
    const [before, after] = [5, 50].map((gem) => {
      const rows = {
        Orc: [
          { result: "gold", weight: 50 },
          { result: "gem", weight: gem },
        ],
      };
      return createMill({ seed: "moria" }).drops("orc", { rolls: "1d3", table: { rows } });
    });
    const at = list(100, (k) => k).find((k) => explainDiff(explain(before, { at: k }), explain(after, { at: k })));
    const diff = explainDiff(explain(before, { at }), explain(after, { at }));
    expect(diff?.a).toMatchObject({ what: "row 0 (Orc)", so: "gold" });
    expect(diff?.b).toMatchObject({ what: "row 0 (Orc)", so: "gem", word: diff?.a && "word" in diff.a && diff.a.word });
    expect(explainDiff(explain(before, { at }), explain(before, { at }))).toBeUndefined();
  });

  test("shows a long list near the choice, and ties", () => {
    const long = explain(
      mill.weighted(
        "long",
        list(1000, () => 1),
      ),
      { at: 3 },
    );
    expect(long.decisions[0].weights).toHaveLength(1000);
    expect(explainText(long).split("\n")[2]).toMatch(
      /^ {4}entry \d+ of 1000, total 1000: …, (\d+ 1, ){3}\d+ 1 ←, (\d+ 1, ){3}…$/,
    );
  });

  test("refuses what cannot be explained", () => {
    const pool = mill.pools("few", { roots: { i: { kind: "finite", records: ["a", "b"] } } }).pool("i");
    const loot = mill.weighted("loot", { crown: 1, gold: 3 });
    expect(codeOf(() => explain(pool, { at: 7 }))).toBe("argument.option");
    expect(codeOf(() => explain(loot, { at: 2 ** 42 }))).toBe("argument.range");
    expect(codeOf(() => explain(loot, { at: -1 }))).toBe("argument.range");
    expect(codeOf(() => explain(loot, { form: 1 } as never))).toBe("argument.option");
    expect(codeOf(() => explain(loot, { at: 1, with: { tier: 3 } }))).toBe("argument.option");
    expect(codeOf(() => explain({} as never))).toBe("argument.type");
    for (const source of [mill.recipe("armor"), loot, mill.table("t", { rows: { a: [{ result: "x", weight: 1 }] } })]) {
      for (const options of [null, 5, "a"]) {
        expect(codeOf(() => explain(source, { at: 1, with: options as never }))).toBe("argument.type");
      }
      expect(codeOf(() => explain(source, { at: "1" as never }))).toBe("argument.range");
    }
    expect(codeOf(() => explain(undefined as never))).toBe("argument.type");
    expect(codeOf(() => receipt(loot, { seed: "other", spec: "" }))).toBe("argument.range");
    expect(codeOf(() => receipt(loot, { seed: "moria" } as never))).toBe("argument.type");
    expect(codeOf(() => receipt(loot, { seed: "moria", spec: "", millForks: "a" } as never))).toBe("argument.type");
  });
});
