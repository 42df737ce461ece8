import { describe, expect, test } from "vitest";
import { FlagBits } from "../../src/affixes/flagBits.js";
import { MAX_FLAGS } from "../../src/affixes/flags.js";
import { parseObjectFiles } from "../../src/affixes/index.js";
import type { ObjectFiles, ObjectTexts } from "../../src/affixes/types.js";
import { createMill } from "../../src/index.js";
import { SMALL, smallWith } from "./small.js";

/** Lines by number, from 0. */
function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("");
}

function filesOf(changes: Partial<ObjectTexts>): ObjectFiles {
  const { files, issues } = parseObjectFiles(smallWith(changes));
  if (files === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return files;
}

describe("files of many records are read as small ones are", () => {
  test("artifacts name kinds of their own type; of two kinds with one name the later", () => {
    const kind = (i: number) => `N:${100 + i}:& Kind ${i % 200}~\nI:${i < 250 ? 21 : 22}:${i % 250}\n`;
    const object = SMALL.object + lines(400, kind);
    const artifact = `N:1:A\nI:hafted:Kind 7\nN:2:B\nI:hafted:Kind 70\nN:3:C\nI:polearm:Kind 50\nN:4:D\nI:polearm:Kind 199\n`;
    expect(filesOf({ object, artifact }).artifacts.map(({ tval, sval }) => [tval, sval])).toEqual([
      [21, 207],
      [21, 70],
      [22, 0],
      [22, 149],
    ]);
    const { issues } = parseObjectFiles(
      smallWith({ object, artifact: "N:1:A\nI:sword:Kind 7\nN:2:B\nI:sword:Kriz\n" }),
    );
    expect(issues.map(({ where, message }) => [where.line, message])).toEqual([
      [2, expect.stringContaining("no sword is called so")],
      [4, expect.stringContaining('Did you mean "Kris"?')],
    ]);
  });

  test("flags of a type come in the order of the list, whatever the order of the types", () => {
    const flags = lines(300, (i) => `F${i},${["MISC", "SLAY", "STAT", "BAD"][i % 4]}\n`);
    const egoItem = "N:1:prefix:A\nR:1:BAD | MISC\nR:1:MISC | BAD | MISC\nR:1:SLAY\nZ:1:1:255:STAT\n";
    const only = { object: "N:1:K\nI:23:1\n", objectBase: "N:sword:B\n", egoThemes: "", artifact: "" };
    const [affix] = filesOf({ ...only, flags, egoItem }).affixes;
    const of = (...rests: number[]) =>
      Array.from({ length: 300 }, (_, i) => i)
        .filter((i) => rests.includes(i % 4))
        .map((i) => `F${i}`);
    expect(affix.randomFlags.map(({ flags: names }) => names)).toEqual([of(0, 3), of(0, 3), of(1)]);
    expect(affix.randomPvals.map(({ flags: names }) => names)).toEqual([of(2)]);
    const bits = new FlagBits(filesOf({ ...only, flags, egoItem }).flags);
    const named = ["F299", "F4", "F1", "F0", "F160"];
    expect(bits.inOrder(named).map((bit) => bits.names[bit])).toEqual(["F0", "F1", "F4", "F160", "F299"]);
  });
});

describe("flags have bits of 16 bits", () => {
  const sword = {
    object: "N:1:& Blade~\nI:23:1\nA:10:1 to 50\n",
    objectBase: "N:sword:Blade~\n",
    egoThemes: "",
    artifact: "",
  };

  test("the last of as many as there may be is had by name, and one more is an error at its line", () => {
    const flags = (count: number) => `flag,type\n# none\n${lines(count, (i) => `F${i},MISC\n`)}`;
    const last = `F${MAX_FLAGS - 1}`;
    const egoItem = `N:1:prefix:A\nR2:1:${last}\nT:sword:1:1:good:1:1 to 50\n`;
    const drops = createMill({ seed: "flags" }).objects("drops", { ...sword, egoItem, flags: flags(MAX_FLAGS) });
    expect(drops.make({ level: 20, great: true, with: ["A"] }).flags).toEqual([last]);
    const { files, issues } = parseObjectFiles({ ...sword, egoItem, flags: flags(MAX_FLAGS + 2) });
    expect(files).toBeUndefined();
    expect(issues.filter(({ severity }) => severity === "error")).toEqual([
      expect.objectContaining({
        code: "object.files",
        where: { file: "flags.csv", line: MAX_FLAGS + 3, column: 1 },
        message: "the file holds too many flags: got 32769, expected at most 32767. Remove those from here on.",
      }),
    ]);
  });

  test("two flags for each element take the most bits, and these are enough", () => {
    const names = Array.from({ length: MAX_FLAGS }, (_, i) => `${i % 2 === 0 ? "RES" : "IM"}_E${i >> 1}`);
    const bits = new FlagBits(names.map((name) => ({ name, type: name.startsWith("I") ? "IMM" : "LRES" })));
    const all = bits.inOrder(names);
    expect(new Set(all).size).toBe(MAX_FLAGS);
    expect(Math.max(...all)).toBeLessThan(2 ** 16);
  });
});
