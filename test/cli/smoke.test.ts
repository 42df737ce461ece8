import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SEED_TABLE } from "../tables/seedTable.js";
import { BIN, child, folderWith, rollmill, shell } from "./rollmill.js";

const FILES = {
  "loot.2da": SEED_TABLE,
  "flawed.2da": SEED_TABLE.replace("Random0Weight", "Random0Wait"),
  "walk.json": '{"walkers": 3, "steps": 100}',
  "drops.json": '{"rolls": "1d3", "table": {"rows": {"a": [{"result": "gold", "weight": 1, "quantity": "1d4"}]}}}',
  "pools.json": '{"roots": {"i": {"kind": "finite", "records": [["axe", 2, 3], ["bow", 1, 1]]}}}',
  "forever.mjs": "await new Promise(() => {}); export const script = () => 1;",
  // fails after its first batches, while the progress bar is shown
  "late.mjs":
    "let asked = 0; export const script = () => { if (asked++ > 3e6) throw new Error('late'); return 1; }; export const chosen = () => {};",
};
const built = folderWith(FILES);
const inProcess = folderWith(FILES);
for (const folder of [built, inProcess]) {
  cpSync(fileURLToPath(new URL("../../data/dungeon", import.meta.url)), join(folder, "dungeon"), { recursive: true });
}

describe("the built command prints what main prints in the process", () => {
  test.each([
    ["--version"],
    ["--help"],
    ["pick gold=70 gem=1/3 --seed a -n 20"],
    ["dice 2d6+1 --seed a -n 20"],
    ["shuffle ann bob cid --seed a -n 20"],
    ["sample --size 2 ann bob cid --seed a -n 20"],
    ["table roll loot.2da --seed a -n 20 --script-arg now=2026-01-05"],
    ["table odds loot.2da --weight 1=1 --weight 2=1"],
    ["table check flawed.2da"],
    ["drops drops.json --seed a -n 9"],
    ["table check absent.2da"],
    ["walk run walk.json --seed a -o map.png"],
    ["walk ends walk.json --seed a"],
    ["walk odds walk.json --json"],
    ["pool draw pools.json i --seed a -n 9"],
    ["pool odds pools.json i"],
    ["pool show pools.json"],
    ["recipe make weapon --seed a -n 9"],
    ["recipe odds weapon"],
    ["recipe strength weapon --json"],
    ["recipe show weapon"],
    ["recipe tables export weapon --to words.json"],
    ["recipe tables import weapon --from words.json --to words.csv"],
    ["recipe word propose weapon element foggy --tables words.json --stat attack=2 --time 2026-11-22T06:00:00Z"],
    ["recipe word list weapon --tables words.json"],
    ["recipe word accept weapon element foggy --tables words.json"],
    ["object make dungeon --level 30 --seed a -n 9"],
    ["object odds dungeon --kind Longsword --level 30"],
    ["object stats dungeon --levels 30 -n 50 --seed a"],
    ["object check dungeon"],
    ["random words --seed a -n 9"],
    ["random dump --seed a --bytes 40"],
    ["random dump --planes 0"],
    ["completion bash"],
    ["recipe make weapon --seed a -o absent/w.csv"],
  ])("rollmill %s", async (line) => {
    const args = line.split(" ");
    const wanted = await rollmill(args, { cwd: inProcess });
    const found = await child(args, { cwd: built });
    const { code, stdout } = found;
    expect({ code, stdout, stderr: fixed(found.stderr) }).toEqual({
      code: wanted.code,
      stdout: wanted.stdout,
      stderr: fixed(wanted.stderr),
    });
    expect(found.bytes.equals(wanted.bytes)).toBe(true);
  });

  test("with input from stdin", async () => {
    const args = ["table", "roll", "-", "--seed", "a", "-n", "20", "--weight", "1=1", "--weight", "2=0"];
    const wanted = await rollmill(args, { input: SEED_TABLE });
    expect(await child(args, { input: SEED_TABLE })).toEqual(wanted);
    expect(wanted.stdout.split("\n")).toHaveLength(21);
  });
});

/** Returns stderr without times. */
function fixed(stderr: string): string {
  return stderr.replace(/[\d.]+ s, \S+ \w+ a second/, "TIME");
}

describe("the exit code", () => {
  test.each([
    ["random words --seed a", 0],
    ["recipe tables import weapon --to absent/words.db", 1],
    ["table check flawed.2da", 2],
    ["tabel", 2],
  ])("of rollmill %s is %d", async (line, code) => {
    expect((await child(line.split(" "), { cwd: built })).code).toBe(code);
  });

  test("is 1 for a script module that never finishes loading", async () => {
    const args = ["table", "roll", "loot.2da", "--seed", "a", "--script", "forever.mjs"];
    const { code, stdout, stderr } = await child(args, { cwd: built });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/never finishes loading\n$/);
  });
});

describe("the streams of the process", () => {
  test("a reader that closes the pipe ends the command with 0", async () => {
    for (const command of ["random dump --seed a", "random words --seed a -n 4398046511104"]) {
      const line = `rollmill ${command} | head -c 9; echo " \${PIPESTATUS[0]}"`;
      const { stdout, stderr } = await shell(line, { cwd: built });
      expect(stdout, command).toMatch(/ 0\n$/);
      expect(stderr, command).toBe("");
    }
  });

  test("a closed stderr does not change the exit code", async () => {
    const { stdout } = await shell(
      "{ rollmill table roll absent.2da >&2; echo $? >&3; } 3>&1 2>&1 >/dev/null | tail -1",
      { cwd: built },
    );
    expect(stdout).toBe("2\n");
  });

  test.skipIf(process.platform !== "linux")("a full disk is a failure", async () => {
    for (const command of ["random words --seed a -n 100000", "random words --seed a", "--help"]) {
      const { code, stderr } = await shell(`rollmill ${command} > /dev/full`, { cwd: built });
      expect(code, command).toBe(1);
      expect(stderr, command).toMatch(/ENOSPC.* \[file\.write\]\n$/);
    }
  });
});

// `script` of util-linux gives a process a terminal; other systems have other options
describe.skipIf(process.platform !== "linux")("on a terminal (Linux only)", () => {
  const onTerminal = (args: string) =>
    shell(`script -qec "'${process.execPath}' '${BIN}' ${args}" /dev/null`, { cwd: built });

  test("a long job shows its progress", async () => {
    const { code, stdout } = await onTerminal(
      "table roll loot.2da --count --seed a -n 40000000 --weight 1=1 --weight 2=1",
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/rolling .*%.* rolls\/s {2}ETA /);
    expect(stdout).toMatch(/\d+\t6\r\n/);
  });

  test("a job that fails while the bar is shown ends", async () => {
    const { code, stdout } = await onTerminal(
      "table roll loot.2da --start 1 --count --seed a -n 40000000 --script late.mjs",
    );
    expect(stdout).toMatch(/\[table\.script\]/);
    expect(code).toBe(2);
  });
});
