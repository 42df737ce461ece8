import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkObjectFiles, FILE_NAMES, parseObjects } from "../../src/objects/index.js";
import { objectName } from "../../src/objects/show/names.js";
import { made } from "./made.js";

// Real edit files stand beside the project and are never part of it: without them these tests are skipped, except under CI.
const folder = new URL("../../../shared/data/angband-v4/", import.meta.url);
const missing = !existsSync(folder) && process.env.CI === undefined;
const textOf = (name: string) => readFileSync(new URL(name, folder), "utf8");

describe.skipIf(missing)("the real edit files (skipped where ../shared/data is absent)", () => {
  const read = (flags: string | undefined) =>
    parseObjects({
      object: textOf(FILE_NAMES.object),
      objectBase: textOf(FILE_NAMES.objectBase),
      egoItem: textOf(FILE_NAMES.egoItem),
      egoThemes: textOf(FILE_NAMES.egoThemes),
      artifact: textOf(FILE_NAMES.artifact),
      flags,
    });

  test.each(["with their list of flags", "with the built-in one"])("load without an error %s", (which) => {
    const { spec: files, issues } = read(which.startsWith("with their") ? textOf(FILE_NAMES.flags) : undefined);
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

  test("have things that can never be made, which are no errors", () => {
    const { spec: files } = read(undefined);
    const found = files === undefined ? [] : checkObjectFiles(files);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ severity }) => severity !== "warning")).toEqual([]);
  });

  test("give names without a mark to whatever kind and artifact", () => {
    const { spec: files } = read(undefined);
    const kinds = files?.kinds ?? [];
    const names = [undefined, ...(files?.artifacts ?? [])].flatMap((artifact) =>
      kinds
        .filter(({ tval, sval }) => artifact === undefined || (tval === artifact.tval && sval === artifact.sval))
        .map((kind) => objectName({ ...made(), kind, artifact })),
    );
    expect(names.length).toBeGreaterThan(kinds.length);
    expect(names.filter((name) => /&|~| {2}|^ | $|^$/.test(name))).toEqual([]);
  });

  test("the built-in list has each of their flags, with the same type", () => {
    const sorted = (flags: string | undefined) =>
      read(flags)
        .spec?.flags.map(({ name, type }) => `${name},${type}`)
        .sort();
    expect(sorted(undefined)).toEqual(sorted(textOf(FILE_NAMES.flags)));
  });
});
