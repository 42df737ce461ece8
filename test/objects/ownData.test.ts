import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatIssue } from "../../src/errors/index.js";
import { checkObjectFiles, parseObjects } from "../../src/objects/index.js";

const FILES = ["object", "object_base", "ego_item", "ego_themes", "artifact"] as const;
type File = (typeof FILES)[number];

const own = new URL("../../data/dungeon/", import.meta.url);
const real = new URL("../../../shared/data/angband-v4/", import.meta.url);
const missing = !existsSync(real) && process.env.CI === undefined;

/** A record as its lines stand in the file: the N line's fields, and the others by their letters. */
interface Scanned {
  readonly head: readonly string[];
  readonly lines: ReadonlyMap<string, readonly string[]>;
}

function linesOf(folder: URL, file: File): string[] {
  return readFileSync(new URL(`${file}.txt`, folder), "utf8").split("\n");
}

function recordsOf(folder: URL, file: File): Scanned[] {
  const records: { head: string[]; lines: Map<string, string[]> }[] = [];
  for (const line of linesOf(folder, file)) {
    const [letter, ...fields] = line.split(":");
    if (letter === "N") records.push({ head: fields, lines: new Map() });
    const record = records.at(-1);
    if (record === undefined || !/^[A-Z]\d?$/.test(letter)) continue;
    record.lines.set(letter, [...(record.lines.get(letter) ?? []), fields.join(":")]);
  }
  return records;
}

const kinds = recordsOf(own, "object");
const affixes = recordsOf(own, "ego_item");
const themes = recordsOf(own, "ego_themes");
const artifacts = recordsOf(own, "artifact");

/** The lines of one letter, of all records. */
const all = (records: readonly Scanned[], letter: string) => records.flatMap(({ lines }) => lines.get(letter) ?? []);
const withLine = (records: readonly Scanned[], letter: string) => records.filter(({ lines }) => lines.has(letter));
const nameOf = ({ head }: Scanned) => head[head.length - 1];
const flagsOf = (text: string) => text.split("|").map((flag) => flag.trim());

describe("the kinds", () => {
  test("there are thirty at least, of every family that is worn, wielded, shot or carried", () => {
    expect(kinds.length).toBeGreaterThanOrEqual(30);
    const families = new Set(all(kinds, "I").map((text) => Number(text.split(":")[0])));
    const weapons = [16, 17, 18, 19, 20, 21, 22, 23];
    const armour = [30, 31, 32, 33, 34, 35, 36, 37, 38];
    for (const family of [...weapons, ...armour, 39, 40, 45, 70, 75, 77, 80]) expect(families).toContain(family);
  });

  test("one is never found, one exists as an artifact only, one is always good", () => {
    expect(all(kinds, "A").filter((text) => text.startsWith("0:"))).toHaveLength(1);
    const flags = all(kinds, "F").flatMap(flagsOf);
    expect(flags.filter((flag) => flag === "INSTA_ART")).toHaveLength(1);
    expect(flags.filter((flag) => flag === "GOOD")).toHaveLength(1);
  });
});

describe("the affixes", () => {
  test("there are forty at least, before and behind the name", () => {
    expect(affixes.length).toBeGreaterThanOrEqual(40);
    for (const kind of ["prefix", "suffix"])
      expect(affixes.filter(({ head }) => head[1] === kind).length).toBeGreaterThan(15);
  });

  test("every line type of the format comes up", () => {
    for (const letter of ["C", "M", "F", "L", "R", "R2", "Z", "T", "X", "G", "D"]) {
      expect(withLine(affixes, letter).length, letter).toBeGreaterThan(0);
    }
  });

  test("each of them comes on something", () => {
    expect(affixes.filter(({ lines }) => !lines.has("T")).map(nameOf)).toEqual([]);
  });

  test("they change hits and harm, armour, weight, dice and sides", () => {
    const fields = all(affixes, "C").map((text) => text.split(":"));
    for (const field of [0, 1, 2, 3, 4, 5, 6]) {
      expect(fields.filter((values) => (values[field] ?? "0") !== "0").length, `field ${field}`).toBeGreaterThan(0);
    }
  });

  test("they give slays, brands, resistances, and values with and without a minimum", () => {
    const flags = all(affixes, "F").flatMap(flagsOf);
    for (const start of ["SLAY_", "BRAND_", "RES_", "VULN_", "IGNORE_"]) {
      expect(
        flags.some((flag) => flag.startsWith(start)),
        start,
      ).toBe(true);
    }
    const minima = all(affixes, "L").map((text) => text.split(":")[1]);
    expect(new Set(minima)).toEqual(new Set(["1", "2", "255"]));
  });

  test("jewellery has affixes of its own", () => {
    const families = all(affixes, "T").map((text) => text.split(":")[0]);
    for (const family of ["amulet", "ring"])
      expect(families.filter((name) => name === family).length).toBeGreaterThan(4);
  });

  test("one is great near the surface and merely good below it, on the same coats", () => {
    const twice = affixes.flatMap(({ lines }) => {
      const groups = (lines.get("T") ?? []).map((text) => text.split(":").slice(0, 3).join(":"));
      return groups.filter((group, i) => groups.indexOf(group) < i);
    });
    expect(twice).toEqual(["soft armour:0:60"]);
  });
});

describe("the themes", () => {
  const parts = themes.map(({ lines }) => (lines.get("A") ?? []).map((text) => text.split(":")));

  test("there are ten at least, of affixes that exist", () => {
    expect(themes.length).toBeGreaterThanOrEqual(10);
    const names = affixes.map(nameOf);
    expect(parts.flat().filter(([name]) => !names.includes(name))).toEqual([]);
  });

  test("one is certain once both of its parts are there", () => {
    expect(parts.filter((theme) => theme.every(([, weight]) => weight === "100") && theme.length === 2)).toHaveLength(
      1,
    );
  });

  test("some have parts of no weight, parts that may stay behind, and a part twice", () => {
    expect(parts.flat().some(([, weight]) => weight === "0")).toBe(true);
    expect(parts.flat().some(([, , chance]) => Number(chance) < 100)).toBe(true);
    const repeats = parts.filter((theme) => new Set(theme.map(([name]) => name)).size < theme.length);
    expect(repeats).toHaveLength(1);
  });
});

describe("the artifacts", () => {
  test("there are ten at least, one with three lines of odds and one that needs an affix", () => {
    expect(artifacts.length).toBeGreaterThanOrEqual(10);
    expect(artifacts.filter(({ lines }) => lines.get("A")?.length === 3)).toHaveLength(1);
    expect(all(artifacts, "Q").map((name) => affixes.map(nameOf).includes(name))).toEqual([true]);
  });

  test("the kind that exists as an artifact only has one", () => {
    expect(
      withLine(artifacts, "I").filter(({ lines }) => lines.get("I")?.[0] === "light:Drowned Lantern"),
    ).toHaveLength(1);
  });
});

describe("all files", () => {
  test("numbers and the names of affixes, themes and artifacts are unique", () => {
    for (const records of [kinds, affixes, themes, artifacts]) {
      expect(new Set(records.map(({ head }) => head[0])).size).toBe(records.length);
      expect(new Set(records.map(nameOf)).size).toBe(records.length);
    }
  });

  test("the readers take them without an error or a warning", () => {
    const [object, objectBase, egoItem, egoThemes, artifact] = FILES.map((file) => linesOf(own, file).join("\n"));
    const { spec: files, issues } = parseObjects({ object, objectBase, egoItem, egoThemes, artifact });
    expect(issues.map(formatIssue)).toEqual([]);
    expect(files?.kinds).toHaveLength(kinds.length);
    expect(files?.affixes).toHaveLength(affixes.length);
    expect(files?.themes).toHaveLength(themes.length);
    expect(files?.artifacts).toHaveLength(artifacts.length);
    const never = files === undefined ? [] : checkObjectFiles(files);
    expect(never.map(({ message }) => message)).toEqual([
      expect.stringContaining('"Broken Oar" is only made on request'),
    ]);
  });

  test.skipIf(missing)("no name and no text is Angband's (skipped where ../shared/data is absent)", () => {
    for (const file of ["object", "ego_item", "ego_themes", "artifact"] as const) {
      const theirs = new Set(recordsOf(real, file).map(nameOf));
      expect(
        recordsOf(own, file)
          .map(nameOf)
          .filter((name) => theirs.has(name)),
        file,
      ).toEqual([]);
    }
    const texts = (folder: URL) =>
      FILES.flatMap((file) => linesOf(folder, file).filter((line) => /^(#|D:).{8}/.test(line)));
    const theirs = new Set(texts(real));
    expect(theirs.size).toBeGreaterThan(500);
    expect(texts(own).filter((line) => theirs.has(line))).toEqual([]);
  });
});
