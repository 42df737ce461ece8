import { describe, expect, test } from "vitest";
import { BULK_OPTIONS, checkRange, MAX_INDEX } from "../../src/calls/index.js";
import { checkInteger, readOptions } from "../../src/spec/index.js";
import { codeOf } from "../refusal.js";

describe("options of a call", () => {
  test.each<[what: string, options: unknown, code: string | undefined]>([
    ["no option", {}, undefined],
    ["every option", { from: 1, signal: new AbortController().signal, onProgress: () => undefined }, undefined],
    ["options that are undefined", { from: undefined, signal: undefined, onProgress: undefined }, undefined],
    ["an unknown option", { form: 1 }, "argument.option"],
    ["an unknown option that is undefined", { form: undefined }, "argument.option"],
    ["an option named __proto__", JSON.parse('{"__proto__": 1}'), "argument.option"],
    ["null", null, "argument.type"],
    ["a number", 5, "argument.type"],
    ["an array", [], "argument.type"],
    ["a signal of another kind", { signal: {} }, "argument.type"],
    ["a signal that is a text", { signal: "stop" }, "argument.type"],
    ["a callback that is not a function", { onProgress: 1 }, "argument.type"],
  ])("%s", (_, options, code) => {
    expect(codeOf(() => readOptions("x.rollMany", options as object, BULK_OPTIONS))).toBe(code);
  });

  test.each<[what: string, options: unknown]>([
    ["a Map", new Map([["from", 1]])],
    ["a Promise", Promise.resolve({})],
    ["a Date", new Date(0)],
    ["a number in an object", Object(5)],
    ["a function", () => ({ from: 1 })],
    ["a symbol", Symbol("from")],
    ["a signal that cannot be asked", { signal: { aborted: false, throwIfAborted: 5 } }],
  ])("%s is refused", (_, options) => {
    expect(codeOf(() => readOptions("x.rollMany", options as object, BULK_OPTIONS))).toBe("argument.type");
  });

  test("an option is read once, and an inherited option counts", () => {
    let reads = 0;
    class Own {
      get from(): number {
        return reads++;
      }
    }
    const options = readOptions("x.rollMany", new Own() as object, BULK_OPTIONS);
    expect([options, reads]).toEqual([{ from: 0 }, 1]);
    expect(
      readOptions("x.rollMany", Object.freeze(Object.assign(Object.create(null), { from: 3 })), BULK_OPTIONS),
    ).toEqual({
      from: 3,
    });
  });

  test("a call without options refuses any", () => {
    expect(codeOf(() => readOptions("x.odds", { at: 1 }, []))).toBe("argument.option");
  });
});

describe("ranges of indices", () => {
  test.each<[from: unknown, count: unknown, isSound: boolean]>([
    [0, 0, true],
    [0, MAX_INDEX, true],
    [MAX_INDEX - 1, 1, true],
    [MAX_INDEX - 1, 2, false],
    [MAX_INDEX, 0, false],
    [-1, 1, false],
    [0, -1, false],
    [0.5, 1, false],
    [0, 1.5, false],
    [Number.NaN, 1, false],
    ["0", 1, false],
    [0, undefined, false],
    [0, 1n, false],
  ])("from %s, %s results", (from, count, isSound) => {
    expect(codeOf(() => checkRange(from as number, count as number))).toBe(isSound ? undefined : "argument.range");
  });

  test("both bounds of an integer are inclusive", () => {
    const codes = [1, 2, 3, 4].map((value) => codeOf(() => checkInteger("n", value, 2, 3)));
    expect(codes).toEqual(["argument.range", undefined, undefined, "argument.range"]);
  });
});
