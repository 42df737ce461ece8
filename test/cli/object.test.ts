import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ObjectTexts } from "../../src/objects/types.js";
import { SMALL, smallWith } from "../objects/small.js";
import { writeObjectFolder } from "./objectFolder.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({});
const folder = (name: string, texts: Partial<ObjectTexts>) => writeObjectFolder(join(cwd, name), texts);
const objectBase = `${SMALL.objectBase}N:amulet:Amulet~\n`;
folder("whole", smallWith({ objectBase }));
folder("doubtful", smallWith({ objectBase, egoItem: `${SMALL.egoItem}N:9:prefix:Lost\n` }));
folder(
  "flawed",
  smallWith({
    object: SMALL.object.replace("I:23:4", "I:23:four"),
    egoItem: SMALL.egoItem.replace("X:of Rust", "X:of Rost"),
  }),
);
folder("flags", { ...SMALL, flags: "flag,type\nSTR\n" });
folder("part", { object: SMALL.object, egoItem: SMALL.egoItem });
const check = (...args: string[]) => rollmill(["object", "check", ...args], { cwd });

const FORMAT = "format: edit files of Angband's version 4 (lines N:…)\n";

describe("object check lists every error and warning of a folder", () => {
  test("nothing for valid files", async () => {
    expect(await check("whole")).toMatchObject({ code: 0, stdout: "", stderr: `${FORMAT}errors: 0, warnings: 0\n` });
  });

  test("each as file:line:column: message [code], and exit 2 on an error", async () => {
    const { code, stdout, stderr } = await check("flawed");
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^flawed\/object\.txt:5:6: .* \[object\.number\]$/),
      expect.stringMatching(/^flawed\/ego_item\.txt:6:3: .*Did you mean "of Rust"\? \[object\.name\]$/),
      "",
    ]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${FORMAT}errors: 2, warnings: 0\n` });
  });

  test("with only warnings, it exits with 0; --json is a list", async () => {
    const { code, stdout, stderr } = await check("doubtful", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${FORMAT}errors: 0, warnings: 1\n` });
    expect(dataOf(stdout)).toEqual([
      {
        code: "object.name",
        severity: "warning",
        message: expect.stringMatching(/^no object can get the affix "Lost" by chance/),
        where: { file: "doubtful/ego_item.txt", line: 22, column: 1 },
      },
    ]);
  });

  test("files with more records than the kernel can hold", async () => {
    const many = (line: (i: number) => string) =>
      Array.from({ length: 4100 }, (_, i) => `N:${100 + i}:${line(i)}\n`).join("");
    const egoItem = SMALL.egoItem + many((i) => `prefix:P${i}`);
    const egoThemes = SMALL.egoThemes + many((i) => `suffix:S${i}`);
    folder("large", smallWith({ egoItem, egoThemes }));
    const { code, stdout } = await check("large");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^[^\n]*\[object\.files\]\n$/);
  });

  test("a flags.csv is used if it exists", async () => {
    const { code, stdout } = await check("flags");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^flags\/flags\.csv:2:1: .* \[object\.line\]$/m);
  });

  test("each missing file is listed", async () => {
    const { code, stdout } = await check("part");
    expect(code).toBe(2);
    const places = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/: .*\[/, " ["));
    expect(places).toEqual([
      "part/object_base.txt [object.files]",
      "part/ego_themes.txt [object.files]",
      "part/artifact.txt [object.files]",
    ]);
  });
});
