import { error, fail, failOnErrors } from "../errors/index.js";
import type { WordInput } from "../recipes/types.js";
import type { Change } from "./change.js";
import { loadTables } from "./loadTables.js";
import { isFiles, placeOf } from "./place.js";
import { type RecipeTables, type TableShape, tableShape, tableShapes } from "./shape.js";
import { canonicalRows, rowIssues } from "./wordRows.js";

/** A word of one of a recipe's tables. */
export interface TableWord extends RecipeTables {
  /** The table's name in the recipe. */
  readonly table: string;
  readonly word: string;
}

/** A word, as it is proposed. */
export interface WordProposal extends TableWord {
  /** 0 … 255. Default 0. */
  readonly tier?: number;
  /** What it adds to stats; 0 where there is nothing. */
  readonly stats?: { readonly [stat: string]: number };
}

/** A row, and the table that it is in. */
export interface ProposedWord {
  readonly table: string;
  readonly row: WordInput;
}

/**
 * Proposes a word: it is kept with status "proposed", and no item has it before {@link acceptWord}. Its id is one more than
 * the greatest of the table. Safe when several propose at once: one after the other does.
 *
 * Cost: reads the table.
 *
 * @returns the row that was added.
 * @throws RollmillError `recipe.duplicate` (the word is there, accepted or proposed; letters' case counts), `recipe.tables`
 * (no such table or stat, or a word that cannot be kept), and what {@link loadTables} and `saveTables` throw.
 */
export async function proposeWord(target: string | URL, proposal: WordProposal): Promise<WordInput> {
  const { table, word, tier = 0, stats = {} } = proposal;
  const shape = tableShape(proposal, table);
  const row: WordInput = { ...stats, id: 1, word, active: false, status: "proposed", tier };
  failOnErrors(rowIssues([row], shape));
  let added = row;
  await changeTable(target, shape, (rows) => {
    const same = rows.find((one) => one.word === word);
    if (same !== undefined) return refuseDuplicate(shape, same);
    const id = rows.reduce((most, one) => Math.max(most, one.id), 0) + 1;
    added = canonicalRows([...rows, { ...row, id }], shape).find((one) => one.id === id) ?? row;
    return { insert: added };
  });
  return added;
}

/**
 * Lists what is proposed: of one table, or of all in the recipe's order; by id.
 *
 * @throws RollmillError as {@link loadTables}.
 */
export async function listProposals(
  source: string | URL,
  tables: RecipeTables & { readonly table?: string },
): Promise<readonly ProposedWord[]> {
  const shapes = tables.table === undefined ? tableShapes(tables) : [tableShape(tables, tables.table)];
  const loaded = await loadTables(source, tables);
  return shapes.flatMap((shape) => {
    const rows: unknown = loaded[shape.name];
    if (!Array.isArray(rows)) failOnErrors(rowIssues(rows, shape));
    const proposed = (rows as readonly WordInput[]).filter((row) => row?.status === "proposed");
    return proposed.map((row) => ({ table: shape.name, row }));
  });
}

/**
 * Accepts a proposed word: from now on it is chosen as any other that is active.
 *
 * @returns the row as it is now.
 * @throws RollmillError `recipe.word` (nobody proposed it), `recipe.duplicate` (it is accepted already), `recipe.tables` (a
 * row that no recipe can read, such as one that another program put there), and what
 * {@link loadTables} and `saveTables` throw.
 */
export async function acceptWord(target: string | URL, accepted: TableWord): Promise<WordInput> {
  const { table, word } = accepted;
  const shape = tableShape(accepted, table);
  let changed: WordInput | undefined;
  await changeTable(target, shape, (rows) => {
    const same = rows.filter((row) => row.word === word);
    const first = same.find((row) => row.status !== "proposed") ?? same[0];
    if (first === undefined) {
      const remedy = "Propose it first, in the very spelling: letters' case counts";
      return fail(error("recipe.word", { problem: `table ${table} has no proposal of this word`, got: word, remedy }));
    }
    if (first.status !== "proposed" || same.length > 1) return refuseDuplicate(shape, first);
    const { status: _, ...row } = first;
    changed = { ...row, id: first.id, word, active: true };
    failOnErrors(rowIssues([changed], shape));
    return { accept: changed };
  });
  return changed ?? fail(error("recipe.word", { problem: "nothing was accepted", got: word }));
}

async function changeTable(
  target: string | URL,
  shape: TableShape,
  decide: (rows: readonly WordInput[]) => Change,
): Promise<void> {
  const place = placeOf(target);
  if (isFiles(place)) {
    const { changeInFiles } = await import("./files.js");
    return changeInFiles(place, shape, decide);
  }
  const { changeInDatabase } = await import("./sqlTables.js");
  return changeInDatabase(place, shape, decide);
}

function refuseDuplicate({ name }: TableShape, { id, word, status = "accepted" }: WordInput): never {
  const problem = `table ${name} has this word already, ${status}, with id ${id}`;
  return fail(error("recipe.duplicate", { problem, got: word }));
}
