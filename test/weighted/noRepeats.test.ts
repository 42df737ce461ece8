import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, test } from "vitest";
import { fraction, toNumber, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { parseNoRepeats } from "../../src/weighted/index.js";
import { integers } from "../instruments/random.js";
import { BelowTemplate } from "../oracle/below.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { agrees, trialsToTell } from "../statistics/chiSquare.js";

const seed = "moria";
const mill = () => createMill({ seed });
const coded = (code: string) => expect.objectContaining({ code });

const ENTRIES = [
  { result: "battle", weight: 5 },
  { result: "feast", weight: 2 },
  { result: null, weight: 7 },
  { result: "battle", weight: 4 },
  { result: "hymn", weight: 1 },
] as const;

/** Written from docs/determinism.md. */
function twin(name: string, within: number) {
  const words = streamWords(streamKey(seed, name));
  const template = new BelowTemplate(32);
  let recent: (string | null)[] = [];
  return (k: number) => {
    const left = ENTRIES.filter(({ result }) => !recent.includes(result));
    const total = left.reduce((sum, { weight }) => sum + weight, 0);
    let share = template.below(words.word(0, k), total, (i) => words.extra(0, k, i));
    const found = left.find(({ weight }) => {
      share -= weight;
      return share < 0;
    });
    const result = found?.result ?? null;
    recent = [...recent, result].slice(-within);
    return result;
  };
}

describe("a list without repeats", () => {
  test.each([1, 2, 3])("equals its slow twin, alone and in bulk, within %d", (within) => {
    const pick = twin("music", within);
    const wanted = Array.from({ length: 3000 }, (_, k) => pick(k));
    expect([...mill().noRepeats("music", { list: ENTRIES, within }).pickMany(3000)]).toEqual(wanted);
    const single = mill().noRepeats("music", { list: ENTRIES, within });
    expect(wanted.map(() => single.pick())).toEqual(wanted);
    for (const [k, result] of wanted.entries()) expect(wanted.slice(Math.max(0, k - within), k)).not.toContain(result);
  });

  // a word leaves a total of 3 · 2^30 undecided with a chance of 3/4
  test("words that do not decide alone read extra words, in bulk and alone", () => {
    const list = { a: 2 ** 30, b: 2 ** 30 + 1, c: 2 ** 30 + 5 };
    const [single, many] = [mill().noRepeats("large", { list }), mill().noRepeats("large", { list })];
    expect(Array.from({ length: 2000 }, () => single.pick())).toEqual([...many.pickMany(2000)]);
  });

  test("a snapshot has the last results, and fits a changed list", () => {
    const one = mill();
    const music = one.noRepeats("music", { list: ENTRIES, within: 2 });
    music.fork("ann").pickMany(7);
    const { recent } = music.fork("ann");
    expect(recent.length).toBe(2);
    const snapshot = one.snapshot();
    const later = createMill({ seed, snapshot });
    expect(later.noRepeats("music", { list: ENTRIES, within: 2 }).fork("ann").recent).toEqual(recent);
    expect(later.snapshot()).toEqual(snapshot);
    const list = { tune: 1, [String(recent[1])]: 3, other: 2 };
    expect(createMill({ seed, snapshot }).noRepeats("music", { list }).fork("ann").recent).toEqual([recent[1]]);
    const text = new TextDecoder().decode(snapshot);
    const state = JSON.stringify(recent);
    for (const damage of ["7", "[7]", JSON.stringify([recent[0], recent[0]])]) {
      const damaged = createMill({ seed, snapshot: new TextEncoder().encode(text.replace(state, damage)) });
      expect(() => damaged.noRepeats("music", { list: ENTRIES, within: 2 }).fork("ann").recent).toThrow(
        coded("snapshot.invalid"),
      );
    }
  });

  test("the check of docs/determinism.md", () => {
    const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8").replaceAll("\n", " ");
    const music = mill().noRepeats("music", { list: { battle: 5, feast: 3, hymn: 2 } });
    const picks = [...music.pickMany(4)];
    expect(page.includes(`gives ${picks.join(", ")} for k = 0 … 3`)).toBe(true);
    const words = streamWords(streamKey(seed, "music"));
    expect(page.includes(`Pick 1 reads ${words.word(0, 1)}, and below(5) is 2`)).toBe(true);
    expect(Math.floor((words.word(0, 1) * 5) / 2 ** 32)).toBe(2);
  });

  test("the results have the types of the list", () => {
    const music = mill().noRepeats("music", { list: ENTRIES });
    expectTypeOf(music.pick()).toEqualTypeOf<"battle" | "feast" | "hymn" | null>();
  });
});

describe("odds of a list without repeats", () => {
  test("of the next pick are exact", () => {
    const music = mill().noRepeats("music", { list: { a: 5, b: 3, c: 2 } });
    expect(music.odds().odds[0].probability).toEqual(fraction(1n, 2n));
    const last = music.pick();
    const { odds } = music.odds();
    expect(odds.find(({ result }) => result === last)?.probability).toEqual(ZERO);
    const rest = { a: 5, b: 3, c: 2, [last]: 0 };
    const total = BigInt(rest.a + rest.b + rest.c);
    expect(odds.map(({ probability }) => probability)).toEqual(
      [rest.a, rest.b, rest.c].map((weight) => fraction(BigInt(weight), total)),
    );
  });

  test("in the long run, within 1: w · (T − w), in proportion", () => {
    const { odds } = mill()
      .noRepeats("music", { list: { a: 5, b: 3, c: 2 } })
      .longRunOdds();
    expect(odds.map(({ probability }) => probability)).toEqual([25n, 21n, 16n].map((share) => fraction(share, 62n)));
  });

  test("in the long run: those of the chain of states, for 500 small lists", () => {
    const random = integers(8);
    for (let i = 0; i < 500; i++) {
      const within = 1 + random(3);
      const weights = Array.from({ length: within + 1 + random(2) }, () => 1 + random(9));
      const list = Object.fromEntries(weights.map((weight, k) => [`t${k}`, weight]));
      const { odds } = createMill({ seed: 1 }).noRepeats("m", { list, within }).longRunOdds();
      const shares = sharesOf(weights, within);
      for (const [k, { probability }] of odds.entries()) expect(toNumber(probability)).toBeCloseTo(shares[k], 6);
    }
  });

  test("in the long run: those of half a million picks, and no others", () => {
    const music = mill().noRepeats("music", { list: ENTRIES, within: 2 });
    const { odds, none } = music.longRunOdds();
    const law = [...odds.map(({ probability }) => toNumber(probability)), toNumber(none)];
    // every tenth pick, because picks that are near each other depend on each other
    const counts = [0, 0, 0, 0];
    const { entries, labels } = music.pickMany(500_000);
    const place = new Map<string | null, number>([...odds.map(({ result }, k) => [result, k] as const), [null, 3]]);
    for (let k = 100; k < entries.length; k += 10) counts[place.get(labels[entries[k]]) ?? 4]++;
    expect(agrees(counts, law)).toBe(true);
    const weights = [9 / 19, 2 / 19, 1 / 19, 7 / 19];
    expect(trialsToTell(weights, law)).toBeLessThan(49_000);
    expect(agrees(counts, weights)).toBe(false);
  });

  test("a long list has long-run odds, and too much work is refused", () => {
    const list = Object.fromEntries(Array.from({ length: 1000 }, (_, k) => [`t${k}`, k + 1]));
    const music = mill().noRepeats("music", { list, within: 20 });
    const { odds } = music.longRunOdds();
    expect(odds.reduce((sum, { probability }) => sum + toNumber(probability), 0)).toBeCloseTo(1, 12);
    expect(() => music.longRunOdds({ maxWork: 1000 })).toThrow(coded("odds.work"));
    expect(() => music.longRunOdds({ work: 1 } as object)).toThrow(coded("argument.option"));
  });
});

test.each([
  [{ list: { a: 1 } }, "list weights.empty"],
  [{ list: { a: 1, b: 0 } }, "list weights.empty"],
  [
    {
      list: [
        { result: "a", weight: 1 },
        { result: "a", weight: 2 },
      ],
    },
    "list weights.empty",
  ],
  [{ list: { a: 1, b: 1, c: 1 }, within: 3 }, "list weights.empty"],
  [{ list: { a: 1, b: 1 }, within: 0 }, "within argument.range"],
  [{ list: { a: 1, b: 1 }, within: 101 }, "within argument.range"],
  [{ list: { a: 1, b: 1 }, within: "1" }, "within argument.range"],
  [{ list: { a: 1, b: -1 } }, "list.b weights.invalid"],
  [{ list: { a: 1, b: 1 }, witin: 1 }, "witin argument.type"],
  [{}, "list argument.type"],
  [null, " argument.type"],
])("a hostile spec, %j", (input, issue) => {
  const { spec, issues } = parseNoRepeats(input);
  expect([spec === undefined, ...issues.map(({ code, where }) => `${where.path} ${code}`)]).toContain(issue);
  expect(spec).toBeUndefined();
});

/** The shares of the last pick over all states, the ordered lists of `within` different picks, by repeated lazy steps. */
function sharesOf(weights: readonly number[], within: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let states: number[][] = [[]];
  for (let m = 0; m < within; m++) {
    states = states.flatMap((state) => [...weights.keys()].filter((k) => !state.includes(k)).map((k) => [...state, k]));
  }
  const numbers = new Map(states.map((state, i) => [state.join(), i]));
  const steps = states.map((state) => {
    const left = total - state.reduce((sum, k) => sum + weights[k], 0);
    const next = [...weights.keys()].filter((k) => !state.includes(k));
    return next.map((k) => [numbers.get([...state.slice(1), k].join()) ?? -1, weights[k] / left] as const);
  });
  let chances = states.map(() => 1 / states.length);
  for (let step = 0; step < 200; step++) {
    const next = chances.map((chance) => chance / 2);
    for (const [i, chance] of chances.entries()) for (const [to, p] of steps[i]) next[to] += (chance * p) / 2;
    chances = next;
  }
  return [...weights.keys()].map((k) =>
    states.reduce((sum, state, i) => (state[state.length - 1] === k ? sum + chances[i] : sum), 0),
  );
}
