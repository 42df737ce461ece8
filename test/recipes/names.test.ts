import { describe, expect, test } from "vitest";
import { capitalise, nameOf as nameOfSegments, nameSegments } from "../../src/recipes/names.js";
import { weapon } from "./small.js";

const { spec } = weapon();
/** The name of one item: words in the order element, second element, prefix, type, adjective, abstract. */
function nameOf(words: readonly string[], { bonus = "", isOpen = words[4] !== "" || words[5] !== "" } = {}): string {
  const slots = spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots : [])).map(({ slot }) => slot);
  const ladder = spec.steps.flatMap((step) => (step.kind === "bonus" ? step.ladder : [])).map(({ text }) => text);
  const segments = nameSegments(spec, {
    gate: () => ({ column: "gate", values: 2 }),
    words: (slot) => ["", words[slots.indexOf(slot)]],
  });
  const columnOf = (name: string) => {
    if (name === "gate") return Uint16Array.of(isOpen ? 1 : 0);
    const value = slots.includes(name) ? Number(words[slots.indexOf(name)] !== "") : ladder.indexOf(bonus) + 1;
    return Uint16Array.of(value);
  };
  return nameOfSegments(
    segments.map(({ column, texts, ends }) => ({ texts, ends, indices: columnOf(column) })),
    0,
  );
}

describe("a name", () => {
  test("has every part, in the recipe's order", () => {
    const words = ["burning", "frozen", "keen", "half-moon axe", "old", "doom"];
    expect(nameOf(words, { bonus: "+5" })).toBe("Burning & Frozen Keen Half-moon Axe of Old Doom +5");
  });

  test("has only the parts that are there, and no space at its ends", () => {
    expect(nameOf(["", "", "", "SWORD", "", ""])).toBe("Sword");
    expect(nameOf(["", "", "", "sword", "", "doom"])).toBe("Sword of Doom");
    expect(nameOf(["crippling", "", "", "sword", "", ""], { bonus: "+1" })).toBe("Crippling Sword +1");
  });

  test("has an open step's text even where no word follows, and none where it is shut", () => {
    const words = ["", "", "", "sword", "", ""];
    expect(nameOf(words, { isOpen: true })).toBe("Sword of");
    expect(nameOf(words, { isOpen: false })).toBe("Sword");
  });
});

test.each([
  [["", "a ", "b "], "a b"],
  [["  a", " \t", " "], "a"],
  [["", "\u00a0é ", ""], "é"],
  [["", " ", "\n"], ""],
  [["a", " ", "b\ufeff"], "a b"],
])("the texts %j are the name %j, trimmed", (texts, name) => {
  const segments = texts.map((text) => ({ texts: [text], ends: [text.trimEnd()], indices: Uint16Array.of(0) }));
  expect(nameOfSegments(segments, 0)).toBe(name);
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
