import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import type { Naming } from "../../src/objects/index.js";
import { checkedNaming } from "../../src/objects/show/names.js";
import { FILES } from "./made.js";

describe("a naming is checked against the files", () => {
  const issuesOf = (naming: unknown): string[] => {
    try {
      checkedNaming(naming as Naming, FILES);
    } catch (thrown) {
      if (thrown instanceof RollmillError) {
        return thrown.issues.map(({ code, where }) => `${where.path ?? ""} ${code}`);
      }
      throw thrown;
    }
    return [];
  };

  test("one that is sound comes back with the same content", () => {
    const naming: Naming = {
      affixes: "synthetic",
      repeats: undefined,
      hideAc: true,
      synthetic: [{ affixes: ["Old", "Old"], name: "Aged", kind: "prefix" }],
    };
    expect(checkedNaming(naming, FILES)).toEqual(naming);
    expect(checkedNaming(naming, FILES)).toEqual(naming);
    expect(issuesOf({})).toEqual([]);
  });

  test("an affix that the files do not have, with the nearest that they have", () => {
    const synthetic = [{ affixes: ["Old", "of Rost", "Xylophonic"], name: "of Ages", kind: "suffix" }];
    expect(issuesOf({ affixes: "synthetic", synthetic })).toEqual([
      "synthetic[0].affixes[1] object.name",
      "synthetic[0].affixes[2] object.name",
    ]);
  });

  test("everything else that is wrong, at once", () => {
    const entry = { affixes: [], name: " ", kind: "infix" };
    expect(
      issuesOf({ affixes: "most", repeats: 2, hideAC: true, hideDice: "no", synthetic: [entry, 5, { affixes: [5] }] }),
    ).toEqual([
      "affixes argument.type",
      "repeats argument.type",
      "hideAC argument.option",
      "hideDice argument.type",
      "synthetic[0].name argument.type",
      "synthetic[0].kind argument.type",
      "synthetic[0].affixes argument.type",
      "synthetic[1] argument.type",
      "synthetic[2].name argument.type",
      "synthetic[2].kind argument.type",
      "synthetic[2].affixes[0] argument.type",
    ]);
    expect(issuesOf({ synthetic: "all" })).toEqual(["synthetic argument.type"]);
    for (const naming of [null, 5, "best", []]) expect(issuesOf(naming)).toEqual(["naming argument.type"]);
  });
});
