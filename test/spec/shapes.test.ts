import { describe, expect, expectTypeOf, test } from "vitest";
import {
  choice,
  FLAG,
  type InputOf,
  integer,
  list,
  namedValues,
  nameOf,
  number,
  oneKey,
  optional,
  record,
  type Shape,
  SpecReader,
  TEXT,
  variants,
} from "../../src/spec/index.js";

const SIZES = new Map([
  ["small", 1],
  ["large", 2],
] as const);
const INNER = record({ deep: optional(number({ least: 0 }), 0.5) });
const ANIMAL = record({
  name: TEXT,
  legs: optional(integer({ least: 0, most: 1000 }), 4),
  tame: FLAG,
  kind: choice(["cat", "dog"]),
  size: optional(nameOf(SIZES, { problem: "unknown size", code: "walk.tensor" })),
  tags: optional(list(TEXT, { most: 2, of: "tags" }), []),
  inner: optional(INNER),
  by: optional(namedValues(integer({ least: 0 }))),
});

function read<Spec>(shape: Shape<unknown, Spec>, input: unknown) {
  const reader = new SpecReader({ noun: "sample", code: "walk.spec" });
  const { spec, issues } = reader.run(input, (root) => ({ value: shape.read(reader, root) }));
  return { value: spec?.value, places: issues.map(({ code, where }) => [code, where.path]) };
}

test("an object is read with its fallbacks", () => {
  expect(read(ANIMAL, { name: "Tom", kind: "cat" })).toEqual({
    value: { name: "Tom", legs: 4, tame: false, kind: "cat", tags: [] },
    places: [],
  });
  const whole = { name: "Rex", legs: 3, tame: true, kind: "dog", size: "large", tags: ["a"], inner: {}, by: { x: 1 } };
  expect(read(ANIMAL, whole).value).toEqual({
    ...whole,
    size: 2,
    inner: { deep: 0.5 },
    by: new Map([["x", 1]]),
  });
});

test("each error is reported at its place, with the code of its shape", () => {
  const input = { legs: -1, kind: "cow", size: "huge", tags: ["", "b"], inner: { deep: -1, dep: 2 }, by: { x: "1" } };
  expect(read(ANIMAL, { ...input, nam: "Tom" }).places).toEqual([
    ["walk.spec", "nam"],
    ["walk.spec", "name"],
    ["walk.spec", "legs"],
    ["walk.spec", "kind"],
    ["walk.tensor", "size"],
    ["walk.spec", "tags[0]"],
    ["walk.spec", "inner.dep"],
    ["walk.spec", "inner.deep"],
    ["walk.spec", "by.x"],
  ]);
});

test("the type of the input has the optional fields as optional", () => {
  expectTypeOf({}).toExtend<InputOf<typeof INNER>>();
  expectTypeOf<InputOf<typeof INNER>["deep"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<InputOf<typeof ANIMAL>["kind"]>().toEqualTypeOf<"cat" | "dog">();
  expectTypeOf<InputOf<typeof ANIMAL>["size"]>().toEqualTypeOf<"small" | "large" | undefined>();
});

test("names that break the rule are reported at their entries", () => {
  const flaw = (name: string) => (name === "a" ? undefined : "a");
  const BY_NAME = namedValues(integer({ least: 0 }), { flaw, json: { const: "a" } });
  expect(read(BY_NAME, { a: 1 }).value).toEqual(new Map([["a", 1]]));
  expect(read(BY_NAME, { b: 1, a: -1 }).places).toEqual([
    ["walk.spec", "b"],
    ["walk.spec", "a"],
  ]);
});

test("the parts of a value that is no object are not reported, not even those that are named later", () => {
  const reader = new SpecReader({ noun: "sample", code: "walk.spec" });
  const { issues } = reader.run({ inner: 5 }, (root) => {
    INNER.read(reader, root.part("inner"));
    reader.report(root.part("inner", "deep", 0), { problem: "no part" });
    return {};
  });
  expect(issues.map(({ where }) => where.path)).toEqual(["inner"]);
});

describe("an object with one of several keys", () => {
  const ONE = oneKey({ on: TEXT, count: integer({ least: 1 }) }, "{on} or {count}");

  test("is read as this key and its value", () => {
    expect(read(ONE, { count: 5 }).value).toEqual({ kind: "count", value: 5 });
  });

  test.each([
    ["no key", {}, [["walk.spec", ""]]],
    ["two keys", { on: "a", count: 5 }, [["walk.spec", ""]]],
    ["an unknown key", { off: "a" }, [["walk.spec", "off"]]],
    ["a wrong value", { count: 0 }, [["walk.spec", "count"]]],
    ["no object", 5, [["walk.spec", ""]]],
  ])("is refused with %s", (_, input, places) => {
    expect(read(ONE, input).places).toEqual(places);
  });
});

describe("an object of one of several kinds", () => {
  const GRID = variants("a grid", "kind", { open: record({}), closed: record({ rows: integer({ least: 1 }) }) });

  test("is read by its kind", () => {
    expect(read(GRID, { kind: "open" }).value).toEqual({ kind: "open" });
    expect(read(GRID, { kind: "closed", rows: 3 }).value).toEqual({ kind: "closed", rows: 3 });
  });

  test.each([
    ["a key of another kind", { kind: "open", rows: 3 }, [["walk.spec", "rows"]]],
    ["a missing key", { kind: "closed" }, [["walk.spec", "rows"]]],
    ["an unknown kind", { kind: "half", rows: 0 }, [["walk.spec", "kind"]]],
    ["an unknown key", { kind: "open", cols: 3 }, [["walk.spec", "cols"]]],
  ])("is refused with %s", (_, input, places) => {
    expect(read(GRID, input).places).toEqual(places);
  });
});
