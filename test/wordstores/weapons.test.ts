import { afterAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/mill.js";
import { parseRecipe, shippedRecipe, type TablesInput } from "../../src/recipes/index.js";
import { acceptWord, loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { DATABASES, newRecipe, PROPOSED, run } from "./databases.js";

const shipped = shippedRecipe("weapon");
const { spec } = parseRecipe(shipped.recipe);
if (spec === undefined) throw new Error("the shipped recipe cannot be read");
const names = Object.keys(shipped.tables as TablesInput);

/** Weapons as bytes: every column, and some names. */
function weapons(tables?: TablesInput): string {
  const items = createMill({ seed: "moria" })
    .recipe("weapon", "weapon", { tables })
    .makeMany(20_000, { power: 1.7, tier: 3, tierVariance: 1 });
  const columns = [items.words, items.outcomes, items.stats].flatMap((group) => Object.entries(group));
  const bytes = columns.map(([name, { buffer }]) => [name, Buffer.from(buffer).toString("base64")]);
  return JSON.stringify([bytes, items.decimals, items.vocabulary, Array.from({ length: 99 }, (_, k) => items.name(k))]);
}

const expected = weapons();

describe.each(DATABASES.map((database) => [database.title, database] as const))("%s", (_title, database) => {
  const recipe = newRecipe();
  let address = "";
  afterAll(async () => {
    for (const name of address === "" ? [] : names) await run(address, `drop table if exists ${recipe}_${name}`);
  });

  test.skipIf(database.isMissing)("makes the very weapons that the shipped words make", async () => {
    address = database.url();
    await saveTables(address, shipped.tables as TablesInput, { recipe, spec });
    expect(weapons(await loadTables(address, { recipe, spec })) === expected).toBe(true);
  });

  test.skipIf(database.isMissing)("has a proposed word in no weapon before it is accepted", async () => {
    const proposal = {
      recipe,
      spec,
      table: "type",
      word: "sharpened spoon",
      tier: 3,
      stats: { attack: 9 },
      proposed: PROPOSED,
    };
    const request = { type: "sharpened spoon" };
    const made = async () => {
      const tables = await loadTables(address, { recipe, spec });
      return {
        weapon: createMill({ seed: 1 }).recipe("weapon", "weapon", { tables }).make({ request }),
        bytes: weapons(tables),
      };
    };
    await proposeWord(address, proposal);
    const before = await made();
    expect(before.weapon.requests).toEqual({ met: [], unknown: ["type"] });
    expect(before.bytes === expected).toBe(true);
    await acceptWord(address, proposal);
    const after = await made();
    expect(after.weapon.requests.met).toEqual(["type"]);
    expect(after.weapon.name).toContain("Sharpened Spoon");
    expect(after.bytes === expected).toBe(false);
  });
});
