import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shippedRecipe, type TablesInput } from "../../src/index.js";
import { SHIPPED_RECIPES } from "../../src/recipes/index.js";
import { loadTables, type RecipeTables } from "../../src/wordstores/index.js";
import { SQLITE_STATE } from "../wordstores/sqliteState.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({});
const at = (...path: string[]) => join(cwd, ...path);
const tables = (...args: string[]) => rollmill(["recipe", "tables", ...args], { cwd });
const word = (...args: string[]) => rollmill(["recipe", "word", ...args], { cwd });
const { recipe: spec, tables: words } = shippedRecipe("weapon") as {
  recipe: RecipeTables["spec"];
  tables: TablesInput;
};
const load = (source: string) => loadTables(at(source), { recipe: "weapon", spec });

/** The kinds of places for words, and a title for each. */
const PLACES = [
  { title: "JSON", isMissing: false, ending: ".json" },
  { title: "a folder", isMissing: false, ending: "" },
  { ...SQLITE_STATE, ending: ".sqlite" },
];

describe("recipe tables", () => {
  describe.each(PLACES)("$title", ({ isMissing, ending }) => {
    test.skipIf(isMissing)(
      "import copies the recipe's own words, and prints the number of words of each table",
      async () => {
        const { code, stdout, stderr } = await tables("import", "weapon", "--to", `w${ending}`);
        const counts = Object.entries(words).map(([table, rows]) => `${table}\t${rows.length}`);
        expect(stdout.trimEnd().split("\n").sort()).toEqual(counts.sort());
        const total = Object.values(words).reduce((sum, rows) => sum + rows.length, 0);
        expect({ code, stderr }).toEqual({ code: 0, stderr: `words copied: ${total}\n` });
        const loaded = await load(`w${ending}`);
        expect(loaded.type.map((row) => row.word)).toEqual(words.type.map((row) => row.word));
      },
    );

    test.skipIf(isMissing)("to any other kind of place and back, the words stay the same", async () => {
      const chain = [`a${ending}`, "b.json", "c", `d${ending}`, "e.json"];
      await tables("import", "weapon", "--to", chain[0], "--replace");
      for (let i = 1; i < chain.length; i++) {
        const args = ["export", "weapon", "--from", chain[i - 1], "--to", chain[i], "--replace"];
        const { code, stderr } = await tables(...args);
        expect(code, stderr).toBe(0);
      }
      expect(readdirSync(at("c")).sort()).toEqual(
        Object.keys(words)
          .sort()
          .map((table) => `${table}.csv`),
      );
      expect(readFileSync(at("e.json"), "utf8")).toBe(readFileSync(at("b.json"), "utf8"));
      expect(await load(`d${ending}`)).toEqual(await load(`a${ending}`));
    });

    test.skipIf(isMissing)("existing words stay, except with --replace", async () => {
      const to = `kept${ending}`;
      await tables("import", "weapon", "--to", to);
      await word("propose", "weapon", "prefix", "soggy", "--tables", to);
      const before = await load(to);
      expect(await tables("import", "weapon", "--to", to)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/\[(?:file\.write|sql\.query)\]\n$/),
      });
      expect(await load(to)).toEqual(before);
      expect(await tables("import", "weapon", "--to", to, "--replace")).toMatchObject({ code: 0 });
      expect((await load(to)).prefix).toHaveLength(words.prefix.length);
    });

    test.skipIf(isMissing)("a proposed word is listed, and used only after it is accepted", async () => {
      const to = `p${ending}`;
      await tables("export", "weapon", "--to", to);
      const asked = ["make", "weapon", "--seed", "a", "--tables", to, "--request", "element=foggy", "--json"];
      const proposed = await word(
        "propose",
        "weapon",
        "element",
        "foggy",
        "--tables",
        to,
        "--stat",
        "attack=2",
        "--stat",
        "sneak=0.3",
        "--by",
        "Bilbo",
        "--time",
        "2026-11-22T07:00:00+01:00",
      );
      const line = "element\tfoggy\tproposed\tattack 2, sneak 0.3\t2026-11-22T06:00:00.000Z\tBilbo\n";
      expect(proposed).toMatchObject({ code: 0, stdout: line, stderr: "" });
      expect((await rollmill(["recipe", ...asked], { cwd })).stdout).toContain('"unknown":["element"]');

      expect((await word("list", "weapon", "--tables", to)).stdout).toBe(proposed.stdout);
      expect((await word("list", "weapon", "element", "--tables", to)).stdout).toBe(proposed.stdout);
      expect((await word("list", "weapon", "type", "--tables", to)).stdout).toBe("");
      const [row, ...others] = dataOf((await word("list", "weapon", "--tables", to, "--json")).stdout);
      expect(row).toMatchObject({ table: "element", word: "foggy", status: "proposed", attack: 2, sneak: 0.3 });
      expect(others).toEqual([]);

      const accepted = await word("accept", "weapon", "element", "foggy", "--tables", to, "--json");
      expect(dataOf(accepted.stdout)).toMatchObject({ table: "element", word: "foggy", active: true });
      expect((await word("list", "weapon", "--tables", to)).stdout).toBe("");
      const [made] = dataOf((await rollmill(["recipe", ...asked], { cwd })).stdout);
      expect(made.requests.met).toEqual(["element"]);
      expect(made.name).toMatch(/^Foggy /);
    });
  });

  test("move every shipped recipe", async () => {
    for (const recipe of SHIPPED_RECIPES) {
      const { code, stderr } = await tables("import", recipe, "--to", `all-${recipe}.json`);
      expect(code, stderr).toBe(0);
    }
  });

  test("a recipe from a file is named by its stem", async () => {
    writeFileSync(at("blade.json"), JSON.stringify(spec));
    const args = ["import", "blade.json", "--to", "blade-words.json"];
    expect(await tables(...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/--from/) });
    await tables("export", "weapon", "--to", "blades");
    expect(await tables(...args, "--from", "blades")).toMatchObject({ code: 0 });
    const { stdout } = await rollmill(
      ["recipe", "make", "blade.json", "--tables", "blade-words.json", "--name", "weapon", "--seed", "a", "-n", "20"],
      { cwd },
    );
    const plain = await rollmill(["recipe", "make", "weapon", "--seed", "a", "-n", "20"]);
    expect(stdout).toBe(plain.stdout);
  });
});

describe("recipe word", () => {
  test("reject, edit, deactivate and activate change a word, and say what looks like it", async () => {
    await tables("export", "weapon", "--to", "u.json");
    const at = ["--tables", "u.json", "--json"];
    const change = async (verb: string, text: string, ...more: string[]) => {
      const { code, stdout, stderr } = await word(verb, "weapon", "prefix", text, ...at, ...more);
      return { code, stderr, row: code === 0 ? dataOf(stdout) : undefined };
    };
    const proposed = await change("propose", "Soggy", "--weight", "0.5", "--stat", "attack=-1");
    expect(proposed.row).toMatchObject({ word: "Soggy", weight: 0.5, attack: -1, lookAlikes: [] });
    expect((await change("reject", "Soggy")).row).toMatchObject({ status: "rejected" });
    expect((await word("list", "weapon", "--tables", "u.json")).stdout).toBe("");
    expect((await word("list", "weapon", "--tables", "u.json", "--rejected")).stdout).toMatch(
      /^prefix\tSoggy\trejected/,
    );
    expect((await change("accept", "Soggy")).row).toMatchObject({ active: true });
    const edited = await change("edit", "Soggy", "--word", "soggy", "--weight", "2", "--stat", "attack=-2");
    expect(edited.row).toMatchObject({ word: "soggy", weight: 2, attack: -2 });
    expect((await change("deactivate", "soggy")).row).toMatchObject({ active: false });
    expect((await change("activate", "soggy")).row).toMatchObject({ active: true });
    const shown = await rollmill(["recipe", "show", "weapon", "--tables", "u.json"], { cwd });
    expect(shown.stdout).toContain("weights of words: weight");
    const alike = await change("propose", "s0ggy");
    expect(alike).toMatchObject({ code: 0, stderr: expect.stringContaining('"soggy"') });
    expect(alike.row.lookAlikes).toMatchObject([{ word: "soggy" }]);
    expect(await change("propose", "SOGGY", "--strict")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/\[recipe\.look-alike\]/),
    });
  });

  test("a word that would break the recipe is refused", async () => {
    await tables("export", "weapon", "--to", "v.json");
    await word("propose", "weapon", "type", "pike", "--tables", "v.json", "--stat", "attack=99999999999");
    const before = readFileSync(at("v.json"), "utf8");
    const { code, stderr } = await word("accept", "weapon", "type", "pike", "--tables", "v.json");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/"pike".*\[recipe\.overflow\]/) });
    expect(readFileSync(at("v.json"), "utf8")).toBe(before);
  });

  test("a proposal has the tier of --tier", async () => {
    await tables("export", "weapon", "--to", "t.json");
    const { stdout } = await word("propose", "weapon", "type", "spork", "--tables", "t.json", "--tier", "6", "--json");
    expect(dataOf(stdout)).toMatchObject({ table: "type", word: "spork", tier: 6, status: "proposed" });
  });
});

describe("errors are reported, and nothing changes", () => {
  test.each<[readonly string[], RegExp, number?]>([
    [["tables", "import", "weapon"], /required option '--to <target>' not specified \[cli\.usage\]/],
    [["tables", "import", "weapno", "--to", "x.json"], /\[recipe\.unknown\]/],
    [["tables", "import", "weapon", "--from", "none.json", "--to", "x.json"], /none\.json.*\[file\.read\]/],
    [["tables", "import", "weapon", "--from", "none.db", "--to", "x.json"], /none\.db.*\[sql\.connect\]/, 1],
    [["tables", "import", "weapon", "--to", "ftp://x"], /\[sql\.connect\]/, 1],
    [["word", "propose", "weapon", "element", "foggy", "--tables", "x.sqlite"], /x\.sqlite.*\[sql\.connect\]/, 1],
    [["word", "accept", "weapon", "element", "foggy", "--tables", "x.sqlite"], /x\.sqlite.*\[sql\.connect\]/, 1],
    [["tables", "merge", "weapon"], /unknown command 'merge'/],
    [["word", "propose", "weapon", "element", "foggy"], /required option '--tables <target>' not specified/],
    [["word", "propose", "weapon", "elemnt", "foggy", "--tables", "q.json"], /"elemnt".*\[recipe\.tables\]/],
    [
      ["word", "propose", "weapon", "element", "foggy", "--tables", "q.json", "--stat", "attack=x"],
      /got "x".*\[cli\.usage\]\n$/,
    ],
    [
      ["word", "propose", "weapon", "element", "foggy", "--tables", "q.json", "--stat", "atack=1"],
      /atack.*\[recipe\.tables\]/,
    ],
    [["word", "propose", "weapon", "element", "foggy", "--tables", "q.json", "--tier", "256"], /\[cli\.usage\]/],
    [["word", "propose", "weapon", "element", "a".repeat(300), "--tables", "q.json"], /256.*\[recipe\.tables\]/],
    [["word", "propose", "weapon", "element", "a\nb", "--tables", "q.json"], /control characters.*\[recipe\.tables\]/],
    [["word", "accept", "weapon", "element", "foggy", "--tables", "q.json"], /"foggy".*\[recipe\.word\]/],
    [["word", "list", "weapon", "elemnt", "--tables", "q.json"], /"elemnt".*\[recipe\.tables\]/],
    [["word", "reject", "weapon", "element", "foggy", "--tables", "q.json"], /"foggy".*\[recipe\.word\]/],
    [["word", "edit", "weapon", "element", "foggy", "--tables", "q.json", "--weight", "x"], /--weight.*\[cli\.usage\]/],
    [["word", "propose", "weapon", "element", "foggy", "--tables", "q.json", "--time", "noon"], /\[cli\.usage\]/],
  ])("%j", async (args, message, exit = 2) => {
    await tables("export", "weapon", "--to", "q.json", "--replace");
    const before = readFileSync(at("q.json"), "utf8");
    const { code, stdout, stderr } = await rollmill(["recipe", ...args], { cwd });
    expect([code, stdout]).toEqual([exit, ""]);
    expect(stderr).toMatch(message);
    expect(readFileSync(at("q.json"), "utf8")).toBe(before);
    expect(readdirSync(cwd).filter((file) => file.startsWith("x."))).toEqual([]);
  });

  test("an existing word cannot be proposed", async () => {
    await tables("export", "weapon", "--to", "r.json");
    const [{ word: known }] = words.prefix;
    const { code, stderr } = await word("propose", "weapon", "prefix", known, "--tables", "r.json");
    expect({ code, said: /\[recipe\.duplicate\]/.test(stderr) }).toEqual({ code: 2, said: true });
  });
});

describe("--timeout", () => {
  test("a database that stops answering ends every command within the stated time", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => server.on("listening", done));
    const url = `postgres://a@127.0.0.1:${(server.address() as AddressInfo).port}/b`;
    const limit = ["--timeout", "0.2"];
    const commands = [
      ["tables", "import", "weapon", "--to", url],
      ["word", "list", "weapon", "--tables", url],
      ["word", "propose", "weapon", "type", "spork", "--tables", url],
      ["make", "weapon", "--seed", "a", "--tables", url],
    ];
    for (const command of commands) {
      const { code, stderr } = await rollmill(["recipe", ...command, ...limit], { cwd });
      expect([command[0], code, stderr]).toEqual([command[0], 1, expect.stringContaining("[sql.timeout]")]);
    }
    server.close();
  });

  test.each(["0", "-1", "x", "1e9", "2147484"])("%s is refused", async (seconds) => {
    const { code, stderr } = await word("list", "weapon", "--tables", "w.json", `--timeout=${seconds}`);
    expect([code, stderr.includes("[cli.usage]")]).toEqual([2, true]);
  });
});

test("a change of a word reports a malformed row, and keeps it", async () => {
  const { code } = await tables("import", "weapon", "--to", "malformed");
  expect(code).toBe(0);
  const file = at("malformed", "type.csv");
  writeFileSync(file, `${readFileSync(file, "utf8")}x,odd\n`);
  const proposed = await word("propose", "weapon", "type", "spork", "--tables", "malformed");
  expect([proposed.code, proposed.stderr.includes("[recipe.tables]")]).toEqual([0, true]);
  expect(readFileSync(file, "utf8")).toMatch(/^x,odd,*$/m);
});
