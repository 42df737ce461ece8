import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { compileObjects } from "../../src/objects/compile.js";
import { parseObjects } from "../../src/objects/index.js";
import { whyImpossible } from "../../src/objects/odds/impossible.js";
import { objectOdds } from "../../src/objects/odds.js";
import { kindNamed } from "../../src/objects/parse/names.js";
import type { ObjectFiles, ObjectTexts } from "../../src/objects/types.js";
import { codeOf } from "../refusal.js";

const BARE: ObjectTexts = {
  object: "N:1:& Blade~\nI:23:1\nA:10:1 to 50\n",
  objectBase: "N:sword:Blade~\n",
  egoItem: "",
  egoThemes: "",
  artifact: "",
};
const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join("");
const flags = (count: number, type: (i: number) => string) => lines(count, (i) => `F${i},${type(i)}\n`);

function filesOf(changes: Partial<ObjectTexts>): ObjectFiles {
  const { spec: files, issues } = parseObjects({ ...BARE, ...changes });
  if (files === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return files;
}

function errorsOf(changes: Partial<ObjectTexts>): string[] {
  const { issues } = parseObjects({ ...BARE, ...changes });
  return issues
    .filter(({ severity }) => severity === "error")
    .map(({ code, where: { file, line } }) => `${file}:${line} ${code}`);
}

describe("reading is bounded", () => {
  test("255 affixes × 32,767 flags × 1,000 lines: lines of the same types share one list", () => {
    const affix = (i: number) => `N:${i}:prefix:A${i}\nT:sword:0:9:good:1:1 to 50\n${i === 0 ? "R:1:BAD\n" : ""}`;
    const egoItem = (count: number) => lines(255, affix) + lines(count, () => "R:1:MISC\nR:1:BAD | MISC\n");
    const list = flags(32_767, (i) => (i % 2 === 0 ? "MISC" : "BAD"));
    const sizeOf = (count: number) => compileObjects(filesOf({ flags: list, egoItem: egoItem(count) })).image.length;
    // each further line takes a record of a few words, and no list of its own
    expect((sizeOf(501) - sizeOf(1)) / 1000).toBeLessThan(64);
  });

  test("combinations of flag types that need too many flags are refused with both figures", () => {
    const list = flags(32_767, (i) => `T${i % 16}`);
    const types = (i: number) => Array.from({ length: 16 }, (_, bit) => bit).filter((bit) => ((i >> bit) & 1) === 1);
    const egoItem = (count: number) =>
      `N:1:prefix:A\n${lines(
        count,
        (i) =>
          `R:1:${types(2 ** 16 - 1 - i)
            .map((bit) => `T${bit}`)
            .join(" | ")}\n`,
      )}`;
    expect(errorsOf({ flags: list, egoItem: egoItem(100) })).toEqual([]);
    const { issues } = parseObjects({ ...BARE, flags: list, egoItem: egoItem(250) });
    expect(issues.find(({ code, severity }) => code === "object.files" && severity === "error")?.message).toMatch(
      /got 4\d{6}, expected at most 4194304/,
    );
  });

  test("kinds that inherit too many flags of their type are refused", () => {
    const list = flags(4096, () => "MISC");
    const names = Array.from({ length: 4096 }, (_, i) => `F${i}`).join(" | ");
    const objectBase = Array.from({ length: 5 }, (_, i) => `N:t${i}:T~\nI:${100 + i}\nF:${names}\n`).join("");
    const object = (count: number) => lines(count, (i) => `N:${i}:& K~\nI:${100 + (i >> 8)}:${i & 255}\nA:1:1 to 9\n`);
    expect(errorsOf({ flags: list, objectBase, object: object(1024) })).toEqual([]);
    expect(errorsOf({ flags: list, objectBase, object: object(1026) })).toEqual(["object.txt:3073 object.files"]);
  });

  test("too many T lines of affixes are refused at the first of them", () => {
    const egoItem = (count: number) => `N:1:prefix:A\n${lines(count, () => "T:sword:0:9:good:1:1 to 50\n")}`;
    expect(errorsOf({ egoItem: egoItem(65_536) })).toEqual([]);
    expect(errorsOf({ egoItem: egoItem(65_540) })).toEqual(["ego_item.txt:65538 object.files"]);
  });

  test("an affix of many types is compiled by its lines, not by lines × types", () => {
    const types = lines(2000, (i) => `N:t${i}:T~\n`);
    const object = lines(2000, (i) => `N:${i}:& K~\nI:t${i}:1\nA:1:1 to 9\n`);
    const egoItem = `N:1:prefix:A\n${lines(2000, (i) => `T:t${i}:0:9:good:1:1 to 9\n`)}`;
    const maker = createMill({ seed: "types" }).objects("types", { ...BARE, object, objectBase: types, egoItem });
    expect(maker.make({ level: 5, kind: 1999, with: ["A"], great: true }).affixes[0].name).toBe("A");
  });
});

describe("queries are bounded", () => {
  test("odds of two slots that need too many comparisons are refused", () => {
    const egoItem = (count: number) => lines(count, (i) => `N:${i}:prefix:A${i}\nT:sword:0:9:good:1:${i % 50} to 50\n`);
    const odds = (count: number) =>
      objectOdds(filesOf({ egoItem: egoItem(count) }), {
        ...{ of: "themeOfTwoSlots", kind: 1, level: 5, affixLevel: "good" },
      } as const);
    expect(codeOf(() => odds(10))).toBeUndefined();
    expect(codeOf(() => odds(6000))).toBe("object.request");
  });

  test("so are requests; kinds without lines cost nothing", () => {
    const object = lines(5000, (i) => `N:${i}:& K~\nI:${(i >> 8) + 1}:${i & 255}\nA:1:1 to 50\n`);
    const objectBase = lines(20, (i) => `N:t${i}:T~\nI:${i + 1}\n`);
    const egoItem = `N:1:prefix:A\n${lines(500, (i) => `T:t0:${i % 256}:255:good:0:1 to 50\n`)}`;
    const files = filesOf({ object, objectBase, egoItem });
    const request = { level: 40, quality: "normal" } as const;
    expect(whyImpossible(files, request)).toBeUndefined();
    expect(codeOf(() => whyImpossible(files, { ...request, affixes: files.affixes }))).toBe("object.request");
    const kind = kindNamed(files, 0);
    expect(whyImpossible(files, { ...request, kind, affixes: files.affixes })).toBeDefined();
  });
});
