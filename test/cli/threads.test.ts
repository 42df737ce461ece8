import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SEED_TABLE } from "../tables/seedTable.js";
import { BIN, child, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({
  "loot.2da": SEED_TABLE,
  "shots.2da": "2DA V2.0\n\n  Random0 Random0Weight Random1 Random1Weight\n0 ra s1600 rb s1010\n",
  "even.mjs": "export const script = (id) => (id % 2 === 0 ? 100 : 0);",
  "walk.json": JSON.stringify({
    layers: [
      { name: "land", walkers: 700, steps: 12_000, firstVisit: true },
      { name: "rivers", walkers: 40, steps: 400, preset: "sf66-rf33", heading: "E", start: { layer: "land" } },
    ],
  }),
  "pools.json": '{"roots": {"i": {"kind": "infinite", "records": [["axe", 2], ["bow", 1]]}}}',
});
const SEEDED = ["--seed", "moria"];
const NOW = ["--script-arg", "now=2026-01-05"];

test.each([
  ["dice 2d6+1 --count -n 3e6 --from 777 --fork ann"],
  ["dice 1-100000 --count -n 3e6 --json"],
  ["table roll loot.2da --start 1 --count -n 3e6 --from 4097 --json", ...NOW],
  ["table roll loot.2da --count -n 0", ...NOW],
  ["selfcheck loot.2da -n 3e6 --fork 7 --weight 1=3 --weight 2=1"],
  ["selfcheck weapon -n 2e5 --tier 3 --json"],
  ["walk run walk.json --json"],
  ["walk run walk.json --layer rivers --fork ann --json"],
])("rollmill %s prints the same in any number of threads", async (line, ...more) => {
  const args = [...line.split(" "), ...more, ...SEEDED];
  const { code, stdout, stderr } = await rollmill(args, { cwd });
  expect(code).toBe(0);
  for (const threads of ["1", "2", "3"]) {
    expect(await child([...args, "--threads", threads], { cwd })).toMatchObject({ code, stdout, stderr });
  }
});

test("a file of a walk has the same bytes", async () => {
  const args = ["walk", "run", "walk.json", "--layer", "land", "--first-visits", ...SEEDED];
  for (const threads of ["1", "2", "3"]) {
    expect((await child([...args, "--threads", threads, "-o", `${threads}.npy`], { cwd })).code).toBe(0);
  }
  const [one, two, three] = [1, 2, 3].map((threads) => readFileSync(join(cwd, `${threads}.npy`)));
  expect([one.equals(two), one.equals(three)]).toEqual([true, true]);
});

test.each([
  ["dice 2d6 --threads 0", /'--threads <n>' argument '0' is invalid\. Expected an integer from 1 to 1024/],
  ["dice 2d6 --count --threads 1025", /from 1 to 1024.*\[cli\.usage\]/],
  ["dice 2d6 --threads 2", /--threads needs --count.*\[cli\.usage\]/],
  ["table roll loot.2da --threads 2", /--threads needs --count.*\[cli\.usage\]/],
  ["walk run walk.json --layer land --steps 9 --threads 2", /part of a layer.*Omit --threads\. \[cli\.usage\]/],
  ["walk run walk.json --layer land -o a.walk --threads 2", /part of a layer.*\[cli\.usage\]/],
  ["walk run walk.json --layer sea --threads 2", /no layer "sea".*\[cli\.usage\]/],
  [
    "table roll shots.2da --script nwangband --count --threads 2",
    /earlier results.*without threads\. \[argument\.type\]/,
  ],
  [
    "table roll loot.2da --script even.mjs --count --threads 2",
    /option "script".*without threads\. \[argument\.option\]/,
  ],
  ["selfcheck pools.json --threads 2", /threads cannot make these results.*without threads\. \[argument\.type\]/],
  ["selfcheck absent.csv --threads 2", /absent\.csv.*\[file\.read\]/],
])("rollmill %s is refused", async (line, message) => {
  const { code, stdout, stderr } = await child([...line.split(" "), ...SEEDED], { cwd });
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
});

test.skipIf(process.platform === "win32")("a signal ends the command and its threads", async () => {
  const args = ["dice", "2d6", "--count", "-n", "4e12", "--threads", "2", ...SEEDED];
  const started = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(started, "exit");
  setTimeout(() => started.kill("SIGINT"), 1000);
  expect(await ended).toEqual([null, "SIGINT"]);
});
