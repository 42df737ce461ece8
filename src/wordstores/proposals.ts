import { type Code, error, fail, failOnErrors, type Issue, RollmillError, unlessRefused } from "../errors/index.js";
import { compileRecipe } from "../recipes/compile.js";
import { ROW_KEYS } from "../recipes/parse/rows.js";
import { parseTables } from "../recipes/parse/tables.js";
import type { TablesInput, WordInput, WordStatus } from "../recipes/types.js";
import { unknownName } from "../recipes/unknownName.js";
import { checkFlag, checkInteger, checkText, readOptions, refuseArgument } from "../spec/index.js";
import { type LookAlikeReason, lookAlikesOf } from "./lookAlikes.js";
import { placeOf } from "./place.js";
import { canonicalRows, rowIssues, warnOfUnreadable, withoutMalformed } from "./rows.js";
import { type RecipeTables, readTablesOptions, type TableShape, tableShape, tableShapes } from "./shape.js";
import type { Change, Decide, UnreadableRow } from "./store.js";
import { type LoadOptions, loadTables, openStore } from "./tables.js";

/** A word of a recipe's table. */
export interface TableWord extends RecipeTables {
  /** Name of the table, as the recipe calls it. */
  readonly table: string;
  readonly word: string;
  /** Called with a warning for each malformed row of the table. A change leaves these rows as they are. */
  readonly onIssue?: ((issue: Issue) => void) | undefined;
  /**
   * The row as it was last read. If the row has changed since, a change of the word throws `recipe.word`. So if two people
   * change a word at once, the second one gets an error. Default: the change does not compare the row.
   */
  readonly seen?: WordInput | undefined;
}

/** The tier, weight and stats of a word. */
export interface WordParts {
  /** Tier of the word, 0 … 255. Default 0. */
  readonly tier?: number;
  /** Weight of the word, a decimal ≥ 0. Default 1. */
  readonly weight?: number;
  /** The numbers that the word adds to stats. A missing stat counts as 0. */
  readonly stats?: { readonly [stat: string]: number };
}

interface Strictness {
  /** Whether a look-alike is an error. If false, it is only reported. Default false. */
  readonly strict?: boolean;
}

/** A proposal for a new word. */
export interface WordProposal extends TableWord, WordParts, Strictness {
  /** The person who proposes the word: 1 to 256 characters. Default: unknown. */
  readonly proposer?: string;
  /** The time of the proposal, such as `new Date()`. The library itself reads no clock. */
  readonly proposed: Date;
}

/** A word to accept. */
export interface AcceptedWord extends TableWord, Strictness {}

/** A change of a word. Parts that are not given stay unchanged. */
export interface WordEdit extends TableWord, Strictness {
  readonly change: WordParts & {
    /** The new text of the word. */
    readonly word?: string;
  };
}

/** A word of the same table that a reader may confuse with the changed word. */
export interface LookAlike {
  readonly id: number;
  readonly word: string;
  readonly status: WordStatus;
  /** The differences between the two words, at least one. */
  readonly reasons: readonly LookAlikeReason[];
}

/** The result of a change. */
export interface ChangedWord {
  /** The row after the change. */
  readonly row: WordInput;
  /** Other words of the table that look like this word, sorted by id. */
  readonly lookAlikes: readonly LookAlike[];
}

/** A proposed or rejected row, and the name of its table. */
export interface ProposedWord {
  readonly table: string;
  readonly row: WordInput;
}

/**
 * Stores a word with the status "proposed". No item can have it before {@link acceptWord} accepts it. Its id is the
 * highest id of the table plus 1. Several programs may propose words at the same time. Cost: reads the whole table.
 *
 * @throws RollmillError `argument.type`, `argument.range` (a time outside the years 0 … 9999), `recipe.duplicate` (the
 * table has the word, with any status; Iron and iron are different words), `recipe.look-alike` (with `strict`),
 * `recipe.tables` (no such table or stat, or an invalid word), and the errors of `loadTables` and `saveTables`.
 */
export async function proposeWord(target: string | URL, given: WordProposal): Promise<ChangedWord> {
  const proposal = readWordOptions("proposeWord", given);
  const { table, word, proposer, proposed } = proposal;
  const shape = tableShape(proposal, table);
  const time = proposed instanceof Date ? proposed.getTime() : refuseArgument("proposed", proposed, "a Date");
  checkInteger("proposed", time, MIN_TIME, MAX_TIME);
  const row: WordInput = {
    id: 1,
    word,
    active: false,
    status: "proposed",
    ...(proposer !== undefined && { proposer }),
    proposed: new Date(time).toISOString(),
    ...partsOf(proposal, shape),
  };
  failOnErrors(rowIssues([row], shape));
  // no recipe uses the word yet, so no recipe needs to be compiled
  return changeTable(target, { ...proposal, isTried: false }, (rows, unreadable) => {
    const same = rows.find((one) => one.word === word);
    if (same !== undefined) return refuseDuplicate(shape, same);
    refuseUnreadable(shape, word, unreadable);
    const id = [...rows, ...unreadable].reduce((most, one) => Math.max(most, one.id ?? 0), 0) + 1;
    return { row: { ...row, id }, isNew: true };
  });
}

/**
 * Lists the proposals of one table or, without `table`, of all tables in the recipe's order. Database rows whose cells
 * cannot be read are only reported to `onIssue`.
 *
 * @throws The errors of `loadTables`.
 */
export async function listProposals(
  source: string | URL,
  given: LoadOptions & {
    readonly table?: string;
    /** "rejected" lists the rejected words instead. Default "proposed". */
    readonly status?: "proposed" | "rejected";
  },
): Promise<readonly ProposedWord[]> {
  const tables = readTablesOptions("listProposals", given);
  const { table, status = "proposed" } = tables;
  if (status !== "proposed" && status !== "rejected") refuseArgument("status", status, '"proposed" or "rejected"');
  const shapes = table === undefined ? tableShapes(tables) : [tableShape(tables, table)];
  const loaded = await loadTables(source, tables);
  return shapes.flatMap((shape) => {
    const rows: unknown = loaded[shape.name];
    if (!Array.isArray(rows)) failOnErrors(rowIssues(rows, shape));
    const found = (rows as readonly WordInput[]).filter((row) => row?.status === status);
    return found.map((row) => ({ table: shape.name, row }));
  });
}

/**
 * Accepts a proposed or rejected word, which becomes active. If the recipe does not compile with the word, nothing is
 * written. Cost: reads all tables of the recipe; O(rows · stats).
 *
 * @throws RollmillError `recipe.word` (no such proposal), `recipe.duplicate` (the word is accepted already),
 * `recipe.look-alike` (with `strict`), `recipe.tables` (an invalid row or too many words), `recipe.overflow` (a stat
 * would leave its range), other errors of the recipe with the word, and the errors of `loadTables` and `saveTables`.
 */
export async function acceptWord(target: string | URL, accepted: AcceptedWord): Promise<ChangedWord> {
  return changeRow(target, readWordOptions("acceptWord", accepted), (row, shape) => {
    if (statusOf(row) === "accepted") return refuseDuplicate(shape, row);
    const { status: _, ...rest } = row;
    return { ...rest, id: row.id, word: row.word, active: true };
  });
}

/**
 * Rejects a proposal or an accepted word. The row stays in the table, and recipes skip it. To undo this, call
 * {@link acceptWord}. Cost: as for {@link acceptWord}.
 *
 * @throws RollmillError `recipe.word` (no such word, or it is rejected already), and the errors of {@link acceptWord}:
 * without the word, a recipe may have too few words.
 */
export async function rejectWord(target: string | URL, rejected: TableWord): Promise<ChangedWord> {
  return changeRow(target, readWordOptions("rejectWord", rejected), (row, shape) => {
    if (statusOf(row) === "rejected") return refuseState(shape, row, "the word is rejected already");
    return { ...row, status: "rejected", active: false };
  });
}

/**
 * Changes the text, tier, weight or stats of a word with any status. Cost and errors: as for {@link acceptWord}; also
 * `recipe.duplicate` if another row has the new text.
 */
export async function editWord(target: string | URL, given: WordEdit): Promise<ChangedWord> {
  const edit = readWordOptions("editWord", given);
  const change = readOptions("editWord", edit.change, ["tier", "weight", "stats", "word"]);
  return changeRow(target, edit, (row, shape, rows) => {
    const { word = row.word } = change;
    const other = rows.find((one) => one.word === word && one.id !== row.id);
    if (other !== undefined) return refuseDuplicate(shape, other);
    return { ...row, ...partsOf(change, shape), word };
  });
}

/**
 * Deactivates an accepted word: it is no longer picked at random, but a request can still name it. Cost and errors: as
 * for {@link rejectWord}; also `recipe.word` if the word is inactive already.
 */
export async function deactivateWord(target: string | URL, word: TableWord): Promise<ChangedWord> {
  return setActive(target, readWordOptions("deactivateWord", word), false);
}

/** Undoes {@link deactivateWord}. Cost and errors: as for {@link acceptWord}; also `recipe.word` if it is active. */
export async function activateWord(target: string | URL, word: TableWord): Promise<ChangedWord> {
  return setActive(target, readWordOptions("activateWord", word), true);
}

function setActive(target: string | URL, word: TableWord, active: boolean): Promise<ChangedWord> {
  return changeRow(target, word, (row, shape) => {
    if (statusOf(row) !== "accepted") return refuseState(shape, row, "only an accepted word can be active or inactive");
    if (row.active === active) return refuseState(shape, row, `the word is ${active ? "active" : "inactive"} already`);
    return { ...row, active };
  });
}

function readWordOptions<Options extends TableWord & Strictness>(call: string, options: Options): Options {
  const read = readTablesOptions(call, options);
  checkText("table", read.table);
  checkText("word", read.word);
  if (read.strict !== undefined) checkFlag("strict", read.strict);
  return read;
}

/** The times that ISO 8601 writes with a four-digit year. */
const [MIN_TIME, MAX_TIME] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** Returns the columns of the parts. */
export function partsOf(
  { tier, weight, stats = {} }: WordParts,
  { weight: column, stats: known }: TableShape,
): Record<string, unknown> {
  if (weight !== undefined && column === undefined) {
    const remedy = 'Name another column in the field "weight" of the recipe';
    const problem = "a stat has the name weight, so the recipe has no column of weights";
    fail(error("recipe.tables", { problem, got: weight, remedy, where: { path: "weight" } }));
  }
  if (typeof stats !== "object" || stats === null) refuseArgument("stats", stats, "an object");
  // a "stat" named status could otherwise accept a proposal
  const taken = Object.keys(stats).find((name) => ROW_KEYS.includes(name));
  if (taken !== undefined) fail(error("recipe.tables", unknownName("the recipe has no such stat", taken, known)));
  return {
    ...stats,
    ...(tier !== undefined && { tier }),
    ...(weight !== undefined && column !== undefined && { [column]: weight }),
  };
}

function statusOf({ status = "accepted" }: WordInput): WordStatus {
  return status;
}

/** Calls `change` with the row of a word. Replaces this row by the row that `change` returns. */
function changeRow(
  target: string | URL,
  word: TableWord & Strictness,
  change: (row: WordInput, shape: TableShape, rows: readonly WordInput[]) => WordInput,
): Promise<ChangedWord> {
  const shape = tableShape(word, word.table);
  return changeTable(target, { ...word, isTried: true }, (rows, unreadable) => {
    const same = rows.filter((row) => row.word === word.word);
    // another program may have stored the word twice
    const row = same.find((one) => statusOf(one) === "accepted") ?? same[0];
    if (row === undefined) {
      refuseUnreadable(shape, word.word, unreadable);
      const remedy = "Propose the word first, or check its spelling, including upper and lower case";
      return refuse("recipe.word", word.word, `table ${shape.name} has no such word`, remedy);
    }
    if (same.length > 1) return refuseDuplicate(shape, row);
    // refuses the change if a second row has the same id, because an update would replace both rows
    if ([...rows, ...unreadable].filter(({ id }) => id === row.id).length > 1) {
      const problem = `table ${shape.name} has several rows with the id ${row.id}`;
      return refuse("recipe.duplicate", row.word, problem, "Give each row an id of its own");
    }
    refuseChanged(word.seen, row, shape);
    const update = change(row, shape, rows);
    failOnErrors(rowIssues([update], shape));
    return { row: update, isNew: false };
  });
}

/** Changes a table. With `isTried`, first compiles the recipe with the change. */
async function changeTable(
  target: string | URL,
  { isTried, ...word }: TableWord & Strictness & { readonly isTried: boolean },
  decide: (...rows: Parameters<Decide>) => Change,
): Promise<ChangedWord> {
  const { onIssue } = word;
  const [shape, shapes] = [tableShape(word, word.table), tableShapes(word)];
  const place = placeOf(target);
  // holds the locks of all tables: two changes at the same time could break the recipe, even if each of them is valid
  const locked = isTried ? shapes : [shape];
  let changed: ChangedWord | undefined;
  const store = await openStore(place, word);
  await store.change({ shape, shapes, locked }, async (rows, unreadable) => {
    if (onIssue !== undefined) {
      warnOfUnreadable(unreadable, onIssue);
      withoutMalformed({ [shape.name]: rows }, [shape], { onIssue, shown: place.shown, keepsProposals: true });
    }
    const { row, isNew } = decide(rows, unreadable);
    const kept = rows.filter(({ id }) => id !== row.id);
    const after = canonicalRows([...kept, row], shape);
    const compare = lookAlikesOf(row.word);
    const lookAlikes = kept.flatMap((other): LookAlike[] => {
      const reasons = compare(other.word);
      return reasons === undefined ? [] : [{ id: other.id, word: other.word, status: statusOf(other), reasons }];
    });
    if (word.strict && lookAlikes.length > 0) {
      const { id, word: other, status, reasons } = lookAlikes[0];
      const of = `a word of table ${shape.name} (${status}, id ${id})`;
      const remedy = `The words differ only in: ${reasons.join(", ")}. Use the word of the table, or turn off the strict checks`;
      refuse("recipe.look-alike", row.word, `the word looks like ${JSON.stringify(other)}, ${of}`, remedy);
    }
    if (isTried) {
      // ignores malformed rows: they must not prevent the change of a valid row
      const tables = await loadTables(target, { ...word, onIssue: () => undefined });
      const [before, withRow] = [rows, after].map((some) => ({ ...tables, [shape.name]: some }));
      tryRecipe(word, { word: row.word, before, after: withRow });
    }
    const written = after.find(({ id }) => id === row.id) ?? row;
    changed = { row: written, lookAlikes };
    return { row: written, isNew };
  });
  return changed ?? refuse("recipe.word", word.word, "the word was not changed");
}

function refuseDuplicate({ name }: TableShape, row: WordInput): never {
  const isAccepted = statusOf(row) === "accepted";
  const problem = `table ${name} already has this word (${statusOf(row)}, id ${row.id})`;
  return refuse("recipe.duplicate", row.word, problem, isAccepted ? undefined : "Accept the word, or edit it");
}

function refuseUnreadable({ name }: TableShape, word: string, unreadable: readonly UnreadableRow[]): void {
  if (!unreadable.some((one) => one.word === word)) return;
  refuse("recipe.duplicate", word, `table ${name} has this word in a malformed row`, "Correct or delete that row");
}

function refuseChanged(seen: WordInput | undefined, row: WordInput, shape: TableShape): void {
  if (seen === undefined) return;
  if (typeof seen !== "object" || seen === null) refuseArgument("seen", seen, "a row");
  const [before, now] = [seen, row].map((one) => JSON.stringify(canonicalRows([one], shape)));
  if (before === now) return;
  const problem = `the word has changed since it was read (table ${shape.name}, id ${row.id})`;
  refuse("recipe.word", row.word, problem, "Read it again, and decide then");
}

function refuseState({ name }: TableShape, { id, word }: WordInput, problem: string): never {
  return refuse("recipe.word", word, `${problem} (table ${name}, id ${id})`);
}

function refuse(code: Code, word: string, problem: string, remedy?: string): never {
  return fail(error(code, { problem, got: word, remedy }));
}

/** Throws the errors that the change causes. An old error in some other word does not block the change. */
function tryRecipe(
  { recipe, spec, table }: TableWord,
  { word, before, after }: { readonly word: string; readonly before: TablesInput; readonly after: TablesInput },
): void {
  const issues = issuesOf(spec, after);
  if (issues.length === 0) return;
  const keyOf = ({ code, where }: Issue) => `${code} ${where.path}`;
  const known = new Set(issuesOf(spec, before).map(keyOf));
  const caused = issues.filter((issue) => !known.has(keyOf(issue)));
  if (caused.length === 0) return;
  throw new RollmillError(
    caused.map(({ code, message, where }) => {
      const problem = `the change of ${JSON.stringify(word)} makes the recipe ${recipe} invalid (${message})`;
      return error(code, { problem, where: { path: [table, where.path].filter((part) => part).join(": ") } });
    }),
  );
}

function issuesOf(spec: RecipeTables["spec"], tables: TablesInput): readonly Issue[] {
  const { spec: parsed, issues } = parseTables(tables, { spec });
  if (parsed === undefined) return issues.filter(({ severity }) => severity === "error");
  const found: Issue[] = [];
  unlessRefused(
    () => compileRecipe({ spec, tables: parsed }),
    (refusal) => found.push(...refusal.issues),
  );
  return found;
}
