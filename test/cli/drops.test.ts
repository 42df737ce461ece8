import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
