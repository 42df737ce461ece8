import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FILE_NAMES, parseObjectFiles } from "../../src/affixes/index.js";

// Real edit files stand beside the project and are never part of it: without them these tests are skipped, except under CI.
const folder = new URL("../../../shared/data/angband-v4/", import.meta.url);
const missing = !existsSync(folder) && process.env.CI === undefined;
const textOf = (name: string) => readFileSync(new URL(name, folder), "utf8");

describe.skipIf(missing)("the real edit files (skipped where ../shared/data is absent)", () => {
  const read = (flags: string | undefined) =>
    parseObjectFiles({
      object: textOf(FILE_NAMES.object),
      objectBase: textOf(FILE_NAMES.objectBase),
      egoItem: textOf(FILE_NAMES.egoItem),
      egoThemes: textOf(FILE_NAMES.egoThemes),
      artifact: textOf(FILE_NAMES.artifact),
      flags,
    });

  test.each(["with their list of flags", "with the built-in one"])("load without an error %s", (which) => {
    const { files, issues } = read(which.startsWith("with their") ? textOf(FILE_NAMES.flags) : undefined);
    expect(issues.filter(({ severity }) => severity === "error")).toEqual([]);
    // two of their affixes share a number
    expect(issues.map(({ code }) => code)).toEqual(["object.duplicate"]);
    expect(files?.affixes).toHaveLength(135);
    expect(files?.affixes.flatMap(({ targets }) => targets)).toHaveLength(451);
    expect(files?.themes).toHaveLength(37);
    expect(files?.artifacts).toHaveLength(139);
    expect(files?.kinds).toHaveLength(414);
    expect(new Set(files?.affixes.map(({ number }) => number)).size).toBe(135);
  });

  test("the built-in list has each of their flags, with the same type", () => {
    const sorted = (flags: string | undefined) =>
      read(flags)
        .files?.flags.map(({ name, type }) => `${name},${type}`)
        .sort();
    expect(sorted(undefined)).toEqual(sorted(textOf(FILE_NAMES.flags)));
  });
});
