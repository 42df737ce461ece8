import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { createMill, type MakeObjectsOptions, type ObjectTexts } from "../../src/index.js";
import { FILE_NAMES } from "../../src/objects/index.js";
import { describeText } from "../../src/objects/show/describe.js";
import { writeObjectFolder } from "./objectFolder.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const DUNGEON = fileURLToPath(new URL("../../data/dungeon", import.meta.url));
const texts = Object.fromEntries(
  Object.entries(FILE_NAMES).flatMap(([key, name]) => {
    const path = join(DUNGEON, name);
    return existsSync(path) ? [[key, readFileSync(path, "utf8")]] : [];
  }),
) as unknown as ObjectTexts;
const SYNTHETIC = [{ affixes: ["Tarred", "Steady"], name: "Bargeman's", kind: "prefix" }];
const cwd = folderWith({
  "limit.json": JSON.stringify({ most: 12, scores: { toHit: 1, toDam: 2 } }),
  "names.json": JSON.stringify(SYNTHETIC),
  "flawed.json": JSON.stringify([{ affixes: ["Tarrd"], name: "x", kind: "prefix" }]),
});
const make = (...args: string[]) =>
  rollmill(["object", "make", DUNGEON, "--level", "30", "--seed", "moria", ...args], { cwd });
const opened = (name = "dungeon") => createMill({ seed: "moria" }).objects(name, texts);
const objects = (n: number, options: Partial<MakeObjectsOptions> = {}, name?: string) =>
  opened(name).makeMany(n, { level: 30, ...options });
const rows = async (...args: string[]) => dataOf((await make(...args, "--json")).stdout);

describe("object make", () => {
  test("prints one name per line, with --describe also the properties", async () => {
    const made = objects(40, { great: true });
    const names = Array.from({ length: 40 }, (_, k) => made.name(k));
    expect(await make("--great", "-n", "40")).toMatchObject({ code: 0, stdout: `${names.join("\n")}\n`, stderr: "" });
    const told = names.map((_, k) => `${describeText(made.describe(k))}\n`);
    expect((await make("--great", "-n", "40", "--describe")).stdout).toBe(told.join(""));
    expect((await make("--great")).stdout).toBe(`${names[0]}\n`);
  });

  test("a record is looked up once: a number is never looked up again as a name", async () => {
    const object = `${texts.object}\nN:900:Axe\nI:22:200\nN:901:900\nI:5:1\n`;
    writeObjectFolder(join(cwd, "numbers"), { ...texts, object });
    const asked = (kind: string) =>
      rollmill(
        ["object", "make", "numbers", "--level", "1", "--seed", "a", "--no-artifacts", "--kind", kind, "--json"],
        { cwd },
      );
    const kinds = ["Axe", "900", "901"].map(async (kind) => dataOf((await asked(kind)).stdout)[0].kind);
    expect(await Promise.all(kinds)).toEqual(["Axe", "900", "900"]);
  });

  test("--limit is the library's", async () => {
    const limit = { most: 12, scores: { toHit: 1, toDam: 2 } };
    const made = objects(60, { great: true, limit });
    expect(await rows("--great", "-n", "60", "--limit", "limit.json")).toEqual([...made.rows()]);
    expect([...made.rows()]).not.toEqual([...objects(60, { great: true }).rows()]);
  });

  test("Objects 3: --limit does not probe level 0, where good files may have no kind", async () => {
    const object = texts.object.replace(/^A:(\d+):\d+ to (\d+)/gm, "A:$1:20 to $2");
    writeObjectFolder(join(cwd, "deep"), { ...texts, object });
    const args = ["--level", "30", "--seed", "a", "--limit", "limit.json"];
    expect(await rollmill(["object", "make", "deep", ...args], { cwd })).toMatchObject({ code: 0, stderr: "" });
    const stats = ["object", "stats", "deep", "--levels", "30", "-n", "5", "--seed", "a", "--limit", "limit.json"];
    expect(await rollmill(stats, { cwd })).toMatchObject({ code: 0 });
  });

  test("Objects 4: --from goes on at once when every artifact was made, however far it is", async () => {
    const last = 4_398_046_511_103;
    const [{ index }] = await rows("--great", "--from", String(last));
    expect(index).toBe(last);
  });

  test.each([
    ['{ "most": "x" }', /^limit\.json limit\.most: .*got "x", .*\[object\.request\]\n$/],
    [
      '{ "most": 1, "scores": { "flags": { "SPED": 1 } } }',
      /^limit\.json limit\.scores\.flags\.SPED: .*Did you mean "SPEED"\?/,
    ],
    ['{ "most": 1, "scors": {} }', /^limit\.json limit: .*"scors".*"scores"\? \[object\.request\]/],
    ['{ "most": 1, "power": 5 }', /^limit\.json limit\.power: .*limit\.power.*\[argument\.type\]\n$/],
    ["[1]", /^limit\.json limit: .*\[argument\.type\]\n$/],
    ['{ "most": 1,', /^limit\.json:1:13: the JSON ends too early/],
  ])("a limit of %s is refused, with its file", async (text, message) => {
    const folder = folderWith({ "limit.json": text });
    const args = ["object", "make", DUNGEON, "--level", "30", "--limit", "limit.json"];
    expect(await rollmill(args, { cwd: folder })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(message),
    });
  });

  test("--json, --ndjson and --csv are the library's rows", async () => {
    const wanted = [...objects(200, { good: true }).rows()];
    expect(await rows("--good", "-n", "200")).toEqual(wanted);
    expect((await make("--good", "-n", "200", "--ndjson")).stdout).toBe(
      wanted.map((row) => `${JSON.stringify(row)}\n`).join(""),
    );
    const read = parse((await make("--good", "-n", "200", "--csv")).stdout, { columns: true }) as Record<
      string,
      string
    >[];
    expect(
      read.map(({ name, kind, affix_level, to_hit, flags }) => ({ name, kind, affix_level, to_hit, flags })),
    ).toEqual(
      wanted.map(({ name, kind, affixLevel, toHit, flags }) => {
        return { name, kind, affix_level: affixLevel ?? "", to_hit: String(toHit), flags: flags.join("|") };
      }),
    );
    expect(await rows("-n", "0")).toEqual([]);
  });

  test("--from replays the artifacts before it: any part equals that part of the whole", async () => {
    const all = [...objects(3000, { great: true }).rows()];
    expect(all.filter(({ artifact }) => artifact !== null).length).toBeGreaterThan(3);
    expect(await rows("--great", "--from", "1500", "-n", "1500")).toEqual(all.slice(1500));
    const fresh = [...objects(1500, { great: true, from: 1500 }).rows()];
    expect(all.slice(1500), "some artifact of the second half is made in the first").not.toEqual(fresh);
  });

  test.each<[readonly string[], Partial<MakeObjectsOptions>]>([
    [["--kind", "longsword"], { kind: "Longsword" }],
    [["--tval", "sword", "--no-artifacts"], { tval: "sword", artifacts: false }],
    [["--great", "--with", "Steady", "--with", "Tarred"], { great: true, with: ["Steady", "Tarred"] }],
    [["--affix-level", "uber"], { affixLevel: "uber" }],
  ])("%j is what the library makes", async (args, options) => {
    expect(await rows("-n", "30", ...args)).toEqual([...objects(30, options).rows()]);
  });

  test("--theme and --artifact are obeyed, the artifact at any index", async () => {
    const { artifacts } = opened().files;
    const theme = [...objects(5000, { great: true }).rows()].find((row) => row.theme !== null)?.theme ?? "";
    const [row] = await rows("--great", "--theme", theme);
    expect(row.theme).toBe(theme);
    const artifact = artifacts.find(({ allocations, requires }) => {
      return requires.length === 0 && allocations.some(({ least, most }) => least <= 30 && 30 <= most);
    });
    for (const from of ["0", "4000000000"]) {
      const [made] = await rows("--artifact", String(artifact?.number), "--from", from);
      expect(made).toMatchObject({ index: Number(from), artifact: artifact?.name });
    }
  });

  test("--name names the objects; the default is the folder", async () => {
    expect(await rows("-n", "50", "--name", "chest/7")).toEqual([...objects(50, {}, "chest/7").rows()]);
  });

  test("--names, --repeats, --hide-ac and --hide-dice change the names and nothing else", async () => {
    const all = { affixes: "all", repeats: "count", hideAc: true, hideDice: true } as const;
    const args = ["--names", "all", "--repeats", "count", "--hide-ac", "--hide-dice"];
    expect(await rows("--great", "-n", "60", ...args)).toEqual([...objects(60, { great: true }).rows(all)]);
    const synthetic = ["--names", "synthetic", "--synthetic-names", "names.json"];
    const found = await rows("--great", "--with", "Steady", "--with", "Tarred", "-n", "20", ...synthetic);
    expect(found.some(({ name }: { name: string }) => name.includes("Bargeman's"))).toBe(true);
  });

  test("without --seed, the printed random seed repeats the run", async () => {
    const first = await rollmill(["object", "make", DUNGEON, "--level", "9", "-n", "20"]);
    const seed = /^seed: ([0-9a-f]{12})\n$/.exec(first.stderr)?.[1];
    const again = await rollmill(["object", "make", DUNGEON, "--level", "9", "-n", "20", "--seed", String(seed)]);
    expect(again).toMatchObject({ code: 0, stdout: first.stdout, stderr: "" });
  });
});

describe("object make -o", () => {
  test.each(["csv", "ndjson", "json"])(".%s is what is printed", async (ending) => {
    const { code, stdout, stderr } = await make("-n", "70000", "-o", `o.${ending}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^o\.\w+: 70000 objects in [\d.]+ s, [\d.]+[KM]? a second\n$/);
    const printed = await make("-n", "70000", `--${ending}`);
    expect(readFileSync(join(cwd, `o.${ending}`), "utf8")).toBe(printed.stdout);
  });

  test(".parquet has names, numbers and flags, at every index", async () => {
    await make("--good", "--no-artifacts", "-n", "3", "--from", "4294967293", "-o", "far.parquet");
    const { buffer, byteOffset, byteLength } = readFileSync(join(cwd, "far.parquet"));
    const read = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer });
    expect(read.map(({ index }) => index)).toEqual([4294967293n, 4294967294n, 4294967295n]);
    for (const row of read)
      expect(row).toMatchObject({ name: expect.any(String), tval: expect.any(String), slots: expect.any(Number) });
  });

  test("leaves no part of a file, and keeps the existing file after an error", async () => {
    const folder = folderWith({ "kept.csv": "kept\n" });
    const run = (...args: string[]) =>
      rollmill(["object", "make", DUNGEON, "--level", "30", "--seed", "a", "--attempts", "9", ...args], {
        cwd: folder,
      });
    const { themes } = opened().files;
    expect(await run("-o", "kept.csv", "-n", "9999", "--theme", themes[0].name)).toMatchObject({ code: 2 });
    expect(readFileSync(join(folder, "kept.csv"), "utf8")).toBe("kept\n");
    expect(readdirSync(folder)).toEqual(["kept.csv"]);
    expect(await run("-o", "none/o.csv")).toMatchObject({ code: 1, stderr: expect.stringContaining("[file.write]") });
  });
});

describe("object make is refused before anything is printed", () => {
  test.each<[readonly string[], RegExp]>([
    [["--level", "300"], /an integer from 0 to 255\. \[cli\.usage\]/],
    [["--kind", "Longswrd"], /"Longswrd".*Did you mean "Longsword"\? \[object\.name\]/],
    [["--with", "Stedy"], /Did you mean "Steady"\? \[object\.name\]/],
    [["--theme", "x"], /"x".*\[object\.name\]/],
    [["--tval", "spoon"], /"spoon".*\[object\.request\]/],
    [["--affix-level", "best"], /"best".*\[object\.request\]/],
    [["--good", "--great"], /cannot be used with option/],
    [["--artifact", "1", "-n", "2"], /\[object\.impossible\]/],
    [["-n", "2", "--from", "4398046511103"], /\[argument\.range\]/],
    [["-n", "1e-3"], /\[cli\.usage\]/],
    [["--json", "--describe"], /cannot be used with option/],
    [["-o", "o.parket"], /Did you mean \.parquet\? \[cli\.usage\]/],
    [["--names", "synthetic"], /--synthetic-names.*\[cli\.usage\]/],
    [
      ["--names", "synthetic", "--synthetic-names", "flawed.json"],
      /^flawed\.json.*Did you mean "Tarred"\? \[object\.name\]/,
    ],
    [["--name", ""], /\[argument\.type\]/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await make(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test("a combination that no object can have is refused", async () => {
    const { code, stderr } = await make(
      "--kind",
      "Longsword",
      "--theme",
      opened().files.themes.at(-1)?.name ?? "",
      "--attempts",
      "9",
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/\[object\.impossible\]/);
  });

  test("a folder without the files", async () => {
    const { code, stderr } = await rollmill(["object", "make", ".", "--level", "1"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^object\.txt: .*\[object\.files\]/);
  });
});
