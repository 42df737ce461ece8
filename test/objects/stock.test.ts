import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { type MadeObject, type ObjectMaker, type ObjectSetup, tallyObjects } from "../../src/objects/index.js";
import { codeOf } from "../refusal.js";
import { DUNGEON } from "./dungeon.js";
import { all } from "./pair.js";

const GREAT = { level: 40, great: true };
const ARTIFACTS = 2000;

/** Two makers of one mill, and the mill. */
function two(options: ObjectSetup = {}) {
  const mill = createMill({ seed: "moria" });
  return { mill, drops: mill.objects("drops", DUNGEON), shop: mill.objects("shop", DUNGEON, options) };
}

function artifactsOf(objects: readonly MadeObject[]): readonly string[] {
  return objects.flatMap(({ artifact }) => (artifact === undefined ? [] : [artifact.name]));
}

describe("Objects 1: artifacts are once per mill", () => {
  test("makers that read the same artifacts make each of them once between them, in the order of the calls", () => {
    const { drops, shop } = two();
    const names = [90, 40, 70, 30, 200].flatMap((count) => [
      ...artifactsOf(all(drops.makeMany(count, GREAT))),
      ...artifactsOf(all(shop.makeMany(count, GREAT))),
    ]);
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(shop.claims.map(({ maker }) => maker))).toEqual(new Set(["drops", "shop"]));
    expect(drops.claims).toEqual(
      shop.claims.map((claim) => ({ ...claim, artifact: drops.find("artifact", claim.artifact.number) })),
    );
  });

  test("the first maker makes what it makes alone, and an object that is made again is the same", () => {
    const { drops, shop } = two();
    const alone = createMill({ seed: "moria" }).objects("drops", DUNGEON);
    const first = all(drops.makeMany(ARTIFACTS, GREAT));
    const second = all(shop.makeMany(ARTIFACTS, GREAT));
    expect(first).toEqual(all(alone.makeMany(ARTIFACTS, GREAT)));
    expect(all(drops.makeMany(ARTIFACTS, { ...GREAT, from: 0 }))).toEqual(first);
    expect(all(shop.makeMany(ARTIFACTS, { ...GREAT, from: 0 }))).toEqual(second);
  });

  test("object k of one maker does not own what object k of another maker has made", () => {
    const { drops, shop } = two();
    const { name, allocations } = drops.files.artifacts[0];
    const asked = { level: allocations[0].least, artifact: name, at: 7 };
    expect(drops.make(asked).artifact?.name).toBe(name);
    expect(codeOf(() => shop.make(asked))).toBe("object.impossible");
    expect(drops.make(asked).artifact?.name).toBe(name);
  });

  test("makers with other files share the artifacts that have the same name", () => {
    const mill = createMill({ seed: "moria" });
    const drops = mill.objects("drops", DUNGEON);
    const other = mill.objects("other", { ...DUNGEON, artifact: `# a comment\n${DUNGEON.artifact}` });
    drops.makeMany(ARTIFACTS, GREAT);
    const before = drops.claims.length;
    expect(other.claims.map(({ artifact }) => artifact.name)).toEqual(
      drops.claims.map(({ artifact }) => artifact.name),
    );
    const again = artifactsOf(all(other.makeMany(ARTIFACTS, GREAT)));
    expect(drops.claims.length).toBe(before + again.length);
  });

  test("a maker may have a stock of its own by name, and share that one", () => {
    const { mill, drops, shop } = two({ stock: "shops" });
    const market = mill.objects("market", DUNGEON, { stock: "shops" });
    drops.makeMany(ARTIFACTS, GREAT);
    expect(shop.claims).toEqual([]);
    const made = artifactsOf(all(shop.makeMany(ARTIFACTS, GREAT)));
    expect(made.length).toBeGreaterThan(5);
    expect(market.claims.map(({ maker }) => maker)).toEqual(made.map(() => "shop"));
    expect(drops.claims.every(({ maker }) => maker === "drops")).toBe(true);
  });

  test.each<ObjectSetup>([{ stock: "" }, { stock: 7 as never }, { missing: "keep" as never }])(
    "%j is refused",
    (options) => {
      expect(codeOf(() => createMill({ seed: 1 }).objects("drops", DUNGEON, options))).toBe("argument.type");
    },
  );

  test("artifacts are releasable: a released one can be made again, by any maker of the stock", () => {
    const { drops, shop } = two();
    const { name, allocations } = drops.files.artifacts[0];
    const asked = { level: allocations[0].least, artifact: name };
    expect(drops.releaseArtifact(name)).toBe(false);
    drops.make(asked);
    expect(codeOf(() => shop.make(asked))).toBe("object.impossible");
    expect([shop.releaseArtifact(name), shop.releaseArtifact(name), drops.claims]).toEqual([true, false, []]);
    expect(shop.make(asked).artifact?.name).toBe(name);
    expect(drops.claims.map(({ maker, object }) => ({ maker, object }))).toEqual([{ maker: "shop", object: 0 }]);
    expect(codeOf(() => drops.releaseArtifact("no such thing"))).toBe("object.name");
  });

  test("the stock is in the snapshot of the mill", () => {
    const { mill, drops, shop } = two({ stock: "shops" });
    drops.makeMany(ARTIFACTS, GREAT);
    shop.makeMany(ARTIFACTS, GREAT);
    const rest = (maker: ObjectMaker) => all(maker.makeMany(ARTIFACTS, GREAT));
    const restored = createMill({ seed: "moria", snapshot: mill.snapshot() });
    const [again, market] = [restored.objects("drops", DUNGEON), restored.objects("shop", DUNGEON, { stock: "shops" })];
    expect([again.claims.length, market.claims.length]).toEqual([drops.claims.length, shop.claims.length]);
    expect(rest(again)).toEqual(rest(drops));
    expect(rest(market)).toEqual(rest(shop));
  });

  test("a fork has a stock of its own, which forks of other makers with the same id share", () => {
    const { drops, shop } = two();
    drops.makeMany(ARTIFACTS, GREAT);
    const [mine, yours] = [drops.fork("player 1"), shop.fork("player 1")];
    expect(mine.claims).toEqual([]);
    const names = artifactsOf([...all(mine.makeMany(ARTIFACTS, GREAT)), ...all(yours.makeMany(ARTIFACTS, GREAT))]);
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
    expect(shop.fork("player 2").claims).toEqual([]);
  });

  test("while a call makes artifacts, no other maker can make artifacts of the same stock", () => {
    const { drops, shop } = two();
    const codes = new Set<unknown>();
    const power = () => {
      codes.add(codeOf(() => shop.make(GREAT))).add(codeOf(() => shop.releaseArtifact(1)));
      expect(shop.make({ ...GREAT, artifacts: false, at: 0 }).artifact).toBeUndefined();
      return 0;
    };
    drops.makeMany(3, { ...GREAT, limit: { most: 1, power } });
    expect([...codes]).toEqual(["argument.busy"]);
    const apart = two({ stock: "shops" });
    const inside = () => apart.shop.make({ ...GREAT, at: 0 }).toHit * 0;
    expect(apart.drops.makeMany(3, { ...GREAT, limit: { most: 1, power: inside } }).length).toBe(3);
  });

  test("what another maker makes during a call without artifacts is not made again", () => {
    const { drops, shop } = two();
    let made: readonly string[] | undefined;
    const power = () => {
      made ??= artifactsOf(all(shop.makeMany(ARTIFACTS, GREAT)));
      return 0;
    };
    drops.makeMany(2, { ...GREAT, artifacts: false, limit: { most: 1, power } });
    const names = [...(made ?? []), ...artifactsOf(all(drops.makeMany(ARTIFACTS, GREAT)))];
    expect(made?.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
  });

  test("a failed call takes no artifact from the stock", () => {
    const { drops, shop } = two();
    let calls = 0;
    const power = () => (++calls > 3000 ? Number.NaN : 0);
    expect(codeOf(() => drops.makeMany(ARTIFACTS, { ...GREAT, limit: { most: 1, power } }))).toBe("object.request");
    expect([drops.claims, shop.claims]).toEqual([[], []]);
    expect(all(drops.makeMany(900, GREAT))).toEqual(all(two().drops.makeMany(900, GREAT)));
  });
});

describe("Objects 6: what counts artifacts uses the stock of the mill", () => {
  test("a count takes the artifacts that it counts, a tally takes none", () => {
    const { drops, shop } = two();
    const tally = tallyObjects(shop, { levels: [40], n: ARTIFACTS, great: true });
    expect(tally.levels[0].artifacts.size).toBeGreaterThan(3);
    expect(drops.claims).toEqual([]);
    const { none, total } = drops.count(ARTIFACTS, { ...GREAT, of: "artifact" });
    expect(shop.claims.length).toBe(total - none);
    expect(tallyObjects(shop, { levels: [40], n: ARTIFACTS, great: true })).toEqual(tally);
    const left = shop.count(ARTIFACTS, { ...GREAT, of: "artifact", from: 0 });
    expect(drops.claims.length).toBe(total - none + left.total - left.none);
  });

  test("a vanished artifact of a snapshot is a typed error with its name, or is dropped", () => {
    const { mill, drops } = two();
    const { name, number, allocations } = drops.files.artifacts[0];
    drops.make({ level: allocations[0].least, artifact: name });
    const less = {
      ...DUNGEON,
      artifact: DUNGEON.artifact.replace(new RegExp(`^N:${number}:.*$`, "m"), `N:${number}:'Else'`),
    };
    const restored = () => createMill({ seed: "moria", snapshot: mill.snapshot() });
    expect(() => restored().objects("drops", less)).toThrow(name);
    expect(codeOf(() => restored().objects("drops", less))).toBe("snapshot.invalid");
    // another maker's artifact is no business of this one
    expect(restored().objects("shop", less).claims).toEqual([]);
    const next = restored();
    expect(next.objects("drops", less, { missing: "drop" }).claims).toEqual([]);
    expect(new TextDecoder().decode(next.snapshot())).not.toContain(name);
  });
});

describe("Objects 4: a replay ends when no artifact is left", () => {
  test("it stops after the last artifact that the request can make, and reports its end", () => {
    const { drops } = two();
    for (const { number } of drops.files.artifacts) {
      const asked = { level: 1, artifact: number };
      if (drops.whyImpossible(asked) === undefined) drops.make({ ...asked, at: number });
    }
    const seen: unknown[] = [];
    const last = 2 ** 42 - 1;
    drops.replay(last, { level: 1, onProgress: (progress) => seen.push(progress) });
    expect([drops.next, seen]).toEqual([last, [{ done: last, total: last }]]);
  });

  test("artifacts that the request cannot make do not keep it going", () => {
    const { drops } = two();
    const { tval } = drops.find("kind", "Longsword");
    const calls: number[] = [];
    drops.replay(2 ** 40, { level: 40, great: true, tval, onProgress: ({ done }) => calls.push(done) });
    expect(drops.claims.length).toBeGreaterThan(0);
    expect(drops.claims.every(({ artifact }) => artifact.tval === tval)).toBe(true);
    expect(drops.next).toBe(2 ** 40);
  });

  test("an artifact that is released is found again", () => {
    const { drops } = two();
    drops.replay(2 ** 40, GREAT);
    const [{ artifact }] = drops.claims;
    drops.releaseArtifact(artifact.number);
    drops.next = 0;
    drops.replay(2 ** 40, GREAT);
    expect(drops.claims.map((claim) => claim.artifact)).toContain(artifact);
  });
});
