import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeHashOf } from "../../scripts/code-hash.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "rollmill-code-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folder of a copy of the project, with a longer path. */
const copy = join(folder, "a", "longer", "path");
let own: string;
beforeAll(async () => {
  mkdirSync(copy, { recursive: true });
  for (const name of ["src", "package.json"]) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  own = await codeHashOf(ROOT);
});

/** Returns the hash of the copy with a changed file. */
async function hashWith(file: string, change: (text: string) => string): Promise<string> {
  const text = readFileSync(join(copy, file), "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(join(copy, file), change(text));
  try {
    return await codeHashOf(copy);
  } finally {
    writeFileSync(join(copy, file), text);
  }
}

describe("the hash of the code of a job (audit 4b)", () => {
  test("is the same in another folder, and with another comment", async () => {
    expect(await codeHashOf(copy)).toBe(own);
    expect(await hashWith("src/jobs/tasks/bulk.ts", (text) => `// a comment\n${text}`)).toBe(own);
  });

  test.each([
    ["a writer of parts", "src/formats/tables/parquet.ts", '"rollmill"', '"rollmilk"'],
    ["the result", "src/jobs/folder/result.ts", "{ world, ordered", "{ word: world, ordered"],
    ["the kernel", "src/kernel/bytes/maps.ts", 'frequent: "', 'frequent: "1'],
    ["a shipped recipe", "src/recipes/data.ts", '"word":"', '"word":"x'],
  ])("changes with a letter of %s", async (_, file, before, after) => {
    expect(await hashWith(file, (text) => text.replace(before, after))).not.toBe(own);
  });
});
