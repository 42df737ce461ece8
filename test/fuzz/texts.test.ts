import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/index.js";
import { outcomeOf } from "../hostile/values.mjs";
import { refusalOf } from "../refusal.js";
import { cpuOf, LIBRARY, opened } from "./library.js";
import { FORMATS, textCase } from "./texts.mjs";

const MOST_MS = 2000;
const CELL = `${"1".repeat(100_000)}x`;
const lines = (count: number, lineOf: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => lineOf(i)).join("");
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, {}]));
const root = (subpools: object, records: readonly number[] = [1]) => ({ i: { kind: "finite", records, subpools } });
const rules = (count: number, pathOf: (i: number) => string, records: readonly number[] = []) =>
  Array.from({ length: count }, (_, i) => ({ path: pathOf(i), records }));
const stars = (depth: number) => `i.${"*.".repeat(depth)}`;

/** Texts below 100 KB, each of which took seconds to minutes, or gigabytes. */
const TEXTS: readonly (readonly [what: string, format: string, texts: Readonly<Record<string, unknown>>])[] = [
  ["a first line of spaces", "edit files", { object: `x${" ".repeat(98_000)}x` }],
  ["a G line of spaces", "edit files", { object: `${FORMATS["edit files"].texts.object}G:d:${" ".repeat(3000)}:x\n` }],
  ["quoted line breaks, and then a cell", "CSV table", { table: `result,weight\n${'"a\nb",1\n'.repeat(12_000)}` }],
  ["quoted line breaks in a list", "weighted CSV", { list: `result,weight\n${'"a\nb",1\n'.repeat(12_000)}` }],
  ["one quoted cell of line breaks, and then cells", "CSV table", { table: `result,weight\n"${"\n".repeat(49_000)}",${"1,".repeat(24_000)}` }],
  ["a header of one name", "CSV table", { table: `result${",result".repeat(14_000)}\n` }],
  ["quoted line breaks in words", "word CSV", { words: `id,word,sharp\n${'1,"a\nb",x\n'.repeat(9000)}` }],
  ["a weight of digits and a letter", "CSV table", { table: `result,weight\ngold,${CELL}\n` }],
  ["a weight of digits and a letter in a list", "weighted CSV", { list: `result,weight\ngold,${CELL}\n` }],
  ["a stat of digits and a letter", "word CSV", { words: `id,word,sharp\n1,keen,${CELL}\n` }],
  ["a cell of digits and a letter", "cell of a CSV", { cell: `-${CELL}` }],
  ["misspelt jumps", "CSV table", { table: `table,jump\n${lines(3000, (i) => `label${i},lable${i}\n`)}` }],
  [
    "misspelt ids of records",
    "JSON pools",
    { roots: { i: { kind: "finite", records: Array.from({ length: 3000 }, (_, i) => `record${i}`), subpools: { a: { records: Array.from({ length: 3000 }, (_, i) => `recrod${i}`) } } } } },
  ],
  ["misspelt paths of rules", "JSON pools", { roots: root(names(2500)), rules: rules(2000, (i) => `i.*.b${i}.c`) }],
  ["stars that double", "JSON pools", { roots: root({ a: {}, b: {} }), rules: ["a", "b"].flatMap((name) => rules(18, (i) => stars(i + 1) + name)) }],
  ["a star of 40 x 40 x 40 x 40", "JSON pools", { roots: root(names(40)), rules: [1, 2, 3].flatMap((d) => rules(40, (i) => `${stars(d)}b${i}`)) }],
  ["rules x subpools", "JSON pools", { roots: root(names(2600)), rules: rules(2200, () => "i.*") }],
  ["rules x subpools with records", "JSON pools", { roots: root(names(2000), [1, 2]), rules: rules(2000, () => "i.*.*", [2]).concat(rules(9, (i) => `i.*.x${i}`)) }],
  ["records of a rule x subpools", "JSON pools", { roots: root(names(3000)), rules: rules(1, () => "i.*", Array.from({ length: 9000 }, (_, i) => i)) }],
  ["names of subpools", "JSON pools", { roots: root(names(9000)) }],
  ["unknown keys", "JSON list of entries", { json: `[{"result":"a","weight":1${lines(8000, (i) => `,"k${i}":1`)}}]` }],
]; // biome-ignore format: a table

describe("texts below 100 KB end within 2 s of CPU time (audit 20)", () => {
  test.each(TEXTS)("%s: %s", async (_, format, texts) => {
    const isText = Object.values(texts).every((text) => typeof text === "string");
    const given = isText ? (texts as Readonly<Record<string, string>>) : { json: JSON.stringify(texts) };
    for (const text of Object.values(given)) expect(text.length).toBeLessThan(110_000);
    let outcome: Error | undefined;
    const milliseconds = await cpuOf(async () => {
      outcome = await opened(format, given);
    });
    expect(outcome).toBeUndefined();
    expect(milliseconds).toBeLessThan(MOST_MS);
  });

  test.each(["stars that double", "rules x subpools", "records of a rule x subpools"])(
    "%s: refused at a rule",
    (what) => {
      const [, format, texts] = TEXTS.find(([one]) => one === what) ?? TEXTS[0];
      const { issues } = refusalOf(() => FORMATS[format].use(LIBRARY, { json: JSON.stringify(texts) }));
      expect(issues.map(({ code, where }) => [code, where.path?.replace(/\d+/, "")])).toEqual([
        ["pool.total", "rules[]"],
      ]);
    },
  );
});

describe("JSON that is nested 90,000 deep is refused (audit 20)", () => {
  test.each(Object.keys(FORMATS).filter((format) => format.startsWith("JSON")))("%s", async (format) => {
    const { json } = FORMATS[format].texts;
    for (const [open, close] of [["[", "]"], ['{"subpools":{"a":', "}}"]]) {
      const [before, after] = [open.repeat(90_000), close.repeat(90_000)];
      // in place of the whole, of its first value, and under an unknown key
      for (const text of [`${before}1${after}`, json.replace(/:/, `:${before}1${after},"rest":`), json.replace("{", `{"b":${before}1${after},`)])
        expect(await opened(format, { json: text })).toBeUndefined();
    }
  }); // biome-ignore format: one case a line
});

test("random texts with repeated, nested and long parts end in a result or a typed error (audit 20)", async () => {
  for (let k = 0; k < 100; k++) {
    const { name, call } = textCase(20, k);
    const { args, invoke } = call.prepare(LIBRARY);
    let outcome: Error | undefined;
    const milliseconds = await cpuOf(async () => {
      outcome = await outcomeOf({ RollmillError }, invoke, args);
    });
    expect([name, outcome, milliseconds < 5000]).toEqual([name, undefined, true]);
  }
});
