import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill, type PoolsInput } from "../../src/index.js";
import { aliasPick, buildAlias, prefixPick, streamKey, word } from "../independent/port.mjs";
import { folderWith, rollmill } from "./rollmill.js";

const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
const spec = JSON.parse(/^```json pools\n(.*?)^```$/ms.exec(page)?.[1] ?? "") as PoolsInput;
/** The example's table: what stands in each row, as text. */
const ROW = /^\| (\d) \| `([\w.]+)` \| (\d+) \| (.+) \| (.+) \| (\w+) \| (\d), (\d) \|$/gm;
const rows = [...page.matchAll(ROW)].map(([, n, path, drawnWord, weights, pick, drawn, swords, axes]) => ({
  n: Number(n),
  path,
  word: Number(drawnWord),
  weights: weights
    .replace(/^.* to /, "")
    .split(", ")
    .map(Number),
  refreshed: weights.includes("refreshed"),
  pick,
  drawn,
  left: [Number(swords), Number(axes)],
}));

describe("the pools' worked example in docs/determinism.md", () => {
  test("is there, with a refresh and an infinite pool in it", () => {
    expect(rows.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rows.filter(({ refreshed }) => refreshed)).toHaveLength(1);
    expect(rows.filter(({ path }) => path === "e")).toHaveLength(1);
  });

  test("is what the library draws, word for word", () => {
    const mill = createMill({ seed: "moria" });
    const words = createMill({ seed: "moria" }).stream("items").words(rows.length);
    const pools = mill.pools("items", spec);
    for (const { n, path, word: drawnWord, drawn, left, refreshed } of rows) {
      expect([pools.next, words[n], pools.pool(path).total === 0], `draw ${n}`).toEqual([n, drawnWord, refreshed]);
      expect([pools.pool(path).draw(), pools.pool("i").quantity("sword"), pools.pool("i").quantity("axe")]).toEqual([
        drawn,
        ...left,
      ]);
    }
    const { state } = JSON.parse(new TextDecoder().decode(mill.snapshot()));
    const quantities = [
      ["sword", 1, 2],
      ["axe", 0, 1],
    ];
    expect(state.names.items).toMatchObject({ next: 6, state: [{ name: "i", quantities }, { name: "e" }] });
  });

  test("is what the picks of section 4 give, by the second implementation", () => {
    const key = streamKey("moria", "items");
    const lists: Record<string, string[]> = { i: ["sword", "axe"], "i.rare": ["axe", "sword"], e: ["bat", "orc"] };
    for (const { n, path, word: drawnWord, weights, pick, drawn } of rows) {
      expect(word(key, 0, n)).toBe(drawnWord);
      if (path === "e") {
        expect(lists.e[aliasPick(key, 0, n, buildAlias(weights))]).toBe(drawn);
        continue;
      }
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      expect(pick).toBe(`below(${total}) = ${Math.floor((drawnWord * total) / 2 ** 32)}`);
      expect(lists[path][prefixPick(key, 0, n, weights)]).toBe(drawn);
    }
  });

  test("has the words that the command line prints", async () => {
    const cwd = folderWith({});
    const { stdout } = await rollmill(["random", "words", "--seed", "moria", "--name", "items", "-n", "6"], { cwd });
    expect(stdout).toBe(rows.map((row) => `${row.word}\n`).join(""));
  });
});
