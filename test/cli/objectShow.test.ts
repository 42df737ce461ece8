import { cpSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { folderWith, rollmill } from "./rollmill.js";

const DUNGEON = fileURLToPath(new URL("../../data/dungeon", import.meta.url));
const LIGHTHOUSE = fileURLToPath(new URL("../../data/lighthouse", import.meta.url));
const cwd = folderWith({});
const show = (...args: readonly string[]) => rollmill(["object", "show", ...args], { cwd });

interface Shown {
  readonly sort: string;
  readonly number: number;
  readonly name: string;
  readonly place: { readonly line: number };
  readonly means: readonly string[];
  readonly found: readonly string[];
  readonly chances: readonly {
    readonly level: number;
    readonly of: string;
    readonly chance: { readonly numerator: string; readonly denominator: string };
  }[];
}

async function shown(...args: readonly string[]): Promise<Shown> {
  const { stdout, stderr, code } = await show(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout).data as Shown;
}

describe("object show", () => {
  test("an ego: what it adds, where it occurs, and its exact odds", async () => {
    const storm = await shown(LIGHTHOUSE, "of the Storm");
    expect(storm).toMatchObject({ sort: "affix", number: 7, name: "of the Storm", place: { line: 58 } });
    expect(storm.means).toContain("to-ac +3+d12");
    expect(storm.means).toContain("resists cold (RES_COLD)");
    expect(storm.found).toHaveLength(2);
    const at = (level: number) => storm.chances.find((one) => one.level === level && one.of === "an Oilskin Cloak");
    expect(at(30)?.chance).toMatchObject({ numerator: "3", denominator: "19" });
  });

  test("a kind, with its chance for normal and for good objects; a rusted one is never good", async () => {
    const cutlass = await shown(LIGHTHOUSE, "rusted cutlass");
    expect(cutlass.sort).toBe("kind");
    expect(cutlass.means).toContain("dice 1d8");
    expect(new Set(cutlass.chances.map((one) => one.of))).toEqual(new Set(["a normal object"]));
    expect((await shown(LIGHTHOUSE, "Keeper's Coat")).chances.some((one) => one.of === "a good object")).toBe(true);
    expect((await shown(LIGHTHOUSE, "Lantern Glass")).chances).toEqual([]);
  });

  test("an artifact, with or without the quotes of its name", async () => {
    const hawser = await shown(LIGHTHOUSE, "Hawser");
    expect(hawser).toEqual(await shown(LIGHTHOUSE, "'Hawser'"));
    expect(hawser.means).toContain("slays wraith 3 (×3 damage against wraiths)");
    expect(hawser.found[0]).toContain("15 to 80");
  });

  test("a theme of version 4, an affix of version 4 as text", async () => {
    expect((await shown(DUNGEON, "of the Cold Forge")).means).toHaveLength(6);
    const { stdout } = await show(DUNGEON, "Steady");
    expect(stdout).toMatch(/^Steady \(affix 61, .*ego_item\.txt:\d+\)\n/);
    expect(stdout).toContain("  a Rushlight at level 20\t21/50\t0.420000\n");
  });

  test("by number with --of; an unknown name, a number alone and a shared name are refused", async () => {
    expect(await shown(LIGHTHOUSE, "9", "--of", "affix")).toMatchObject({ name: "of the Eel", number: 9 });
    for (const args of [["of the Eels"], ["9"], ["of the Eel"]]) {
      const { code, stderr } = await show(LIGHTHOUSE, ...args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/\[object\.name\]\n$/)]);
    }
  });

  test("without a record, the constants of the rules; the check prints those that were changed (first hour 16)", async () => {
    cpSync(DUNGEON, `${cwd}/pit`, { recursive: true });
    expect((await show("pit")).stdout).toContain("slots.limit\t8\nslots.boostOneIn\t20\n");
    writeFileSync(`${cwd}/pit/constants.json`, '{ "slots": { "limit": 5 } }');
    expect((await show("pit")).stdout).toContain("slots.limit\t5\t(usually 8)\n");
    expect(JSON.parse((await show("pit", "--json")).stdout).data.slots.limit).toBe(5);
    expect(await show("pit", "--of", "kind")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("[cli.usage]"),
    });
    cpSync(LIGHTHOUSE, `${cwd}/tower`, { recursive: true });
    expect((await show("tower")).stdout).toMatch(/^files of Angband 4\.2 have no constants;/);
    expect(JSON.parse((await show("tower", "--json")).stdout).data).toEqual({});
    const check = await rollmill(["object", "check", "pit"], { cwd });
    expect(check.stderr).toContain("slots.limit 5 (usually 8)");
    writeFileSync(`${cwd}/pit/constants.json`, '{ "slots": { "limit": 50 } }');
    const { code, stdout } = await rollmill(["object", "check", "pit"], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringContaining("pit/constants.json slots.limit: ")]);
  });
});
