import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { shippedRecipe, type TablesInput } from "../../src/index.js";
import { loadTables, type RecipeTables, saveTables } from "../../src/wordstores/index.js";
import { IS_SOAK } from "../soak.js";
import { BIN, child, dataOf, folderWith, rollmill, shell } from "./rollmill.js";

const onUnix = process.platform !== "win32";
const onLinux = process.platform === "linux";
const WALK = '{"walkers": 3, "steps": 100}';
const { recipe: spec, tables: words } = shippedRecipe("weapon") as {
  recipe: RecipeTables["spec"];
  tables: TablesInput;
};

describe("-o that fails does not lose the summary", () => {
  const wide = '{"start": [[0, 0], [100000, 100000]], "walkers": 2}';
  const cwd = folderWith({ "walk.json": WALK, "wide.json": wide });
  cpSync(fileURLToPath(new URL("../../data/dungeon", import.meta.url)), join(cwd, "dungeon"), { recursive: true });
  if (onLinux) for (const ending of ["json", "svg", "csv"]) symlinkSync("/dev/full", join(cwd, `full.${ending}`));

  test.runIf(onLinux).each([
    ["walk run walk.json --seed a", "-o full.json"],
    ["walk run walk.json --seed a --json", "-o full.json"],
    ["recipe strength weapon", "--svg full.svg"],
    ["object stats dungeon --levels 1,2 -n 20 --seed a", "-o full.csv"],
  ])("%s %s", async (command, output) => {
    const plain = await rollmill(command.split(" "), { cwd });
    const failed = await rollmill([...command.split(" "), ...output.split(" ")], { cwd });
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    expect(failed.stderr).toContain(plain.stdout.trimEnd());
    expect(failed.stderr).toMatch(/full\.\w+: .*ENOSPC.* \[file\.write\]\n$/);
  });

  test("nor does a map that the format cannot hold", async () => {
    const plain = await rollmill(["walk", "run", "wide.json", "--seed", "a"], { cwd });
    const failed = await rollmill(["walk", "run", "wide.json", "--seed", "a", "-o", "wide.npy"], { cwd });
    expect([failed.code, failed.stdout, existsSync(join(cwd, "wide.npy"))]).toEqual([2, "", false]);
    expect(failed.stderr).toContain(plain.stdout.trimEnd());
    expect(failed.stderr).toMatch(/\[argument\.range\]\n$/);
  });
});

describe("INT, TERM and HUP leave nothing behind", () => {
  test.runIf(onUnix).each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s while a file is written", async (signal) => {
    const cwd = folderWith({ "big.csv": "old" });
    const started = spawn(process.execPath, [BIN, "recipe", "make", "weapon", "-n", "1000000000", "-o", "big.csv"], {
      cwd,
    });
    const ended = once(started, "close");
    while (!readdirSync(cwd).some((name) => name.endsWith(".tmp"))) await delay(5);
    started.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(cwd)).toEqual(["big.csv"]);
    expect(readFileSync(join(cwd, "big.csv"), "utf8")).toBe("old");
  });

  test.runIf(onUnix)("a signal ends a calculation at once", async () => {
    const cwd = folderWith({ "long.json": '{"walkers": 4, "steps": 9000000000}' });
    const started = spawn(process.execPath, [BIN, "walk", "run", "long.json", "-o", "map.png"], { cwd });
    const ended = once(started, "close");
    await once(started.stderr, "data");
    started.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
    expect(readdirSync(cwd)).toEqual(["long.json"]);
  });
});

describe("outputs that are not files", () => {
  test.runIf(onLinux)("/dev/stdout is a pipe, or the end of the file that stdout goes to", async () => {
    const cwd = folderWith({});
    const wanted = await child(["recipe", "strength", "weapon", "--svg", "s.svg"], { cwd });
    expect(wanted.code).toBe(0);
    const svg = readFileSync(join(cwd, "s.svg"), "utf8");
    expect((await shell("rollmill recipe strength weapon --svg /dev/stdout | cat", { cwd })).stdout).toBe(svg);
    await shell("{ echo before; rollmill recipe strength weapon --svg /dev/stdout; echo after; } > all.txt", { cwd });
    expect(readFileSync(join(cwd, "all.txt"), "utf8")).toBe(`before\n${svg}after\n`);
    expect((await shell("rollmill recipe strength weapon --svg /dev/null", { cwd })).code).toBe(0);
  });
});

describe("tables import and export --replace: a store is replaced as a whole or not at all", () => {
  const KILL_AT = new URL("../files/killAt.mjs", import.meta.url).href;
  const NEW: TablesInput = Object.fromEntries(Object.keys(words).map((name) => [name, [{ id: 1, word: "new" }]]));
  const options = { recipe: "weapon", spec };

  /** Replaces a store in a process that is killed at a step. Returns the signal that ended it. */
  async function replaceAndDie(cwd: string, to: string, at: number): Promise<string | null> {
    const command = ["recipe", "tables", "import", "weapon", "--from", "new.json", "--to", to, "--replace"];
    const env = { ...process.env, KILL_AT: String(at) };
    const started = spawn(process.execPath, ["--import", KILL_AT, BIN, ...command], { cwd, env });
    const [, signal] = await once(started, "close");
    return signal;
  }

  test.runIf(onUnix).each(["store", "store.json"])("%s: killed at steps that change the disk", async (to) => {
    const cwd = folderWith({});
    await saveTables(join(cwd, "new.json"), NEW, options);
    const fresh = await loadTables(join(cwd, "new.json"), options);
    const target = join(cwd, to);
    let signal: string | null = "SIGKILL";
    const found: string[] = [];
    // the folder has twice as many steps, which are alike
    const next = to === "store" && !IS_SOAK ? 3 : 1;
    for (let at = 1; signal === "SIGKILL"; at += next) {
      await saveTables(target, words, { ...options, replace: true });
      const old = await loadTables(target, options);
      signal = await replaceAndDie(cwd, to, at);
      const seen = await loadTables(target, options);
      expect([old, fresh]).toContainEqual(seen);
      found.push(seen.type.length === 1 ? "new" : "old");
    }
    expect(signal).toBeNull();
    expect([...new Set(found)]).toEqual(["old", "new"]);
    // the locks of the killed processes keep nobody out, and their files are gone
    await saveTables(target, words, { ...options, replace: true });
    const names = readdirSync(to === "store" ? target : cwd).filter((name) => name.startsWith(".rollmill"));
    expect(names.filter((name) => !/\.(?:lock|tmp)$/.test(name))).toEqual([]);
  });

  test.runIf(onUnix)("a word that is proposed after a kill is not lost", async () => {
    const cwd = folderWith({});
    await saveTables(join(cwd, "new.json"), NEW, options);
    await saveTables(join(cwd, "store"), words, options);
    expect(await replaceAndDie(cwd, "store", 8)).toBe("SIGKILL");
    const args = ["recipe", "word", "propose", "weapon", "element", "foggy", "--tables", "store"];
    expect(await rollmill(args, { cwd })).toMatchObject({ code: 0 });
    const { element } = await loadTables(join(cwd, "store"), options);
    expect(element.some(({ word }) => word === "foggy")).toBe(true);
  });
});

describe("text printed to a terminal has its control characters escaped", () => {
  const EVIL = "a\u001b]0;b\u0007c\u009b31md\u202ee\u2066f\u2028g";
  const BIDI = "d\u202ee\u2066f";
  const cwd = folderWith({
    "pools.json": JSON.stringify({ roots: { i: { kind: "infinite", records: [[BIDI, 1]] } } }),
    "evil.json": JSON.stringify({ roots: { [EVIL]: { kind: "infinite", records: [["a", 1]] } } }),
    "evil.2da": `2DA V2.0\n\n  Random0 Random0Weight ${EVIL}\n0 r${EVIL.slice(0, 4)} x${EVIL}\n`,
  });

  test.each([
    [["table", "check", "evil.2da"]],
    [["table", EVIL]],
    [[EVIL]],
    [["pool", "show", "pools.json"]],
    [["pool", "odds", "pools.json", "i"]],
    [["pool", "draw", "pools.json", "i", "--seed", "a"]],
    [["pool", "draw", "pools.json", EVIL]],
    [["pool", "show", "evil.json"]],
    [["walk", "run", EVIL]],
    [["recipe", "make", `${EVIL}.json`]],
    [["recipe", "make", "weapon", "-o", EVIL]],
  ])("%j", async (args) => {
    for (const terminal of [false, true]) {
      const { stdout, stderr } = await rollmill(args, { cwd, terminal });
      expect(`${stdout}${stderr}`).not.toMatch(/(?![\n\t])[\p{Control}\u2028\u202e\u2066]/u);
      expect(`${stdout}${stderr}`).toMatch(/\\u202e/);
    }
  });

  test("every listing of every command escapes the names in its files", async () => {
    const name = EVIL.replaceAll(/[\p{Control}\u2028]/gu, "");
    const spec = JSON.stringify(words).replaceAll('"word":"', `"word":"${name}`);
    const dungeon = fileURLToPath(new URL("../../data/dungeon/", import.meta.url));
    const objects = Object.fromEntries(
      readdirSync(dungeon).map((file) => [file, readFileSync(join(dungeon, file), "utf8")]),
    );
    const objectName = EVIL.replace("\u2028", "");
    for (const file of ["artifact.txt", "ego_themes.txt"]) {
      objects[file] = objects[file].replaceAll(/^N:\d+:(?:(?:suffix|prefix):)?/gm, `$&${objectName}`);
    }
    const folder = folderWith({
      "words.json": spec,
      "roll.2da": `2DA V2.0\n\n  Label Random0 Random0Weight\n0 ${name} "r${name}" 1\n`,
      "walk.json": JSON.stringify({ layers: [{ name: EVIL, preset: "five-ways", steps: 10 }] }),
      "script.mjs": `export const script = () => { throw new Error(${JSON.stringify(EVIL)}); };`,
      "live.2da": "2DA V2.0\n\n  Random0 Random0Weight\n0 r1 s1\n",
      ...objects,
    });
    const seed = ["--seed", "a"];
    const tables = ["--tables", "words.json"];
    const listings = [
      ["table", "roll", "roll.2da", ...seed],
      ["table", "roll", "roll.2da", ...seed, "--count"],
      ["table", "odds", "roll.2da"],
      ["table", "roll", "live.2da", ...seed, "--script", "script.mjs"],
      ["walk", "run", "walk.json", ...seed],
      ["recipe", "make", "weapon", ...seed, ...tables],
      ["recipe", "word", "propose", "weapon", "type", `${name}x`, ...tables],
      ["recipe", "word", "list", "weapon", ...tables],
      ["object", "make", ".", "-n", "1000", "--level", "40", "--great", ...seed],
      ["object", "stats", ".", "-n", "1000", "--levels", "40", ...seed],
      ["object", "odds", ".", "--kind", "Reed Falchion", "--level", "20", "--has", "Honed", "--has", "Ponderous"],
    ];
    for (const args of listings) {
      const { stdout, stderr } = await rollmill(args, { cwd: folder });
      expect(`${args[0]} ${args[1]}: ${stdout}${stderr}`).not.toMatch(/(?![\n\t])[\p{Control}\u2028\u202e\u2066]/u);
      expect(`${args[0]} ${args[1]}: ${stdout}${stderr}`).toMatch(/\\u202e/);
    }
  });

  test("JSON and files keep the data", async () => {
    const { stdout } = await rollmill(["pool", "odds", "pools.json", "i", "--json"], { cwd });
    expect(dataOf(stdout)[0].id).toBe(BIDI);
  });
});

describe("cells that a spreadsheet would run", () => {
  test("are written as text in every CSV of the command line, and kept with --raw-cells", async () => {
    const cwd = folderWith({});
    const tables = {
      ...words,
      type: words.type.map((row) => ({ ...row, word: `=${row.word}` })),
      prefix: words.prefix.map((row) => ({ ...row, word: `@${row.word}` })),
    };
    writeFileSync(join(cwd, "words.json"), JSON.stringify(tables));
    const make = ["recipe", "make", "weapon", "--tables", "words.json", "-n", "200", "--seed", "a"];
    const safe = await rollmill([...make, "--csv"], { cwd });
    const raw = await rollmill([...make, "--csv", "--raw-cells"], { cwd });
    expect(safe.code).toBe(0);
    expect(raw.stdout).toMatch(/,=\w/);
    expect(safe.stdout).toMatch(/,'=\w/);
    expect(safe.stdout).not.toMatch(/(?:^|,)"?[=@]/m);
    expect(safe.stdout.replaceAll(/(?<=^|,|")'(?=[=@])/gm, "")).toBe(raw.stdout);
    await rollmill([...make, "-o", "items.csv"], { cwd });
    expect(readFileSync(join(cwd, "items.csv"), "utf8")).toBe(safe.stdout);
  });
});
