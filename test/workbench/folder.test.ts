// Which changes of a folder `rollmill workbench` tells its pages.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveWorkbench } from "../../src/cli/workbench/serve.js";
import { follow } from "./follow.js";
import { isBuilt, LONG } from "./page.js";

const TABLE = "result,weight\ngold,1\n";
describe.skipIf(!isBuilt)("a folder that is served (skipped where the workbench is not built)", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-folder-"));
  const at = (name: string) => join(folder, name);

  let url: string;
  let close: () => Promise<void>;
  let changes: Awaited<ReturnType<typeof follow>>;

  beforeAll(async () => {
    mkdirSync(at("camp/deep"), { recursive: true });
    mkdirSync(at("elsewhere/.hidden"), { recursive: true });
    for (const name of ["loot.csv", "camp/deep/loot.csv", "elsewhere/.hidden/real.csv"]) writeFileSync(at(name), TABLE);
    symlinkSync(at("elsewhere/.hidden/real.csv"), at("link.csv"));
    ({ url, close } = await serveWorkbench({ folder, first: "link.csv", seed: undefined, port: 0, canSave: true }));
    const { files } = await (await fetch(new URL("files", url))).json();
    expect(Object.keys(files)).toEqual(["link.csv", "camp/deep/loot.csv", "loot.csv"]);
    changes = await follow(url);
  });
  afterAll(async () => {
    await close?.();
    rmSync(folder, { recursive: true });
  });

  const WRITERS: Readonly<Record<string, (name: string, text: string, before: string) => Promise<void> | void>> = {
    "a program that writes into the file": (name, text) => writeFileSync(at(name), text),
    "a program that replaces the file": (name, text) => {
      writeFileSync(at("new"), text);
      renameSync(at("new"), at(name));
    },
    "a page that saves": async (name, text, before) => {
      const headers = { origin: new URL(url).origin };
      const answer = await fetch(new URL("files", url), {
        method: "PUT",
        headers,
        body: JSON.stringify({ name, text, before }),
      });
      expect(answer.status).toBe(200);
    },
  };

  test.each(["loot.csv", "camp/deep/loot.csv", "link.csv"])("tells each change of %s, by any writer", async (name) => {
    let before = TABLE;
    for (const first of Object.keys(WRITERS)) {
      for (const second of Object.keys(WRITERS)) {
        for (const writer of [first, second]) {
          if (name === "link.csv" && writer === "a program that replaces the file") continue;
          const text = `${before}gem,2\n`;
          await WRITERS[writer](name, text, before);
          await expect.poll(() => changes, LONG).toContainEqual({ name, text });
          before = text;
        }
      }
    }
  });

  test("tells the changes of a folder that goes and comes again, as in a checkout of git", async () => {
    for (const gone of ["camp", "camp/deep"]) {
      rmSync(at(gone), { recursive: true });
      mkdirSync(at("camp/deep"), { recursive: true });
      for (const writer of ["a program that writes into the file", "a program that replaces the file"]) {
        const change = { name: "camp/deep/loot.csv", text: `result,weight\n"${gone} and ${writer}",1\n` };
        await WRITERS[writer](change.name, change.text, "");
        await expect.poll(() => changes, LONG).toContainEqual(change);
      }
    }
  });

  test("tells nothing of files that it does not serve", async () => {
    const { length } = changes;
    writeFileSync(at("camp/notes.md"), "");
    writeFileSync(at("new.csv"), TABLE);
    writeFileSync(at("loot.csv"), "result,weight\nlast,1\n");
    await expect.poll(() => changes.length, LONG).toBeGreaterThan(length);
    expect(changes.slice(length).map(({ name }) => name)).toEqual(["loot.csv"]);
  });
});
