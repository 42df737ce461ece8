import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactNumber, shortestOf32 } from "../../src/wordstores/database.js";
import { placeOf } from "../../src/wordstores/place.js";

describe("a decimal as text", () => {
  test.each([
    ["1.50", 1.5],
    ["-0.200", -0.2],
    ["100", 100],
    ["1e2", 100],
    ["+.5", 0.5],
    ["5.", 5],
    ["-0.000", 0],
    ["0.1000000000000000000000", 0.1],
    ["1E-7", 1e-7],
    ["9007199254740992", 2 ** 53],
    ["123456789012345678", undefined],
    ["9007199254740993", undefined],
    ["0.1234567890123456789", undefined],
    ["1e400", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
    ["0x10", undefined],
    ["", undefined],
    [" 1", undefined],
    ["1,5", undefined],
  ])("%s is %s", (text, value) => {
    expect(exactNumber(text)).toBe(value);
  });

  test("is the number that is written so", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(5), (value, zeros) => {
        const text = String(value);
        const padded = text.includes("e") || !text.includes(".") ? text : text + "0".repeat(zeros);
        expect(exactNumber(padded)).toBe(value === 0 ? 0 : value);
      }),
      { seed: 20262 },
    );
  });

  test("of 15 digits is always exact", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: -20, max: 20 }), (digits, exponent) => {
        const short = Math.trunc(digits / 16);
        expect(exactNumber(`${short}e${exponent}`)).toBe(short === 0 ? 0 : Number(`${short}e${exponent}`));
      }),
      { seed: 20263 },
    );
  });
});

test("a float of 32 bits is the shortest decimal that it is read back from", () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const shortest = shortestOf32(value);
      expect(Math.fround(shortest) - value).toBe(0);
      expect(String(shortest).replace(/e.*|\D/g, "").length).toBeLessThanOrEqual(String(value).length + 1);
    }),
    { seed: 20264 },
  );
  expect([0.2, 1.1, 16777216, -3].map((value) => shortestOf32(Math.fround(value)))).toEqual([0.2, 1.1, 16777216, -3]);
});

test.each([
  ["words", "folder", "words"],
  ["./words.json", "json", "./words.json"],
  ["words.sqlite", "sqlite", "words.sqlite"],
  ["sqlite:words", "sqlite", "words"],
  ["sqlite:///tmp/words", "sqlite", "/tmp/words"],
  ["file:///tmp/words.db", "sqlite", "/tmp/words.db"],
  ["C:\\words", "folder", "C:\\words"],
  ["postgres://a:b@host:5433/db?sslmode=require", "postgres", "postgres://a@host:5433/db"],
  ["MySQL://a:b@host/db", "mysql", "mysql://a@host/db"],
  ["mariadb://host/db", "mysql", "mariadb://host/db"],
])("%s is a place of kind %s, shown as %s", (source, kind, shown) => {
  expect(placeOf(source)).toMatchObject({ kind, shown });
});
