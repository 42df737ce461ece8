import type { Entry, Node, Root } from "./node.js";
import { type Report, report } from "./records.js";
import { type ListSpec, MAX_RECORDS, MAX_U32, type RecordSpec } from "./types.js";

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

  /** Declares a new root's records. */
  declare(list: ListSpec): void {
    this.#markRoot();
    for (const [i, record] of list.records.entries()) {
      if (!this.#root.numbers.has(record.id)) this.#introduce(record, list.path);
      else this.#refuseTwice(this.#root.top, record, `${list.path}[${i}]`);
    }
    this.#checkTotal(this.#root.top, list.path);
  }

  /** The entries of a list whose records the root has; others are errors. */
  known(list: ListSpec): Entry[] {
    const entries: Entry[] = [];
    for (const [i, record] of list.records.entries()) {
      const number = this.#root.numbers.get(record.id);
      if (number !== undefined) entries.push({ record: number, mass: record.mass ?? this.#root.top.masses[number] });
      else this.#refuseUnknown(record, `${list.path}[${i}]`);
    }
    return entries;
  }

  /** The entries of a list; records that are new join the root. */
  introduced(list: ListSpec): Entry[] {
    this.#markRoot();
    const { numbers, top } = this.#root;
    const before = top.records.length;
    const entries = list.records.map((record, i) => {
      const number = numbers.get(record.id) ?? this.#introduce(record, list.path);
      this.#checkShared(number, record, `${list.path}[${i}].quantity`);
      return { record: number, mass: record.mass ?? top.masses[number] };
    });
    if (top.records.length > before) this.#checkTotal(top, list.path);
    return entries;
  }

  /** Lists entries in a pool. */
  add(node: Node, entries: readonly Entry[], { list, twice }: Place): void {
    const before = node.records.length;
    this.#undo.push(() => node.unlist(before));
    for (const [i, { record, mass }] of entries.entries()) {
      if (!node.lists(record)) node.list(record, mass);
      else if (twice === "refuse") {
        this.#refuseTwice(node, { id: this.#root.ids[record] }, list === undefined ? node.path : `${list.path}[${i}]`);
      }
    }
    if (node.records.length > before) this.#checkTotal(node, list?.path ?? node.path);
  }

  #markRoot(): void {
    const { ids, numbers, initial, quantities, top } = this.#root;
    const before = ids.length;
    this.#undo.push(() => {
      for (const id of ids.splice(before)) numbers.delete(id);
      // the capacities of what is left need the quantities that are left
      top.unlist(before);
      initial.splice(before);
      quantities.splice(before);
    });
  }

  #introduce({ id, mass = 1, quantity = 1 }: RecordSpec, path: string): number {
    const { ids, numbers, kind, initial, quantities, top, restored } = this.#root;
    const number = ids.length;
    ids.push(id);
    numbers.set(id, number);
    if (kind === "finite") {
      initial.push(quantity);
      quantities.push(restored.get(id) ?? quantity);
      if (quantities[number] > quantity) this.#refuseRestored(id, quantities[number], { quantity, path });
    }
    top.list(number, mass);
    return number;
  }

  #checkShared(number: number, { id, quantity }: RecordSpec, path: string): void {
    const { initial, name } = this.#root;
    if (quantity === undefined || quantity === initial[number]) return;
    report(this.#to, "pool.quantity", path, {
      problem: `record ${JSON.stringify(id)} of root ${name} has a quantity already, shared by all its pools`,
      got: quantity,
      expected: `${initial[number]}, or none`,
    });
  }

  #checkTotal(node: Node, path: string): void {
    const most = MAX_RECORDS[this.#root.kind];
    if (node.records.length > most) {
      const problem = `pool ${node.path} lists too many records`;
      report(this.#to, "pool.total", path, { problem, got: node.records.length, expected: `at most ${most}` });
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

  #refuseTwice(node: Node, { id }: Pick<RecordSpec, "id">, path: string): void {
    const remedy = "A pool lists an id once: leave one out";
    const problem = `record ${JSON.stringify(id)} is in pool ${node.path} already`;
    report(this.#to, "pool.duplicate", path, { problem, remedy });
  }

  #refuseUnknown({ id }: RecordSpec, path: string): void {
    report(this.#to, "pool.unknown-id", path, {
      problem: `root ${this.#root.name} has no such record`,
      got: id,
      ...this.#root.suggest(id),
    });
  }

  #refuseRestored(id: RecordSpec["id"], got: number, { quantity, path }: { quantity: number; path: string }): void {
    report(this.#to, "snapshot.invalid", path, {
      problem: `the snapshot left more of record ${JSON.stringify(id)} than it has at first`,
      got,
      expected: `at most ${quantity}`,
      remedy: "Register what was registered when the snapshot was taken",
    });
  }
}
