import { describe, expect, test } from "vitest";
import { objectRow } from "../../src/objects/show/describe.js";
import { FILES, made } from "./made.js";

describe("a row", () => {
  test("holds plain values only", () => {
    const object = made({
      affixes: ["Sharp", "of Rust", "Sharp"],
      theme: "of the Ferry",
      ...{ toHit: 7, toDam: 9, flags: ["FREE_ACT"], pvals: { STR: 2 } },
    });
    const row = objectRow(object, FILES);
    expect(row).toEqual({
      index: 7,
      name: "a Long Sword of the Ferry (2d5) (+7,+9) <+2>",
      kind: "Long Sword",
      tval: "sword",
      colour: "r",
      artifact: null,
      theme: "of the Ferry",
      affixes: ["Sharp", "of Rust", "Sharp"],
      affixLevel: "uber",
      ...{ toHit: 7, toDam: 9, toAc: 0, ac: 0, dice: 2, sides: 5, weight: 130 },
      flags: ["FREE_ACT"],
      pvals: { STR: 2 },
    });
    expect(JSON.parse(JSON.stringify(row))).toEqual(row);
  });

  test("follows the naming, and has no affix level for an artifact without affixes", () => {
    const object = made({ artifact: "'Oar'", affixLevel: -1 });
    const { name, artifact, affixLevel } = objectRow(object, FILES, { hideDice: true });
    expect([name, artifact, affixLevel]).toEqual(["the Long Sword 'Oar'", "'Oar'", null]);
  });
});
