import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, test } from "vitest";
import { add, fraction, multiply, ONE, subtract, toNumber, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { pityOdds } from "../../src/instruments/index.js";
import { type PityInput, parsePity } from "../../src/weighted/index.js";
import { near } from "../instruments/near.js";
import { BelowTemplate } from "../oracle/below.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { agrees } from "../statistics/chiSquare.js";

const seed = "moria";
const mill = () => createMill({ seed });
const coded = (code: string) => expect.objectContaining({ code });

const BANNER = {
  list: [
    { result: "phoenix", weight: 3 },
    { result: "crane", weight: 2 },
    { result: "tiger", weight: 1 },
    { result: "bow", weight: 51 },
    { result: null, weight: 943 },
  ],
  of: ["phoenix", "crane", "tiger"],
  featured: "phoenix",
  soft: { from: 74, add: 0.06 },
  hard: 90,
} as const;

/** Written from docs/determinism.md: the pulls of BANNER. */
function twin(name: string) {
  const words = streamWords(streamKey(seed, name));
  const template = new BelowTemplate(32);
  const below = (m: number, plane: number, k: number) =>
    template.below(words.word(plane, k), m, (i) => words.extra(plane, k, i));
  const state = { since: 0, guaranteed: false };
  return (k: number) => {
    const pull = state.since + 1;
    // in units of 1/500: 0.6 % is 3, 6 % is 30
    const share = pull === 90 ? 500 : Math.min(500, 3 + 30 * Math.max(0, pull - 73));
    if (below(500, 0, k) >= share) {
      state.since++;
      return below(994, 2, k) < 51 ? "bow" : null;
    }
    state.since = 0;
    const isFeatured = state.guaranteed || below(6, 1, k) < 3;
    state.guaranteed = !isFeatured;
    if (isFeatured) return "phoenix";
    return below(3, 2, k) < 2 ? "crane" : "tiger";
  };
}

describe("a list with pity", () => {
  test("equals its slow twin, alone and in bulk", () => {
    const pull = twin("banner");
    const wanted = Array.from({ length: 4000 }, (_, k) => pull(k));
    expect(new Set(wanted)).toEqual(new Set(["phoenix", "crane", "tiger", "bow", null]));
    expect([...mill().pity("banner", BANNER).pullMany(4000)]).toEqual(wanted);
    const single = mill().pity("banner", BANNER);
    expect(wanted.map(() => single.pull())).toEqual(wanted);
  });

  test("a pull depends on its index and the standing alone", () => {
    const banner = mill().pity("banner", BANNER);
    const standings = Array.from({ length: 300 }, () => {
      const before = banner.standing;
      return { before, result: banner.pull() };
    });
    const other = mill().pity("banner", BANNER);
    for (const k of [299, 0, 150, 88]) {
      other.next = k;
      other.standing = standings[k].before;
      expect(other.pull()).toBe(standings[k].result);
    }
  });

  test("hits at the last pull for sure, and then the featured hit", () => {
    const banner = mill().pity("banner", { list: { crown: 1, cap: 1, dust: 1e6 }, of: ["crown", "cap"], hard: 90 });
    const pulls = [...banner.pullMany(900)];
    expect(pulls.flatMap((label, k) => (label === "dust" ? [] : [k % 90]))).toEqual(Array(10).fill(89));
    const lost = mill().pity("banner", { ...BANNER, hard: 3, soft: undefined });
    lost.standing = { since: 2, guaranteed: true };
    expect([lost.pull(), lost.standing]).toEqual(["phoenix", { since: 0, guaranteed: false }]);
  });

  test("a snapshot has the standing of each fork, and fits a changed rule", () => {
    const one = mill();
    const banner = one.pity("banner", BANNER);
    banner.standing = { since: 80, guaranteed: true };
    banner.fork("ann").pullMany(40);
    const snapshot = one.snapshot();
    const opened = createMill({ seed, snapshot });
    const later = opened.pity("banner", BANNER);
    expect(later.standing).toEqual({ since: 80, guaranteed: true });
    expect(later.fork("ann").standing).toEqual(banner.fork("ann").standing);
    expect(opened.snapshot()).toEqual(snapshot);
    const shorter = createMill({ seed, snapshot }).pity("banner", { ...BANNER, hard: 10 });
    expect(shorter.standing).toEqual({ since: 9, guaranteed: true });
    expect(shorter.pull()).toBe("phoenix");
    const text = new TextDecoder().decode(snapshot);
    for (const [from, to] of [
      ["80", "-1"],
      ["80", "10000"],
      ["true", "1"],
    ]) {
      const damaged = new TextEncoder().encode(text.replace(from, to));
      expect(() => createMill({ seed, snapshot: damaged }).pity("banner", BANNER)).toThrow(coded("snapshot.invalid"));
    }
  });

  test("a call that fails leaves the standing", () => {
    const banner = mill().pity("banner", BANNER);
    banner.pullMany(40);
    const before = banner.standing;
    const onProgress = () => {
      throw new Error("stop");
    };
    expect(() => banner.pullMany(3000, { onProgress })).toThrow(coded("argument.callback"));
    expect(() => banner.count(3000, { onProgress })).toThrow(coded("argument.callback"));
    expect([banner.next, banner.standing]).toEqual([40, before]);
  });

  test("the results have the types of the list", () => {
    const banner = mill().pity("banner", BANNER);
    expectTypeOf(banner.pull()).toEqualTypeOf<"phoenix" | "crane" | "tiger" | "bow" | null>();
    expect(mill().pity("banner", BANNER).pull()).toBe(mill().pity("banner", BANNER).pull());
    const one = mill();
    expect(one.pity("banner", { ...BANNER })).toBe(one.pity("banner", { ...BANNER }));
  });
});

test("the check of docs/determinism.md", () => {
  const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8").replaceAll("\n", " ");
  const list = { phoenix: 3, crane: 3, stone: 94 };
  const spec = { list, of: ["phoenix", "crane"], featured: "phoenix", soft: { from: 3, add: "1/5" }, hard: 6 } as const;
  const pulls = [...mill().pity("banner", spec).pullMany(12)];
  const hits = pulls.flatMap((label, k) => (label === "stone" ? [] : [{ k, label }]));
  const [a, b, c, d] = hits.map(({ k, label }) => `${k} (${label}`);
  expect(hits.length).toBe(4);
  expect(page).toContain(`hits at k = ${a}), ${b}), ${c}) and ${d}, guaranteed)`);
  const words = streamWords(streamKey(seed, "banner"));
  const [first, second, third] = [0, 1, 2].map((plane) => words.word(plane, 8));
  expect(page).toContain(`reads ${first} (7 of 50), ${second} (4 of 6) and ${third}.`);
  expect([first, second].map((word, plane) => Math.floor((word * [50, 6][plane]) / 2 ** 32))).toEqual([7, 4]);
});

describe("odds of a list with pity", () => {
  test("are those of pityOdds, by one rule: the oracles", () => {
    const soft = pityOdds(mill().pity("banner", BANNER).rule);
    expect(near(soft.wait().mean).toFixed(7)).toBe("62.2973320");
    expect(toNumber(soft.rate).toFixed(10)).toBe("0.0160520518");
    const hard = pityOdds(mill().pity("banner", { ...BANNER, soft: undefined }).rule);
    expect(near(hard.wait().mean).toFixed(7)).toBe("69.6998038");
  });

  test("of the next pull are exact", () => {
    const banner = mill().pity("banner", BANNER);
    const at = (result: string) => banner.odds().odds.find((one) => one.result === result)?.probability;
    expect([at("phoenix"), at("tiger"), at("bow")]).toEqual([
      fraction(3n, 1000n),
      fraction(1n, 1000n),
      fraction(51n, 1000n),
    ]);
    expect(banner.odds().none).toEqual(fraction(943n, 1000n));
    banner.standing = { since: 73 };
    expect([at("phoenix"), at("crane")]).toEqual([fraction(33n, 1000n), fraction(22n, 1000n)]);
    banner.standing = { since: 89, guaranteed: true };
    expect([at("phoenix"), at("crane"), banner.odds().none]).toEqual([ONE, ZERO, ZERO]);
  });

  test("agree with a million pulls: results, waits and featured hits (α = 10⁻⁶)", () => {
    const n = 1_000_000;
    const banner = mill().pity("banner", BANNER);
    const odds = pityOdds(banner.rule);
    const waits = new Float64Array(91);
    let since = 0;
    const hits = [0, 0, 0];
    for (const entry of banner.pullMany(n).entries) {
      since++;
      if (entry > 2) continue;
      hits[entry]++;
      waits[since]++;
      since = 0;
    }
    const law = Array.from(waits, (_, wait) => toNumber(odds.wait().at(wait) as typeof ONE));
    expect(agrees(waits, law)).toBe(true);
    const all = hits[0] + hits[1] + hits[2];
    // the number of hits of n pulls has the deviation √(n σ² / μ³)
    const { mean, variance } = odds.wait();
    const deviation = Math.sqrt((n * near(variance)) / near(mean) ** 3);
    expect(Math.abs(all - n * toNumber(odds.rate))).toBeLessThan(5 * deviation);
    // hits alternate less than coins: the share of the featured ones varies less than that of all independent hits
    expect(Math.abs(hits[0] / all - toNumber(odds.featuredRate ?? ZERO) / toNumber(odds.rate))).toBeLessThan(
      5 * Math.sqrt(1 / 4 / all),
    );
    expect(agrees([hits[1], hits[2]], [2 / 3, 1 / 3])).toBe(true);
  });

  test("brute force: 500 small rules have the long-run odds of their own chains", () => {
    let random = 7;
    const below = (m: number) => {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      return Math.floor((random / 2 ** 32) * m);
    };
    for (let i = 0; i < 500; i++) {
      const list = { a: 1 + below(4), b: 1 + below(4), c: 1 + below(20) };
      const soft = below(2) === 0 ? undefined : { from: 1 + below(4), add: `${1 + below(3)}/7` };
      const spec: PityInput = { list, of: ["a", "b"], featured: "a", soft, hard: 1 + below(5) };
      const banner = createMill({ seed: i }).pity("p", spec);
      const odds = pityOdds(banner.rule);
      // the mean of the wait is the sum over all pulls of the probability that the pull is needed
      let [reached, pulls] = [ONE, ZERO];
      for (let since = 0; since < odds.chances.length; since++) {
        banner.standing = { since };
        const { odds: next } = banner.odds();
        const hit = add(next[0].probability, next[1].probability);
        expect(hit).toEqual(odds.chances[since]);
        pulls = add(pulls, reached);
        reached = multiply(reached, subtract(ONE, hit));
      }
      expect(pulls).toEqual(odds.wait().mean);
    }
  });
});

describe("hostile specs", () => {
  const issues = (change: object) => {
    const { spec, issues } = parsePity({ ...BANNER, ...change });
    return [spec === undefined, ...issues.map(({ code, where }) => `${where.path} ${code}`)];
  };

  test.each([
    [{ of: "griffin" }, "of weights.invalid"],
    [{ of: [] }, "of argument.type"],
    [{ of: ["crane", null] }, "of[1] weights.invalid"],
    [{ featured: ["phoenix", "bow"] }, "featured[1] weights.invalid"],
    [{ list: { a: 1 }, of: "a", featured: undefined }, "of weights.empty"],
    [{ list: { a: 0, b: 1 }, of: "a", featured: undefined }, "of weights.empty"],
    [{ list: { a: 1, b: 1, c: 0 }, of: ["a", "c"], featured: "c" }, "featured weights.empty"],
    [{ list: { a: -1, b: 1 }, of: "a" }, "list.a weights.invalid"],
    [{ list: undefined }, "list argument.type"],
    [{ hard: 0 }, "hard argument.range"],
    [{ hard: 10_001 }, "hard argument.range"],
    [{ hard: "90" }, "hard argument.range"],
    [{ soft: { from: 0, add: 0.1 } }, "soft.from argument.range"],
    [{ soft: { from: 3, add: 1.5 } }, "soft.add weights.invalid"],
    [{ soft: { from: 3, add: "6%" } }, "soft.add weights.invalid"],
    [{ soft: { from: 3 } }, "soft.add weights.invalid"],
    [{ soft: undefined, hard: undefined }, " argument.range"],
    [{ soft: { from: 9999, add: "1/100" }, hard: undefined }, " argument.range"],
    [{ soft: { from: 3, add: "1/4294967291" } }, " weights.decimals"],
    [{ pity: 90 }, "pity argument.type"],
  ])("%j", (change, issue) => expect(issues(change)).toEqual([true, issue]));

  test("anything but an object", () => {
    for (const input of [null, undefined, 5, "banner", [], () => 5]) {
      expect(parsePity(input).spec).toBeUndefined();
    }
  });

  test("a denominator of 2^32 − 1 is allowed, and its words decide exactly", () => {
    const list = { hit: 1, miss: 2 ** 32 - 2 };
    const banner = mill().pity("rare", { list, of: "hit", hard: 1000 });
    expect(banner.count(100_000).counts.get("hit")).toBe(100);
    expect(banner.odds().odds[0].probability).toEqual(fraction(1n, 2n ** 32n - 1n));
  });

  test("standings and options", () => {
    const banner = mill().pity("banner", BANNER);
    for (const since of [-1, 90, 0.5, "3"]) {
      expect(() => Object.assign(banner, { standing: { since } })).toThrow(coded("argument.range"));
    }
    expect(() => Object.assign(banner, { standing: { guaranteed: 1 } })).toThrow(coded("argument.type"));
    expect(() => Object.assign(banner, { standing: { pity: 1 } })).toThrow(coded("argument.option"));
    const plain = mill().pity("plain", { ...BANNER, featured: undefined });
    expect(() => Object.assign(plain, { standing: { guaranteed: true } })).toThrow(coded("argument.option"));
    expect(() => banner.pullInto([] as never)).toThrow(coded("argument.type"));
  });
});
