import { describe, expect, test } from "vitest";
import { formatIssue } from "../../src/errors/index.js";
import { parseObjects } from "../../src/objects/index.js";
import type { ObjectFiles, ObjectTexts } from "../../src/objects/types.js";
import { IS_SOAK } from "../soak.js";
import { SMALL, smallWith } from "./small.js";

function filesOf(texts: ObjectTexts): ObjectFiles {
  const { spec: files, issues } = parseObjects(texts);
  if (files === undefined) throw new Error(issues.map(formatIssue).join("\n"));
  return files;
}

/** What is said of the files, without the names of the codes' remedies: `file:line:column [code]`. */
function placesOf(changes: Partial<ObjectTexts>): string[] {
  const { spec: files, issues } = parseObjects(smallWith(changes));
  expect(files).toBeUndefined();
  return issues.map(({ where, code }) => `${where.file}:${where.line}:${where.column} ${code}`);
}

const steady = (base: number) => ({ base, dice: 0, sides: 0, bonus: 0, negated: false });

describe("what the files say", () => {
  const { kinds, bases, affixes, themes, artifacts, levels } = filesOf(SMALL);

  test("a kind has its numbers, its values and the flags of its type", () => {
    expect(kinds.map(({ number }) => number)).toEqual([1, 2, 9]);
    expect(kinds[0]).toMatchObject({ name: "& Kris~", tval: 23, sval: 4, level: 3, weight: 15, cost: 20 });
    expect(kinds[0]).toMatchObject({ ac: 0, dice: 2, sides: 3, toDam: { ...steady(1), negated: true } });
    expect(kinds[0].allocation).toEqual({ commonness: 30, least: 1, most: 40 });
    expect(kinds[0].flags).toEqual(["SHOW_DICE", "SHOW_MODS", "HATES_ACID"]);
    expect(kinds[0].text).toEqual({ G: ["|:w"], D: ["A wavy blade."] });
    expect(kinds[0].place).toEqual({ file: "object.txt", line: 3, column: 1 });
    expect(kinds[1].toAc).toEqual({ base: 0, dice: 1, sides: 4, bonus: 3, negated: false });
    const value = { base: 1, dice: 1, sides: 2, bonus: 3, negated: true };
    expect(kinds[1].pvals).toEqual([{ value, least: undefined, flags: ["STEALTH"] }]);
    expect(kinds[2].allocation).toBeUndefined();
  });

  test("a type has its own breakage, or the default's; either spelling of armour is one", () => {
    expect(bases.map(({ tval, breakage, flags }) => [tval, breakage, flags])).toEqual([
      [23, 5, ["HATES_ACID"]],
      [37, 15, ["HATES_ACID", "HATES_FIRE"]],
    ]);
  });

  test("an affix has its modifiers, minima, flags, random flags and targets", () => {
    expect(levels).toEqual(["good", "great", "uber", "artifact"]);
    expect(affixes.map(({ number, kind, name }) => [number, kind, name])).toEqual([
      [1, "prefix", "Hewn"],
      [2, "suffix", "of Two Gifts"],
      [4, "suffix", "of Rust"],
    ]);
    const [keen, gifts, rust] = affixes;
    expect(keen.toHit).toEqual({ base: 1, dice: 1, sides: 4, bonus: 0, negated: false });
    expect(keen.least).toEqual({ toHit: 0, toDam: undefined, toAc: undefined });
    expect(keen.excludes).toEqual([4]);
    expect(keen).toMatchObject({ acPercent: 0, weightPercent: 0, dice: 0, sides: 0 });
    expect(keen.targets[1]).toEqual({
      place: { file: "ego_item.txt", line: 5, column: 1 },
      ...{ tval: 23, leastSval: 0, mostSval: 9, level: 1, probability: 5, least: 51, most: 127 },
    });
    expect(rust).toMatchObject({ acPercent: -20, weightPercent: 10, dice: -1, sides: -2, flags: ["VULN_ACID"] });
    expect(rust.toAc).toEqual({ base: 0, dice: 1, sides: 5, bonus: 0, negated: true });
    expect(rust.least).toEqual({ toHit: undefined, toDam: undefined, toAc: undefined });
    expect(rust.description).toBe("It crumbles at the touch.");
    expect(gifts.colour).toBe("v");
    expect(gifts.randomFlags[0].count).toBe(2);
    expect(gifts.randomFlags[0].flags).toContain("RES_FIRE");
    expect(gifts.randomFlags[0].flags).toContain("RES_CHAOS");
    expect(gifts.randomFlags[1]).toEqual({ count: 1, flags: ["SLAY_ORC", "SLAY_TROLL"] });
    expect(gifts.pvals[0]).toMatchObject({ least: 1, flags: ["STR", "CON"] });
    expect(gifts.randomPvals[0]).toMatchObject({ count: 1, least: undefined, value: { base: 1, bonus: 2 } });
    expect(gifts.randomPvals[0].flags).toEqual(["STR", "INT", "WIS", "DEX", "CON", "CHR"]);
  });

  test("a kind's flags contradict none: immunity beats resistance and weakness, which cancel", () => {
    const shard = "N:10:& Shard~\nI:3:1\nF:IM_FIRE | RES_FIRE | SLAY_ORC\nF:RES_COLD | VULN_COLD | VULN_ACID\n";
    const own = filesOf(smallWith({ object: SMALL.object + shard }));
    expect(own.kinds.find(({ number }) => number === 10)?.flags).toEqual(["IM_FIRE", "SLAY_ORC", "VULN_ACID"]);
  });

  test("a theme names its affixes by name or number, each line one part", () => {
    expect(themes[0].parts.map(({ affix, weight, chance }) => [affix, weight, chance])).toEqual([
      [1, 20, 100],
      [2, 14, 50],
      [1, 0, 100],
    ]);
    expect(themes[0].targets[0]).toMatchObject({ tval: 23, leastSval: 0, mostSval: 9, least: 1, most: 127 });
  });

  test("an artifact names its kind by name or sval, and what it requires", () => {
    expect(artifacts.map(({ tval, sval }) => [tval, sval])).toEqual([
      [23, 4],
      [40, 3],
    ]);
    const [oar] = artifacts;
    expect(oar).toMatchObject({ dice: 3, sides: 3, toHit: 5, toDam: 6, toAc: -1, requires: [1] });
    expect(oar.allocations).toEqual([
      { probability: 10, least: 5, most: 20 },
      { probability: 40, least: 21, most: 127 },
    ]);
    expect(oar.text).toEqual({ E: ["LIGHT:5+d5"], M: ["It glows."], D: ["It has seen the other side."] });
  });

  test("flags and their types can be given, and affix levels named", () => {
    const flags = "flag,type\nHUM,MISC\nBUZZ,MISC\n";
    const bare = { object: "N:1:Bell\nI:40:0\n", objectBase: "N:amulet:A\n", artifact: "N:1:B\nI:amulet:0\n" };
    const egoItem = "D:levels:plain | rare\nN:1:prefix:Loud\nR:1:MISC\nT:amulet:0:0:rare:1:1 to 2\n";
    const texts = { ...bare, egoItem, egoThemes: "N:1:prefix:X\n", flags };
    const { spec: files } = parseObjects(texts);
    expect(files?.levels).toEqual(["plain", "rare"]);
    expect(files?.affixes[0].randomFlags).toEqual([{ count: 1, flags: ["HUM", "BUZZ"] }]);
    expect(files?.affixes[0].targets[0].level).toBe(1);
    expect(files?.flags).toEqual([
      { name: "HUM", type: "MISC" },
      { name: "BUZZ", type: "MISC" },
    ]);
  });

  test("of two affixes with one number the second takes the next after the greatest, with a warning", () => {
    const egoItem = SMALL.egoItem.replace("N:2:suffix", "N:4:suffix");
    const egoThemes = SMALL.egoThemes.replace("A:2:14", "A:of Two Gifts:14");
    const { spec: files, issues } = parseObjects(smallWith({ egoItem, egoThemes }));
    expect(files?.affixes.map(({ number, name }) => [number, name])).toEqual([
      [1, "Hewn"],
      [4, "of Rust"],
      [5, "of Two Gifts"],
    ]);
    expect(files?.themes[0].parts[1].affix).toBe(5);
    expect(issues.map(({ severity, where }) => [severity, where.line])).toEqual([["warning", 14]]);
  });
});

/** A line that stands for another, and what is said of it: the columns are those of the flaw. */
const FLAWS: [file: keyof ObjectTexts, line: string, flawed: string, wanted: string][] = [
  ["object", "I:23:4", "I:24:4", "object.txt:5:3 object.name"],
  ["object", "I:23:4", "I:sward:4", "object.txt:5:3 object.name"],
  ["object", "I:23:4", "I:37:2", "object.txt:13:6 object.duplicate"],
  ["object", "W:3:0:15:20", "W:3:0:15", "object.txt:6:1 object.line"],
  ["object", "W:3:0:15:20", "W:3:0:many:20", "object.txt:6:7 object.number"],
  ["object", "P:0:2d3:0:-1:0", "P:0:2d:0:-1:0", "object.txt:7:5 object.number"],
  ["object", "P:0:2d3:0:-1:0", "P:0:2d3:0:1-:0", "object.txt:7:11 object.number"],
  ["object", "A:30:1 to 40", "A:30:40 to 1", "object.txt:8:6 object.number"],
  ["object", "A:30:1 to 40", "A:30:1 to 256", "object.txt:8:6 object.number"],
  ["object", "F:SHOW_DICE | SHOW_MODS |", "F:SHOW_DICE | SHOW_MOD |", "object.txt:9:15 object.flag"],
  ["object", "F:SHOW_DICE | SHOW_MODS |", "F:SHOW_DICE || SHOW_MODS", "object.txt:9:14 object.line"],
  ["object", "F:SHOW_DICE | SHOW_MODS |", "F:STR", "object.txt:9:3 object.flag"],
  ["object", "N:2:& Splint Coat~", "N:1:& Splint Coat~", "object.txt:12:3 object.duplicate"],
  ["object", "V:1.0", "W:0:0:0:0", "object.txt:2:1 object.line"],
  ["objectBase", "B:5", "B:5%", "object_base.txt:3:3 object.number"],
  ["objectBase", "D:B:15", "D:Q:15", "object_base.txt:1:1 object.line"],
  ["objectBase", "N:hard armor:Mail~", "N:sword:Mail~", "object_base.txt:5:1 object.duplicate"],
  ["egoItem", "C:1+d4:d2M3:0", "C:1+d4:d2M3", "ego_item.txt:2:1 object.line"],
  ["egoItem", "C:1+d4:d2M3:0", "C:1+d4:2d3M:0", "ego_item.txt:2:8 object.number"],
  ["egoItem", "M:0:255:255", "M:0:256:255", "ego_item.txt:3:5 object.number"],
  ["egoItem", "T:sword:0:9:good:20:1 to 50", "T:sward:0:9:good:20:1 to 50", "ego_item.txt:4:3 object.name"],
  ["egoItem", "T:sword:0:9:good:20:1 to 50", "T:sword:0:9:god:20:1 to 50", "ego_item.txt:4:13 object.name"],
  ["egoItem", "T:sword:0:9:good:20:1 to 50", "T:sword:9:0:good:20:1 to 50", "ego_item.txt:4:11 object.number"],
  ["egoItem", "T:sword:0:9:good:20:1 to 50", "T:sword:0:9:good:20:1-50", "ego_item.txt:4:21 object.number"],
  ["egoItem", "X:of Rust", "X:of Rest", "ego_item.txt:6:3 object.name"],
  ["egoItem", "N:4:suffix:of Rust", "N:4:infix:of Rust", "ego_item.txt:6:3 object.name"],
  ["egoItem", "R:2:LRES | HRES", "R:2:LRES | HRESS", "ego_item.txt:15:12 object.flag"],
  ["egoItem", "R:2:LRES | HRES", "R:2:STAT", "ego_item.txt:15:5 object.flag"],
  ["egoItem", "R2:1:SLAY_ORC | SLAY_TROLL", "R2:1:SLAY_ORC | STR", "ego_item.txt:16:17 object.flag"],
  ["egoItem", "L:d3:1:STR | CON", "L:d3:1:STR | RES_ACID", "ego_item.txt:17:14 object.flag"],
  ["egoItem", "Z:1:1+M2:255:STAT", "Z:1:1+M2:255:LRES", "ego_item.txt:18:14 object.flag"],
  ["egoItem", "G:v", "G:7", "ego_item.txt:19:3 object.line"],
  ["egoThemes", "A:2:14:50", "A:2:14:101", "ego_themes.txt:4:8 object.number"],
  ["egoThemes", "A:2:14:50", "A:3:14:50", "ego_themes.txt:4:3 object.name"],
  ["artifact", "I:sword:Kris", "I:sword:Krish", "artifact.txt:2:9 object.name"],
  ["artifact", "I:sword:Kris", "# none", "artifact.txt:1:1 object.line"],
  ["artifact", "W:20:3:15:9000", "A:1:1 to 2\nA:1:1 to 2", "artifact.txt:7:1 object.line"],
  ["artifact", "Q:Hewn", "Q:Hawn", "artifact.txt:12:3 object.name"],
];

describe("what is malformed is an error at its file, line and column", () => {
  test.each(FLAWS)("%s: %s as %s", (file, line, flawed, wanted) => {
    const text = SMALL[file] ?? "";
    expect(text).toContain(`${line}\n`);
    expect(placesOf({ [file]: text.replace(`${line}\n`, `${flawed}\n`) })).toContain(wanted);
  });

  test("an unknown name is an error at its column, with the nearest known one", () => {
    const egoItem = SMALL.egoItem.replace("X:of Rust", "X:of Rost");
    const { issues } = parseObjects(smallWith({ egoItem }), { files: { egoItem: "dir/ego_item.txt" } });
    expect(issues.map(formatIssue)).toEqual([
      expect.stringMatching(/^dir\/ego_item\.txt:6:3: .*"of Rost".* Did you mean "of Rust"\? \[object\.name\]$/),
    ]);
  });

  test("all errors of all files are told, in the order of each file", () => {
    const places = placesOf({
      object: SMALL.object.replace("A:30:1 to 40", "A:30").replace("C:7", "K:7"),
      artifact: SMALL.artifact.replace("L:2:STR", "L:x:STRR"),
    });
    expect(places).toEqual([
      "object.txt:8:1 object.line",
      "object.txt:18:1 object.line",
      "artifact.txt:8:3 object.number",
      "artifact.txt:8:5 object.flag",
    ]);
  });

  test("in the order of the lines, whichever of them are read first", () => {
    const egoItem = SMALL.egoItem.replace("C:1+d4:", "C:x:").replace("N:2:suffix:of Two Gifts", "N:2:suffix:Hewn");
    const egoThemes = SMALL.egoThemes.replace("A:2:14:50\n", "");
    expect(placesOf({ egoItem, egoThemes })).toEqual([
      "ego_item.txt:2:3 object.number",
      "ego_item.txt:14:12 object.duplicate",
    ]);
  });

  test("a hundred errors a file, and one that says that there are more", () => {
    const { issues } = parseObjects(smallWith({ object: SMALL.object + "Y:1\n".repeat(250) }));
    expect(issues).toHaveLength(101);
    expect(issues[100]).toMatchObject({ code: "object.files", where: { file: "object.txt" } });
  });

  test("a file that is all errors is read to its end without looking for what was meant", () => {
    const unknown = Array.from({ length: 100_000 }, (_, i) => `NO_SUCH_FLAG_${i}`).join(" | ");
    const object = `${SMALL.object}F:${unknown}\nF:1\n`;
    const objectBase = "N:sword:x\n".repeat(300_000);
    const { issues } = parseObjects(
      smallWith({ object, objectBase, egoItem: `${SMALL.egoItem}${"Y\n".repeat(300_000)}` }),
    );
    expect(issues).toHaveLength(303);
  });

  test("kinds and bases without a record are an error", () => {
    expect(placesOf({ object: "# nothing\n\n" })[0]).toBe("object.txt:1:1 object.files");
    expect(placesOf({ objectBase: "# nothing\n\n" })[0]).toBe("object_base.txt:1:1 object.files");
  });

  test("a game may have no affixes, themes and artifacts: there are warnings", () => {
    const { spec: files, issues } = parseObjects(smallWith({ egoItem: "", egoThemes: "# nothing\n", artifact: "" }));
    expect(issues.map(({ severity, where }) => `${severity} ${where.file}`)).toEqual([
      "warning ego_item.txt",
      "warning ego_themes.txt",
      "warning artifact.txt",
    ]);
    expect([files?.affixes, files?.themes, files?.artifacts]).toEqual([[], [], []]);
  });

  const kinds = [
    ["object", "object.txt", (n: number) => `N:${n}:k\nI:0:0\n`],
    ["egoItem", "ego_item.txt", (n: number) => `N:${n}:prefix:a${n}\n`],
    ["egoThemes", "ego_themes.txt", (n: number) => `N:${n}:prefix:a${n}\n`],
    ["artifact", "artifact.txt", (n: number) => `N:${n}:a${n}\nI:sword:4\n`],
  ] as const;
  test.each(IS_SOAK ? kinds : kinds.slice(1, 2))(
    "more than 65,534 records of %s are an error at the first that is too many",
    (key, file, record) => {
      const others = key === "egoItem" ? { egoThemes: "", artifact: "" } : {};
      const texts = (count: number) =>
        smallWith({ ...others, [key]: Array.from({ length: count }, (_, n) => record(n)).join("") });
      const lines = record(0).split("\n").length - 1;
      expect(parseObjects(texts(65_534)).issues.filter(({ severity }) => severity === "error")).toEqual([]);
      const { issues } = parseObjects(texts(65_535));
      const flaw = issues.find(({ code, severity }) => code === "object.files" && severity === "error");
      expect(flaw?.where).toEqual({ file, line: 65_534 * lines + 1, column: 1 });
      expect(flaw?.message).toMatch(/too many records: got 65535, expected at most 65534/);
    },
  );

  test("affixes that share a number are renumbered no further than numbers go", () => {
    const egoItem = `${SMALL.egoItem}N:65534:prefix:Last\nN:4:prefix:Again\nN:4:prefix:Once more\n`;
    const { issues } = parseObjects(smallWith({ egoItem }));
    expect(issues.map(({ severity, code, where }) => [severity, code, where.line])).toEqual([
      ["warning", "object.duplicate", 23],
      ["error", "object.duplicate", 24],
    ]);
  });

  test("records of a hundred thousand lines keep all of them, in order", () => {
    const many = 100_000;
    const texts = Array.from({ length: many }, (_, i) => `text ${i}`);
    const lines = texts.map((text) => `D:${text}\nL:1:STR\nF:SHOW_DICE | SHOW_MODS\n`).join("");
    const { spec: files } = parseObjects(smallWith({ object: `${SMALL.object}N:10:Heap\nI:5:1\n${lines}` }));
    const heap = files?.kinds.find(({ number }) => number === 10);
    expect(heap?.text.D).toEqual(texts);
    expect(heap?.pvals).toHaveLength(many);
    expect(heap?.flags).toEqual(["SHOW_DICE", "SHOW_MODS"]);
  });

  test("a list of flags is checked by lines", () => {
    expect(placesOf({ flags: `flag,type\nSTR,STAT\nSTR,STAT\nlow,MISC\nA,B,C\n` }).slice(0, 3)).toEqual([
      "flags.csv:3:1 object.duplicate",
      "flags.csv:4:1 object.line",
      "flags.csv:5:5 object.line",
    ]);
  });
});

test("an error of a long edit line shows the first field that is too many, or the end if a field is missing", () => {
  const messageOf = (line: string) =>
    parseObjects(smallWith({ object: SMALL.object.replace("W:3:0:15:20", line) })).issues[0].message;
  const long = "1".repeat(80);
  expect(messageOf(`W:${long}:0:15:20:here:${"2:".repeat(80)}`)).toContain("here:2:2");
  expect(messageOf(`W:${long}:here`)).toContain(":here");
});
