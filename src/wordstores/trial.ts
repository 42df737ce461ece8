import { error, type Issue, RollmillError } from "../errors/index.js";
import { compileRecipe } from "../recipes/compile.js";
import { parseTables } from "../recipes/parse/tables.js";
import type { TablesInput } from "../recipes/types.js";
import type { RecipeTables } from "./shape.js";

interface Trial {
  readonly table: string;
  readonly word: string;
  readonly before: TablesInput;
  readonly after: TablesInput;
}

/**
 * Compiles the recipe with the changed tables. Ignores errors that the tables already had before the change. So an old
 * error in some other word does not block this change.
 *
 * Cost: O(rows · stats).
 *
 * @throws RollmillError with the errors that the change causes: `recipe.overflow`, `recipe.candidates`,
 * `recipe.tables`, `recipe.duplicate`, `recipe.word`, `weights.overflow`, `weights.decimals`. Each error names the word
 * and its table.
 */
export function tryRecipe({ recipe, spec }: RecipeTables, { table, word, before, after }: Trial): void {
  const issues = issuesOf(after);
  if (issues.length === 0) return;
  const known = new Set(issuesOf(before).map(keyOf));
  const caused = issues.filter((issue) => !known.has(keyOf(issue)));
  if (caused.length === 0) return;
  throw new RollmillError(
    caused.map(({ code, message, where }) => {
      const problem = `the change of ${JSON.stringify(word)} makes the recipe ${recipe} invalid (${message})`;
      return error(code, { problem, where: { path: [table, where.path].filter((part) => part).join(": ") } });
    }),
  );

  function issuesOf(tables: TablesInput): readonly Issue[] {
    const { spec: parsed, issues } = parseTables(tables, { spec });
    if (parsed === undefined) return issues.filter(({ severity }) => severity === "error");
    try {
      compileRecipe({ spec, tables: parsed });
      return [];
    } catch (cause) {
      if (cause instanceof RollmillError) return cause.issues;
      throw cause;
    }
  }
}

function keyOf({ code, where }: Issue): string {
  return `${code} ${where.path}`;
}
