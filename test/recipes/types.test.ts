import { expect, expectTypeOf, test } from "vitest";
import { createMill, type ItemRow } from "../../src/index.js";

const RING = {
  stats: [{ name: "luck" }, { name: "str" }],
  strength: "str",
  steps: [
    {
      kind: "slots",
      name: "body",
      slots: [
        { slot: "gem", table: "gem", strength: 1 },
        { slot: "shape", table: "shape", strength: 1 },
      ],
    },
    { kind: "bonus", name: "bonus", chance: { atLeast: 50 }, sides: 3, ladder: [{ text: "+1", add: { luck: 1 } }] },
  ],
} as const;
const tables = { gem: [{ id: 1, word: "Onyx", luck: 2 }], shape: [{ id: 1, word: "Ring" }] };

test("the items of a literal recipe know its stats and slots", () => {
  const rings = createMill({ seed: "moria" }).recipe("ring", RING, { tables });
  const ring = rings.make();
  expectTypeOf(ring.luck).toEqualTypeOf<number>();
  expectTypeOf<keyof typeof ring>().toEqualTypeOf<
    "name" | "requests" | "words" | "ids" | "outcomes" | "index" | "seed" | "luck" | "str"
  >();
  expectTypeOf<keyof typeof ring.words>().toEqualTypeOf<"gem" | "shape">();
  const items = rings.makeMany(3);
  expectTypeOf(items.word).parameter(0).toEqualTypeOf<"gem" | "shape">();
  expectTypeOf(items.stat).parameter(0).toEqualTypeOf<"luck" | "str">();
  expectTypeOf(items.at(0)).toEqualTypeOf<ItemRow<"luck" | "str", "gem" | "shape">>();
  expect([items.word("gem", 0), items.stat("luck", 0)]).toEqual(["Onyx", ring.luck]);
});

test("the items of a recipe that is known by its name alone have any stats", () => {
  const weapon = createMill({ seed: "moria" }).recipe("weapon");
  expectTypeOf(weapon.make().attack).toEqualTypeOf<unknown>();
  expectTypeOf(weapon.makeMany(1).stat).parameter(0).toEqualTypeOf<string>();
});
