import { describe, expect, test } from "vitest";
import { readList } from "../../src/spec/index.js";
import { codeOf } from "../refusal.js";

describe("readList", () => {
  test("a length that is not a number is refused, and not converted to a number", () => {
    let conversions = 0;
    const length = { valueOf: () => ++conversions };
    const list = new Proxy([1, 2], { get: (target, key) => (key === "length" ? length : Reflect.get(target, key)) });
    expect(codeOf(() => readList("cells", list, { of: "cells" }))).toBe("argument.range");
    expect(conversions).toBe(0);
  });
});
