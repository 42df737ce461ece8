import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type Code,
  error,
  fail,
  failOnErrors,
  formatIssue,
  type Issue,
  RollmillError,
  show,
  warning,
} from "../src/errors/index.js";
import { createMill, parseTable, parseWalk } from "../src/index.js";

const thrownBy = (job: () => unknown): unknown => {
  try {
    job();
  } catch (cause) {
    return cause;
  }
  return undefined;
};

describe("a message says what is wrong, what came, what was expected and what to do", () => {
  test("all four parts", () => {
    const finding = { problem: "the weight is not usable", got: -1, expected: "0 or more", remedy: "Raise it" };
    expect(error("table.weight", finding)).toEqual({
      code: "table.weight",
      severity: "error",
      message: "the weight is not usable: got -1, expected 0 or more. Raise it.",
      where: {},
    });
  });

  test.each([
    [{ problem: "p" }, "p"],
    [{ problem: "p", got: undefined }, "p: got nothing"],
    [{ problem: "p", expected: "e" }, "p: expected e"],
    [{ problem: "p", remedy: "Do it" }, "p. Do it."],
    [{ problem: "p", got: 1, remedy: 'Did you mean "a"?' }, 'p: got 1. Did you mean "a"?'],
  ])("%o", (finding, message) => {
    expect(warning("table.gap", finding).message).toBe(message);
    expect(warning("table.gap", finding).severity).toBe("warning");
  });
});

describe("an issue is shown as file:line:column: message [code]", () => {
  test.each([
    [{ file: "a.2da", line: 3, column: 7 }, "a.2da:3:7: m [table.weight]"],
    [{ file: "a.2da" }, "a.2da: m [table.weight]"],
    [{ file: "a.json", path: "layers[1].steps" }, "a.json layers[1].steps: m [table.weight]"],
    [{ path: "rows[0]" }, "rows[0]: m [table.weight]"],
    [{ path: "" }, "m [table.weight]"],
    [{}, "m [table.weight]"],
  ])("%o", (where, line) => {
    expect(formatIssue(error("table.weight", { problem: "m", where }))).toBe(line);
  });

  test("a warning says that it is one", () => {
    const where = { file: "a.2da", line: 1, column: 1 };
    expect(formatIssue(warning("table.gap", { problem: "m", where }))).toBe("a.2da:1:1: warning: m [table.gap]");
  });
});

describe("any value can be shown", () => {
  const unprintable = {
    toString() {
      throw new Error("no");
    },
  };

  test.each([
    ["a\nb", '"a\\nb"'],
    ["", '""'],
    ["\ud800", '"\\ud800"'],
    [Number.NaN, "NaN"],
    [-0, "0"],
    [5n, "5n"],
    [undefined, "undefined"],
    [null, "null"],
    [true, "true"],
    [Symbol("s"), "Symbol(s)"],
    [() => 1, "a function"],
    [[1, 2, 3], "an array of 3"],
    [Promise.resolve(1), "a Promise"],
  ])("case %#: %s", (value, text) => {
    expect(show(value)).toBe(text);
  });

  test("also one that throws when it is looked at", () => {
    expect(show(unprintable)).toBe("an object");
    expect(show(Object.create(null))).toBe("an object");
  });

  test("in at most 60 characters", () => {
    expect(show("x".repeat(58))).toBe(`"${"x".repeat(58)}"`);
    expect(show("x".repeat(59))).toBe(`"${"x".repeat(55)}…"`);
    // a cut inside an escape sequence or a surrogate pair removes all of it
    for (const character of ['"', "\n", "\u0001", "\ud800", "😀"]) {
      const shown = show(`${"x".repeat(54)}${character.repeat(9)}`);
      expect(shown).toBe(`"${"x".repeat(54)}…"`);
    }
    expect(show(10n ** 1000n)).toHaveLength(58);
    expect(show("x".repeat(1e6))).toHaveLength(58);
  });
});

describe("got is not cut before the point: a shortened text contains its flaw", () => {
  test.each([
    [`${"x".repeat(200)}!${"y".repeat(200)}`, 200],
    [`${"x".repeat(200)}!`, 200],
    [`${"\u0001".repeat(200)}!${"\u0001".repeat(200)}`, 200],
    [`${"😀".repeat(100)}!${"😀".repeat(100)}`, 200],
    [`!${"x".repeat(200)}`, 0],
    [`${"x".repeat(20)}!${"x".repeat(200)}`, 20],
  ])("case %#", (text, flawAt) => {
    const shown = show(text, flawAt);
    expect(shown).toContain("!");
    expect(shown.length).toBeLessThanOrEqual(58);
    expect(shown).not.toMatch(/\p{Surrogate}/u);
    expect([shown.startsWith('"…'), shown.endsWith('…"')]).toEqual([flawAt > 20, !text.endsWith("!")]);
    expect(error("table.weight", { problem: "p", got: text, flawAt }).message).toBe(`p: got ${shown}`);
  });

  const long = "x".repeat(90);
  const family = () => createMill({ seed: "a" }).pools("items", { roots: { [long]: { kind: "finite", records: [] } } });
  test.each<[string, string, () => unknown]>([
    ["a control character in a name", "\\u0007", () => parseWalk({ name: `${long}\u0007${long}` })],
    ["a layer name", "/", () => parseWalk({ layers: [{ name: `${long}/${long}` }] })],
    ["an empty part of a pool's path", "x..x", () => family().pool(`${long}..${long}`)],
    ["a column name", "x-x", () => parseTable(`2DA V2.0\n\n${long}-${long} Random0 Random0Weight\n`)],
  ])("%s", (_, part, call) => {
    let issues: readonly Issue[] = [];
    try {
      ({ issues } = call() as { issues: readonly Issue[] });
    } catch (cause) {
      ({ issues } = cause as RollmillError);
    }
    expect(/got "(?:\\.|[^"\\])*"/.exec(issues[0].message)?.[0]).toContain(part);
  });

  test("a short text stays whole", () => expect(show("abc!", 3)).toBe('"abc!"'));
});

describe("RollmillError", () => {
  const bad = error("table.jump", { problem: "first", where: { file: "a.2da", line: 2, column: 3 } });
  const worse = error("table.weight", { problem: "second" });
  const doubtful = warning("table.gap", { problem: "third" });

  test("carries its issues, the first one's code, and a line for each", () => {
    const thrown = new RollmillError([bad, worse]);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown.name).toBe("RollmillError");
    expect(thrown.code).toBe("table.jump");
    expect(thrown.issues).toEqual([bad, worse]);
    expect(thrown.message).toBe("a.2da:2:3: first [table.jump]\nsecond [table.weight]");
    expect("cause" in thrown).toBe(false);
  });

  test("fail throws one issue, with its cause where there is one", () => {
    const cause = new Error("deep");
    expect(thrownBy(() => fail(bad, cause))).toMatchObject({ issues: [bad], cause });
    expect("cause" in (thrownBy(() => fail(bad)) as object)).toBe(false);
  });

  test("failOnErrors throws all errors together, and lets warnings pass", () => {
    expect(thrownBy(() => failOnErrors([doubtful, bad, worse]))).toMatchObject({ issues: [bad, worse] });
    expect(() => failOnErrors([doubtful])).not.toThrow();
    expect(() => failOnErrors([])).not.toThrow();
  });
});

describe("the codes are a closed set", () => {
  const folder = new URL("../src/", import.meta.url);
  const read = (path: string) => readFileSync(new URL(path, folder), "utf8");
  const codes = [...read("errors/codes.ts").matchAll(/^ {2}\| "([^"]+)"/gm)].map(([, code]) => code as Code);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/^errors.codes|^kernel.bytes/.test(path))
    .map(read);
  const text = files.join("\n");

  test("each is a noun and what is wrong with it, and stands once", () => {
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((code) => !/^[a-z]+\.[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test("each is used", () => {
    expect(codes.filter((code) => !text.includes(`"${code}"`))).toEqual([]);
  });

  test("each that a comment promises exists", () => {
    const nouns = new Set(codes.map((code) => code.split(".")[0]));
    const promised = [...text.matchAll(/@throws[^@]*?\*\//g)]
      .flatMap(([tag]) => [...tag.matchAll(/`([a-z]+)\.([a-z-]+|\*)`/g)])
      .filter(([, noun]) => nouns.has(noun))
      .map(([, noun, what]) => `${noun}.${what}`);
    expect(promised.length).toBeGreaterThan(50);
    expect(promised.filter((code) => !code.endsWith(".*") && !codes.some((known) => known === code))).toEqual([]);
  });
});
