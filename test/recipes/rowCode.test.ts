import { afterEach, expect, test, vi } from "vitest";
import { createMill } from "../../src/index.js";
import { type RecipeInput, SHIPPED_RECIPES, type StepSpec, type TablesInput } from "../../src/recipes/index.js";

const RealFunction = Function;

afterEach(() => vi.unstubAllGlobals());

interface Source {
  readonly recipe: RecipeInput;
  readonly tables: TablesInput;
}

/** Makes rows with a new plan. `compile` stands for the constructor of functions. */
function rows(name: string, source: Source | undefined, compile: (...texts: string[]) => object) {
  vi.stubGlobal("Function", new Proxy(RealFunction, { construct: (_, texts) => compile(...texts) }));
  const mill = createMill({ seed: "rows" });
  const recipe = source ? mill.recipe(name, source.recipe, { tables: source.tables }) : mill.recipe(name);
  const items = recipe.makeMany(400, { from: 2 ** 33 });
  return { items, made: [...items] };
}

/** Names that end a string or a comment, begin code, or mean something to objects or to the compiled code. */
const HOSTILE = [
  '"];throw 1;//',
  "'+process.exit(1)+'",
  "`$" + "{process.exit(1)}`",
  "\\",
  '\\"',
  "*/ throw 1",
  "}\u2028throw 1",
  "__proto__",
  "constructor",
  "12",
  "source",
  "k",
  "text0",
  "return",
];

/** A recipe whose stats, slots, conditions, bonuses and words have these texts. */
function recipeOf(texts: readonly string[]): Source {
  const [strength] = texts;
  const slots = texts.map((text, i): StepSpec => {
    const slot = { slot: text, table: "words", strength: 1, chance: { atLeast: 50 }, text: i % 3 === 0 ? " " : text };
    return { kind: "slots", name: text, slots: [slot] };
  });
  const conditions = texts.map((stat, i): StepSpec => {
    return { kind: "condition", name: `${stat}!`, stat, share: 0.5, doubled: { atLeast: 90 }, up: { above: 40 + i } };
  });
  const ladder = [{ text: " */ `", add: { [strength]: 3 } }];
  const bonus: StepSpec = { kind: "bonus", name: "bonus", chance: { above: 50 }, sides: 2, ladder };
  const words = texts.map((word, i) => {
    return { id: i + 1, word: `x${word}`, ...Object.fromEntries(texts.map((stat, j) => [stat, (10 * i - j) / 10])) };
  });
  const stats = texts.map((name) => ({ name }));
  return { recipe: { stats, strength, steps: [...slots, ...conditions, bonus] }, tables: { words } };
}

const cases: readonly (readonly [string, Source | undefined])[] = [
  ...SHIPPED_RECIPES.map((name) => [name, undefined] as const),
  ["hostile", recipeOf(HOSTILE)],
  ["one", recipeOf(["power"])],
];

test.each(cases)("rows of %s are the same from compiled code and from lines", (name, source) => {
  let compiled = 0;
  const fast = rows(name, source, (...texts) => {
    const made = new RealFunction(...texts);
    compiled++;
    return made;
  });
  expect(compiled).toBe(1);
  const slow = rows(name, source, () => {
    throw new EvalError("no text may become code");
  });
  expect(JSON.stringify(fast.made)).toBe(JSON.stringify(slow.made));
  expect(fast.made).toStrictEqual(slow.made);
  expect(fast.made.map((row) => row.name)).toEqual(fast.made.map((_, k) => fast.items.name(k)));
});

test("pages compile no text, because a page that forbids it reports each attempt", () => {
  const here = rows("weapon", undefined, (...texts) => new RealFunction(...texts));
  vi.stubGlobal("process", undefined);
  const compile = vi.fn(() => ({}));
  expect(rows("weapon", undefined, compile).made).toStrictEqual(here.made);
  expect(compile).not.toHaveBeenCalled();
});
