// The editor completes what the schemas know, and words that a file has already.
import { describe, expect, test } from "vitest";
import { isMissing, LONG, textIn, Workbench } from "./page.js";

describe.skipIf(isMissing)("the editor", () => {
  const bench = new Workbench();
  const offered = () => expect.poll(() => bench.texts(".cm-tooltip-autocomplete li"), LONG);

  /** Types a line of its own after the first line that begins so. */
  async function typeAfter(begin: string, typed: string): Promise<void> {
    const { page } = bench;
    await page.waitForSelector(".cm-content");
    const lines = await bench.texts(".cm-line");
    await page
      .locator(".cm-line")
      .nth(lines.findIndex((line) => line.trimStart().startsWith(begin)))
      .click();
    await page.keyboard.press("End");
    await page.keyboard.type(`\n${typed}`, { delay: 20 });
  }

  test("completes the fields of an object from its schema, with what they mean", async () => {
    await bench.show("A world without end");
    await typeAfter("{", '"rea');
    await offered().toEqual(['"realms"']);
    await expect.poll(() => bench.texts(".cm-completionInfo"), LONG).toEqual([expect.stringContaining("placements")]);
    await bench.page.click(".cm-tooltip-autocomplete li");
    await expect.poll(() => textIn(bench.page, ".cm-content"), LONG).toMatch(/^\{\n\s*"realms"\n/);
  });

  test("completes values that the schema names", async () => {
    await bench.show("A world without end");
    await typeAfter('"name"', '"grid": { "coordinates": "ax');
    await offered().toEqual(['"axial"']);
  });

  test("completes words of a file that is not JSON", async () => {
    await typeAfter("table,result", "arr");
    await offered().toEqual(["arrow"]);
  });
});
