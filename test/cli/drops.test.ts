import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMill, toNumber } from "../../src/index.js";
import { folderWith, rollmill } from "./rollmill.js";

const LOOT = "result,weight,quantity\ngold,3,1d4\n,1,\n-> gems.csv,1,\n";
const GEMS = "result\nruby\nopal\n";
const ORC = { always: [{ result: "bones" }], rolls: "0-2", table: "loot.csv" };
const cwd = folderWith({
  "flawed.json": '{"table": "absent.csv"}',
  "other.json": '{"table": {"rows": []}, "rols": 1}',
});
mkdirSync(join(cwd, "orcs"));
for (const [name, text] of Object.entries({ "orc.json": JSON.stringify(ORC), "loot.csv": LOOT, "gems.csv": GEMS })) {
  writeFileSync(join(cwd, "orcs", name), text);
}
const run = (...args: string[]) => rollmill(["drops", ...args], { cwd });
const orc = () =>
  createMill({ seed: "moria" }).drops(
    "orc",
    { ...ORC, table: LOOT },
    { file: "loot.csv", files: { "gems.csv": GEMS } },
  );

test("drops prints a drop per line, with tabs between its results", async () => {
  const { code, stdout, stderr } = await run(
    "orcs/orc.json",
    "--seed",
    "moria",
    "-n",
    "50",
    "--from",
    "7",
    "--fork",
    "3",
  );
  const lines = Array.from(orc().fork(3).rollMany(50, { from: 7 }), (drop) =>
    drop.map((one) => (typeof one === "string" ? one : `${one.result} ${one.quantity}`)).join("\t"),
  );
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${lines.join("\n")}\n`, stderr: "" });
  const document = JSON.parse((await run("orcs/orc.json", "--seed", "moria", "-n", "5", "--json")).stdout);
  expect(document).toMatchObject({ command: "drops", name: "orc", from: 0, data: [...orc().rollMany(5)] });
});

test("--odds prints the exact odds of each result", async () => {
  const { odds } = orc().odds();
  const { stdout } = await run("orcs/orc.json", "--odds");
  const [, gold] = stdout.split("\n");
  const { atLeastOne, expected } = odds[1];
  const text = ({ numerator, denominator }: typeof expected) => `${numerator}/${denominator}`;
  expect(gold.split("\t").filter((_, i) => i !== 2 && i !== 4)).toEqual(["gold", text(atLeastOne), text(expected)]);
  const document = JSON.parse((await run("orcs/orc.json", "--odds", "--json")).stdout);
  expect(document.data.odds[1]).toMatchObject({
    result: "gold",
    atLeastOne: { probability: toNumber(atLeastOne) },
    expected: { value: toNumber(expected) },
  });
});

test.each([
  ["flawed.json", "file.read"],
  ["other.json", "argument.type"],
  ["absent.json", "file.read"],
])("%s is refused", async (file, code) => {
  const { stdout, stderr } = await run(file);
  expect(stdout).toBe("");
  expect(stderr).toContain(`[${code}]`);
});

describe('the path in "table" (audit 13)', () => {
  writeFileSync(join(cwd, "secret.csv"), "the secret,is here\n");
  mkdirSync(join(cwd, "orcs/caves"));
  writeFileSync(join(cwd, "orcs/caves/loot.csv"), "result\n-> deep/gems.csv\n");
  mkdirSync(join(cwd, "orcs/caves/deep"));
  writeFileSync(join(cwd, "orcs/caves/deep/gems.csv"), "result\nruby\n");
  writeFileSync(join(cwd, "orcs/caves/out.csv"), "result\n-> link.csv\n");
  const links = { "link.csv": "../secret.csv", "inside.csv": "caves/loot.csv", folder: ".." };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(cwd, "orcs", name));
  symlinkSync("../../secret.csv", join(cwd, "orcs/caves/link.csv"));
  const rolled = async (table: string) => {
    writeFileSync(join(cwd, "orcs/any.json"), JSON.stringify({ table }));
    return run("orcs/any.json", "--seed", "moria");
  };

  test.each([
    "../secret.csv",
    "caves/../../secret.csv",
    "./loot.csv",
    "..\\secret.csv",
    "C:secret.csv",
    join(cwd, "secret.csv"),
    "link.csv",
    "folder/secret.csv",
  ])("%j does not lead out of the folder", async (table) => {
    const { code, stdout, stderr } = await rolled(table);
    expect([code, stdout, /\[([a-z.-]+)\]/.exec(stderr)?.[1]]).toEqual([2, "", "file.read"]);
    expect(stderr).not.toContain("the secret");
  });

  test("a jump of the table does not lead out of the folder either", async () => {
    const { stderr } = await rolled("caves/out.csv");
    expect([stderr.includes("[table.jump]"), stderr.includes("the secret")]).toEqual([true, false]);
  });

  test("folders and links inside the folder are followed", async () => {
    expect((await rolled("caves/loot.csv")).stdout).toBe("ruby\n");
    // the jumps of a table are relative to the folder in its path
    mkdirSync(join(cwd, "orcs/deep"));
    writeFileSync(join(cwd, "orcs/deep/gems.csv"), "result\nopal\n");
    expect((await rolled("inside.csv")).stdout).toBe("opal\n");
  });

  test("the drops from stdin have the current folder", async () => {
    for (const [table, code] of [
      ["orcs/caves/loot.csv", 0],
      ["../secret.csv", 2],
    ] as const) {
      const { code: found } = await rollmill(["drops", "-", "--seed", "moria"], { cwd, input: `{"table":"${table}"}` });
      expect([table, found]).toEqual([table, code]);
    }
  });
});
