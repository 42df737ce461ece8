import { readdirSync } from "node:fs";
import type * as Files from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readTogether, replaceTogether, whileChanging } from "../../src/files/together.js";
import { writeWhole } from "../../src/files/wholeFile.js";
import { contents, flawOf, newFolder } from "./folder.js";

/**
 * Counts the calls that change the disk, and lists them with their files. Call number `at` fails with `code`, and if
 * `dead`, all later calls too.
 */
const disk = vi.hoisted(() => ({ calls: 0, at: 0, code: "EIO", dead: false, steps: [] as string[] }));

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof Files>();
  const step = (name: string, ...args: unknown[]) => {
    disk.calls++;
    const files = args.flatMap((path) => (typeof path === "string" ? [path.split("/").pop()] : []));
    disk.steps.push([name, ...files].join(" "));
    const fails = disk.dead ? disk.calls >= disk.at : disk.calls === disk.at;
    if (fails && disk.at > 0) throw Object.assign(new Error(disk.code), { code: disk.code, syscall: "test" });
  };
  const changing = ["mkdir", "rename", "rm", "rmdir", "writeFile"] as const;
  const wrapped = changing.map((name) => {
    const call = real[name] as (...args: unknown[]) => Promise<unknown>;
    return [
      name,
      async (...args: unknown[]) => {
        step(name, ...(name === "writeFile" ? args.slice(0, 1) : args));
        return call(...args);
      },
    ];
  });
  const open: typeof Files.open = async (path, flags, mode) => {
    if (flags === "wx") step("open", path);
    const file = await real.open(path, flags, mode);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      step("sync", path);
      return sync();
    };
    return file;
  };
  return { ...real, ...Object.fromEntries(wrapped), open };
});

beforeEach(() => {
  Object.assign(disk, { calls: 0, at: 0, code: "EIO", dead: false, steps: [] });
});

const OLD = new Map([
  ["a.csv", "old a"],
  ["b.csv", "old b"],
  ["c.csv", "old c"],
]);
const NEW = new Map([...OLD].map(([name]) => [name, `new ${name}`]));
const change = (folder: string, texts: ReadonlyMap<string, string>) =>
  whileChanging(folder, [...texts.keys()], () => replaceTogether(folder, texts));

async function filled(): Promise<string> {
  const folder = newFolder();
  await change(folder, OLD);
  Object.assign(disk, { calls: 0 });
  return folder;
}

test("one way to write files: temporary file, fsync, rename, fsync of the folder", async () => {
  const folder = newFolder();
  await writeWhole(join(folder, "x"), "new");
  const [temporary] = disk.steps[0].split(" ").slice(1);
  expect(temporary).toMatch(/^\.rollmill-.*\.tmp$/);
  expect(disk.steps).toEqual([
    `open ${temporary}`,
    "writeFile",
    `sync ${temporary}`,
    `rename ${temporary} x`,
    `sync ${folder.split("/").pop()}`,
  ]);
});

describe("a write that fails", () => {
  test.each(["ENOSPC", "EIO", "EROFS", "EACCES", "EDQUOT"])("%s: file.write, and the old file stays", async (code) => {
    for (let at = 1; ; at++) {
      const folder = newFolder();
      const file = join(folder, "x");
      Object.assign(disk, { at: 0 });
      await writeWhole(file, "old");
      Object.assign(disk, { calls: 0, at, code });
      const whole = await writeWhole(file, "new").then(
        () => true,
        () => false,
      );
      const reached = disk.calls >= at;
      Object.assign(disk, { at: 0 });
      if (whole) expect(contents(folder)).toEqual({ x: "new" });
      if (!reached) return expect(at).toBeGreaterThan(3);
      if (whole) continue;
      // the last step flushes the folder: then the new file has its name already
      expect([{ x: "old" }, { x: "new" }]).toContainEqual(contents(folder));
      Object.assign(disk, { calls: 0, at });
      expect(await flawOf(writeWhole(file, "new"))).toEqual(["file.write", file]);
      Object.assign(disk, { at: 0 });
    }
  });

  test("of a folder of files changes nothing, or all: readers never see a mixture", async () => {
    for (let at = 1; ; at++) {
      const folder = await filled();
      Object.assign(disk, { at, code: "ENOSPC" });
      const done = await change(folder, NEW).then(
        () => true,
        () => false,
      );
      const reached = disk.calls >= at;
      Object.assign(disk, { at: 0 });
      const seen = await readTogether(folder, [...OLD.keys()]);
      expect([OLD, NEW]).toContainEqual(seen);
      if (!reached) return expect([done, at > 10]).toEqual([true, true]);
      await change(folder, NEW);
      expect(await readTogether(folder, [...OLD.keys()])).toEqual(NEW);
      // a lock whose last part could not be deleted stays for 10 minutes, under a name that locks nothing
      const left = readdirSync(folder).filter((name) => !OLD.has(name));
      expect(left.filter((name) => !/^\.rollmill-.*\.lock$/.test(name))).toEqual([]);
    }
  });
});

describe("a process that dies at any step of a replacement", () => {
  test("leaves the old files or the new ones, and the next process goes on", async () => {
    const states: string[] = [];
    for (let at = 1; ; at++) {
      const folder = await filled();
      Object.assign(disk, { at, dead: true });
      await change(folder, NEW).catch(() => undefined);
      const reached = disk.calls >= at;
      Object.assign(disk, { at: 0, dead: false });
      const seen = await readTogether(folder, [...OLD.keys()]);
      expect([OLD, NEW]).toContainEqual(seen);
      states.push(seen.get("a.csv") ?? "");
      if (!reached) break;
    }
    // every state occurs, and new files never turn back to old ones
    expect(new Set(states).size).toBe(2);
    expect(states.lastIndexOf("old a")).toBeLessThan(states.indexOf("new a.csv"));
  });
});
