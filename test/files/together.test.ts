import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTogether, replaceTogether, whileChanging } from "../../src/files/together.js";
import { contents, flawOf, newFolder } from "./folder.js";

const change = (folder: string, texts: Readonly<Record<string, string>>) =>
  whileChanging(folder, Object.keys(texts), () => replaceTogether(folder, new Map(Object.entries(texts))));
const temporary = (digit: number, extension: string) =>
  `.rollmill-${`${digit}`.repeat(8)}-0000-4000-8000-000000000000.${extension}`;
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
    const committed = join(folder, temporary(1, "new"));
    mkdirSync(committed);
    for (const name of ["a", "b"]) writeFileSync(join(committed, name), "new");
    renameSync(join(committed, "a"), join(folder, "a"));
    expect(await read(folder, "a", "b")).toEqual({ a: "new", b: "new" });
    expect(readdirSync(folder).sort()).toEqual([temporary(1, "new"), "a", "b"]);
    await whileChanging(folder, ["a", "b"], async () => undefined);
    expect(contents(folder)).toEqual({ a: "new", b: "new" });
  });

  test("what a killed process left is deleted, and only that", async () => {
    const folder = newFolder();
    const [pending, lock, single] = [temporary(1, "pending"), temporary(2, "lock"), temporary(3, "tmp")];
    for (const name of [pending, lock]) mkdirSync(join(folder, name));
    for (const path of [join(pending, "a"), single, ".rollmill-4.tmp"]) writeFileSync(join(folder, path), "");
    await change(folder, { a: "1" });
    expect(readdirSync(folder).sort()).toEqual([lock, single, ".rollmill-4.tmp", "a"]);
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const name of [lock, single, ".rollmill-4.tmp"]) utimesSync(join(folder, name), hourAgo, hourAgo);
    await change(folder, { a: "2" });
    expect(contents(folder)).toEqual({ ".rollmill-4.tmp": "", a: "2" });
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

  test.runIf(process.platform !== "win32")("links are not followed", async () => {
    const parent = newFolder();
    const folder = join(parent, "inner");
    mkdirSync(folder);
    writeFileSync(join(parent, "outside"), "secret");
    writeFileSync(join(folder, "real"), "old");
    symlinkSync("../outside", join(folder, "out"));
    symlinkSync("real", join(folder, "in"));
    for (const name of ["in", "out"]) {
      expect(await flawOf(read(folder, name))).toEqual(["file.read", join(folder, name)]);
      expect(await flawOf(change(folder, { real: "new", [name]: "evil" }))).toEqual(["file.write", join(folder, name)]);
    }
    expect(contents(folder)).toEqual({ real: "old", in: "old", out: "secret" });
    // the path of the folder itself comes from the user
    symlinkSync(folder, join(parent, "alias"));
    expect(await read(join(parent, "alias"), "real")).toEqual({ real: "old" });
  });
});

describe.runIf(process.platform !== "win32")("a folder from a stranger (audit 1)", () => {
  /** A folder with the file "a", and beside it a folder with secrets. */
  function newPair(): { readonly folder: string; readonly outside: string } {
    const parent = newFolder();
    const [folder, outside] = [join(parent, "inner"), join(parent, "outside")];
    for (const path of [folder, outside]) mkdirSync(path);
    writeFileSync(join(folder, "a"), "old");
    for (const name of ["a", "b", "owner.json"]) writeFileSync(join(outside, name), "secret");
    return { folder, outside };
  }

  test.each(["new", "pending", "lock", "tmp"])("a link with the name of a temporary folder: .%s", async (extension) => {
    const { folder, outside } = newPair();
    for (const name of [temporary(1, extension), `.rollmill-x.${extension}`]) symlinkSync(outside, join(folder, name));
    expect(await read(folder, "a")).toEqual({ a: "old" });
    await change(folder, { a: "new" });
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("new");
    expect(contents(outside)).toEqual({ a: "secret", b: "secret", "owner.json": "secret" });
  });

  test("a folder that is a file, a pipe or a circle of links is refused", async () => {
    const { folder } = newPair();
    const [pipe, circle] = ["pipe", "circle"].map((name) => join(folder, name));
    execFileSync("mkfifo", [pipe]);
    symlinkSync("circle", circle);
    for (const path of [join(folder, "a"), pipe, circle]) {
      expect((await flawOf(read(path, "a")))[0]).toBe("file.read");
      expect((await flawOf(change(path, { a: "new" })))[0]).toBe("file.write");
    }
  });

  test("a committed subfolder gives only regular files of the caller", async () => {
    const { folder, outside } = newPair();
    const committed = join(folder, temporary(1, "new"));
    mkdirSync(committed);
    symlinkSync(join(outside, "a"), join(committed, "a"));
    for (const name of ["b", "mine"]) writeFileSync(join(committed, name), "new");
    writeFileSync(join(folder, "mine"), "kept");
    expect(await read(folder, "a", "b")).toEqual({ a: "old", b: "new" });
    await whileChanging(folder, ["a", "b"], async () => undefined);
    expect(["a", "b", "mine"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["old", "new", "kept"]);
    expect(readdirSync(committed).sort()).toEqual(["a", "mine"]);
    // its other files are those of another caller
    expect(await read(folder, "mine")).toEqual({ mine: "new" });
    await change(folder, { b: "newer" });
    expect(await read(folder, "b", "mine")).toEqual({ b: "newer", mine: "new" });
  });

  test("a lock keeps files that no lock has, and its owner is a small regular file", async () => {
    const { folder, outside } = newPair();
    const lock = join(folder, "rollmill.lock");
    const hourAgo = new Date(Date.now() - 3_600_000);
    const plants: ((owner: string) => void)[] = [
      (owner) => execFileSync("mkfifo", [owner]),
      (owner) => symlinkSync("/dev/zero", owner),
      (owner) => symlinkSync(join(outside, "owner.json"), owner),
      (owner) => mkdirSync(owner),
      (owner) => {
        writeFileSync(owner, "");
        truncateSync(owner, 2 ** 33);
      },
    ];
    for (const [i, plant] of plants.entries()) {
      mkdirSync(lock);
      plant(join(lock, "owner.json"));
      writeFileSync(join(lock, "mine"), "kept");
      utimesSync(lock, hourAgo, hourAgo);
      await change(folder, { a: `${i}` });
      expect(await read(folder, "a")).toEqual({ a: `${i}` });
    }
    const left = readdirSync(folder).filter((name) => name !== "a");
    expect(left.map((name) => readFileSync(join(folder, name, "mine"), "utf8"))).toEqual(plants.map(() => "kept"));
    symlinkSync(outside, lock);
    lutimesSync(lock, hourAgo, hourAgo);
    await change(folder, { a: "new" });
    expect(contents(outside)).toEqual({ a: "secret", b: "secret", "owner.json": "secret" });
  });
});
