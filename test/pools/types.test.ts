import { expect, expectTypeOf, test } from "vitest";
import { createMill, type PoolFamily } from "../../src/index.js";
import type { PoolsInput } from "../../src/pools/index.js";

const mill = createMill({ seed: "moria" });

test("the draws of a literal family are ids of their root (first hour 9)", () => {
  const family = mill.pools("things", {
    roots: {
      i: {
        kind: "finite",
        records: [["club", 4, 6], { id: "sword", mass: 3 }, 7, "stick"],
        subpools: { common: { records: ["club"], subpools: [{ records: ["stick"] }] } },
      },
      e: { kind: "infinite", records: ["rat"] },
    },
    rules: [
      { path: "i.*.wall", records: ["brick"] },
      { path: "e.*", records: ["bat"] },
    ],
  });
  const items = family.pool("i.common");
  type Item = "club" | "sword" | "stick" | "brick" | 7;
  expectTypeOf(items.draw()).toEqualTypeOf<Item>();
  expectTypeOf(items.drawMany(2).at(0)).toEqualTypeOf<Item>();
  expectTypeOf(items.odds().odds[0].result).toEqualTypeOf<Item>();
  expectTypeOf(family.pool("e").peek()).toEqualTypeOf<"rat" | "bat">();
  expectTypeOf(family.fork(1).pool("e").draw()).toEqualTypeOf<"rat" | "bat">();
  // @ts-expect-error: the root has no such id
  expect(() => items.quantity("axe")).toThrow("pool.unknown-id");
  expect(["club", "stick"]).toContain(items.draw());
});

test("a family whose ids are not known draws any ids (first hour 9)", () => {
  const input: PoolsInput = { roots: { i: { kind: "finite", records: ["club"] } } };
  const family: PoolFamily = mill.pools("unknown", input);
  expectTypeOf(mill.pools("unknown", input)).toEqualTypeOf<PoolFamily>();
  const late = mill.pools("late");
  late.registerRoot("e", { kind: "infinite", records: ["rat"] });
  expectTypeOf(late.pool("e").draw()).toEqualTypeOf<string | number>();
  const wide: PoolFamily = mill.pools("wide", { roots: { i: { kind: "finite", records: ["club"] } } });
  wide.registerSubpool("i.far", ["axe"]);
  expect([family.pool("i").draw(), wide.pool("i").size]).toEqual(["club", 2]);
});
