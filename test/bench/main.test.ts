import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { benchModule } from "./modules.js";

const { readOptions, UsageError } = await benchModule("options");
const { SUBJECTS } = await benchModule("subjects/index");
const { LOOPS } = await benchModule("against/loops");
const { isIn, pairLine, runPairs } = await benchModule("against/against");
const { ROWS, readmeTable, withTable } = await benchModule("readme");
const MAIN = fileURLToPath(new URL("../../bench/main.mjs", import.meta.url));
const execute = promisify(execFile);

describe("options", () => {
  test("everything has a default", () => {
    expect(readOptions([])).toMatchObject({ only: [], text: "", rounds: 7, seconds: 0.1, json: false });
  });

  test("subjects and cases are chosen by name", () => {
    expect(readOptions(["--only", "picks", "--case", "n=8", "--json"])).toMatchObject({
      only: ["picks"],
      text: "n=8",
      json: true,
    });
  });

  test("the table of the README has a name for its processor, and columns for others", () => {
    const others = ["--beside", "Zen 3=package.json", "--beside", "Xeon=package.json"];
    const beside = [{ processor: "Zen 3" }, { processor: "Xeon" }];
    expect(readOptions(["--readme", "--processor", "Zen 4", ...others])).toMatchObject({ processor: "Zen 4", beside });
    expect(readOptions(["--readme"])).toMatchObject({ processor: undefined, beside: [] });
  });

  test.each([
    [
      ["--only", "dice"],
      /Unknown subject "dice"\. Known: picks, rolls, steps, pools, recipes, objects, worlds, rooflines, exports, jobs, threads, instruments, engines, fill, general\./,
    ],
    [["--fast"], /'--fast'.*Known options: --only, --case/],
    [["picks"], /'picks'.*Known options/],
    [["--only", "fill", "--case", "n=8"], /No case contains "n=8"\. Known: fill u32\./],
    [["--rounds", "2.5"], /--rounds 2\.5: expected a whole number above 0/],
    [["--seconds", "0"], /--seconds 0: expected a number above 0/],
    [["--beside", "Xeon=none.json"], /--beside Xeon=none\.json: expected PROCESSOR=FILE/],
    [["--against", "test"], /--against test: expected a built checkout/],
    [["--against", ".", "--json"], /leave out --json/],
    [["--against", ".", "--idle"], /leave out --idle/],
    [
      ["--against", ".", "--only", "rolls", "--case", "n=8"],
      /No case contains "n=8"\. Known: rolls seed, rolls large\./,
    ],
  ])("%j is refused, naming what is known", (args, message) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(message);
  });
});

describe("two checkouts", () => {
  test("every subject has a loop, except files and instruments, whose time is not that of the kernel, jobs, threads, rooflines, and other engines", () => {
    const subjects = SUBJECTS.map(({ name }) => name).filter(
      (name) => !["rooflines", "exports", "jobs", "threads", "instruments", "engines"].includes(name),
    );
    expect(new Set(LOOPS.map(({ subject }) => subject))).toEqual(new Set(subjects));
  });

  test("a loop is left out if the other checkout lacks what it times", () => {
    const against = fileURLToPath(new URL("../..", import.meta.url));
    expect(isIn({}, { against })).toBe(true);
    expect(isIn({ needs: "dist/worlds" }, { against })).toBe(true);
    expect(isIn({ needs: "dist/worlds" }, { against: "test" })).toBe(false);
  });

  test("a checkout against itself gives the same results, in pairs", async () => {
    const against = fileURLToPath(new URL("../..", import.meta.url));
    const options = { against, rounds: 2, seconds: 0.002, progress: () => {} };
    const { text, ratios } = await runPairs({ subject: "picks", name: "n=8" }, options);
    expect(text).toBe("picks n=8");
    expect(ratios).toHaveLength(2);
    for (const ratio of ratios) expect(ratio).toBeGreaterThan(0);
  });

  test("a line has medians, the median ratio and its spread, and marks a loop that became slower", () => {
    const line = (after: number[]) =>
      pairLine({ text: "picks n=8", before: [1, 1, 1], after, ratios: after.map((ns) => ns / 1) });
    expect(line([1.01, 0.99, 1.02])).toMatch(/^picks n=8 +1\.000 +1\.010 +1\.010 +0\.990–1\.020$/);
    expect(line([1.04, 1.03, 1.02])).toMatch(/1\.030 +1\.020–1\.040 {2}MISSED, at most 1\.02$/);
  });
});

describe("the table of the README", () => {
  const row = (name: string, ns: number, reference = false) => ({ name, reference, ns: [ns, ns, ns] });
  const rows = [row("rollmill", 1.234), row("c", 4), row("c, branch-free", 1, true), row("slow", 40), row("quick", 20)];
  const results = [{ subject: "picks", unit: "pick", case: "n=8", rows }];
  const machine = {
    rollmill: "0.1.0",
    node: "20.20.2",
    processor: "EPYC",
    cores: 2,
    compiler: "gcc",
    date: "2026-11-22",
  };
  const table = readmeTable(results, [{ text: "a chunk", measured: 16.23, unit: " KiB" }], machine, []);

  test("names machine, Node, compiler and date, and has a row for each case that ran", () => {
    for (const part of ["EPYC", "Node 20.20.2", "gcc", "2026-11-22"]) expect(table).toContain(part);
    const wanted = "| weighted pick, 8 entries | 1.23 | 4 (0.31) | – | 20 (0.062), quick |";
    expect(table.split("\n").filter((line) => line.startsWith("| weighted"))).toEqual([wanted]);
    expect(table).toContain("\n| a chunk | 16.2 KiB |\n");
  });

  test("has a column for each other processor", () => {
    const other = { processor: "Other", results: [{ subject: "picks", case: "n=8", ns: 2, rivals: { c: 8 } }] };
    const lines = readmeTable(results, [], machine, [other, { processor: "Idle", results: [] }]).split("\n");
    expect(lines.find((line) => line.startsWith("| nano"))).toMatch(/ best npm rival \| Other \| Idle \|$/);
    expect(lines.find((line) => line.startsWith("|---"))).toMatch(/^\|(---\|){7}$/);
    expect(lines.find((line) => line.startsWith("| weighted"))).toMatch(/, quick \| 2 \(0\.25, –\) \| – \|$/);
  });

  test("of the README has the text and the rows that the bench writes", () => {
    const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const begin = page.indexOf("<!-- bench:begin -->");
    const lines = page.slice(begin, page.indexOf("<!-- bench:end -->")).split("\n");
    const all = ROWS.map(([, subject, name]) => ({
      subject,
      unit: "",
      case: name,
      rows: [rows[0]],
    }));
    const blank = { rollmill: "?", node: "?", processor: "?", cores: "?", compiler: "?", date: "?" };
    const others = ["?", "?"].map((processor) => ({ processor, results: [] }));
    const wanted = readmeTable(all, [], blank, others).split("\n").slice(0, -1);
    const labels = (table: readonly string[]) => table.map((line) => (line.startsWith("| ") ? line.split("|")[1] : ""));
    expect(labels(lines).slice(0, wanted.length)).toEqual(labels(wanted));
    for (const [i, line] of wanted.entries()) {
      if (line.startsWith("| ")) continue;
      const parts = line.split("?").map((part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      expect(lines[i]).toMatch(new RegExp(`^${parts.join(".+")}$`));
    }
  });

  test("replaces the one between the markers, and nothing else", () => {
    const page = "before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n";
    expect(withTable(page, table)).toBe(`before\n${table}\nafter\n`);
    expect(() => withTable("no markers", table)).toThrow("bench:begin");
  });
});

describe("the program", () => {
  test("--json prints the results and nothing else on stdout", async () => {
    const args = [MAIN, "--only", "fill", "--rounds", "1", "--seconds", "0.005", "--json"];
    const { stdout, stderr } = await execute(process.execPath, args);
    const [result, ...others] = JSON.parse(stdout);
    expect(others).toEqual([]);
    expect(result).toMatchObject({ subject: "fill", case: "u32", ns: expect.any(Number) });
    expect(result.rivals).toMatchObject({ js: expect.any(Number), "pure-rand": expect.any(Number) });
    expect(stderr).toContain(`Node ${process.versions.node}`);
    expect(stderr).toContain("ns/word");
  });

  test("a mistake on the command line ends it with 2 and a line on stderr", async () => {
    const failed = execute(process.execPath, [MAIN, "--only", "dice"]);
    await expect(failed).rejects.toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^Unknown.*\n$/) });
  });
});
