import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { createMill, shippedRecipe } from "../../src/index.js";
import type { ItemOptions } from "../../src/recipes/index.js";
import { SQLITE_STATE } from "../wordstores/sqliteState.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({});
const make = (...args: string[]) => rollmill(["recipe", "make", "--seed", "moria", ...args], { cwd });
const weapons = (n: number, options: ItemOptions & { from?: number } = {}, name = "weapon") =>
  createMill({ seed: "moria" }).recipe(name, "weapon").makeMany(n, options);
const rows = async (...args: string[]) => dataOf((await make("weapon", ...args, "--json")).stdout);
const STATS = [
  "hands",
  "multiplier",
  "attack",
  "defense",
  "magic",
  "flaming",
  "freezing",
  "shocking",
  "holy",
  "evil",
  "sneak",
  "crit",
  "str",
];
const SLOTS = ["element", "secondElement", "prefix", "type", "adjective", "abstract"];

describe("recipe make", () => {
  test("prints one line per item: its name, and the stats other than 0", async () => {
    const { code, stdout, stderr } = await make("weapon", "-n", "40");
    const lines = [...weapons(40)].map(({ name, ...row }) => {
      const parts = STATS.map((stat) => [stat, row[stat]]).filter(([, value]) => value !== 0);
      return `${name}\t${parts.map(([stat, value]) => `${stat} ${value}`).join(", ")}\n`;
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: lines.join(""), stderr: "" });
    expect((await make("weapon")).stdout).toBe(lines[0]);
  });

  test("--json is one array of rows with the seed's stats and the outcome of the requests", async () => {
    const made = await rows("-n", "300");
    expect(made).toEqual([...weapons(300)]);
    const origin = ["requests", "words", "ids", "outcomes", "index", "seed"];
    for (const row of made) expect(Object.keys(row)).toEqual(["name", ...STATS, ...origin]);
    expect(made[299]).toMatchObject({ index: 299, seed: "moria" });
    expect(made[0].requests).toEqual({ met: [], unknown: [] });
    expect(await rows("-n", "0")).toEqual([]);
  });

  test("--ndjson is the same rows, one per line", async () => {
    const { stdout } = await make("weapon", "-n", "300", "--ndjson");
    expect(stdout).toBe([...weapons(300)].map((row) => `${JSON.stringify(row)}\n`).join(""));
  });

  test("--csv has the name, the stats, each slot's word, and the origin (first hour 17)", async () => {
    const { stdout } = await make("weapon", "-n", "300", "--csv");
    const [head, ...lines] = stdout.trimEnd().split("\n");
    const origin = ["condition", "bonus", ...SLOTS.map((slot) => `${slot}_id`), "index", "seed"];
    expect(head).toBe(["name", ...STATS, ...SLOTS, ...origin].join(","));
    const items = weapons(300);
    const wanted = [...items].map(({ name, ...row }, k) =>
      [name, ...STATS.map((stat) => row[stat]), ...SLOTS.map((slot) => items.word(slot, k))].join(","),
    );
    const ofContent = 1 + STATS.length + SLOTS.length;
    expect(lines.map((line) => line.split(",").slice(0, ofContent).join(","))).toEqual(wanted);
    expect(lines[299]).toMatch(/,299,moria$/);
  });

  test("--from and -n are any part of the same sequence", async () => {
    const all = [...weapons(30)];
    expect(await rows("-n", "13", "--from", "17")).toEqual(all.slice(17));
    const far = 2 ** 42 - 3;
    expect(await rows("-n", "3", "--from", String(far))).toEqual([...weapons(3, { from: far })]);
  });

  test("--name names the items; the default is the recipe", async () => {
    const [own, other] = [await rows("-n", "50"), await rows("-n", "50", "--name", "chest/7")];
    expect(other).toEqual([...weapons(50, {}, "chest/7")]);
    expect(other).not.toEqual(own);
  });

  test("--tier, --tier-variance and --power are the library's", async () => {
    const asked: [string[], ItemOptions][] = [
      [["--tier", "2"], { tier: 2 }],
      [["--tier", "2", "--tier-variance", "1"], { tier: 2, tierVariance: 1 }],
      [["--power", "1.7"], { power: 1.7 }],
      [["--power", "0"], { power: 0 }],
    ];
    for (const [args, options] of asked) {
      const wanted = [...weapons(200, options)];
      expect(await rows("-n", "200", ...args), args.join(" ")).toEqual(wanted);
      expect(wanted).not.toEqual([...weapons(200)]);
    }
  });

  test("--request requests one word per slot; an empty word requests nothing", async () => {
    const request = { type: "sword", prefix: "rusty" };
    const words = weapons(1).vocabulary;
    const [type, prefix] = [words.type[1], words.prefix[1]];
    const made = await rows("-n", "50", "--request", `type=${type}`, "--request", `prefix=${prefix}`);
    expect(made).toEqual([...weapons(50, { request: { ...request, type, prefix } })]);
    for (const { requests } of made) expect(requests).toEqual({ met: ["prefix", "type"], unknown: [] });
    expect(await rows("-n", "50", "--request", "type=")).toEqual([...weapons(50)]);
  });

  test("an unknown request is rolled and reported; --on-unknown throw refuses it", async () => {
    const { code, stdout, stderr } = await make("weapon", "--request", "type=spooon", "--json");
    expect(dataOf(stdout)).toEqual([...weapons(1, { request: { type: "spooon" } })]);
    expect(dataOf(stdout)[0].requests).toEqual({ met: [], unknown: ["type"] });
    expect(code).toBe(0);
    expect(stderr).toMatch(/: type\n$/);
    expect(await make("weapon", "--request", "type=' OR 1=1", "--json")).toMatchObject({ code: 0 });
    const refused = await make("weapon", "--request", "type=spooon", "--on-unknown", "throw");
    expect(refused).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/spooon.*\[recipe\.request\]/),
    });
  });

  test("without --seed, the printed random seed repeats the run", async () => {
    const first = await rollmill(["recipe", "make", "weapon", "-n", "50"]);
    const seed = /^seed: ([0-9a-f]{12})\n$/.exec(first.stderr)?.[1];
    const again = await rollmill(["recipe", "make", "weapon", "-n", "50", "--seed", String(seed)]);
    expect(again).toMatchObject({ code: 0, stdout: first.stdout, stderr: "" });
  });

  test("a reader that closes the pipe ends an endless command with 0", async () => {
    for (const format of [[], ["--json"], ["--csv"], ["--ndjson"]]) {
      const args = ["recipe", "make", "weapon", "--seed", "a", "-n", "4398046511104", ...format];
      expect(await rollmill(args, { stdoutError: "EPIPE" })).toMatchObject({ code: 0, stderr: "" });
    }
  });
});

describe("recipe make --recipe and --tables", () => {
  const { recipe, tables } = shippedRecipe("weapon");
  writeFileSync(join(cwd, "plain.json"), JSON.stringify({ ...recipe, steps: recipe.steps.slice(2, 3) }));
  const few = { ...tables, type: [{ id: 4, word: "spork", attack: 3, hands: 1, tier: 1, multiplier: 1 }] };
  writeFileSync(join(cwd, "few.json"), JSON.stringify(few));
  const bare = { hands: 1, multiplier: 1, attack: 3, str: 1 };

  test("--recipe uses another recipe with the words of the first", async () => {
    const made = await rows("-n", "50", "--recipe", "plain.json");
    const words = weapons(1).vocabulary.type.map((word) => word.toLowerCase());
    for (const { name } of made) expect(words).toContain(name.toLowerCase());
  });

  test("a path is a recipe named by its stem, and needs --tables", async () => {
    const { stdout } = await make("plain.json", "--tables", "few.json", "--json");
    expect(dataOf(stdout)).toMatchObject([{ name: "Spork", ...bare }]);
    const refused = await make("./plain.json");
    expect(refused).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/--tables.*\[cli\.usage\]\n$/),
    });
    const input = readFileSync(join(cwd, "plain.json"));
    const piped = await rollmill(["recipe", "make", "-", "--tables", "few.json", "--seed", "a"], { cwd, input });
    expect(piped).toMatchObject({ code: 0, stdout: "Spork\thands 1, multiplier 1, attack 3, str 1\n" });
  });

  const sameItemsFrom = async (to: string) => {
    await rollmill(["recipe", "tables", "export", "weapon", "--to", to], { cwd });
    const { code, stdout, stderr } = await make("weapon", "-n", "200", "--tables", to, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(dataOf(stdout)).toEqual([...weapons(200)]);
  };
  test.each(["csv", "w.json"])("the same words from %s make the same items", sameItemsFrom);
  test.skipIf(SQLITE_STATE.isMissing)(`the same words from ${SQLITE_STATE.title} make the same items`, () =>
    sameItemsFrom("w.sqlite"),
  );
});

describe("recipe make -o", () => {
  test.each(["csv", "ndjson", "json"])(".%s is what is printed", async (ending) => {
    const { code, stdout, stderr } = await make("weapon", "-n", "70000", "-o", `w.${ending}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^w\.\w+: 70000 items in [\d.]+ s, [\d.]+[KM] a second\n$/);
    const printed = await make("weapon", "-n", "70000", `--${ending}`);
    expect(readFileSync(join(cwd, `w.${ending}`), "utf8")).toBe(printed.stdout);
  });

  test(".parquet has the columns of the CSV, decimals as decimals", async () => {
    await make("weapon", "-n", "70000", "-o", "w.parquet");
    const { buffer, byteOffset, byteLength } = readFileSync(join(cwd, "w.parquet"));
    const read = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer });
    expect(read).toHaveLength(70_000);
    const items = weapons(70_000);
    for (const k of [0, 1, 2, 65_535, 65_536, 69_999]) {
      const { name, words, ids, outcomes, index, seed, ...row } = items.at(k);
      const numbers = STATS.map((stat) => [stat, expect.closeTo(Number(row[stat]), 9)]);
      const rows = Object.entries(ids).map(([slot, id]) => [`${slot}_id`, id === null ? null : String(id)]);
      const origin = { ...words, ...outcomes, ...Object.fromEntries(rows), index: BigInt(index), seed };
      expect(read[k], `item ${k}`).toEqual({ name, ...Object.fromEntries(numbers), ...origin });
    }
  });

  test("with no items is a valid file with all columns", async () => {
    const head = (await make("weapon", "--csv")).stdout.split("\n")[0];
    expect((await make("weapon", "-n", "0", "--csv")).stdout).toBe(`${head}\n`);
    await make("weapon", "-n", "0", "-o", "none.parquet");
    const file = Uint8Array.from(readFileSync(join(cwd, "none.parquet"))).buffer;
    expect(await parquetReadObjects({ file })).toEqual([]);
    expect(parquetMetadata(file).schema.map(({ name }) => name)).toEqual(["root", ...head.split(",")]);
  });

  test("leaves no part of a file, and keeps the existing file after an error", async () => {
    const folder = folderWith({ "kept.csv": "kept\n" });
    const run = (...args: string[]) => rollmill(["recipe", "make", "weapon", "--seed", "a", ...args], { cwd: folder });
    for (const args of [
      ["--request", "typ=sword"],
      ["--tier", "9"],
      ["--from", "4", "-n", "4398046511104"],
    ]) {
      expect(await run("-o", "kept.csv", ...args), args.join(" ")).toMatchObject({ code: 2, stdout: "" });
    }
    expect(readFileSync(join(folder, "kept.csv"), "utf8")).toBe("kept\n");
    expect(readdirSync(folder)).toEqual(["kept.csv"]);
    await run("-o", "kept.csv");
    expect(readFileSync(join(folder, "kept.csv"), "utf8")).toMatch(/^name,hands/);
    expect(readdirSync(folder)).toEqual(["kept.csv"]);
    expect(await run("-o", "none/w.csv")).toMatchObject({ code: 1, stderr: expect.stringContaining("[file.write]") });
  });

  test("a terminal shows the progress of a file", async () => {
    const { code, stderr } = await rollmill(
      ["recipe", "make", "weapon", "--seed", "a", "-n", "400000", "-o", "bar.csv"],
      { cwd, terminal: true },
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/making .*%.* items\/s {2}ETA .*400000 items/s);
    expect(existsSync(join(cwd, "bar.csv"))).toBe(true);
  });
});

describe("recipe make is refused before anything is printed", () => {
  test.each<[readonly string[], RegExp]>([
    [["weapno"], /got "weapno".*Did you mean "weapon"\? \[recipe\.unknown\]/],
    [["absent.json"], /^absent\.json: .*\[file\.read\]/],
    [["weapon", "--recipe", "absent.json"], /^absent\.json: .*\[file\.read\]/],
    [["weapon", "--tables", "absent"], /\[file\.read\]/],
    [["weapon", "-n", "1e-3"], /argument '1e-3' is invalid.*\[cli\.usage\]/],
    [["weapon", "-n", "-1"], /\[cli\.usage\]/],
    [["weapon", "--from", "3", "-n", "4398046511104"], /\[argument\.range\]/],
    [["weapon", "--tier", "256"], /an integer from 0 to 255\. \[cli\.usage\]/],
    [["weapon", "--tier", "9"], /\[recipe\.candidates\]/],
    [["weapon", "--tier-variance", "x"], /\[cli\.usage\]\n/],
    [["weapon", "--power", "-1"], /\[cli\.usage\]\n/],
    [["weapon", "--power", "1e400"], /\[cli\.usage\]\n/],
    [["weapon", "--request", "sword"], /\[cli\.usage\]\n/],
    [["weapon", "--request", "typ=sword"], /"typ".*Did you mean "type"\? \[recipe\.request\]/],
    [["weapon", "--request", "secondElement=fire"], /\[recipe\.request\]/],
    [["weapon", "--on-unknown", "ask"], /Allowed choices are roll, throw\. \[cli\.usage\]/],
    [["weapon", "--json", "--csv"], /cannot be used with option/],
    [["weapon", "--ndjson", "-o", "w.csv"], /cannot be used with option/],
    [["weapon", "-o", "w.parket"], /Did you mean \.parquet\? \[cli\.usage\]/],
    [["weapon", "-o", "w"], /expected \.parquet, \.csv, \.ndjson, \.json\..*\[cli\.usage\]\n$/],
    [["weapon", "--name", ""], /\[argument\.type\]/],
    [["weapon", "--seed"], /argument missing \[cli\.usage\]/],
    [[], /missing required argument 'recipe' \[cli\.usage\]/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await make(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test.each([["absent.sqlite"], ["redis://x"]])("--tables %s: no such database is a failure", async (source) => {
    const { code, stdout, stderr } = await make("weapon", "--tables", source);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/absent\.sqlite: .*\[sql\.connect\]|redis.*\[sql\.connect\]/);
  });
});
