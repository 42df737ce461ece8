// "accept tries the recipe first", "reject, edit, deactivate undo", "look-alikes are reported", weights in stores.
import { afterAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { RecipeSpec, TablesInput } from "../../src/recipes/types.js";
import {
  acceptWord,
  activateWord,
  deactivateWord,
  editWord,
  listProposals,
  loadTables,
  proposeWord,
  rejectWord,
  saveTables,
} from "../../src/wordstores/index.js";
import { lookAlikesOf } from "../../src/wordstores/lookAlikes.js";
import { DATABASES, errorOf, newPath, newRecipe, PROPOSED, run, SPEC, TABLES } from "./databases.js";

const FILES = [
  { kind: "JSON", title: "JSON", isMissing: false, url: () => newPath(".json") },
  { kind: "CSV", title: "CSV", isMissing: false, url: () => newPath("") },
];

const FEW: TablesInput = {
  element: [
    { id: 1, word: "fire", weight: 3 },
    { id: 2, word: "ice", weight: 0.25 },
  ],
  type: [
    { id: 1, word: "sword", tier: 1, attack: 4 },
    { id: 2, word: "club", tier: 2, attack: 2 },
  ],
};

describe.each([...DATABASES, ...FILES].map((place) => [place.title, place] as const))("%s", (_title, place) => {
  const { kind, isMissing, url } = place;
  const used: [address: string, recipe: string][] = [];
  afterAll(async () => {
    for (const [address, recipe] of kind === "JSON" || kind === "CSV" ? [] : used) {
      for (const table of ["element", "type"]) await run(address, `drop table if exists ${recipe}_${table}`);
    }
  });

  async function saved(rows: TablesInput = FEW) {
    const [address, recipe] = [url(), newRecipe()];
    used.push([address, recipe]);
    const tables = { recipe, spec: SPEC };
    await saveTables(address, rows, tables);
    const word = (text: string) => ({ ...tables, table: "type", word: text, proposed: PROPOSED });
    const rowOf = async (text: string) => (await loadTables(address, tables)).type.find((row) => row.word === text);
    const load = () => loadTables(address, tables);
    return { address, tables, word, rowOf, load };
  }

  test.skipIf(isMissing)(
    "weights per word are stored exactly and are exact in odds; a table without them has none",
    async () => {
      const { load, address, word } = await saved();
      const { element, type } = await load();
      expect(element.map((row) => row.weight)).toEqual([3, 0.25]);
      expect(type.map((row) => row.weight)).toEqual([undefined, undefined]);
      await proposeWord(address, { ...word("pike"), weight: 0.5 });
      expect((await load()).type.map((row) => row.weight)).toEqual(
        kind === "JSON" || kind === "CSV" ? [undefined, undefined, 0.5] : [1, 1, 0.5],
      );
      const odds = createMill({ seed: "" })
        .recipe("w", SPEC, { tables: await load() })
        .odds({ of: "element" }).odds;
      // 6/101 · 12/13 and 6/101 · 1/13
      const fractions = odds.map(({ probability }) => `${probability.numerator}/${probability.denominator}`);
      expect(fractions).toEqual(["72/1313", "6/1313"]);
      expect((await errorOf(proposeWord(address, { ...word("mace"), weight: -1 }))).code).toBe("recipe.tables");
    },
  );

  test.skipIf(isMissing)(
    "accept tries the recipe first: a word that overflows it is refused, and nothing changes",
    async () => {
      const { address, word, load } = await saved();
      await proposeWord(address, { ...word("worldsplitter"), stats: { attack: 2 ** 31 } });
      const before = await load();
      const { code, message } = await errorOf(acceptWord(address, word("worldsplitter")));
      expect(code).toBe("recipe.overflow");
      for (const part of ["worldsplitter", "type", "attack"]) expect(message).toContain(part);
      expect(await load()).toEqual(before);
      await editWord(address, { ...word("worldsplitter"), change: { stats: { attack: 9 } } });
      await acceptWord(address, word("worldsplitter"));
      const refused = await errorOf(
        editWord(address, { ...word("worldsplitter"), change: { stats: { attack: -(2 ** 31) } } }),
      );
      expect(refused.code).toBe("recipe.overflow");
    },
  );

  test.skipIf(isMissing)("a change of a row that has changed since it was read is refused", async () => {
    const { address, word, load, rowOf } = await saved();
    await proposeWord(address, { ...word("pike"), stats: { attack: 5 } });
    const seen = await rowOf("pike");
    const { row } = await editWord(address, { ...word("pike"), seen, change: { stats: { attack: 6 } } });
    const before = await load();
    for (const late of [acceptWord, rejectWord]) {
      expect((await errorOf(late(address, { ...word("pike"), seen }))).code).toBe("recipe.word");
    }
    expect(await load()).toEqual(before);
    await acceptWord(address, { ...word("pike"), seen: row });
    expect(await rowOf("pike")).toMatchObject({ active: true, attack: 6 });
    const none = { ...word("pike"), seen: 7 as never };
    expect((await errorOf(rejectWord(address, none))).code).toBe("argument.type");
  });

  test.skipIf(isMissing)("a stat never sets another column: it could accept the word", async () => {
    const { address, word, load } = await saved();
    const before = await load();
    for (const stats of [{ status: "accepted" }, { active: 1 }, { id: 1 }, { word: "x" }, { proposer: "Ann" }]) {
      const proposal = { ...word("pike"), stats: stats as never };
      expect((await errorOf(proposeWord(address, proposal))).code).toBe("recipe.tables");
    }
    expect(await load()).toEqual(before);
  });

  test.skipIf(isMissing)(
    "accept tries the recipe first: of two words that overflow it together, one is refused",
    async () => {
      const { address, tables, word } = await saved();
      const first = { ...word("worldsplitter"), stats: { attack: 1_500_000_000 } };
      // two slots have words of this table
      const second = { ...first, table: "element", word: "void", stats: { attack: 500_000_000 } };
      for (const proposal of [first, second]) await proposeWord(address, proposal);
      const done = await Promise.allSettled([first, second].map((proposal) => acceptWord(address, proposal)));
      const refused = done.flatMap((one) => (one.status === "rejected" ? [one.reason.code as string] : []));
      expect(refused).toEqual(["recipe.overflow"]);
      expect(await listProposals(address, tables)).toHaveLength(1);
      createMill({ seed: "" }).recipe("w", SPEC, { tables: await loadTables(address, tables) });
    },
  );

  test.skipIf(isMissing)("accept tries the recipe first: weights beyond the largest total are refused", async () => {
    const { address, word } = await saved();
    await proposeWord(address, { ...word("mace"), weight: 4_294_967_295 });
    expect((await errorOf(acceptWord(address, word("mace")))).code).toBe("weights.overflow");
  });

  test.skipIf(isMissing)(
    "the first words of empty tables are accepted, although the recipe has too few words yet",
    async () => {
      const { address, tables, word } = await saved({ element: [], type: [] });
      await proposeWord(address, { ...word("mace"), tier: 1 });
      await acceptWord(address, word("mace"));
      for (const text of ["fire", "ice"]) {
        await proposeWord(address, { ...word(text), table: "element" });
        await acceptWord(address, { ...tables, table: "element", word: text });
      }
      expect(
        createMill({ seed: "" })
          .recipe("w", SPEC, { tables: await loadTables(address, tables) })
          .make().name,
      ).toMatch(/Mace/);
    },
  );

  test.skipIf(isMissing)("a blank word is refused by propose and edit", async () => {
    const { address, word, load } = await saved();
    const before = await load();
    for (const blank of ["", " ", "\u00a0", "\u3000", "\u200b", "\ufeff\u2060"]) {
      expect((await errorOf(proposeWord(address, word(blank)))).code).toBe("recipe.tables");
      const edit = { ...word("club"), change: { word: blank } };
      expect((await errorOf(editWord(address, edit))).code).toBe("recipe.tables");
    }
    expect(await load()).toEqual(before);
  });

  test.skipIf(isMissing)("reject keeps a proposal as rejected, and accept undoes it", async () => {
    const { address, tables, word, rowOf, load } = await saved();
    await proposeWord(address, { ...word("spork"), tier: 2, proposer: "Bilbo" });
    const { row } = await rejectWord(address, word("spork"));
    expect(row).toMatchObject({ status: "rejected", active: false, proposer: "Bilbo" });
    expect(await rowOf("spork")).toMatchObject({ status: "rejected", proposer: "Bilbo" });
    expect(await listProposals(address, tables)).toEqual([]);
    const rejected = await listProposals(address, { ...tables, status: "rejected" });
    expect(rejected.map((one) => one.row.word)).toEqual(["spork"]);
    const made = createMill({ seed: "" }).recipe("w", SPEC, { tables: await load() });
    expect(made.makeMany(1, { request: { type: "spork" } }).requests.unknown).toEqual(["type"]);
    expect((await errorOf(rejectWord(address, word("spork")))).code).toBe("recipe.word");
    expect((await errorOf(proposeWord(address, word("spork")))).code).toBe("recipe.duplicate");
    expect((await acceptWord(address, word("spork"))).row).toMatchObject({ active: true, tier: 2 });
    expect(await rowOf("spork")).not.toHaveProperty("status");
    // an accepted word is taken back
    await rejectWord(address, word("spork"));
    expect(await rowOf("spork")).toMatchObject({ status: "rejected" });
  });

  test.skipIf(isMissing)("edit changes a word's text and parts, and another edit undoes it", async () => {
    const { address, word, rowOf, load } = await saved();
    const before = await load();
    const change = { word: "broadsword", tier: 3, stats: { attack: 7, crit: 0.5 } };
    const { row } = await editWord(address, { ...word("sword"), change });
    expect(row).toMatchObject({ id: 1, word: "broadsword", active: true, tier: 3, attack: 7, crit: 0.5 });
    expect(await rowOf("sword")).toBeUndefined();
    expect(await rowOf("broadsword")).toMatchObject({ id: 1, tier: 3, attack: 7, crit: 0.5 });
    expect((await errorOf(editWord(address, { ...word("club"), change: { word: "broadsword" } }))).code).toBe(
      "recipe.duplicate",
    );
    expect((await errorOf(editWord(address, { ...word("club"), change: { word: "" } }))).code).toBe("recipe.tables");
    expect((await errorOf(editWord(address, { ...word("none"), change: { tier: 1 } }))).code).toBe("recipe.word");
    const undo = { word: "sword", tier: 1, stats: { attack: 4, crit: 0 } };
    await editWord(address, { ...word("broadsword"), change: undo });
    const { type } = await load();
    expect(type.map(({ id, word: text, tier, attack }) => [id, text, tier, attack])).toEqual(
      before.type.map(({ id, word: text, tier, attack }) => [id, text, tier, attack]),
    );
  });

  test.skipIf(isMissing)("deactivate and activate undo each other, and tell the recipe's needs", async () => {
    const { address, tables, word, rowOf } = await saved();
    expect((await deactivateWord(address, word("club"))).row.active).toBe(false);
    expect(await rowOf("club")).toMatchObject({ active: false });
    expect((await errorOf(deactivateWord(address, word("club")))).code).toBe("recipe.word");
    // the last active word must stay
    expect((await errorOf(deactivateWord(address, word("sword")))).code).toBe("recipe.candidates");
    expect((await errorOf(rejectWord(address, word("sword")))).code).toBe("recipe.candidates");
    const element = { ...tables, table: "element", word: "ice" };
    expect((await errorOf(deactivateWord(address, element))).code).toBe("recipe.candidates");
    expect((await activateWord(address, word("club"))).row.active).toBe(true);
    expect((await errorOf(activateWord(address, word("club")))).code).toBe("recipe.word");
    await proposeWord(address, word("mace"));
    expect((await errorOf(activateWord(address, word("mace")))).code).toBe("recipe.word");
  });

  test.skipIf(isMissing)(
    "look-alikes are reported when a word is proposed and accepted, and refused with strict",
    async () => {
      const { address, word, load } = await saved();
      const { lookAlikes } = await proposeWord(address, word("Ѕword"));
      expect(lookAlikes).toEqual([{ id: 1, word: "sword", status: "accepted", reasons: ["case", "confusable"] }]);
      expect((await acceptWord(address, word("Ѕword"))).lookAlikes).toHaveLength(1);
      const before = await load();
      const { code, message } = await errorOf(proposeWord(address, { ...word("s word"), strict: true }));
      expect([code, message.includes("sword"), message.includes("spaces")]).toEqual(["recipe.look-alike", true, true]);
      expect(await load()).toEqual(before);
      expect((await proposeWord(address, { ...word("glaive"), strict: true })).lookAlikes).toEqual([]);
      expect((await proposeWord(address, word("GLAIVE"))).lookAlikes).toEqual([
        { id: 4, word: "glaive", status: "proposed", reasons: ["case"] },
      ]);
      expect((await errorOf(acceptWord(address, { ...word("GLAIVE"), strict: true }))).code).toBe("recipe.look-alike");
    },
  );
});

describe("a word looks like another", () => {
  test.each<[a: string, b: string, reasons: readonly string[]]>([
    ["fire", "Fire", ["case"]],
    ["fire", "fire ", ["spaces"]],
    ["fire bolt", "firebolt", ["spaces"]],
    ["fire", "fi\u200bre", ["zero-width"]],
    ["fire", "fire\ufeff", ["zero-width"]],
    ["paypal", "раураl", ["confusable"]],
    ["Iron", "lron", ["confusable"]],
    ["modern", "modem", ["confusable"]],
    ["ℜ𝘂by", "Ruby", ["confusable"]],
    ["résumé", "re\u0301sume\u0301", ["encoding"]],
    ["Straße", "STRASSE", ["case"]],
    ["FI RE", "fi\u200bre", ["zero-width", "spaces", "case"]],
  ])("%j and %j: %j", (a, b, reasons) => {
    expect(lookAlikesOf(a)(b)).toEqual(reasons);
    expect(lookAlikesOf(b)(a)).toEqual(reasons);
  });

  test.each([
    ["fire", "fire"],
    ["fire", "fir"],
    ["résumé", "resume"],
    ["club", "clan"],
    ["火", "灯"],
  ])("%j does not look like %j", (a, b) => {
    expect(lookAlikesOf(a)(b)).toBeUndefined();
  });
});

test("a recipe that calls its stat weight has no weights, unless it names a column", async () => {
  const spec: RecipeSpec = { ...SPEC, stats: [...SPEC.stats, { name: "weight" }] };
  const tables = { recipe: "w", spec };
  const path = newPath(".json");
  await saveTables(path, FEW, tables);
  const proposal = { ...tables, table: "type", word: "pike", weight: 2, proposed: PROPOSED };
  expect((await errorOf(proposeWord(path, proposal))).code).toBe("recipe.tables");
  const named = { ...proposal, spec: { ...spec, weight: "often" } };
  expect((await proposeWord(path, named)).row).toMatchObject({ often: 2 });
});

test("a proposal has a time with four digits of the year, and a proposer that is a text", async () => {
  const path = newPath(".json");
  const proposal = { recipe: "w", spec: SPEC, table: "type", word: "pike", proposed: PROPOSED };
  await saveTables(path, TABLES, proposal);
  for (const proposed of [new Date(Number.NaN), new Date(8.64e15)]) {
    expect((await errorOf(proposeWord(path, { ...proposal, proposed }))).code).toBe("argument.range");
  }
  for (const proposer of ["", "a\nb", "x".repeat(257)]) {
    expect((await errorOf(proposeWord(path, { ...proposal, proposer }))).code).toBe("recipe.tables");
  }
  for (const proposed of [undefined, null, "2026-11-22", 0]) {
    const wrong = { ...proposal, proposed: proposed as unknown as Date };
    expect((await errorOf(proposeWord(path, wrong))).code).toBe("argument.type");
  }
});
