import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import {
  checkObjectFiles,
  loadObject,
  type ObjectFiles,
  type ObjectTexts,
  parseObjects,
  saveObject,
} from "../../src/objects/index.js";
import { LIGHTHOUSE } from "./lighthouse.js";

const changed = (changes: Partial<ObjectTexts>) => parseObjects({ ...LIGHTHOUSE, ...changes });

function filesOf(texts: ObjectTexts = LIGHTHOUSE): ObjectFiles {
  const { spec } = parseObjects(texts);
  if (spec === undefined) throw new Error("the files have an error");
  return spec;
}

/** Code, file, line and column of each error. */
const errorsOf = (changes: Partial<ObjectTexts>) =>
  changed(changes)
    .issues.filter(({ severity }) => severity === "error")
    .map(({ code, where }) => `${code} ${where.file}:${where.line}:${where.column}`);

const named = <T extends { readonly name: string }>(records: readonly T[], name: string): T => {
  const found = records.find((record) => record.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe("gamedata files of Angband 4.0 and 4.1 are named as such (first hour 16)", () => {
  const record = "type:sword\ngraphics:|:w\nproperties:3:12:30\nalloc:40:1 to 60\ncombat:0:1d8:0:0:0\n";
  test.each([
    ["4.0", `name:3:& Gaff~\n${record}`, 4],
    ["4.1", `# kinds\nname:& Gaff~\n${record}`, 5],
  ])("%s", (release, object, line) => {
    const { spec, issues } = changed({ object });
    expect(spec).toBeUndefined();
    expect(issues.map(({ code, where }) => `${code} ${where.file}:${where.line}:${where.column}`)).toEqual([
      `object.files object.txt:${line}:1`,
    ]);
    expect(issues[0].message).toContain(`Angband ${release}`);
  });

  test("a stray line among those of 4.2 stays an error of its own", () => {
    expect(errorsOf({ object: `${LIGHTHOUSE.object}\nproperties:1:2:3\n` })[0]).toMatch(/^object\.line object\.txt/);
  });
});

describe("gamedata files of Angband 4.2", () => {
  const files = filesOf();

  test("every artifact ignores the four elements of the page (first hour 16)", () => {
    const page = readFileSync(new URL("../../docs/formats/objects.md", import.meta.url), "utf8");
    const [, text] = /^- Every artifact has the flags ([^.]*)\./m.exec(page) ?? [];
    const four = text?.match(/IGNORE_\w+/g) ?? [];
    expect(four).toHaveLength(4);
    for (const { flags } of files.artifacts) expect(flags).toEqual(expect.arrayContaining(four));
  });

  test("are recognised, and give kinds with svals by their order, and special kinds for special artifacts", () => {
    expect(files.rules).toBe("4.2");
    expect(files.levels).toEqual(["average", "good", "great"]);
    expect(files.kinds.map(({ number }) => number)).toEqual(files.kinds.map((_, i) => i + 1));
    expect(named(files.kinds, "& Breaker Sabre~")).toMatchObject({ sval: 2, dice: 2, sides: 6, weight: 70 });
    expect(named(files.kinds, "& Breaker Sabre~").flags).toEqual(["HATES_ACID", "SHOW_DICE"]);
    expect(named(files.kinds, "Tides").fullName).toBe("& Ring~ of Tides");
    const glass = named(files.kinds, "& Lantern Glass~");
    expect(glass).toMatchObject({ sval: 2, allocation: undefined });
    expect(glass.flags).toEqual(["INSTA_ART", "HATES_FIRE"]);
    expect(named(files.artifacts, "of the First Keeper")).toMatchObject({ tval: glass.tval, sval: 2 });
  });

  test("values give pvals, resistances, immunities and vulnerabilities; a minus belongs to the base", () => {
    const tides = named(files.kinds, "Tides");
    expect(tides.pvals.map(({ value, flags }) => [flags[0], value.base, value.sides, value.bonus])).toEqual([
      ["STEALTH", 1, 0, 3],
      ["SPEED", -2, 3, 0],
    ]);
    expect(named(files.kinds, "Drowning").flags).toEqual(["RES_COLD", "VULN_FIRE", "CURSE_UNDERTOW"]);
    const hawser = named(files.artifacts, "'Hawser'");
    expect(hawser.flags).toEqual(
      expect.arrayContaining(["RES_COLD", "IM_ELEC", "BRAND_ELEC_3", "SLAY_WRAITH_3", "IGNORE_ACID", "IGNORE_COLD"]),
    );
    expect(hawser.allocations).toEqual([{ probability: 10, least: 15, most: 80 }]);
  });

  test("egos are affixes of the level great, with minima, random properties and removed flags", () => {
    const keeper = named(files.affixes, "(Keeper's)");
    expect(
      keeper.targets.map(({ usual, least, most, level, probability }) => [usual, least, most, level, probability]),
    ).toEqual([
      [15, 0, 100, 2, 10],
      [15, 0, 100, 2, 10],
    ]);
    expect(keeper.least).toEqual({ toHit: undefined, toDam: undefined, toAc: 1 });
    expect(keeper.pvals.map(({ least, flags }) => [flags[0], least])).toEqual([
      ["WIS", 1],
      ["STEALTH", undefined],
    ]);
    expect(keeper.randomFlags.map(({ flags }) => flags)).toEqual([
      ["SUST_STR", "SUST_INT", "SUST_WIS", "SUST_DEX", "SUST_CON"],
    ]);
    expect(keeper.flags).toEqual(["SEE_INVIS", "PROT_FEAR", "SLAY_EEL_2", "SLAY_WRAITH_3"]);
    const storm = named(files.affixes, "of the Storm");
    expect(storm.randomFlags.map(({ alternative }) => alternative)).toEqual([
      { first: 0, share: 1, of: 3 },
      { first: 1, share: 2, of: 3 },
    ]);
    expect(named(files.affixes, "(Unquenched)").removes).toEqual(["TAKES_FUEL"]);
  });

  test("slays and brands say what they mean", () => {
    expect(named(files.flags, "SLAY_EEL_2").meaning).toBe("×2 damage against eels");
    expect(named(files.flags, "BRAND_ELEC_3").meaning).toBe("×3 damage by lightning");
  });

  test("each type of line without an effect gives one warning a file, at its first line", () => {
    const { issues } = parseObjects(LIGHTHOUSE);
    expect(issues.filter(({ code }) => code !== "object.unused")).toEqual([]);
    const ofEgos = issues.filter(({ where }) => where.file === "ego_item.txt");
    expect(ofEgos.map(({ where }) => where.line)).toEqual([4, 9]);
    expect(checkObjectFiles(files).filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("files without slays, brands and curses take the codes of the other files", () => {
    const { slay: _, brand: __, curse: ___, ...rest } = LIGHTHOUSE;
    const own = filesOf(rest);
    expect(own.flags.map(({ name }) => name).sort()).toEqual(files.flags.map(({ name }) => name).sort());
  });
});

describe("flaws of gamedata files", () => {
  const FLAWS: readonly (readonly [file: keyof typeof LIGHTHOUSE, from: string, to: string, wanted: string])[] = [
    ["object", "type:sword", "type:sward", "object.name object.txt:8:6"],
    ["object", "attack:1d5:0:0", "attack:1x5:0:0", "object.number object.txt:14:8"],
    ["object", "attack:1d5:0:0", "attack:1d5:0", "object.line object.txt:14:1"],
    ["object", "SPEED[-2+1d3]", "SPEED[-d3]", "object.number object.txt:112:30"],
    ["object", "SPEED[-2+1d3]", "SPED[-2]", "object.flag object.txt:112:24"],
    ["object", "SPEED[-2+1d3]", "SPEED-2", "object.line object.txt:112:24"],
    ["object", "RES_FIRE[-1]", "RES_FIRE[4]", "object.number object.txt:122:41"],
    ["object", "curse:undertow:60", "curse:overtow:60", "object.name object.txt:123:7"],
    ["object", "flags:GOOD", "flags:GOOOD", "object.flag object.txt:145:7"],
    ["objectBase", "name:ring:Ring~", "name:17:Ring~", "object.line object_base.txt:29:6"],
    ["objectBase", "default:max-stack:40", "default:most:40", "object.line object_base.txt:4:9"],
    ["objectBase", "break:25", "snap:25", "object.line object_base.txt:17:1"],
    ["egoItem", "alloc:60:1 to 40", "alloc:60:40 to 1", "object.number ego_item.txt:5:10"],
    ["egoItem", "item:sword:Breaker Sabre", "item:sword:Broken Sabre", "object.name ego_item.txt:16:12"],
    ["egoItem", "brand:COLD_2", "brand:COLD_9", "object.name ego_item.txt:8:7"],
    ["egoItem", "min-values:WIS[1]", "min-values:WIS[d2]", "object.number ego_item.txt:30:16"],
    ["egoItem", "flags-off:TAKES_FUEL", "flags-off:TAKES_FULL", "object.flag ego_item.txt:86:11"],
    ["egoItem", "name:of the Undertow", "name:", "object.line ego_item.txt:3:6"],
    ["artifact", "alloc:30:10 to 100", "alloc:130:10 to 100", "object.number artifact.txt:9:7"],
    ["artifact", "base-object:light:Lantern Glass", "level:1", "object.line artifact.txt:3:1"],
    ["artifact", "armor:0:4", "armor:0:d4", "object.number artifact.txt:39:9"],
    ["slay", "code:WRAITH_3", "code:EEL_2", "object.duplicate slay.txt:9:6"],
    ["slay", "multiplier:2", "multiplier:two", "object.number slay.txt:4:12"],
    ["brand", "code:COLD_2", "code:", "object.line brand.txt:1:6"],
  ];

  test.each(FLAWS)("%s: %s → %s", (file, from, to, wanted) => {
    expect(LIGHTHOUSE[file]).toContain(from);
    expect(errorsOf({ [file]: LIGHTHOUSE[file]?.replace(from, to) })).toContain(wanted);
  });

  test("files of two formats are refused at the first line of the other format", () => {
    expect(errorsOf({ egoItem: "# egos\n\nN:1:suffix:of Rust\n" })).toEqual(["object.files ego_item.txt:3:1"]);
    const { issues } = changed({ egoThemes: "N:1:suffix:of the Ferry\n" });
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([["argument.type", "egoThemes"]]);
  });
});

test("files whose kinds can get too many egos are refused before they use much memory", () => {
  const kinds = Array.from({ length: 255 }, (_, i) => `name:& Blade ${i}~\ntype:sword\nalloc:1:1 to 9\n`).join("");
  const egos = Array.from({ length: 4200 }, (_, i) => `name:of ${i}\nalloc:1:90 to 99\ntype:sword\n`).join("");
  const { spec } = changed({ object: kinds, egoItem: egos, artifact: "" });
  expect(spec?.affixes).toHaveLength(4200);
  const code = (make: () => unknown) => {
    try {
      make();
      return undefined;
    } catch (cause) {
      return (cause as { issues: readonly { code: string }[] }).issues[0].code;
    }
  };
  expect(code(() => createMill({ seed: 1 }).objects("o", spec as ObjectFiles))).toBe("object.files");
  const fewer = changed({ object: kinds, egoItem: egos.slice(0, egos.indexOf("name:of 1000")), artifact: "" }).spec;
  const maker = createMill({ seed: 1 }).objects("o", fewer as ObjectFiles);
  expect(maker.make({ level: 5, great: true, kind: "Blade 3" }).kind.name).toBe("& Blade 3~");
  expect(code(() => maker.odds({ of: "affix", kind: "Blade 3", level: 5, affixLevel: "great" }))).toBe(
    "object.request",
  );
});

describe("the odds of the rules of Angband 4.2", () => {
  const files = filesOf();
  const maker = () => createMill({ seed: "odds" }).objects("wrecks", files);

  test("the affix level, the slots and the depth have the chances of the game", () => {
    const levels = maker().odds({ of: "affixLevel", level: 17 }).odds;
    expect(levels.map(({ probability }) => toNumber(probability))).toEqual([0.5, 0.35, 0.15]);
    expect(maker().odds({ of: "slots", kind: "Cork Jacket", level: 17, great: true }).odds).toEqual([
      { result: 1, probability: { numerator: 1n, denominator: 1n } },
    ]);
    const depths = maker().odds({ of: "depth", level: 100 }).odds;
    expect(Math.max(...depths.map(({ result }) => result))).toBe(127);
  });

  /** The chance of each ego over all subsets of the egos that may take part. */
  function bySubsets(kind: string, depth: number): Map<string, number> {
    const { tval, sval } = named(files.kinds, kind);
    const lines = files.affixes.flatMap(({ number, targets }) => {
      const line = targets.find((one) => one.tval === tval && one.leastSval <= sval && sval <= one.mostSval);
      if (line === undefined || depth > line.most) return [];
      const { usual = 0, probability: weight } = line;
      return [{ number, weight, chance: usual <= depth ? 1 : 1 / Math.max(2, Math.floor((usual - depth) / 3)) }];
    });
    const odds = new Map<string, number>();
    for (let subset = 0; subset < 2 ** lines.length; subset++) {
      const isIn = (i: number) => ((subset >>> i) & 1) === 1;
      const chance = lines.reduce((product, one, i) => product * (isIn(i) ? one.chance : 1 - one.chance), 1);
      const part = lines.filter((_, i) => isIn(i));
      const total = part.reduce((sum, { weight }) => sum + weight, 0);
      if (total === 0) odds.set("none", (odds.get("none") ?? 0) + chance);
      for (const { number, weight } of part) {
        odds.set(String(number), (odds.get(String(number)) ?? 0) + (chance * weight) / total);
      }
    }
    return odds;
  }

  test.each([
    ["& Gaff Knife~", 1],
    ["& Breaker Sabre~", 12],
    ["& Whalebone Bow~", 0],
    ["& Cork Jacket~", 14],
    ["& Oilskin Cloak~", 3],
    ["& Heron Arrow~", 60],
    ["Tides", 20],
  ])("the egos of %s at depth %i have the chances of all subsets", (kind, depth) => {
    const wanted = bySubsets(kind, depth);
    const { number } = named(files.kinds, kind);
    const { odds, none } = maker().odds({ of: "affix", kind: number, level: depth, depth, affixLevel: "great" });
    expect(toNumber(none)).toBeCloseTo(wanted.get("none") ?? 0, 12);
    const found = odds.filter(({ probability }) => probability.numerator > 0n);
    expect(found.length).toBe([...wanted].filter(([name, chance]) => name !== "none" && chance > 0).length);
    for (const { result, probability } of found) {
      expect(toNumber(probability)).toBeCloseTo(wanted.get(String(result.number)) ?? 0, 12);
    }
  });

  test("made objects have these chances: kinds, levels and egos (α = 10⁻⁶ for each)", () => {
    const own = maker();
    const n = 200_000;
    const ask = { level: 12, artifacts: false } as const;
    const made = own.makeMany(n, { ...ask, good: true });
    const isNear = (count: number, of: number, p: number) =>
      Math.abs(count - of * p) <= 4.9 * Math.sqrt(of * p * (1 - p)) + 1e-9;
    const kinds = new Map<number, number>();
    for (const kind of made.kind) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    for (const { result, probability } of own.odds({ of: "kind", level: 12, good: true }).odds) {
      expect(isNear(kinds.get(files.kinds.indexOf(result)) ?? 0, n, toNumber(probability)), result.name).toBe(true);
    }
    const jackets = own.makeMany(n, { ...ask, kind: "Cork Jacket", affixLevel: "great", from: 0 });
    const egos = new Map<number, number>();
    for (let k = 0; k < n; k++) {
      const ego = jackets.affixes[8 * k];
      egos.set(ego, (egos.get(ego) ?? 0) + 1);
    }
    const { odds, none } = own.odds({ of: "affix", kind: "Cork Jacket", level: 12, affixLevel: "great" });
    expect(odds.length).toBeGreaterThan(2);
    expect(isNear(egos.get(0) ?? 0, n, toNumber(none))).toBe(true);
    for (const { result, probability } of odds) {
      const count = egos.get(files.affixes.indexOf(result) + 1) ?? 0;
      expect(isNear(count, n, toNumber(probability)), result.name).toBe(true);
    }
    const levels = own.makeMany(n, { ...ask, from: 0 }).affixLevel;
    own.odds({ of: "affixLevel", level: 12 }).odds.forEach(({ probability }, i) => {
      const count = levels.reduce((sum, level) => sum + Number(level === i + 1), 0);
      expect(isNear(count, n, toNumber(probability)), `level ${i}`).toBe(true);
    });
  });
});

describe("objects by the rules of Angband 4.2", () => {
  const open = () => createMill({ seed: "tide" }).objects("wrecks", LIGHTHOUSE);

  test("have at most one ego, keep the minima, and lose the flags that the ego removes", () => {
    const maker = open();
    for (const object of maker.makeMany(3000, { level: 30, great: true, artifacts: false })) {
      expect(object.affixes.length).toBeLessThanOrEqual(object.slots);
      expect(object.slots).toBe(1);
      if (object.affixes[0]?.name === "of the Lightning Rod") expect(object.toHit).toBeGreaterThan(0);
      if (object.affixes[0]?.name === "(Unquenched)") expect(object.flags).not.toContain("TAKES_FUEL");
      if (object.affixes[0]?.name === "of Eels") expect(object.flags).toContain("SLAY_EEL_2");
    }
  });

  test("a batch is the same whatever its split, with each artifact once", () => {
    const all = open().makeMany(600, { level: 20, great: true });
    const parts = open();
    const split = [1, 250, 349].flatMap((n) => [...parts.makeMany(n, { level: 20, great: true })]);
    expect(split).toEqual([...all]);
    const artifacts = [...all].flatMap(({ artifact }) => artifact?.name ?? []);
    expect(new Set(artifacts).size).toBe(artifacts.length);
    expect(artifacts.length).toBe(4);
    const replayed = open();
    replayed.replay(400, { level: 20, great: true });
    expect([...replayed.makeMany(200, { level: 20, great: true })]).toEqual([...all].slice(400));
  });

  test("are saved and loaded, also with egos that share a name; the laws know the enchantments", () => {
    const maker = open();
    const eels = maker.makeMany(400, { level: 20, great: true, artifacts: false, tval: "cloak" });
    let shared = 0;
    for (const object of [...eels, ...maker.makeMany(400, { level: 40, great: true })]) {
      const saved = JSON.parse(JSON.stringify(saveObject(maker.files, object)));
      expect(loadObject(maker.files, saved)).toEqual(object);
      shared += Number(typeof saved.affixes[0] === "object");
    }
    expect(shared).toBeGreaterThan(10);
  });

  test("requests are met, or refused with the reason", () => {
    const maker = open();
    const coat = maker.make({ level: 5, with: ["of Stillness"] });
    expect(coat.kind.name).toBe("& Oilskin Cloak~");
    expect(maker.make({ level: 1, artifact: "'Hawser'", at: 9 }).artifact?.name).toBe("'Hawser'");
    const code = (ask: Parameters<typeof maker.make>[0]) => {
      try {
        maker.make(ask);
        return undefined;
      } catch (cause) {
        return (cause as { issues: readonly { code: string }[] }).issues[0].code;
      }
    };
    expect(code({ level: 5, with: ["of Stillness", "of the Storm"] })).toBe("object.impossible");
    expect(code({ level: 100, with: ["of Stillness"] })).toBe("object.impossible");
    expect(code({ level: 5, with: ["of Stillness"], affixLevel: "good" })).toBe("object.impossible");
    expect(code({ level: 5, with: ["of the Eel"] })).toBe("object.name");
    expect(code({ level: 5, good: true, kind: "Brine", with: ["of Eels"] })).toBe("object.impossible");
    const plain = maker.make({ level: 5, kind: "Oilskin Cloak", affixLevel: "average" });
    const once = maker.addAffix(plain, "of Stillness");
    expect(once.affixes).toHaveLength(1);
    expect(() => maker.addAffix(once, "of the Storm")).toThrow();
  });
});
