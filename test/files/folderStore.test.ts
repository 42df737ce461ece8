import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTogether, replaceTogether, whileChanging } from "../../src/files/folderStore.js";
import { contents, flawOf, newFolder } from "./folder.js";

const change = (folder: string, texts: Readonly<Record<string, string>>) =>
  whileChanging(folder, () => replaceTogether(folder, new Map(Object.entries(texts))));
const read = async (folder: string, ...names: string[]) => Object.fromEntries(await readTogether(folder, names));

describe("a folder of files", () => {
  test("gets new files, keeps others, and keeps the modes of replaced ones", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "note"), "mine");
    await change(folder, { a: "1", b: "2" });
    chmodSync(join(folder, "a"), 0o640);
    await change(folder, { a: "3" });
    expect(contents(folder)).toEqual({ a: "3", b: "2", note: "mine" });
    if (process.platform !== "win32") expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o640);
  });

  test("is read as one state while writers replace it", async () => {
    const folder = newFolder();
    const names = ["a", "b", "c", "d"];
    const state = (k: number) => Object.fromEntries(names.map((name) => [name, String(k)]));
    await change(folder, state(0));
    let done = false;
    const write = async () => {
      for (let k = 1; k <= 60; k++) await change(folder, state(k));
      done = true;
    };
    const seen = new Set<string>();
    const watch = async () => {
      while (!done) {
        const texts = await read(folder, ...names);
        expect(new Set(Object.values(texts)).size).toBe(1);
        seen.add(texts.a);
      }
    };
    await Promise.all([write(), watch(), watch()]);
    expect(seen.size).toBeGreaterThan(3);
  });

  test("an interrupted replacement is read as done, also in a folder that cannot be written to", async () => {
    const folder = newFolder();
    await change(folder, { a: "old", b: "old" });
    const committed = join(folder, ".rollmill-1.new");
    mkdirSync(committed);
    for (const name of ["a", "b"]) writeFileSync(join(committed, name), "new");
    renameSync(join(committed, "a"), join(folder, "a"));
    expect(await read(folder, "a", "b")).toEqual({ a: "new", b: "new" });
    expect(readdirSync(folder).sort()).toEqual([".rollmill-1.new", "a", "b"]);
    await whileChanging(folder, async () => undefined);
    expect(contents(folder)).toEqual({ a: "new", b: "new" });
  });

  test("what a killed process left is deleted, and only that", async () => {
    const folder = newFolder();
    for (const name of [".rollmill-1.pending", ".rollmill-2.lock", ".rollmill-3.tmp"]) mkdirSync(join(folder, name));
    await change(folder, { a: "1" });
    expect(readdirSync(folder).sort()).toEqual([".rollmill-2.lock", ".rollmill-3.tmp", "a"]);
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const name of [".rollmill-2.lock", ".rollmill-3.tmp"]) utimesSync(join(folder, name), hourAgo, hourAgo);
    await change(folder, { a: "2" });
    expect(contents(folder)).toEqual({ a: "2" });
  });

  test("a missing file, a folder, a pipe and a file of more than 64 MiB are refused", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "folder"));
    writeFileSync(join(folder, "large"), "");
    truncateSync(join(folder, "large"), 2 ** 26 + 1);
    const names = ["missing", "folder", "large"];
    if (process.platform !== "win32") {
      execFileSync("mkfifo", [join(folder, "pipe")]);
      names.push("pipe");
    }
    for (const name of names) expect(await flawOf(read(folder, name))).toEqual(["file.read", join(folder, name)]);
    expect((await flawOf(change(folder, { a: "new", folder: "x" })))[0]).toBe("file.write");
    expect(readdirSync(folder)).not.toContain("a");
  });
});

describe("a name never leads out of the folder", () => {
  test.each([
    "../a",
    "..",
    ".",
    "",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "C:a",
    "a\0b",
    "a\nb",
    "con",
    "NUL.csv",
    "a.",
    "a ",
    ".a",
  ])("%j", async (name) => {
    const folder = join(newFolder(), "inner");
    mkdirSync(folder);
    expect((await flawOf(change(folder, { [name]: "x" })))[0]).toBe("file.read");
    expect((await flawOf(read(folder, name)))[0]).toBe("file.read");
    expect([readdirSync(folder), readdirSync(join(folder, ".."))]).toEqual([[], ["inner"]]);
  });

  test.runIf(process.platform !== "win32")("links are followed inside the folder only", async () => {
    const parent = newFolder();
    const folder = join(parent, "inner");
    mkdirSync(join(folder, "deep"), { recursive: true });
    writeFileSync(join(parent, "outside"), "secret");
    writeFileSync(join(folder, "deep/real"), "old");
    symlinkSync("../outside", join(folder, "out"));
    symlinkSync("deep/real", join(folder, "in"));
    expect(await flawOf(read(folder, "out"))).toEqual(["file.read", join(folder, "out")]);
    expect((await flawOf(change(folder, { in: "new", out: "evil" })))[0]).toBe("file.read");
    expect(contents(join(folder, "deep"))).toEqual({ real: "old" });
    await change(folder, { in: "new" });
    expect(contents(join(folder, "deep"))).toEqual({ real: "new" });
    expect(await read(folder, "in")).toEqual({ in: "new" });
    symlinkSync(folder, join(parent, "alias"));
    expect(await read(join(parent, "alias"), "in")).toEqual({ in: "new" });
  });
});
