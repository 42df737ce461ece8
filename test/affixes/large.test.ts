import { describe, expect, test } from "vitest";
import { parseObjectFiles } from "../../src/affixes/index.js";
import type { ObjectFiles, ObjectTexts } from "../../src/affixes/types.js";
import { SMALL, smallWith } from "./small.js";

/** Lines by number, from 0. */
function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("");
}

function filesOf(changes: Partial<ObjectTexts>): ObjectFiles {
  const { files, issues } = parseObjectFiles(smallWith(changes));
  if (files === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return files;
}

describe("files of many records are read as small ones are", () => {
  test("artifacts name kinds of their own type; of two kinds with one name the later", () => {
    const kind = (i: number) => `N:${100 + i}:& Kind ${i % 200}~\nI:${i < 250 ? 21 : 22}:${i % 250}\n`;
    const object = SMALL.object + lines(400, kind);
    const artifact = `N:1:A\nI:hafted:Kind 7\nN:2:B\nI:hafted:Kind 70\nN:3:C\nI:polearm:Kind 50\nN:4:D\nI:polearm:Kind 199\n`;
    expect(filesOf({ object, artifact }).artifacts.map(({ tval, sval }) => [tval, sval])).toEqual([
      [21, 207],
      [21, 70],
      [22, 0],
      [22, 149],
    ]);
    const { issues } = parseObjectFiles(
      smallWith({ object, artifact: "N:1:A\nI:sword:Kind 7\nN:2:B\nI:sword:Kriz\n" }),
    );
    expect(issues.map(({ where, message }) => [where.line, message])).toEqual([
      [2, expect.stringContaining("no sword is called so")],
      [4, expect.stringContaining('Did you mean "Kris"?')],
    ]);
  });
});
