import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Part, runPart } from "../scripts/up-to-date.mjs";

const PART: Part = {
  inputs: ["in", "lock.json"],
  outputs: ["out", "in/made.txt"],
  isOutput: (file) => !file.endsWith(".skip"),
  stamp: "stamps/part",
};

/** A folder in which a part copies in/a.txt to out/a.txt, and writes in/made.txt. */
function project() {
  const root = mkdtempSync(join(tmpdir(), "rollmill-build-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  for (const folder of ["in/deep", "out"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["in/a.txt", "in/deep/b.txt", "lock.json"]) write(file, "1");
  const copy = () => {
    mkdirSync(join(root, "out"), { recursive: true });
    write("out/a.txt", readFileSync(join(root, "in/a.txt"), "utf8"));
    write("in/made.txt", "made");
  };
  const build = (run = copy, force = false) => runPart(root, PART, { run, force });
  return { root, write, copy, build };
}

describe("a part of the build (first hour 10)", () => {
  test("runs once, until an input or an output changes", () => {
    const { root, write, build } = project();
    expect([build(), build(), build()]).toEqual([true, false, false]);
    const changes: readonly (() => void)[] = [
      () => write("in/a.txt", "2"),
      () => write("in/deep/new.txt", ""),
      () => renameSync(join(root, "in/deep/new.txt"), join(root, "in/deep/newer.txt")),
      () => rmSync(join(root, "in/deep/newer.txt")),
      () => write("lock.json", "2"),
      () => write("out/a.txt", "changed by hand"),
      () => write("out/stray.txt", ""),
      () => rmSync(join(root, "out"), { recursive: true }),
      () => rmSync(join(root, "in/made.txt")),
    ];
    for (const change of changes) {
      change();
      expect([build(), build()], String(change)).toEqual([true, false]);
    }
  });

  test("does not run for files that are neither inputs nor outputs", () => {
    const { write, build } = project();
    build();
    write("readme.txt", "");
    write("out/another.skip", "");
    expect(build()).toBe(false);
  });

  test("runs again if it was interrupted, before or after it wrote", () => {
    const { write, copy, build } = project();
    build();
    const fail = () => {
      throw new Error("interrupted");
    };
    for (const before of [() => undefined, () => write("out/a.txt", "hal"), copy]) {
      write("in/deep/b.txt", String(before));
      expect(() =>
        build(() => {
          before();
          fail();
        }),
      ).toThrow("interrupted");
      expect([build(), build()]).toEqual([true, false]);
    }
  });

  test("runs again if an input changed while it ran", () => {
    const { write, copy, build } = project();
    build();
    write("in/a.txt", "2");
    const slow = () => {
      copy();
      write("in/a.txt", "3");
    };
    expect([build(slow), build(), build()]).toEqual([true, true, false]);
  });

  test("runs if it is forced", () => {
    const { copy, build } = project();
    expect([build(), build(copy, true), build()]).toEqual([true, true, false]);
  });
});
