import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import * as sql from "../../src/wordstores/index.js";
import { newPath, PROPOSED, SPEC, TABLES } from "./databases.js";

// the line "every public call of a plain-JavaScript caller ends in a right result or a typed error" of the audits

const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  0,
  Number.NaN,
  2n ** 70n,
  "",
  "\0",
  Symbol("a"),
  [],
  {},
  new Map(),
  () => 7,
  new URL("file://host/a"),
  "ftp://host/a",
];

const OPTIONS: Readonly<Record<string, unknown>> = {
  recipe: "weapon",
  spec: SPEC,
  table: "type",
  word: "spork",
  strict: false,
  tier: 1,
  weight: 2,
  stats: { attack: 1 },
  proposed: PROPOSED,
  proposer: "ann",
  change: { tier: 2 },
  replace: true,
  status: "proposed",
  timeoutMs: 100,
};

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** Expects a result or a typed error. */
async function expectTyped(call: () => Promise<unknown>): Promise<void> {
  await call().then(undefined, (cause) => expect(cause).toBeInstanceOf(RollmillError));
}

describe.each(Object.entries(sql) as [string, Call][])(
  "%s, called with hostile arguments of every kind",
  (name, call) => {
    const places = name === "copyTables" ? 2 : 1;
    const start = (place: unknown, options: unknown) => {
      const tables = name === "saveTables" ? [TABLES] : [];
      return call(...Array.from({ length: places }, () => place), ...tables, options);
    };

    test.each(HOSTILE.map((value, i) => [i, value] as const))("value %i", async (_, value) => {
      const place = newPath(".json");
      await sql.saveTables(place, TABLES, { recipe: "weapon", spec: SPEC });
      if (value !== "") await expectTyped(() => start(value, OPTIONS));
      await expectTyped(() => start(place, value));
      for (const key of [...Object.keys(OPTIONS), "signal", "onIssue", "unknown"]) {
        await expectTyped(() => start(place, { ...OPTIONS, [key]: value }));
      }
      if (name === "saveTables") await expectTyped(() => call(place, value, OPTIONS));
      for (const key of ["word", "tier", "weight", "stats"]) {
        await expectTyped(() => start(place, { ...OPTIONS, change: { [key]: value } }));
      }
    });
  },
);
