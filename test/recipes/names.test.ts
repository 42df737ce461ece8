import { describe, expect, test } from "vitest";
import { capitalise, composeName } from "../../src/recipes/names.js";
import { weapon } from "./small.js";

const { spec } = weapon();
const NO_BONUS = ["", "", "", "", "", ""];

/** Words in the order element, second element, prefix, type, adjective, abstract. */
function nameOf(words: readonly string[], bonus = ""): string {
  return composeName(spec, { words, bonuses: [...NO_BONUS.slice(1), bonus] });
}

describe("a name", () => {
  test("has every part, in the recipe's order", () => {
    const words = ["burning", "frozen", "keen", "half-moon axe", "old", "doom"];
    expect(nameOf(words, "+5")).toBe("Burning & Frozen Keen Half-moon Axe of Old Doom +5");
  });

  test("has only the parts that are there, and no space at its ends", () => {
    expect(nameOf(["", "", "", "SWORD", "", ""])).toBe("Sword");
    expect(nameOf(["", "", "", "sword", "", "doom"])).toBe("Sword of Doom");
    expect(nameOf(["crippling", "", "", "sword", "", ""], "+1")).toBe("Crippling Sword +1");
  });

  test("has an open step's text even where no word follows, and none where it is shut", () => {
    const words = ["", "", "", "sword", "", ""];
    const open = [true, true, true, true, true, true];
    expect(composeName(spec, { words, bonuses: NO_BONUS, open })).toBe("Sword of");
    expect(composeName(spec, { words, bonuses: NO_BONUS, open: open.with(4, false) })).toBe("Sword");
  });
});

describe("words are capitalised", () => {
  test.each([
    ["half-moon", "Half-moon"],
    ["THE OLD one", "The Old One"],
    ["  a\tb\nc  d", "  A\tB\nC  D"],
    ["o'neill", "O'neill"],
    ["9th gate", "9th Gate"],
    ["élan vital", "Élan Vital"],
    ["", ""],
  ])("%j as %j", (word, expected) => {
    expect(capitalise(word)).toBe(expected);
  });
});
