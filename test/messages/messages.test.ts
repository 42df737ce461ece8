import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type Code, formatIssue, type Issue } from "../../src/errors/index.js";
import { CODE_HASH } from "../../src/jobs/codeHash.js";
import { EXAMPLES, type Example, FOLDER, WITHOUT_EXAMPLE } from "./examples.js";

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** The line of an example with this code: what a user reads. */
async function lineOf(code: Code, example: Example): Promise<string> {
  const lines = await linesOf(example);
  const line = lines.find((one) => one.endsWith(`[${code}]`));
  if (line === undefined) throw new Error(`no ${code} among:\n${lines.join("\n")}`);
  // paths of the machine and sentences of the engine differ from one to the next
  return (
    line
      .replaceAll(FOLDER, "FOLDER")
      .replaceAll(CODE_HASH, "HASH")
      // keys of parts depend on the code
      .replaceAll(/"(?!0{55})[\da-f]{55}…"|\b[\da-f]{64}\b/g, "KEY")
      .replace(/job-\w+/, "job-1")
      .replace(/got "\d+ bytes free"/, 'got "9 bytes free"')
      .replace(/got "WebAssembly[^"]*"/, 'got "…"')
      .replace(/127\.0\.0\.1:\d+/, "127.0.0.1:PORT")
  );
}

async function linesOf(example: Example): Promise<string[]> {
  let result: unknown;
  try {
    result = await example();
  } catch (cause) {
    // by its name: an example may bring a copy of the library
    if (!(cause instanceof Error && cause.name === "RollmillError")) throw cause;
    result = cause;
  }
  if (typeof result === "string") return result.split("\n");
  const { issues = [] } = (result ?? {}) as { readonly issues?: readonly Issue[] };
  return issues.map(formatIssue);
}

describe("messages", () => {
  test("every code has an example, but for those that say why not", async () => {
    const source = await readFile(new URL("../../src/errors/codes.ts", import.meta.url), "utf8");
    const codes = [...source.matchAll(/^ {2}\| "([^"]+)"/gm)].map((found) => found[1]);
    expect([...Object.keys(EXAMPLES), ...Object.keys(WITHOUT_EXAMPLE)].sort()).toEqual(codes.sort());
  });

  test("read as they are pinned, one line an example", async () => {
    const [lines, failures]: [string[], string[]] = [[], []];
    for (const [code, examples] of Object.entries(EXAMPLES)) {
      for (const example of examples) {
        try {
          lines.push(await lineOf(code as Code, example));
        } catch (cause) {
          failures.push(`${code}: ${(cause as Error).message}`);
        }
      }
    }
    expect(failures).toEqual([]);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./messages.snap.txt");
  });
});
