import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const TABLE = "2DA V2.0\n\n  Random0 Random0Weight\n0 r4 10\n";
const names = ["__proto__", "constructor", "toString", "0", "hasOwnProperty"];
const cwd = folderWith({
  "plain.2da": TABLE,
  "crlf.2da": TABLE.replaceAll("\n", "\r\n"),
  "bom.2da": `\ufeff${TABLE}`,
  "bare.2da": TABLE.trimEnd(),
  "nul.2da": TABLE.replace("r4", "r\0"),
  "utf16.2da": Buffer.from(TABLE, "utf16le"),
  "quote.2da": TABLE.replace("r4 10", '"r4 10'),
  "ragged.2da": `${TABLE}1\n2 r1 1 2 3 4\n`,
  "names.2da": `  Random0 Random0Weight\n${names.map((name, i) => `${i} r${name} 1`).join("\n")}\n`,
  "binary.2da": Uint8Array.from({ length: 4096 }, (_, i) => (i * 197) % 256),
  "empty.2da": "",
  "junk.2da": `  Random0 Random0Weight\n${"x x x\n".repeat(20_000)}`,
  "long.2da": `${TABLE}1 r${"y".repeat(2 ** 20)} 1\n`,
});
const check = (file: string) => rollmill(["table", "check", file], { cwd });
const walk = (input: string | Uint8Array, ...args: string[]) =>
  rollmill(["walk", "run", "-", "--seed", "a", ...args], { input });

describe("2DA files from other programs", () => {
  test.each(["plain.2da", "crlf.2da", "bom.2da", "bare.2da"])("%s reads without an issue", async (file) => {
    expect(await check(file)).toMatchObject({ code: 0, stdout: "" });
    const { stdout } = await rollmill(["table", "roll", file, "--seed", "a"], { cwd });
    expect(stdout).toBe("4\n");
  });

  test.each([
    ["nul.2da", 2, /^nul\.2da:4:4: .*\[twoda\.cells\]/],
    ["utf16.2da", 2, /^utf16\.2da:1:2: .*\[twoda\.cells\]/],
    ["quote.2da", 0, /^quote\.2da:4:3: warning: .*\[twoda\.quote\]/],
    ["ragged.2da", 0, /^ragged\.2da:6:8: warning: .*ignored.*\[twoda\.cells\]\n/],
    ["binary.2da", 2, /^binary\.2da:1:\d+: /],
    ["empty.2da", 2, /^empty\.2da:1:1: .*\[twoda\.header\]/],
    ["long.2da", 2, /^long\.2da:5:1: a line is too long.*\[twoda\.limit\]\n$/],
  ])("%s: exit %d and a place", async (file, code, message) => {
    const run = await check(file);
    expect(run.code).toBe(code);
    expect(run.stdout).toMatch(message);
  });

  test("the number of messages is bounded", async () => {
    const { code, stdout } = await check("junk.2da");
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(2);
    expect(lines.length).toBeLessThan(20_003);
    expect(lines.at(-1)).toMatch(/^junk\.2da:\d+:\d+: .*\[twoda\.limit\]/);
  });

  test("results can have the names of inherited properties, and keep the order of the file", async () => {
    for (const [start, name] of names.entries()) {
      const args = ["--start", String(start), "--seed", "a", "-n", "3", "--count", "--json"];
      const { stdout } = await rollmill(["table", "roll", "names.2da", ...args], { cwd });
      const counts = names.map((result) => ({ result, count: result === name ? 3 : 0 }));
      expect(dataOf(stdout)).toEqual({ total: 3, counts, none: 0 });
    }
    const named = await rollmill(["table", "roll", "plain.2da", "--name", "__proto__", "--seed", "constructor"], {
      cwd,
    });
    expect(named).toMatchObject({ code: 0, stdout: "4\n" });
  });

  test("at most 64 MiB are read from a file, stdin or an endless device", async () => {
    writeFileSync(join(cwd, "large.2da"), TABLE);
    truncateSync(join(cwd, "large.2da"), 65 * 2 ** 20);
    const message = /^\S+: .*got \d+, expected at most 67108864 .*\[file\.read\]\n$/;
    const runs = [check("large.2da"), rollmill(["table", "check", "-"], { input: new Uint8Array(65 * 2 ** 20) })];
    if (process.platform === "linux") runs.push(check("/dev/zero"));
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(message);
    }
  });
});

describe("JSON from other programs", () => {
  test.each([
    ['{"steps": 1,\n "walkers": }', /^-:2:13: .*got "\}", expected a value \[file\.json\]\n$/],
    ['{"steps": 1\n "walkers": 2}', /^-:2:2: .*got "\\"", expected "," or "\}" \[file\.json\]\n$/],
    ['{"steps": 1,}', /^-:1:13: .*expected a name in quotes/],
    ['{"steps": 01}', /^-:1:12: .*got "1", expected "," or "\}"/],
    ["{steps: 1}", /^-:1:2: .*got "s", expected a name in quotes or "\}"/],
    ['{"name": "a\nb"}', /^-:1:12: .*no line break or control character in quotes/],
    ['{"name": "😀\\x"}', /^-:1:12: .*an escape such as/],
    ['{"steps": 1', /^-:1:12: the JSON ends too early: expected "," or "\}" \[file\.json\]\n$/],
    ['{"name": "abc', /^-:1:14: the JSON ends too early: expected a closing quote/],
    ["", /^-:1:1: the JSON ends too early: expected a value/],
    ["{} {}", /^-:1:4: .*got "\{", expected the end of the text/],
    ["\0", /^-:1:1: .*got "\\u0000", expected a value/],
    ["[".repeat(100_000), /^-:1:100001: the JSON ends too early/],
  ])("case %#: line and column", async (input, message) => {
    const { code, stdout, stderr } = await walk(input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("a byte order mark is ignored", async () => {
    expect((await walk('\ufeff{"steps": 3}', "--json")).code).toBe(0);
    expect((await walk('\ufeff{"steps": }')).stderr).toMatch(/^-:1:11: /);
  });

  test("no more than 64 MiB are read", async () => {
    const { code, stderr } = await walk(Buffer.alloc(65 * 2 ** 20, " "));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^-: the file is too large/);
  });
});

describe("walk specs from other programs", () => {
  test.each([
    ["null", /^-: .*got null.*\[walk\.spec\]\n$/],
    ["[]", /^-: .*got an array of 0.*\[walk\.spec\]\n$/],
    ["5", /^-: .*got 5.*\[walk\.spec\]\n$/],
    ['{"__proto__": {"steps": 5}}', /^- __proto__: unknown key: got "__proto__"/],
    ['{"constructor": 1}', /^- constructor: unknown key/],
    ['{"step": 5}', /^- step: unknown key: got "step", expected one of .*Did you mean "steps"\? \[walk\.spec\]\n$/],
    ['{"steps": "5"}', /^- steps: .*got "5", expected an integer/],
    ['{"steps": 1e300}', /^- steps: /],
    ['{"name": ""}', /^- name: /],
    ['{"name": "\\ud800"}', /^- name: .*got "\\ud800".*\[walk\.spec\]\n$/],
    ['{"tensor": {"absolute": {"NW": -1}}}', /^- tensor\.absolute/],
    ['{"tensor": {"absolute": {"NW": 0}}}', /^- tensor\.absolute/],
    ['{"tensor": {"absolute": {"NW": 1e300, "W": 5e-324}}}', /^- tensor.*\[weights\.\w+\]/],
    ['{"grid": {"kind": "torus", "rows": 0, "cols": 3}}', /^- grid\.rows: /],
    ['{"start": [[0, 2147483648]]}', /^- start\[0\]: /],
    ['{"start": [[0, 0]], "closed": {"cells": [[0, 0]]}}', /^- start: .*\[walk\.closed-start\]/],
    ['{"layers": []}', /^- layers: /],
    ['{"layers": [{"name": "a/b"}]}', /^- layers\[0\]\.name: /],
    ['{"layers": [{"name": "a"}], "steps": 3}', /^- steps: .*\[walk\.spec\]\n$/],
    ['{"layers": [null, 5]}', /^- layers\[0\]: .*\n- layers\[1\]: .*\[walk\.spec\]\n$/],
    ['{"heading": "toString"}', /^- heading: /],
    ['{"preset": "__proto__"}', /^- preset: /],
  ])("%s", async (input, message) => {
    const { code, stdout, stderr } = await walk(input, "--json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("a walk can have the name of an inherited property", async () => {
    const { code } = await walk(
      '{"name": "__proto__", "layers": [{"name": "constructor"}, {"name": "toString", "closed": {"layers": ["constructor"]}, "start": [[5, 5]]}]}',
      "--json",
    );
    expect(code).toBe(0);
  });

  test("walkers that exceed the memory are a failure with a remedy", async () => {
    const run = await rollmill(["walk", "ends", "-", "--seed", "a"], { input: '{"walkers": 4294967295}' });
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toMatch(/maxMemory.* \[kernel\.memory\]\n$/);
  });
});
