import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import { checkWritable, writeWhole } from "../../src/files/wholeFile.js";
import { contents, flawOf, newFolder } from "./folder.js";

const onUnix = process.platform !== "win32";
const onLinux = process.platform === "linux";

describe("one way to write files", () => {
  test("texts, bytes and pieces of both", async () => {
    const folder = newFolder();
    await writeWhole(join(folder, "a"), "é\n");
    await writeWhole(join(folder, "b"), Uint8Array.of(65, 66));
    await writeWhole(join(folder, "c"), ["x", Uint8Array.of(121), "z"]);
    await writeWhole(join(folder, "d"), "");
    expect(contents(folder)).toEqual({ a: "é\n", b: "AB", c: "xyz", d: "" });
  });

  test("pieces that throw leave the old file and nothing else, and their error is thrown as it is", async () => {
    const folder = newFolder();
    const file = join(folder, "a");
    writeFileSync(file, "old");
    const wrong = new Error("no");
    function* pieces() {
      yield "new";
      throw wrong;
    }
    await expect(writeWhole(file, pieces())).rejects.toBe(wrong);
    expect(contents(folder)).toEqual({ a: "old" });
  });

  test.runIf(onUnix)("the old file's mode stays, and a new file gets the usual one", async () => {
    const folder = newFolder();
    const [old, fresh, usual] = ["old", "fresh", "usual"].map((name) => join(folder, name));
    writeFileSync(usual, "");
    for (const mode of [0o600, 0o640, 0o755, 0o666]) {
      writeFileSync(old, "old");
      chmodSync(old, mode);
      await writeWhole(old, "new");
      expect(statSync(old).mode & 0o7777).toBe(mode);
    }
    await writeWhole(fresh, "new");
    expect(statSync(fresh).mode).toBe(statSync(usual).mode);
  });

  test.runIf(onUnix && process.getuid?.() === 0)("the owner of the old file stays", async () => {
    const file = join(newFolder(), "a");
    writeFileSync(file, "old");
    execFileSync("chown", ["1234:4321", file]);
    await writeWhole(file, "new");
    expect([statSync(file).uid, statSync(file).gid]).toEqual([1234, 4321]);
  });

  test.runIf(onUnix)("links are followed: the link stays, and the file that it leads to is replaced", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "deep/real"), "old");
    symlinkSync("deep/real", join(folder, "one"));
    symlinkSync(join(folder, "one"), join(folder, "two"));
    symlinkSync("deep/later", join(folder, "dangling"));
    await writeWhole(join(folder, "two"), "new");
    await writeWhole(join(folder, "dangling"), "made");
    expect(contents(join(folder, "deep"))).toEqual({ later: "made", real: "new" });
    expect(readlinkSync(join(folder, "one"))).toBe("deep/real");
    expect(lstatSync(join(folder, "dangling")).isSymbolicLink()).toBe(true);
    symlinkSync("circle", join(folder, "circle"));
    expect(await flawOf(writeWhole(join(folder, "circle"), ""))).toEqual(["file.write", join(folder, "circle")]);
  });

  test.runIf(onUnix)("pipes and devices are written to", async () => {
    const folder = newFolder();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("cat", [pipe]);
    const read = new Promise<string>((done) => {
      let text = "";
      reader.stdout.on("data", (chunk) => (text += chunk));
      reader.on("close", () => done(text));
    });
    await checkWritable(pipe);
    await writeWhole(pipe, ["one ", "two"]);
    expect(await read).toBe("one two");
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    await checkWritable("/dev/null");
    await writeWhole("/dev/null", "gone");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(readdirSync(folder)).toEqual(["pipe"]);
  });

  test.runIf(onLinux)("a full disk is an error with the path, and leaves nothing", async () => {
    const folder = newFolder();
    const full = join(folder, "full.csv");
    symlinkSync("/dev/full", full);
    expect(await flawOf(writeWhole(full, "x"))).toEqual(["file.write", full]);
    expect(readlinkSync(full)).toBe("/dev/full");
  });

  test("a missing folder, and a folder in place of the file, are errors before and during the work", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "taken"));
    for (const file of [join(folder, "none/a"), join(folder, "taken")]) {
      expect(await flawOf(checkWritable(file))).toEqual(["file.write", file]);
      expect(await flawOf(writeWhole(file, "x"))).toEqual(["file.write", file]);
    }
    expect(await flawOf(writeWhole(join(folder, "taken"), "x", { shown: "-o" }))).toEqual(["file.write", "-o"]);
    expect(readdirSync(folder)).toEqual(["taken"]);
    expect(existsSync(join(folder, "none"))).toBe(false);
  });

  test("two writers at once leave one whole file", async () => {
    const folder = newFolder();
    const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(1e6));
    await Promise.all(texts.map((text) => writeWhole(join(folder, "x"), text)));
    expect(readdirSync(folder)).toEqual(["x"]);
    expect(texts).toContain(readFileSync(join(folder, "x"), "utf8"));
  });
});

test("every call of plain JavaScript with hostile arguments ends in a result or a typed error", async () => {
  const path = join(newFolder(), "a.txt");
  for (const value of [undefined, null, 7, "\0", {}, [], new Map(), Symbol("a")]) {
    const calls = [
      [value, "x"],
      [path, value],
      [path, "x", value],
      [path, "x", { shown: value }],
      [path, "x", { temporaryIn: value }],
    ];
    for (const given of calls) {
      const write = writeWhole as (...given: readonly unknown[]) => Promise<void>;
      await write(...given).then(undefined, (cause) => expect(cause).toBeInstanceOf(RollmillError));
    }
  }
});
