import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_ISSUES } from "../../src/errors/index.js";
import { type Field, isParsed, type Parsed, SpecReader, seal, specOf } from "../../src/spec/index.js";

const MOST_CHARACTERS = 256;

/** Runs a read of one value, as a parser does. */
function run<T extends object>(input: unknown, read: (reader: SpecReader, root: Field) => T): Parsed<T> {
  const reader = new SpecReader({ noun: "sample", code: "walk.spec", file: "a.json" });
  return reader.run(input, (root) => read(reader, root));
}

/** The place and code of every issue. */
function placesOf({ issues }: Parsed<object>): unknown[] {
  return issues.map(({ code, where }) => [code, where.path, where.file]);
}

describe("a read of a sound object", () => {
  const input = { name: "land", size: 3, on: true, tags: ["a", "b"], kind: "hex", inner: { deep: [1, 2] } };

  test("gives the spec, sealed for its noun, without issues", () => {
    const { spec, issues } = run(input, (reader, root) => {
      const fields = reader.fields(root, Object.keys(input));
      return {
        name: reader.text(fields.get("name")),
        size: reader.integer(fields.get("size"), { least: 1, most: 3 }),
        on: reader.flag(fields.get("on")),
        tags: reader.list(fields.get("tags"), { least: 2, most: 2 }).map((tag) => reader.text(tag)),
        kind: reader.choice(fields.get("kind"), ["square", "hex"]),
        deep: reader
          .list(reader.record(fields.get("inner")).get("deep"))
          .map((entry) => [entry.path, reader.number(entry)]),
      };
    });
    expect(issues).toEqual([]);
    expect(spec).toEqual({
      name: "land",
      size: 3,
      on: true,
      tags: ["a", "b"],
      kind: "hex",
      deep: [
        ["inner.deep[0]", 1],
        ["inner.deep[1]", 2],
      ],
    });
    expect([isParsed("sample", spec), isParsed("other", spec), isParsed("sample", { ...spec })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("fills in fallbacks for absent and undefined fields alike", () => {
    for (const absent of [{}, { size: undefined, on: undefined }]) {
      const { spec, issues } = run(absent, (reader, root) => {
        const fields = reader.fields(root, ["size", "on"]);
        return {
          has: fields.has("size"),
          size: reader.number(fields.get("size"), { fallback: 7 }),
          on: reader.flag(fields.get("on")),
        };
      });
      expect([spec, issues]).toEqual([{ has: false, size: 7, on: false }, []]);
    }
  });
});

describe("a read of unsound input withholds the spec and gives the place", () => {
  test.each<[what: string, input: unknown, read: (reader: SpecReader, root: Field) => unknown, path: string]>([
    ["a root that is a list", [], (reader, root) => reader.fields(root, ["a"]), ""],
    ["a root that is null", null, (reader, root) => reader.record(root), ""],
    ["a field that is a text", { a: "x" }, (r, root) => r.record(r.record(root).get("a")), "a"],
    ["an unknown key", { aple: 1 }, (reader, root) => reader.fields(root, ["apple"]), "aple"],
    ["a missing number", {}, (r, root) => r.number(r.record(root).get("n")), "n"],
    ["NaN", { n: Number.NaN }, (r, root) => r.number(r.record(root).get("n")), "n"],
    ["infinity", { n: Infinity }, (r, root) => r.number(r.record(root).get("n")), "n"],
    ["a number as text", { n: "1" }, (r, root) => r.number(r.record(root).get("n")), "n"],
    ["a bigint", { n: 1n }, (r, root) => r.number(r.record(root).get("n")), "n"],
    ["a fraction", { n: 0.5 }, (r, root) => r.integer(r.record(root).get("n")), "n"],
    ["a number below", { n: 0 }, (r, root) => r.number(r.record(root).get("n"), { least: 1 }), "n"],
    ["a number above", { n: 2 }, (r, root) => r.number(r.record(root).get("n"), { most: 1 }), "n"],
    [
      "a null where a number may be absent",
      { n: null },
      (r, root) => r.number(r.record(root).get("n"), { fallback: 1 }),
      "n",
    ],
    ["a flag of 1", { f: 1 }, (r, root) => r.flag(r.record(root).get("f")), "f"],
    ["an empty text", { t: "" }, (r, root) => r.text(r.record(root).get("t")), "t"],
    ["a text too long", { t: "x".repeat(257) }, (r, root) => r.text(r.record(root).get("t")), "t"],
    ["257 characters of two units", { t: "🗡".repeat(257) }, (r, root) => r.text(r.record(root).get("t")), "t"],
    ["a control character", { t: "a\u0000" }, (r, root) => r.text(r.record(root).get("t")), "t"],
    ["a lone surrogate", { t: "\ud800" }, (r, root) => r.text(r.record(root).get("t")), "t"],
    ["another choice", { c: "hexx" }, (r, root) => r.choice(r.record(root).get("c"), ["hex"]), "c"],
    ["a choice of the prototype's", { c: "toString" }, (r, root) => r.choice(r.record(root).get("c"), ["hex"]), "c"],
    ["an object with a length", { l: { length: 1 } }, (r, root) => r.list(r.record(root).get("l")), "l"],
    ["a list too short", { l: [1] }, (r, root) => r.list(r.record(root).get("l"), { least: 2 }), "l"],
    ["a list too long", { l: [1, 2] }, (r, root) => r.list(r.record(root).get("l"), { most: 1 }), "l"],
    ["a flaw deep inside", { l: [{ m: [0, "x"] }] }, readDeep, "l[0].m[1]"],
  ])("%s", (_, input, read, path) => {
    const parsed = run(input, (reader, root) => ({ read: read(reader, root) }));
    expect(parsed.spec).toBeUndefined();
    expect(placesOf(parsed)).toEqual([["walk.spec", path, "a.json"]]);
    expect(() => specOf(parsed)).toThrow(expect.objectContaining({ code: "walk.spec" }));
  });

  test("a call's own code comes before the reader's", () => {
    const parsed = run({ n: -1 }, (reader, root) => ({
      n: reader.number(reader.record(root).get("n"), { least: 0, code: "weights.invalid" }),
    }));
    expect(placesOf(parsed)).toEqual([["weights.invalid", "n", "a.json"]]);
  });

  test("a warning keeps the spec", () => {
    const parsed = run({}, (reader, root) => {
      reader.warn(root, { problem: "doubtful" });
      return {};
    });
    expect([parsed.spec, parsed.issues[0].severity]).toEqual([{}, "warning"]);
  });

  test("every flaw is reported, in the order of the reads", () => {
    const parsed = run({ a: 0, b: 0, c: 0 }, (reader, root) => {
      const fields = reader.fields(root, ["a", "b"]);
      reader.text(fields.get("a"));
      reader.list(fields.get("b"));
      return {};
    });
    expect(parsed.issues.map(({ where }) => where.path)).toEqual(["c", "a", "b"]);
  });

  test("the list of issues is bounded, and its last entry has the code of the reader", () => {
    const most = MAX_ISSUES;
    const parsed = run(new Array(most + 50).fill(""), (reader, root) => ({
      texts: reader.list(root).map((entry) => reader.text(entry, "pool.path")),
    }));
    expect(parsed.issues.length).toBe(most + 1);
    expect([parsed.issues[most - 1].code, parsed.issues[most].code]).toEqual(["pool.path", "walk.spec"]);
  });
});

describe("hostile input is an issue, never an exception", () => {
  test("__proto__, constructor and toString are keys like any other", () => {
    const input: unknown = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}');
    const { spec } = run(input, (reader, root) => {
      const fields = reader.record(root);
      return { entries: fields.keys.map((key) => [key, reader.integer(fields.get(key))]) };
    });
    expect(spec?.entries).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
      ["toString", 3],
    ]);
    const inherited = run(Object.create({ n: 1 }), (reader, root) => ({ has: reader.record(root).has("n") }));
    const plain = run({}, (reader, root) => ({ has: reader.record(root).has("constructor") }));
    expect([inherited.spec, plain.spec]).toEqual([{ has: false }, { has: false }]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("any value is a spec or has an issue", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (input) => {
          const parsed = run(input, (reader, root) => {
            const fields = reader.fields(root, ["a", "b"]);
            return { a: reader.number(fields.get("a")), b: reader.list(fields.get("b")).map((b) => reader.text(b)) };
          });
          expect(parsed.spec === undefined).toBe(parsed.issues.some(({ severity }) => severity === "error"));
        },
      ),
    );
  });
});

describe("values come out as checks saw them", () => {
  test("numbers, −0 as 0", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const { spec } = run({ n: value }, (reader, root) => ({ n: reader.number(reader.record(root).get("n")) }));
        expect(Object.is(spec?.n, value + 0)).toBe(true);
      }),
    );
  });

  test("texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2 * MOST_CHARACTERS }), (value) => {
        const { spec } = run({ t: value }, (reader, root) => ({ t: reader.text(reader.record(root).get("t")) }));
        const isGood = value.length > 0 && value.length <= MOST_CHARACTERS && !/[\p{Cc}\p{Cs}]/u.test(value);
        expect(spec?.t).toBe(isGood ? value : undefined);
      }),
    );
  });

  test("holes of a list are undefined entries", () => {
    const { spec } = run(new Array(2), (reader, root) => ({ values: reader.list(root).map(({ value }) => value) }));
    expect(spec).toEqual({ values: [undefined, undefined] });
  });
});

describe("$schema", () => {
  const read = (input: unknown, isDocument?: true) => {
    const reader = new SpecReader({ noun: "sample", code: "walk.spec", ...(isDocument && { isDocument }) });
    return reader.run(input, (root) => ({ keys: reader.fields(reader.fields(root, ["a"]).get("a"), ["b"]).keys }));
  };

  test("is skipped in a document, and is an unknown key elsewhere", () => {
    expect(read({ $schema: "x.json", a: { b: 1 } }, true)).toMatchObject({ spec: { keys: ["b"] }, issues: [] });
    expect(placesOf(read({ a: { $schema: "x.json" } }, true))).toEqual([["walk.spec", "a.$schema", undefined]]);
    expect(placesOf(read({ $schema: "x.json", a: {} }))).toEqual([["walk.spec", "$schema", undefined]]);
  });

  test("must be a text", () => {
    expect(placesOf(read({ $schema: 5, a: {} }, true))).toEqual([["walk.spec", "$schema", undefined]]);
  });
});

test("a spec that was sealed by hand is recognised for that noun only", () => {
  const spec = seal("table", {});
  expect([isParsed("table", spec), isParsed("walk", spec), isParsed("table", null)]).toEqual([true, false, false]);
});

test("a parse without a spec and without errors is an error of its own", () => {
  expect(() => specOf({ spec: undefined, issues: [] })).toThrow(expect.objectContaining({ code: "argument.type" }));
});

function readDeep(reader: SpecReader, root: Field): unknown {
  return reader
    .list(reader.record(root).get("l"))
    .map((entry) => reader.list(reader.record(entry).get("m")).map((one) => reader.number(one)));
}
