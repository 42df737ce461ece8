import { type Code, type Finding, failOnErrors, IssueList, RollmillError, show } from "../../errors/index.js";
import { refuse } from "../path.js";
import {
  type ListSpec,
  MAX_POOLS,
  MAX_RECORDS,
  MAX_RULE_STEPS,
  MAX_U32,
  type Mass,
  type RecordId,
  type SavedCopies,
} from "../types.js";
import { Column } from "./columns.js";
import type { Entries, Node, Root } from "./node.js";

/** Applying a rule to a pool takes about as long as adding this many records. */
const STEPS_PER_POOL = 4;

/**
 * One change of the records that pools list: its errors, the functions that revert it, and its effort. Pools and the
 * steps of rules are limited, because a short text with stars in its paths can multiply them beyond all memory.
 */
export class Change {
  readonly undo: (() => void)[] = [];
  /** Whether a limit was exceeded. Then no further rule is applied, because it would only exceed the limit again. */
  isSpent = false;
  readonly #issues = new IssueList({ code: "pool.spec" });
  readonly #file: string | undefined;
  #steps = 0;

  constructor(file?: string) {
    this.#file = file;
  }

  report(code: Code, path: string, finding: Finding): void {
    this.#issues.report(code, { ...finding, where: { path, file: this.#file } });
  }

  /** Adds the issues that a job throws. Their place in the spec is `path`. */
  collect(path: string, job: () => void): void {
    try {
      job();
    } catch (cause) {
      if (!(cause instanceof RollmillError)) throw cause;
      for (const issue of cause.issues) this.#issues.add({ ...issue, where: { path, file: this.#file } });
    }
  }

  get isFull(): boolean {
    return this.#issues.isFull;
  }

  check(): void {
    failOnErrors(this.#issues.list());
  }

  revert(): void {
    for (const undo of this.undo.reverse()) undo();
  }

  apply(path: string, records: number, pools = 1): void {
    this.step(path, pools * (STEPS_PER_POOL + records));
  }

  step(path: string, steps: number): void {
    this.#steps += steps;
    if (this.#steps <= MAX_RULE_STEPS) return;
    this.isSpent = true;
    const problem = "the rules take too many steps, because they apply to too many pools and records";
    const remedy = "Use fewer rules, or fewer pools that match their stars";
    refuse("pool.total", path, { problem, got: this.#steps, expected: `at most ${MAX_RULE_STEPS} steps`, remedy });
  }

  attach(path: string, pools: number): void {
    if (pools < MAX_POOLS) return;
    this.isSpent = true;
    const remedy = "Use fewer subpools, or fewer stars in the paths of rules";
    const expected = `at most ${MAX_POOLS} pools`;
    refuse("pool.total", path, { problem: "the family has too many pools", expected, remedy });
  }

  /** Adds the records of a new root. Needs no `undo`: if the change fails, the whole root is removed. */
  declare(root: Root, list: ListSpec): void {
    const { path, ids } = list;
    const { numbers, top } = root;
    root.reserve(ids.length);
    for (let i = 0; i < ids.length; i++) {
      if (numbers.add(ids[i])) introduce(root, list, i);
      else this.#refuseTwice(top, ids[i], `${path}[${i}]`);
    }
    this.checkTotal(top, path);
  }

  known(root: Root, list: ListSpec): Entries {
    const { path, ids } = list;
    const { numbers, top } = root;
    const records = new Column(Uint32Array);
    const masses: Mass[] = [];
    records.reserve(ids.length);
    for (let i = 0; i < ids.length; i++) {
      const record = numbers.get(ids[i]);
      const mass = massAt(list, i) ?? (record === undefined ? undefined : top.massOf(record));
      if (record === undefined || mass === undefined) {
        const finding = { problem: `root ${root.name} has no record with this id`, got: ids[i] };
        this.report("pool.unknown-id", `${path}[${i}]`, { ...finding, ...root.suggest(ids[i]) });
      } else {
        records.push(record);
        masses.push(mass);
      }
    }
    return { records: records.values, masses };
  }

  /** Adds the records of a list to the root, if the root lacks them. Returns all records of the list. */
  introduced(root: Root, list: ListSpec): Entries {
    this.#markRoot(root);
    const { numbers, top } = root;
    const before = top.size;
    for (const [i, id] of list.ids.entries()) {
      if (numbers.add(id)) introduce(root, list, i);
      else this.#checkShared(root, list, i);
    }
    const entries = this.known(root, list);
    if (top.size > before) {
      this.checkTotal(top, list.path);
      applyChanges(top);
    }
    return entries;
  }

  /** Adds entries to a pool. For a rule (without a `list`), skips records that the pool has or the root lacks. */
  add(node: Node, { records, masses }: Entries, list?: ListSpec): void {
    if (records.length === 0) return;
    const { changes, ids, top } = node.root;
    const before = node.length;
    this.undo.push(() => node.unlist(before));
    node.reserve(records.length);
    const changed = changes.get(node.path);
    for (let i = 0; i < records.length; i++) {
      const record = records[i];
      const mass = masses[i];
      // After the restore of a snapshot, the user repeats all additions. A record that was added and then removed
      // stays removed.
      const isRepeated = changed?.has(ids[record]) === true && !node.lists(record) && !node.hasRemoved(record);
      if (!top.lists(record) && !isRepeated) {
        if (list === undefined) continue;
        this.changeMass(top, record, mass);
      }
      if (list !== undefined && node.hasRemoved(record)) this.changeMass(node, record, mass);
      else if (!node.list(record, mass) && list !== undefined)
        this.#refuseTwice(node, ids[record], `${list.path}[${i}]`);
    }
    applyChanges(node);
    this.checkTotal(node, list?.path ?? node.path);
  }

  /** Sets the mass of a record that the pool lists or has listed. `mass` undefined removes the record. */
  changeMass(node: Node, record: number, mass: Mass | undefined): void {
    const { ids, changes } = node.root;
    const [path, id] = [node.path, ids[record]];
    const [before, changed] = [node.massOf(record), changes.get(path) ?? new Map<RecordId, Mass | null>()];
    const saved = changed.get(id);
    this.undo.push(() => {
      node.change(record, before);
      if (saved === undefined) changed.delete(id);
      else changed.set(id, saved);
    });
    node.change(record, mass);
    changes.set(path, changed.set(id, mass ?? null));
  }

  #markRoot({ numbers, initial, quantities, top }: Root): void {
    const before = numbers.keys.length;
    this.undo.push(() => {
      numbers.truncate(before);
      // `unlist` comes first, because it still reads the quantities that the next lines remove
      top.unlist(before);
      initial.truncate(before);
      quantities.truncate(before);
    });
  }

  #checkShared({ declared, initial, name, numbers }: Root, { path, ids, quantities }: ListSpec, i: number): void {
    const record = numbers.get(ids[i]);
    const quantity = given(quantities, i);
    if (quantity === undefined || record === undefined) return;
    const shared = declared.get(record) ?? initial.at(record);
    if (quantity === shared) return;
    this.report("pool.quantity", `${path}[${i}].quantity`, {
      problem: `record ${show(ids[i])} has a different quantity in root ${name}`,
      got: quantity,
      expected: `no quantity, or the quantity ${shared} of the root`,
    });
  }

  checkTotal(node: Node, path: string): void {
    const most = MAX_RECORDS[node.root.kind];
    if (node.size > most) {
      const problem = `pool ${node.path} lists too many records`;
      this.report("pool.total", path, { problem, got: node.size, expected: `at most ${most} records` });
    }
    if (node.capacity() <= MAX_U32) return;
    const scale = node.scaled()?.scale ?? 1;
    const units = scale === 1 ? "" : `, counted in units of 1/${scale},`;
    const sum = node.root.kind === "finite" ? "the sum of mass × initial quantity" : "the sum of the masses";
    this.report("pool.total", path, {
      problem: `the total of pool ${node.path}${units} is too large`,
      got: node.capacity(),
      expected: `${sum} to be at most ${MAX_U32}`,
      remedy: "Divide the masses by a common factor, or use fewer decimals",
    });
  }

  #refuseTwice(node: Node, id: RecordId, path: string): void {
    const problem = `pool ${node.path} already lists a record with the id ${show(id)}`;
    this.report("pool.duplicate", path, { problem, remedy: "Remove one of the two records" });
  }
}

/** Adds record `i` of the list to the root. The caller has already added its id to `numbers`. */
function introduce(root: Root, list: ListSpec, i: number): void {
  const { kind, initial, quantities, top, restored } = root;
  if (kind === "finite") {
    const quantity = given(list.quantities, i) ?? 1;
    initial.push(quantity);
    quantities.push(quantity);
    const saved = restored.get(list.ids[i]);
    if (saved !== undefined) restoreCopies(root, top.length, saved);
  }
  top.list(top.length, massAt(list, i) ?? 1);
}

export function applyChanges(node: Node): void {
  const { changes, numbers } = node.root;
  for (const [id, mass] of changes.get(node.path) ?? []) {
    const record = numbers.get(id);
    if (record !== undefined && (node.lists(record) || node.hasRemoved(record))) node.change(record, mass ?? undefined);
  }
}

/** Sets a record's numbers of copies from a snapshot. They replace the quantity in the spec. */
export function restoreCopies(root: Root, record: number, [, left, full = left, discards = 0]: SavedCopies): void {
  root.setInitial(record, full);
  if (discards > 0) root.discards.set(record, discards);
  root.quantities.set(record, left);
}

function massAt({ masses, ratios }: ListSpec, i: number): Mass | undefined {
  return ratios?.get(i) ?? given(masses, i);
}

function given(column: Float64Array, i: number): number | undefined {
  return i < column.length && !Number.isNaN(column[i]) ? column[i] : undefined;
}
