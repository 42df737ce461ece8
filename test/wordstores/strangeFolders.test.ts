import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rollmill } from "../cli/rollmill.js";
import { canaryOf, flawOf, makeCase } from "./strangeFolders.mjs";

const CASES = 100;
const root = mkdtempSync(join(tmpdir(), "rollmill-strange-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.runIf(process.platform !== "win32")("word folders from strangers (audit 1)", () => {
  test("every command ends with a code, and changes only its own files", async () => {
    // all cases at once, because some of them wait for a lock
    const flaws = await Promise.all(Array.from({ length: CASES }, (_, k) => flawOfCase(k)));
    expect(flaws.filter((flaw) => flaw !== undefined)).toEqual([]);
  });
});

async function flawOfCase(k: number): Promise<string | undefined> {
  const cwd = join(root, String(k));
  mkdirSync(cwd);
  const commands = makeCase(cwd, 7, k);
  const before = canaryOf(cwd);
  for (const args of commands) {
    const flaw = flawOf(await rollmill(args, { cwd }));
    if (flaw !== undefined) return `case ${k}: ${args.join(" ")}: ${flaw}`;
  }
  return canaryOf(cwd) === before ? undefined : `case ${k}: a file that is not its own has changed`;
}
