import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { nameOf, parseObjects } from "../../src/objects/index.js";
import { DUNGEON } from "./dungeon.js";
import { SMALL, smallWith } from "./small.js";

describe("names that files and callers refer to", () => {
  test("an artifact of a name that no kind has gets a kind of its own (first hour 16)", () => {
    const artifact = `${SMALL.artifact}N:3:'Bell'\nI:amulet:Bell\nP:0:0d0:1:2:3\nA:100:1 to 127\nN:4:of Steel\nI:sword:Foil\n`;
    const { spec: files, issues } = parseObjects(smallWith({ artifact }));
    expect(issues.filter(({ severity }) => severity === "error")).toEqual([]);
    const [, , bell, steel] = files?.artifacts ?? [];
    const kindOf = (one: typeof bell) => files?.kinds.find(({ tval, sval }) => tval === one.tval && sval === one.sval);
    expect(kindOf(bell)).toMatchObject({ number: 10, name: "& Bell~", sval: 4, flags: ["INSTA_ART"] });
    expect(kindOf(steel)).toMatchObject({ number: 11, name: "& Foil~", sval: 5, flags: ["INSTA_ART", "HATES_ACID"] });
    const maker = createMill({ seed: "bell" }).objects("o", files ?? smallWith({ artifact }));
    expect(nameOf(maker.files, maker.make({ level: 30, artifact: "bell" }))).toBe("the Bell 'Bell' (+1,+2) [+3]");
    expect(maker.releaseArtifact("Bell")).toBe(true);
    const made = maker.makeMany(3000, { level: 30 });
    expect([...made].filter(({ artifact: one }) => one?.name === "'Bell'")).toHaveLength(1);
    expect([...made].filter(({ kind }) => kind.number > 9)).toHaveLength(1);
  });

  test("affixes are named in any case, unless names differ only in case (first hour 16)", () => {
    const egoThemes = SMALL.egoThemes.replace("A:Hewn:20", "A:hEWN:20");
    expect(parseObjects(smallWith({ egoThemes })).spec?.themes[0].parts.map(({ affix }) => affix)).toEqual([1, 2, 1]);
    const egoItem = `${SMALL.egoItem}N:7:prefix:HEWN\n`;
    const { issues } = parseObjects(smallWith({ egoThemes, egoItem }));
    expect(issues.map(({ code, where }) => `${code} ${where.file}:${where.line}:${where.column}`)).toEqual([
      "object.name ego_themes.txt:3:3",
    ]);
    expect(issues[0].message).toContain('Did you mean "Hewn"?');
  });

  test("callers name an affix level in any case, and an artifact without its quotes (first hour 16)", () => {
    const maker = createMill({ seed: "oar" }).objects("o", SMALL);
    expect(maker.find("artifact", "oar").name).toBe("'Oar'");
    const made = maker.makeMany(9, { level: 30, affixLevel: "GREAT" });
    expect(new Set(made.affixLevel)).toEqual(new Set([2]));
    expect(() => maker.find("kind", "Kriss")).toThrow('Did you mean "Kris"?');
    expect(() => maker.find("kind", "hard armor")).toThrow('request it as "tval"');
    expect(() => maker.find("affix", "Hewm")).toThrow('Did you mean "Hewn"?');
    expect(() => maker.find("theme", "of the Fery")).toThrow('Did you mean "of the Ferry"?');
    expect(() => maker.find("artifact", "of the Idle")).toThrow('Did you mean "of the Idol"?');
  });

  test("a kind and a type that contradict each other have no odds, as they make no object (first hour 16)", () => {
    const maker = createMill({ seed: "oar" }).objects("o", DUNGEON);
    const asked = { level: 30, kind: "Cudgel", tval: "sword" };
    expect(() => maker.makeMany(1, asked)).toThrow("[object.impossible]");
    expect(() => maker.odds({ of: "object", ...asked })).toThrow("[object.impossible]");
    expect(maker.odds({ of: "object", ...asked, tval: "hafted" }).kinds.none.numerator).toBe(0n);
  });
});
