import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNameFlaw, fileNameKey, isBlank } from "../../src/spec/index.js";

describe("a name that becomes a file name", () => {
  test.each([
    "element",
    "火の剣",
    "half moon",
    "a.b",
    "x".repeat(251),
    "é".repeat(125),
    "console",
    "com",
    "a'b",
    "=1",
    "ＣＯＮ",
  ])("%j is fine", (name) => {
    expect(fileNameFlaw(name, ".csv")).toBeUndefined();
  });

  test.each([
    "",
    ".",
    "..",
    "../../evil",
    "..\\evil",
    "/etc/passwd",
    "a/b",
    "C:evil",
    "\\\\host\\share",
    "a\0",
    "a\n",
    "a\u009b",
    "\ud800",
    ".hidden",
    "a.",
    "a ",
    "CON",
    "con.txt",
    "Lpt1",
    "com¹",
    "CONIN$",
    "a?",
    "a*",
    "a|b",
    "<a>",
    'a"b',
    "x".repeat(252),
    "é".repeat(126),
  ])("%j is refused", (name) => {
    expect(fileNameFlaw(name, ".csv")).toEqual(expect.any(String));
  });

  test("stays in its folder", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        if (fileNameFlaw(name, ".csv") !== undefined) return;
        const folder = mkdtempSync(join(tmpdir(), "rollmill-names-"));
        try {
          writeFileSync(join(folder, `${name}.csv`), "");
          expect(readdirSync(folder).map((one) => one.normalize())).toEqual([`${name}.csv`.normalize()]);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { seed: 20431 },
    );
  });

  test("names that lead to the same file on some systems have the same key", () => {
    for (const [a, b] of [
      ["Type", "tYPE"],
      ["résumé", "re\u0301sume\u0301"],
      ["ÉTÉ", "e\u0301te\u0301"],
      ["Σας", "σασ"],
    ])
      expect(fileNameKey(a)).toBe(fileNameKey(b));
    expect(fileNameKey("resume")).not.toBe(fileNameKey("résumé"));
  });
});

describe("a blank text", () => {
  test.each([
    "",
    " ",
    "\t",
    "\u00a0",
    "\u2003",
    "\u3000",
    "\u200b",
    "\u200d\u2060",
    "\ufeff",
    "\u00ad",
    "\u3164",
    "\u2800",
    "\u180e",
    "\ufe0f",
    " \u200b ",
  ])("%j", (text) => {
    expect(isBlank(text)).toBe(true);
  });

  test.each(["a", " a ", "🗡️", "\u00a0.", "\u200ba", "火", "-", "\u0301"])("%j is not one", (text) => {
    expect(isBlank(text)).toBe(false);
  });
});
