// As portObjects.test.ts, for the rules of Angband 4.2.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { parseObjects } from "../../src/objects/index.js";
import { LIGHTHOUSE } from "../objects/lighthouse.js";
import { type Key, streamKey, word } from "./port.mjs";
import { makeEgoObject } from "./portEgos.mjs";
import { SEEDS } from "./seeds.js";

const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
const QUALITIES = ["normal", "good", "great"] as const;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

interface Numbered {
  number: number;
}

const summaryOf = <Made extends { kind: Numbered; artifact?: Numbered | undefined; affixes: readonly Numbered[] }>(
  made: Made,
) => ({
  ...made,
  kind: made.kind.number,
  artifact: made.artifact?.number,
  affixes: made.affixes.map(({ number }) => number),
});

const LEVELS = [0, 1, 12, 40, 100, 255];

describe("objects by the rules of Angband 4.2", () => {
  test.each(SEEDS.slice(0, 3).map(([, seed]) => seed))("seed %j", (seed) => {
    const files = parseObjects(LIGHTHOUSE).spec ?? {};
    const maker = createMill({ seed }).objects("wrecks", LIGHTHOUSE);
    const key: Key = streamKey(seed, "wrecks");
    const made = new Map<number, number>();
    const seen = { artifacts: 0, egos: 0, boosted: 0 };
    for (const index of range(900)) {
      const quality = QUALITIES[index % 3];
      const level = LEVELS[Math.floor(index / 3) % LEVELS.length];
      const ours = makeEgoObject(key, files, index, { level, quality, made });
      const theirs = maker.make({ level, at: index, ...(quality !== "normal" && { [quality]: true }) });
      expect(summaryOf(theirs)).toMatchObject(summaryOf(ours));
      seen.artifacts += Number(ours.artifact !== undefined);
      seen.egos += ours.affixes.length;
      seen.boosted += Number(ours.depths.some((depth) => depth !== level));
    }
    expect(seen.artifacts).toBe(4);
    expect(seen.egos).toBeGreaterThan(100);
    expect(seen.boosted).toBeGreaterThan(2);
  });
});

test("the page's example has the words of the second implementation, and their values", () => {
  const [, text] = /^Check: under seed `tide`, object 12 (.*?)^## 6/ms.exec(page) ?? ["", ""];
  const rows = [...text.matchAll(/^\| [^|]*\| (\d+) \| (\d+) \| ([^|]+) \|/gm)];
  const key = streamKey("tide", "wrecks");
  expect(rows.length).toBeGreaterThan(5);
  for (const [, at, drawn, decided] of rows) {
    expect([at, word(key, 12, Number(at))]).toEqual([at, Number(drawn)]);
    const [, m, value] = /^below\((\d+)\) = (\d+)$/.exec(decided) ?? [];
    if (m !== undefined) expect([at, (BigInt(drawn) * BigInt(m)) >> 32n]).toEqual([at, BigInt(value)]);
  }
  const files = parseObjects(LIGHTHOUSE).spec ?? {};
  const made = makeEgoObject(key, files, 12, { level: 12, quality: "normal", made: new Map() });
  expect(made).toMatchObject({ words: rows.length, toAc: 0, pvals: { STR: 1 }, depths: [12] });
});
