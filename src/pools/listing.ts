import { Column } from "./column.js";
import type { Entries, Node, Root } from "./node.js";
import { type Report, report } from "./records.js";
import { type ListSpec, MAX_RECORDS, MAX_U32, type RecordId } from "./types.js";

/** What a list of a spec comes to, and what to do with a record that the pool has already. */
interface Place {
  readonly list: ListSpec | undefined;
  readonly twice: "refuse" | "keep";
}

/** Lists records in the pools of one root, for one change: what it does can be taken back by `undo`. */
export class Listing {
  readonly #to: Report;
  readonly #root: Root;
  readonly #undo: (() => void)[];

  constructor(to: Report, root: Root, undo: (() => void)[]) {
    this.#to = to;
    this.#root = root;
    this.#undo = undo;
  }

  /** Declares a new root's records: to take them back, the root is dropped. */
  declare(list: ListSpec): void {
    const { path, ids } = list;
    const { numbers, top } = this.#root;
    this.#root.reserve(ids.length);
    for (let i = 0; i < ids.length; i++) {
      if (numbers.add(ids[i])) this.#introduce(list, i);
      else this.#refuseTwice(top, ids[i], `${path}[${i}]`);
    }
    this.#checkTotal(top, path);
  }

  /** The entries of a list whose records the root has; others are errors. */
  known({ path, ids, masses }: ListSpec): Entries {
    const { numbers, top } = this.#root;
    const rootMasses = top.masses;
    const entries = { records: new Column(Uint32Array), masses: new Column(Float64Array) };
    entries.records.reserve(ids.length);
    entries.masses.reserve(ids.length);
    for (let i = 0; i < ids.length; i++) {
      const record = numbers.get(ids[i]);
      if (record === undefined) this.#refuseUnknown(ids[i], `${path}[${i}]`);
      else {
        entries.records.push(record);
        entries.masses.push(given(masses, i) ?? rootMasses[record]);
      }
    }
    return { records: entries.records.values, masses: entries.masses.values };
  }

  /** The entries of a list; records that are new join the root. */
  introduced(list: ListSpec): Entries {
    this.#markRoot();
    const { numbers, top } = this.#root;
    const before = top.size;
    for (const [i, id] of list.ids.entries()) {
      if (numbers.add(id)) this.#introduce(list, i);
      else this.#checkShared(list, i);
    }
    if (top.size > before) this.#checkTotal(top, list.path);
    return this.known(list);
  }

  /** Lists entries in a pool. */
  add(node: Node, { records, masses }: Entries, { list, twice }: Place): void {
    const before = node.size;
    this.#undo.push(() => node.unlist(before));
    node.reserve(records.length);
    for (let i = 0; i < records.length; i++) {
      if (node.list(records[i], masses[i]) || twice === "keep") continue;
      this.#refuseTwice(node, this.#root.ids[records[i]], list === undefined ? node.path : `${list.path}[${i}]`);
    }
    if (node.size > before) this.#checkTotal(node, list?.path ?? node.path);
  }

  #markRoot(): void {
    const { numbers, initial, quantities, top } = this.#root;
    const before = numbers.keys.length;
    this.#undo.push(() => {
      numbers.truncate(before);
      // the capacity of what is left needs the quantities that are left
      top.unlist(before);
      initial.truncate(before);
      quantities.truncate(before);
    });
  }

  /** Makes record i of a list, whose id has its number, a record of the root. */
  #introduce({ path, ids, masses, quantities }: ListSpec, i: number): void {
    const { kind, initial, top, restored } = this.#root;
    if (kind === "finite") {
      const quantity = given(quantities, i) ?? 1;
      const left = restored.get(ids[i]) ?? quantity;
      initial.push(quantity);
      this.#root.quantities.push(left);
      if (left > quantity) this.#refuseRestored(ids[i], left, { quantity, path });
    }
    top.list(top.size, given(masses, i) ?? 1);
  }

  #checkShared({ path, ids, quantities }: ListSpec, i: number): void {
    const { initial, name, numbers } = this.#root;
    const record = numbers.get(ids[i]);
    const quantity = given(quantities, i);
    if (quantity === undefined || record === undefined || quantity === initial.at(record)) return;
    report(this.#to, "pool.quantity", `${path}[${i}].quantity`, {
      problem: `record ${JSON.stringify(ids[i])} of root ${name} has a quantity already, shared by all its pools`,
      got: quantity,
      expected: `${initial.at(record)}, or none`,
    });
  }

  #checkTotal(node: Node, path: string): void {
    const most = MAX_RECORDS[this.#root.kind];
    if (node.size > most) {
      const problem = `pool ${node.path} lists too many records`;
      report(this.#to, "pool.total", path, { problem, got: node.size, expected: `at most ${most}` });
    }
    if (node.capacity() <= MAX_U32) return;
    const decimals = node.scaled()?.decimals ?? 0;
    const units = decimals === 0 ? "" : `, counted in units of 10^-${decimals}`;
    report(this.#to, "pool.total", path, {
      problem: `the total of pool ${node.path} is too large${units}`,
      got: node.capacity(),
      expected: `at most ${MAX_U32}, mass times initial quantity over its records`,
      remedy: "Divide its masses by a common factor, or give them fewer decimals",
    });
  }

  #refuseTwice(node: Node, id: RecordId, path: string): void {
    const remedy = "A pool lists an id once: leave one out";
    const problem = `record ${JSON.stringify(id)} is in pool ${node.path} already`;
    report(this.#to, "pool.duplicate", path, { problem, remedy });
  }

  #refuseUnknown(id: RecordId, path: string): void {
    report(this.#to, "pool.unknown-id", path, {
      problem: `root ${this.#root.name} has no such record`,
      got: id,
      ...this.#root.suggest(id),
    });
  }

  #refuseRestored(id: RecordId, got: number, { quantity, path }: { quantity: number; path: string }): void {
    report(this.#to, "snapshot.invalid", path, {
      problem: `the snapshot left more of record ${JSON.stringify(id)} than it has at first`,
      got,
      expected: `at most ${quantity}`,
      remedy: "Register what was registered when the snapshot was taken",
    });
  }
}

/** What a list gives record i; undefined where it was left out. */
function given(column: Float64Array, i: number): number | undefined {
  return i < column.length && !Number.isNaN(column[i]) ? column[i] : undefined;
}
