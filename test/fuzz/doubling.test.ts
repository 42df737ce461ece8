import { describe, expect, test } from "vitest";
import { cpuOf, opened } from "./library.js";
import { FORMATS } from "./texts.mjs";

/** How much longer the longer text is. */
const TIMES = 8;
/**
 * How many times the CPU time it may take: 2.6 times for each doubling. Linear time is 8 times, n log n is 11 times,
 * quadratic time is 64 times. The rest is room for a garbage collection that falls into the longer call only.
 */
const MOST_GROWTH = 2.6 ** 3;
/** Below this, the time is that of the parts of a call that do not depend on the text. */
const LEAST_MS = 2;
const REPETITIONS = 3;
/** A busy machine can slow a measurement down. So a growth counts as too large only if it is, this many times. */
const MOST_TRIES = 6;

type Texts = Readonly<Record<string, string>>;
/** A format, and its texts with `n` repetitions of one of its parts. */
type Unit = readonly [format: string, what: string, n: number, textsOf: (n: number) => Texts];

const list = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i));
const lines = (n: number, of: (i: number) => string) => list(n, of).join("");
const record = <T>(n: number, of: (i: number) => T) => Object.fromEntries(list(n, (i) => [`a${i}`, of(i)]));
const json = (value: unknown): Texts => ({ json: JSON.stringify(value) });
const sample = (format: string) => JSON.parse(FORMATS[format].texts.json);
const old = (name: string, more: string): Texts => ({ [name]: `${FORMATS["edit files"].texts[name]}${more}` });
const latest = (name: string, more: string): Texts => ({
  [name]: `${FORMATS["edit files of 4.2"].texts[name]}${more}`,
});
const pool = (more: object, rules: readonly object[] = []) =>
  json({ roots: { i: { kind: "finite", ...more } }, rules });
const twoDa = (body: string): Texts => ({ table: `2DA V2.0\n\n${body}` });
const HEAD = " Label Random0 Random0Weight\n";

const UNITS: readonly Unit[] = [
  ["2DA table", "rows", 6000, (n) => twoDa(`${HEAD}${lines(n, (i) => `${i} a rb 1\n`)}`)],
  ["2DA table", "rows with flaws", 6000, (n) => twoDa(`${HEAD}${lines(n, () => 'x "a x -\n')}`)],
  ["2DA table", "columns", 400, (n) => twoDa(`${lines(n, (i) => ` Random${i} Random${i}Weight`)}\n0${" ra 1".repeat(n)}\n`)],
  ["2DA table", "blanks", 60_000, (n) => twoDa(`${HEAD}0 a ${" ".repeat(n)}rb 1\n`)],
  ["2DA table", "blank lines", 60_000, (n) => twoDa(`${HEAD}0 a rb 1\n${"\n".repeat(n)}1 a rb 1\n`)],
  ["2DA table", "characters of a weight", 100_000, (n) => twoDa(`${HEAD}0 a rb ${"1".repeat(n)}x\n`)],
  ["CSV table", "rows", 5000, (n) => ({ table: `table,result,weight\n${lines(n, (i) => `t${i},a,1\n`)}` })],
  ["CSV table", "quoted line breaks", 5000, (n) => ({ table: `result,weight\n${'"a\nb",1\n'.repeat(n)}` })],
  ["CSV table", "columns of one name", 5000, (n) => ({ table: `result${",result".repeat(n)}\n` })],
  ["CSV table", "columns without a name", 20_000, (n) => ({ table: `result${",".repeat(n)}\na${",b".repeat(n)}\n` })],
  ["CSV table", "misspelt jumps", 4000, (n) => ({ table: `table,jump\n${lines(n, (i) => `label${i},lable${i}\n`)}` })],
  ["CSV table", "digits of a weight", 100_000, (n) => ({ table: `result,weight\na,${"1".repeat(n)}x\n` })],
  ["CSV table", "invalid weights", 5000, (n) => ({ table: `result,weight\n${"a,x\n".repeat(n)}` })],
  ["CSV table", "quotes", 50_000, (n) => ({ table: `result\n"${'""'.repeat(n)}"\n` })],
  ["weighted CSV", "rows", 4000, (n) => ({ list: `result,weight\n${lines(n, (i) => `a${i},0.5\n`)}` })],
  ["weighted CSV", "digits of a weight", 100_000, (n) => ({ list: `result,weight\na,${"1".repeat(n)}x\n` })],
  ["word CSV", "rows", 5000, (n) => ({ words: `id,word,sharp\n${lines(n, (i) => `${i + 1},w${i},1\n`)}` })],
  ["word CSV", "quoted line breaks", 5000, (n) => ({ words: `id,word,sharp\n${lines(n, (i) => `${i + 1},"w\n${i}",1\n`)}` })],
  ["word CSV", "columns", 400, (n) => ({ words: `id,word${lines(n, (i) => `,s${i}`)}\n${`1,a${",1".repeat(n)}\n`.repeat(20)}` })],
  ["word CSV", "digits of a stat", 100_000, (n) => ({ words: `id,word,sharp\n1,a,${"1".repeat(n)}x\n` })],
  ["cell of a CSV", "digits", 100_000, (n) => ({ cell: `-${"1".repeat(n)}x` })],
  ["edit files", "spaces of the first line", 100_000, (n) => ({ object: `x${" ".repeat(n)}x` })],
  ["edit files", "spaces of a G line", 3000, (n) => old("object", `G:d:${" ".repeat(n)}:x\n`)],
  ["edit files", "records", 2000, (n) => old("object", lines(n, (i) => `N:${i + 1000}:& Kris~\nG:|:w\nI:23:4\nW:3:0:15:20\nP:0:2d3:0:-1:0\nA:30:1 to 40\n`))],
  ["edit files", "unknown lines", 8000, (n) => old("object", "Q:1\n".repeat(n))],
  ["edit files", "fields", 40_000, (n) => old("object", `P${":0".repeat(n)}\n`)],
  ["edit files", "flags", 8000, (n) => old("object", `F:${lines(n, (i) => `NOT_${i} | `)}\n`)],
  ["edit files of 4.2", "lines of a description", 8000, (n) => latest("object", "desc:a sword\n".repeat(n))],
  ["edit files of 4.2", "values", 8000, (n) => latest("object", `values:${"STR[2] | ".repeat(n)}\n`)],
  ["edit files of 4.2", "flags", 8000, (n) => latest("object", `flags:${lines(n, (i) => `NOT_${i} | `)}\n`)],
  ["dice", "digits", 100_000, (n) => ({ dice: `${"1".repeat(n)}d6` })],
  ["JSON list", "entries", 10_000, (n) => json(record(n, () => 2))],
  ["JSON list", "decimals", 10_000, (n) => json(record(n, () => 0.25))],
  ["JSON list", "fractions", 5000, (n) => json(record(n, (i) => `1/${1 + (i % 9)}`))],
  ["JSON list of entries", "entries", 5000, (n) => json(list(n, (i) => ({ result: `a${i}`, weight: 1, quantity: "2d6" })))],
  ["JSON list of entries", "unknown keys", 4000, (n) => json([{ result: "a", weight: 1, ...record(n, () => 1) }])],
  ["JSON table", "rows", 4000, (n) => json({ rows: list(n, (i) => ({ label: `r${i}`, columns: [{ result: "a", weight: 1 }] })) })],
  ["JSON table", "columns", 5000, (n) => json({ rows: [{ columns: list(n, (i) => ({ result: `a${i}`, weight: 0.5 })) }] })],
  ["JSON table", "misspelt jumps", 2500, (n) => json({ rows: list(n, (i) => ({ label: `row${i}`, columns: [{ jump: `rwo${i}`, weight: 1 }] })) })],
  ["JSON table", "brackets", 40_000, (n) => ({ json: `{"rows":${"[".repeat(n)}${"]".repeat(n)}}` })],
  ["JSON table", "brackets without an end", 40_000, (n) => ({ json: `{"rows":${"[".repeat(n)}` })],
  ["JSON drops", "results that are always there", 4000, (n) => json({ ...sample("JSON drops"), always: list(n, (i) => ({ result: `a${i}`, quantity: "2" })) })],
  ["JSON drops", "results of the table", 10_000, (n) => json({ table: { rows: [{ columns: list(n, (i) => ({ result: `a${i}`, weight: 1 })) }] } })],
  ["JSON pools", "records", 10_000, (n) => pool({ records: list(n, (i) => i) })],
  ["JSON pools", "subpools", 2000, (n) => pool({ records: [1], subpools: record(n, () => ({ records: [1] })) })],
  ["JSON pools", "subpools without names", 1000, (n) => pool({ records: [1], subpools: list(n, () => ({ records: [1] })) })],
  ["JSON pools", "rules of a few subpools", 4000, (n) => pool({ records: [1], subpools: record(9, () => ({})) }, list(n, () => ({ path: "i.*" })))],
  ["JSON pools", "subpools of a few rules", 4000, (n) => pool({ records: [1], subpools: record(n, () => ({})) }, list(9, (i) => ({ path: `i.*.b${i}` })))],
  ["JSON pools", "records of a rule", 5000, (n) => pool({ records: [1], subpools: record(9, () => ({})) }, [{ path: "i.*", records: list(n, (i) => i + 2) }])],
  ["JSON pools", "misspelt records", 4000, (n) => pool({ records: list(n, (i) => `record${i}`), subpools: { a: { records: list(n, (i) => `recrod${i}`) } } })],
  ["JSON pools", "misspelt paths", 4000, (n) => pool({ records: [1], subpools: record(n, () => ({})) }, list(n, (i) => ({ path: `i.*.b${i}.c` })))],
  ["JSON walk", "starts", 10_000, (n) => json({ layers: [{ name: "a", steps: 1, start: list(n, (i) => [i, 0]) }] })],
  ["JSON walk", "unknown keys", 4000, (n) => json({ layers: [{ name: "a", steps: 1, ...record(n, () => 1) }] })],
  ["JSON world", "rules", 500, (n) => json({ layers: [{ name: "isle", steps: 9 }], terrain: [...list(n, (i) => ({ terrain: `t${i % 99}`, when: { isle: { within: 1 } } })), { terrain: "sea" }] })],
  ["JSON world", "conditions", 1500, (n) => json({ layers: [{ name: "isle", steps: 9 }], terrain: [{ terrain: "a", when: { any: list(n, () => ({ isle: { within: 1 } })) } }, { terrain: "sea" }] })],
  ["JSON world", "misspelt conditions", 1500, (n) => json({ layers: [{ name: "isle", steps: 9 }], terrain: [{ terrain: "a", when: { any: list(n, (i) => ({ [`ilse${i}`]: {} })) } }, { terrain: "sea" }] })],
  ["JSON recipe", "unknown keys", 4000, (n) => json({ ...sample("JSON recipe"), ...record(n, () => 1) })],
  ["JSON words", "words", 4000, (n) => json({ ...sample("JSON words"), prefix: list(n, (i) => ({ id: i + 1, word: `w${i}`, attack: 2 })) })],
  ["JSON words", "unknown stats", 4000, (n) => json({ ...sample("JSON words"), prefix: [{ id: 1, word: "a", ...record(n, () => 1) }] })],
  ["JSON words", "unknown tables", 3000, (n) => json({ ...sample("JSON words"), ...record(n, () => []) })],
  ["JSON job", "unknown keys", 4000, (n) => json({ ...sample("JSON job"), ...record(n, () => 1) })],
]; // biome-ignore format: a table

async function leastCpu(format: string, texts: Texts): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < REPETITIONS; i++) least = Math.min(least, await cpuOf(() => opened(format, texts)));
  return least;
}

describe("twice as many repetitions of any part take less than 2.6 times the CPU time (audit 22)", () => {
  test.each(UNITS)("%s: %s", async (format, _, n, textsOf) => {
    const [short, long] = [textsOf(Math.ceil(n / 4)), textsOf(Math.ceil(n / 4) * TIMES)];
    // compiles the code that both measurements run
    expect(await opened(format, long)).toBeUndefined();
    const growths: number[] = [];
    let more = Number.POSITIVE_INFINITY;
    while (growths.length < MOST_TRIES) {
      const less = await leastCpu(format, short);
      // one measurement that is fast enough suffices
      more = Math.min(more, await cpuOf(() => opened(format, long)));
      growths.push(more / Math.max(less, LEAST_MS));
      if ((growths.at(-1) as number) < MOST_GROWTH) return;
    }
    expect(growths).toEqual([]);
  });
});
