import { error, fail, failOnErrors } from "../errors/index.js";
import type { WordInput } from "../recipes/types.js";
import type { Decide } from "./change.js";
import { loadDatabaseCode } from "./driver.js";
import { limitsOf } from "./limits.js";
import { type LoadOptions, loadTables } from "./loadTables.js";
import { isFiles, placeOf } from "./place.js";
import { type RecipeTables, type TableShape, tableShape, tableShapes } from "./shape.js";
import { canonicalRows, rowIssues } from "./wordRows.js";

/** A word in a table of a recipe. */
export interface TableWord extends RecipeTables {
  /** Name of the table in the recipe. */
  readonly table: string;
  readonly word: string;
}

/** A proposal for a new word. */
export interface WordProposal extends TableWord {
  /** Tier of the word, 0 … 255. Default 0. */
  readonly tier?: number;
  /** The numbers that the word adds to stats. A missing stat stands for 0. */
  readonly stats?: { readonly [stat: string]: number };
}

/** A proposed row and its table. */
export interface ProposedWord {
  readonly table: string;
  readonly row: WordInput;
}

/**
 * Proposes a word: stores it with the status "proposed". No item can have the word until {@link acceptWord} accepts it.
 * The id of the word is the greatest id of the table plus 1. Several programs may propose words at the same time.
 *
 * Cost: reads the whole table.
 *
 * @returns the row that was added.
 * @throws RollmillError `recipe.duplicate` (the table has the word already, accepted or proposed; upper and lower case
 * differ), `recipe.tables` (no such table or stat, or an invalid word), and the errors of {@link loadTables} and
 * `saveTables`.
 */
export async function proposeWord(target: string | URL, proposal: WordProposal): Promise<WordInput> {
  const { table, word, tier = 0, stats = {} } = proposal;
  const shape = tableShape(proposal, table);
  const row: WordInput = { ...stats, id: 1, word, active: false, status: "proposed", tier };
  failOnErrors(rowIssues([row], shape));
  let added = row;
  await changeTable(target, proposal, (rows, unreadable) => {
    const same = rows.find((one) => one.word === word);
    if (same !== undefined) return refuseDuplicate(shape, same);
    if (unreadable.some((one) => one.word === word)) return refuseUnreadable(shape, word);
    const id = [...rows, ...unreadable].reduce((most, one) => Math.max(most, one.id ?? 0), 0) + 1;
    added = canonicalRows([...rows, { ...row, id }], shape).find((one) => one.id === id) ?? row;
    return { insert: added };
  });
  return added;
}

/**
 * Lists the proposals of one table, or of all tables in the recipe's order. Proposals of a table are sorted by id. The
 * list lacks rows of a database whose cells cannot be read; `onIssue` gets them.
 *
 * @throws The errors of {@link loadTables}.
 */
export async function listProposals(
  source: string | URL,
  tables: LoadOptions & { readonly table?: string },
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
 * Accepts a proposed word. The word becomes active.
 *
 * @returns the new row.
 * @throws RollmillError `recipe.word` (no such proposal), `recipe.duplicate` (the word is accepted already),
 * `recipe.tables` (an invalid row, which another program may have written), and the errors of {@link loadTables} and
 * `saveTables`.
 */
export async function acceptWord(target: string | URL, accepted: TableWord): Promise<WordInput> {
  const { table, word } = accepted;
  const shape = tableShape(accepted, table);
  let changed: WordInput | undefined;
  await changeTable(target, accepted, (rows) => {
    const same = rows.filter((row) => row.word === word);
    const first = same.find((row) => row.status !== "proposed") ?? same[0];
    if (first === undefined) {
      const remedy = "Propose the word first, or check its spelling, including upper and lower case";
      return fail(error("recipe.word", { problem: `table ${table} has no proposal of this word`, got: word, remedy }));
    }
    if (first.status !== "proposed" || same.length > 1) return refuseDuplicate(shape, first);
    const { status: _, ...row } = first;
    changed = { ...row, id: first.id, word, active: true };
    failOnErrors(rowIssues([changed], shape));
    return { accept: changed };
  });
  return changed ?? fail(error("recipe.word", { problem: "the word was not accepted", got: word }));
}

async function changeTable(target: string | URL, tables: TableWord, decide: Decide): Promise<void> {
  const shape = tableShape(tables, tables.table);
  const place = placeOf(target);
  const limits = limitsOf(tables);
  if (isFiles(place)) {
    const { changeInFiles } = await import("./files.js");
    return changeInFiles(place, shape, decide);
  }
  const { changeInDatabase } = await loadDatabaseCode(place.kind, () => import("./sqlTables.js"));
  return changeInDatabase({ place, limits }, shape, decide);
}

function refuseDuplicate({ name }: TableShape, { id, word, status = "accepted" }: WordInput): never {
  const problem = `table ${name} already has this word (${status}, id ${id})`;
  return fail(error("recipe.duplicate", { problem, got: word }));
}

function refuseUnreadable({ name }: TableShape, word: string): never {
  const problem = `table ${name} already has this word, in a row with another cell that cannot be read`;
  return fail(error("recipe.duplicate", { problem, got: word, remedy: "Correct or delete that row" }));
}
