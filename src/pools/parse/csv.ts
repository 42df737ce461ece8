import { type Code, type Finding, IssueList, show } from "../../errors/index.js";
import { type CsvCell, type CsvEntry, numberOrText, readCsvEntries } from "../../formats/read/csvEntries.js";
import { massOf } from "../mass.js";
import { nameFlaw } from "../path.js";
import { isQuantity, massFinding, quantityFinding } from "./records.js";

const COLUMNS = ["id", "pool", "mass", "quantity"] as const;
type Row = CsvEntry<(typeof COLUMNS)[number]>;

/** The root of the records whose line names no pool. */
const DEFAULT_ROOT = "pool";

interface CsvRecord {
  readonly mass: unknown;
  quantity?: unknown;
  /** Whether a line lists the record in this pool. False if a root has the record only because a subpool lists it. */
  readonly isListed: boolean;
}

class CsvPool {
  readonly records = new Map<string, CsvRecord>();
  readonly subpools = new Map<string, CsvPool>();

  get input(): object {
    const records = Array.from(this.records, ([id, { mass, quantity }]) => ({ id, mass, quantity }));
    return { records, subpools: Object.fromEntries([...this.subpools].map(([name, pool]) => [name, pool.input])) };
  }
}

/** Reads CSV, in which each line has a record and the path of its pool. Returns the content of an equal JSON file. */
export function readPoolsCsv(text: string, file: string | undefined) {
  const { entries, issues } = readCsvEntries(text, { file, known: COLUMNS, required: ["id"], code: "pool.spec" });
  const draft = new CsvDraft(file);
  for (const issue of issues) draft.issues.add(issue);
  for (const row of entries) draft.add(row);
  const roots = [...draft.roots];
  const input = {
    roots: Object.fromEntries(roots.map(([name, root]) => [name, { kind: "finite", ...root.input }])),
    rules: roots.flatMap(([name, root]) => rulesOf(name, root)),
  };
  return { input: draft.issues.errors > 0 ? undefined : input, issues: draft.issues.list() };
}

class CsvDraft {
  readonly issues = new IssueList({ code: "pool.spec" });
  readonly roots = new Map<string, CsvPool>();
  readonly #file: string | undefined;

  constructor(file: string | undefined) {
    this.#file = file;
  }

  add({ cells, line }: Row): void {
    const id = cells.get("id");
    if (id === undefined) {
      const finding = { problem: "the line has no id", expected: 'a text in the column "id"' };
      this.#report("pool.record", { line }, finding);
      return;
    }
    const [root, pool] = this.#poolOf(cells.get("pool"));
    const mass = this.#mass(cells.get("mass"));
    const before = pool.records.get(id.text);
    if (before?.isListed) {
      const problem = `the pool already lists a record with the id ${show(id.text)}`;
      const remedy = "Remove one of the two lines. For two copies of a record, set its quantity to 2";
      this.#report("pool.duplicate", id, { problem, remedy });
    }
    pool.records.set(id.text, { mass, isListed: true, quantity: before?.quantity });
    const shared = root.records.get(id.text) ?? { mass, isListed: false };
    root.records.set(id.text, shared);
    this.#share(shared, cells.get("quantity"));
  }

  #mass(cell: CsvCell | undefined): unknown {
    const mass = cell && numberOrText(cell.text);
    if (cell !== undefined && massOf(mass) === undefined) this.#report("pool.mass", cell, massFinding(cell.text));
    return mass;
  }

  #share(record: CsvRecord, cell: CsvCell | undefined): void {
    if (cell === undefined) return;
    const quantity = numberOrText(cell.text);
    record.quantity ??= quantity;
    if (!isQuantity(quantity)) this.#report("pool.quantity", cell, quantityFinding(cell.text));
    else if (record.quantity !== quantity) {
      const expected = `${record.quantity}, or an empty cell, because all pools share the quantity`;
      this.#report("pool.quantity", cell, { problem: "the record has two quantities", got: cell.text, expected });
    }
  }

  #poolOf(cell: CsvCell | undefined): readonly [root: CsvPool, pool: CsvPool] {
    const path: CsvPool[] = [];
    let among = this.roots;
    for (const name of (cell?.text ?? DEFAULT_ROOT).split(".")) {
      const expected = nameFlaw(name);
      if (cell !== undefined && expected !== undefined && !among.has(name)) {
        this.#report("pool.path", cell, { problem: "invalid name of a pool", got: name, expected });
      }
      const pool = among.get(name) ?? new CsvPool();
      among.set(name, pool);
      path.push(pool);
      among = pool.subpools;
    }
    return [path[0], path[path.length - 1]];
  }

  #report(code: Code, { line, column }: { readonly line: number; readonly column?: number }, finding: Finding): void {
    this.issues.report(code, { ...finding, where: { file: this.#file, line, ...(column && { column }) } });
  }
}

/** Returns the rules that give all pools of a depth the same subpools. */
function rulesOf(root: string, top: CsvPool): readonly { readonly path: string }[] {
  const rules: { readonly path: string }[] = [];
  let pools = [...top.subpools.values()];
  for (let stars = ".*"; pools.length > 0; stars += ".*") {
    const names = new Set(pools.flatMap(({ subpools }) => [...subpools.keys()]));
    for (const name of names) rules.push({ path: `${root}${stars}.${name}` });
    pools = pools.flatMap(({ subpools }) => [...subpools.values()]);
  }
  return rules;
}
