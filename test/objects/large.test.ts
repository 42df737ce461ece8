import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import { createMill } from "../../src/index.js";
import { PlanImage } from "../../src/kernel/index.js";
import { AffixRecord, KindRecord, OBJECT_FLAGS, ObjectHead, VECTOR_BYTES } from "../../src/kernel/layout.js";
import { viewsOf } from "../../src/kernel/views.js";
import { compileObjects, refuseTooLarge } from "../../src/objects/compile.js";
import { parseObjects } from "../../src/objects/index.js";
import { FlagBits } from "../../src/objects/law/flagBits.js";
import { reaches } from "../../src/objects/law/reach.js";
import { MAX_FLAGS } from "../../src/objects/parse/flags.js";
import type { ObjectFiles, ObjectTexts, ThemePart, ThemeSpec } from "../../src/objects/types.js";
import { SMALL, smallWith } from "./small.js";

/** Lines by number, from 0. */
function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("");
}

function filesOf(changes: Partial<ObjectTexts>): ObjectFiles {
  const { spec: files, issues } = parseObjects(smallWith(changes));
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
    const { issues } = parseObjects(smallWith({ object, artifact: "N:1:A\nI:sword:Kind 7\nN:2:B\nI:sword:Kriz\n" }));
    expect(issues.map(({ code, where, message }) => [code, where.line, message])).toEqual([
      ["object.name", 4, expect.stringContaining('Did you mean "Kris"?')],
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

describe("a plan that would be too large is refused before it is made", () => {
  /** The code and the first words of what is thrown; undefined where nothing is. */
  const refusal = (files: Partial<ObjectFiles>): string | undefined => {
    const all = { ...filesOf({ egoThemes: "", artifact: "" }), ...files };
    try {
      refuseTooLarge(all, new FlagBits(all.flags));
    } catch (thrown) {
      if (thrown instanceof RollmillError) return `${thrown.code} ${thrown.issues[0].message}`;
      throw thrown;
    }
    return undefined;
  };
  const small = filesOf({});
  const [kind] = small.kinds;
  const [affix] = small.affixes;
  const many = <T>(count: number, record: T): T[] => Array.from({ length: count }, () => record);
  const ofFlags = (count: number, type: string) => Array.from({ length: count }, (_, i) => ({ name: `F${i}`, type }));

  test("affixes × themes", () => {
    const [affixes, theme] = [many(4096, affix), small.themes[0]];
    expect(refusal({ affixes, themes: many(4096, theme) })).toBeUndefined();
    expect(refusal({ affixes, themes: many(4097, theme) })).toMatch(
      /^object.files .*got 16781312, expected at most 16777216/,
    );
  });

  test("kinds and artifacts, by the bytes of an object", () => {
    // an object of 2^16 bytes: up to its flags, a mask of one vector, and 2 for each flag with a value
    const count = (2 ** 16 - OBJECT_FLAGS - VECTOR_BYTES) / 2;
    const flags = ofFlags(count, "STAT");
    expect(refusal({ affixes: [], flags, kinds: many(1024, kind) })).toBeUndefined();
    expect(refusal({ affixes: [], flags, kinds: many(1023, kind), artifacts: many(2, small.artifacts[0]) })).toContain(
      "got 1025, expected at most 1024 kinds and artifacts",
    );
  });

  test("affixes, by their masks of flags", () => {
    const flags = ofFlags(2 ** 14, "MISC");
    expect(refusal({ flags, affixes: many(2 ** 15, affix) })).toBeUndefined();
    expect(refusal({ flags, affixes: many(2 ** 15 + 1, affix) })).toMatch(
      /^object.files .*got 32769, expected at most 32768 affixes/,
    );
  });

  test("T lines, by the cases that their depths make", () => {
    const depths = (i: number) => `${i % 250} to ${Math.min(255, (i % 250) + Math.floor(i / 250))}`;
    const egoItem = (count: number, level: (i: number) => string) =>
      lines(count, (i) => `N:${i}:prefix:A${i}\nT:sword:0:9:${level(i)}:1:${depths(i)}\n`);
    const compiled = (text: string) => compileObjects(filesOf({ egoItem: text, egoThemes: "", artifact: "" }));
    expect(compiled(egoItem(80, () => "good")).image.length).toBeGreaterThan(0);
    expect(() => compiled(egoItem(1500, () => "good"))).toThrow(expect.objectContaining({ code: "object.files" }));
  });

  test("a mill does so", () => {
    const egoItem = lines(4100, (i) => `N:${i}:prefix:A${i}\n`);
    const egoThemes = lines(4100, (i) => `N:${i}:prefix:T${i}\n`);
    const mill = createMill({ seed: "large" });
    expect(() => mill.objects("drops", smallWith({ egoItem, egoThemes, artifact: "" }))).toThrow(
      /4100 affixes and 4100 themes/,
    );
  });

  test("and the bytes of any plan have a bound", () => {
    const image = new PlanImage(new Uint8Array(16));
    expect(() => image.place(new Uint8Array(2 ** 30))).toThrow(/\[kernel\.memory\]/);
    expect([image.bytes.length, image.words([1])]).toEqual([16, 16]);
  });
});

test("a plan says of each kind and each affix which themes are for it", () => {
  const types = ["sword", "hard armour", "amulet"];
  const range = (i: number) => `${i % 5}:${(i % 5) + (i % 3)}`;
  const theme = (i: number) =>
    `T:${types[i % 3]}:${range(i)}:1 to 9\nT:${types[i % 2]}:${range(i >> 1)}:1 to 9\nA:Hewn:${i % 4}\nA:of Rust:${i % 3}\nA:of Rust:${i % 5}\n`;
  const files = filesOf({ egoThemes: lines(150, (i) => `N:${i}:prefix:T${i}\n${theme(i)}`) });
  const { image } = compileObjects(files);
  const views = viewsOf(image.slice().buffer);
  const head = ObjectHead.read(views, 0);
  /** The record of an index, by a table of offsets; the lower bits of an affix's offset are its parts. */
  const recordAt = (table: number, i: number) => views.u32[table / 4 + i] & ~(VECTOR_BYTES - 1);
  const themesAt = (mask: number) =>
    files.themes
      .filter((_, i) => ((views.u32[mask / 4 + (i >>> 5)] >>> (i & 31)) & 1) === 1)
      .map(({ number }) => number);
  const numbers = (isFor: (theme: ThemeSpec) => boolean) => files.themes.filter(isFor).map(({ number }) => number);
  for (const [i, kind] of files.kinds.entries()) {
    expect(themesAt(KindRecord.read(views, recordAt(head.kinds, i)).themes)).toEqual(
      numbers(({ targets }) => reaches(targets, kind)),
    );
  }
  for (const [i, affix] of files.affixes.entries()) {
    const isOf = (part: ThemePart) => part.affix === affix.number && part.weight > 0;
    expect(themesAt(AffixRecord.read(views, recordAt(head.affixes, i)).themes)).toEqual(
      numbers(({ parts }) => parts.some(isOf)),
    );
  }
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
    const { spec: files, issues } = parseObjects({ ...sword, egoItem, flags: flags(MAX_FLAGS + 2) });
    expect(files).toBeUndefined();
    expect(issues.filter(({ severity }) => severity === "error")).toEqual([
      expect.objectContaining({
        code: "object.files",
        where: { file: "flags.csv", line: MAX_FLAGS + 3, column: 1 },
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
