// What the page offers to take away: its command lines and its programs print what it shows.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BIN } from "../cli/rollmill.js";
import { isMissing, settled, textIn, type, Workbench } from "./page.js";

const run = promisify(execFile);
// inside the package, so that the programs find it by its name
const OUT = fileURLToPath(new URL("../../out", import.meta.url));

/** The kinds of the examples. */
const KINDS = ["table", "drops", "pools", "pools", "recipe", "objects", "walk", "world"];
const LIST = "result,weight,quantity\ngold,3,2d6\ncrown,1,\n";

describe.skipIf(isMissing)("the page offers", () => {
  const bench = new Workbench();
  let folder: string;
  beforeAll(() => {
    mkdirSync(OUT, { recursive: true });
    folder = mkdtempSync(join(OUT, "take-away-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ...KINDS.map((kind, i) => [kind, i, undefined] as const),
    ["list", 0, LIST] as const,
    ["table", 0, LIST.replace("result", "table,result").replaceAll(/^(gold|crown)/gm, "Chest,$1")] as const,
  ])("commands and a program for %s, example %i, %j", async (kind, i, text) => {
    const { page } = bench;
    await page.selectOption("header select", String(i));
    await settled(page);
    if (text !== undefined) await type(page, text);
    // the address gets the document a moment later
    await page.waitForTimeout(800);
    await settled(page);
    const { files } = await documentOf(page.url());
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    await page.click("summary:has-text('Take it away')");
    let printed = "";
    for (const line of await page.locator(".command code").allInnerTexts()) {
      const command = line.replace(/^npx rollmill /, `"${process.execPath}" "${BIN}" `);
      ({ stdout: printed } = await run("sh", ["-c", command], { cwd: folder }));
    }
    const shown = await shownIn(kind);
    if (kind === "walk") expect(printed).toContain(shown);
    else if (kind === "recipe") expect(firstCells(printed)).toEqual(shown.split("\n"));
    else if (shown !== "") expect(wordsIn(printed)).toEqual(wordsIn(shown));
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=Plan file")]);
    await saved.saveAs(join(folder, saved.suggestedFilename()));
    const program = join(folder, `${kind}.mjs`);
    writeFileSync(program, await textIn(page, ".command pre"));
    const { stdout } = await run(process.execPath, [program], { cwd: folder });
    expect(stdout).not.toBe("");
    if (kind === "recipe" || kind === "objects") expect(stdout.trimEnd().split("\n")).toEqual(shown.split("\n"));
  });

  /** The part of the page that a command prints too. */
  async function shownIn(kind: string): Promise<string> {
    const { page } = bench;
    if (kind === "walk") return textIn(page, ".digest");
    if (kind === "recipe" || kind === "objects") return (await bench.texts(".shelf h3")).join("\n");
    // a command draws from a pool in one order, and the page in the order of the clicks; a world is a picture
    if (kind === "pools" || kind === "world") return "";
    return (await bench.texts(".samples li")).join("\n");
  }
});

async function documentOf(url: string): Promise<{ readonly files: Record<string, string> }> {
  const { documentOf: read } = await import("../../workbench/src/link.js");
  return (await read(new URL(url).hash)) as { readonly files: Record<string, string> };
}

function firstCells(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => line.split("\t")[0]);
}

/** The words without their order, because the page writes "6 gold" and the command "gold 6". */
function wordsIn(text: string): string[] {
  const words = text.replaceAll("nothing", "").split(/[\s,]+/);
  return words.filter((word) => word !== "").sort();
}
