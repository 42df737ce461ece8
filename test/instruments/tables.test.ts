import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { chance, collect, compare, expectedTries, luck, wait } from "../../src/instruments/index.js";
import { codeOf } from "../refusal.js";

const mill = createMill({ seed: "tables" });
const ROWS = {
  rows: {
    Start: [
      { result: "sword", weight: { script: 1700 } },
      { result: "gold", weight: 300 },
    ],
  },
} as const;

describe("live rolls that depend on earlier rolls", () => {
  const shots = mill.table("shots", ROWS, { script: { set: "nwangband", level: 1, type: 0 } });
  const chosen = mill.table("chosen", ROWS, { script: () => 100, chosen: () => undefined });

  test.each([
    ["one-shots", shots],
    ["chosen", chosen],
  ] as const)("%s are refused, and accepted when they are frozen", (_, table) => {
    const calls = [
      () => chance(table, "sword", { in: 5 }),
      () => wait(table, "sword"),
      () => collect(table, ["sword", "gold"]),
      () => luck(table, { sword: 1 }, { in: 5 }),
      () => expectedTries(table, "sword"),
    ];
    expect(calls.map(codeOf)).toEqual(calls.map(() => "table.live-from"));
    const frozen = { with: { mode: "frozen" } } as const;
    expect(wait(table, "sword", frozen).mean).toEqual({ numerator: 4n, denominator: 1n });
    expect(compare(table, table).same).toBe(3);
  });

  test("scripts without a memory stay", () => {
    const table = mill.table("scripted", ROWS, { script: () => 100 });
    expect(wait(table, "sword").mean).toEqual({ numerator: 4n, denominator: 1n });
  });
});

test("a roll that may never end has no number", () => {
  const rows = {
    Start: [
      { result: "gold", weight: 1 },
      { jump: "Loop", weight: 1 },
    ],
    Loop: [
      { jump: "Loop", weight: 1 },
      { result: "gem", weight: { script: 7 } },
    ],
  } as const;
  const table = mill.table("endless", { rows }, { script: () => 0 });
  expect(table.odds().endless).toEqual({ numerator: 1n, denominator: 2n });
  const calls = [() => chance(table, "gold", { in: 2 }), () => wait(table, "gold"), () => collect(table, ["gold"])];
  expect(calls.map(codeOf)).toEqual(calls.map(() => "table.endless"));
  expect(wait(mill.table("ends", { rows }, { script: () => 1 }), "gold").mean).toEqual({
    numerator: 2n,
    denominator: 1n,
  });
});
