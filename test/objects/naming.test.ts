import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import { checkNaming, type Naming } from "../../src/objects/index.js";
import { FILES } from "./made.js";

describe("a naming is checked against the files", () => {
  const issuesOf = (naming: unknown): string[] => {
    try {
      checkNaming(naming as Naming, FILES);
    } catch (thrown) {
      if (thrown instanceof RollmillError) {
        return thrown.issues.map(({ code, where, message }) => `${where.path} ${code} ${message}`);
      }
      throw thrown;
    }
    return [];
  };

  test("one that is sound comes back as it is", () => {
    const naming: Naming = {
      affixes: "synthetic",
      repeats: undefined,
      hideAc: true,
      synthetic: [{ affixes: ["Old", "Old"], name: "Aged", kind: "prefix" }],
    };
    expect(checkNaming(naming, FILES)).toBe(naming);
    expect(issuesOf({})).toEqual([]);
  });

  test("an affix that the files do not have, with the nearest that they have", () => {
    const synthetic = [{ affixes: ["Old", "of Rost", "Xylophonic"], name: "of Ages", kind: "suffix" }];
    const expected = "expected the name of an affix of ego_item.txt";
    expect(issuesOf({ affixes: "synthetic", synthetic })).toEqual([
      `synthetic[0].affixes[1] object.name there is no such affix: got "of Rost", ${expected}. Did you mean "of Rust"?`,
      `synthetic[0].affixes[2] object.name there is no such affix: got "Xylophonic", ${expected}. Name one of the file.`,
    ]);
  });

  test("everything else that is wrong, at once", () => {
    const entry = { affixes: [], name: " ", kind: "infix" };
    expect(
      issuesOf({ affixes: "most", repeats: 2, hideAC: true, hideDice: "no", synthetic: [entry, 5, { affixes: [5] }] }),
    ).toEqual([
      'affixes argument.type affixes is not usable: got "most", expected "best" or "all" or "synthetic"',
      'repeats argument.type repeats is not usable: got 2, expected "stars" or "count"',
      'hideAC argument.type a naming has no such field: got "hideAC", expected one of affixes, repeats, hideAc, hideDice, synthetic. Did you mean "hideAc"?',
      'hideDice argument.type hideDice is not usable: got "no", expected true or false',
      'synthetic[0].name argument.type synthetic[0].name is not usable: got " ", expected a text',
      'synthetic[0].kind argument.type synthetic[0].kind is not usable: got "infix", expected "prefix" or "suffix"',
      "synthetic[0].affixes argument.type synthetic[0].affixes is not usable: got an array of 0, expected the names of one affix or more",
      "synthetic[1] argument.type synthetic[1] is not usable: got 5, expected an object {affixes, name, kind}",
      "synthetic[2].name argument.type synthetic[2].name is not usable: got undefined, expected a text",
      'synthetic[2].kind argument.type synthetic[2].kind is not usable: got undefined, expected "prefix" or "suffix"',
      "synthetic[2].affixes[0] argument.type synthetic[2].affixes[0] is not usable: got 5, expected the name of an affix",
    ]);
    expect(issuesOf({ synthetic: "all" })[0]).toContain("synthetic is not usable");
    for (const naming of [null, 5, "best", []]) expect(issuesOf(naming)[0]).toContain("naming is not usable");
  });
});
