// As port.test.ts, for objects: what the library makes is what the page says, word by word, in forks too.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { mBonusOdds } from "../../src/objects/compile/mBonus.js";
import { parseObjects } from "../../src/objects/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { type Id, type Key, streamKey, word } from "./port.mjs";
import { makeObject } from "./portObjects.mjs";
import { SEEDS } from "./seeds.js";

const files = parseObjects(DUNGEON).spec ?? {};
const QUALITIES = ["normal", "good", "great"] as const;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

interface Numbered {
  number: number;
}

/** What both make of an object, with numbers in place of records. */
const summaryOf = <
  Made extends {
    kind: Numbered;
    artifact?: Numbered | undefined;
    theme?: Numbered | undefined;
    affixes: readonly Numbered[];
  },
>(
  made: Made,
) => ({
  ...made,
  kind: made.kind.number,
  artifact: made.artifact?.number,
  theme: made.theme?.number,
  affixes: made.affixes.map(({ number }) => number),
});

describe("objects of the project's files", () => {
  const FORKS: [what: string, forks: Id[]][] = [
    ["no fork", []],
    ["a text", ["chest 4"]],
    ["a pair, then an integer", [[3, -4], 7]],
  ];
  const cases = SEEDS.slice(0, 4).flatMap(([, seed]) =>
    FORKS.map(([what, forks]): [string, string, Id[]] => [seed, what, forks]),
  );

  test.each(cases)("seed %j, %s", (seed, _what, forks) => {
    const mill = createMill({ seed }).fork("save 1");
    const maker = forks.reduce((child, id) => child.fork(id), mill.objects("drops", DUNGEON));
    const key: Key = streamKey(seed, "drops", forks, ["save 1"]);
    const made = new Map<number, number>();
    for (const index of range(150)) {
      const quality = QUALITIES[index % 3];
      const level = [0, 5, 30, 127][Math.floor(index / 3) % 4];
      const ours = makeObject(key, files, mBonusOdds, index, { level, quality, made });
      const theirs = maker.make({ level, at: index, ...(quality !== "normal" && { [quality]: true }) });
      expect(summaryOf(theirs)).toMatchObject(summaryOf(ours));
    }
  });
});

test("the page's example of objects has the words of the second implementation, and their values", () => {
  const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
  const [, text] = /^Check: under seed `moria`, object 11850(.*?)^## 6/ms.exec(page) ?? ["", ""];
  const rows = [...text.matchAll(/^\| [^|]*\| (\d+) \| (\d+) \| ([^|]+) \|/gm)];
  expect(rows.map(([, at]) => Number(at))).toEqual(range(21));
  const key = streamKey("moria", "drops");
  for (const [, at, drawn, decided] of rows) {
    expect([at, word(key, 11850, Number(at))]).toEqual([at, Number(drawn)]);
    const [, m, value] = /^below\((\d+)\) = (\d+)$/.exec(decided) ?? [];
    if (m !== undefined) expect([at, (BigInt(drawn) * BigInt(m)) >> 32n]).toEqual([at, BigInt(value)]);
  }
  const made = makeObject(key, files, mBonusOdds, 11850, { level: 30, quality: "good", made: new Map() });
  expect(made).toMatchObject({ words: 21, toHit: 5, toDam: 6, dice: 1, sides: 7, weight: 91, depths: [33, 30] });
});
