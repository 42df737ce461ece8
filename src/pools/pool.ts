import type { Fraction } from "../fractions.js";
import type { Node } from "./node.js";
import type { RecordId } from "./types.js";

/** A record as one pool has it: its own mass there, and the quantity that all pools share. */
export interface FiniteRecord {
  readonly id: RecordId;
  readonly mass: number;
  readonly quantity: number;
}

/** A record of an infinite pool. */
export interface InfiniteRecord {
  readonly id: RecordId;
  readonly mass: number;
}

/** The exact chance of a record, in lowest terms. */
export interface RecordOdds extends Fraction {
  readonly id: RecordId;
}

/** What a view asks of the family that it is of. */
export interface PoolHost {
  drawNow(node: Node): RecordId;
  refresh(node: Node): void;
  /** Refuses a change while a bulk draw of the family runs. */
  refuseBusy(): void;
  /** Refuses a pool without records. */
  refuseEmpty(node: Node): void;
  totalOf(node: Node): number;
  /** What is left of each record of a finite pool. */
  quantitiesOf(node: Node): Uint32Array;
  viewOf(node: Node): FinitePool | InfinitePool;
}

/** A view of one pool: it shows the pool as it is now. */
abstract class PoolView<R> {
  /** @internal */
  protected readonly host: PoolHost;
  /** @internal */
  protected readonly node: Node;

  /** @internal */
  constructor(host: PoolHost, node: Node) {
    this.host = host;
    this.node = node;
  }

  /** Its path, such as `i.common.weapon`; an unnamed subpool's part is its number. */
  get path(): string {
    return this.node.path;
  }

  /** The last part of its path. */
  get name(): string {
    const { root, depth, key } = this.node;
    return depth === 0 ? root.name : root.partText(depth, key);
  }

  /** Its records in list order. Cost: O(records). */
  abstract get records(): R[];

  /** Σ mass × quantity of its records (Σ mass where it is infinite), with the decimals of its masses. */
  get total(): number {
    return this.host.totalOf(this.node);
  }

  /**
   * Draws a record, and never refreshes.
   *
   * @throws RollmillError `pool.exhausted`, `pool.empty`, `pool.weightless`; `argument.busy`.
   */
  getRandom(): RecordId {
    return this.host.drawNow(this.node);
  }
}

/** A view of a pool whose records run out. */
export class FinitePool extends PoolView<FiniteRecord> {
  readonly kind = "finite";

  /** The pool that it is a part of; undefined for a root. */
  get parent(): FinitePool | undefined {
    const { parent } = this.node;
    return parent === undefined ? undefined : (this.host.viewOf(parent) as FinitePool);
  }

  /** The pools that it splits into, in order of registration. */
  get subpools(): FinitePool[] {
    return [...this.node.children.values()].map((child) => this.host.viewOf(child) as FinitePool);
  }

  /** The pool's records in list order, with mass and quantity now. Cost: O(records). */
  override get records(): FiniteRecord[] {
    const { records, masses, root } = this.node;
    const quantities = this.host.quantitiesOf(this.node);
    return Array.from(records, (record, i) => ({ id: root.ids[record], mass: masses[i], quantity: quantities[i] }));
  }

  /**
   * Refreshes the pool if it is exhausted: its own records get their initial quantities back, in every pool that lists them.
   *
   * @returns whether it did.
   * @throws RollmillError `pool.empty` where it has no records; `argument.busy`.
   */
  exhaust(): boolean {
    this.host.refuseBusy();
    if (this.total > 0) return false;
    if (this.node.size === 0) this.host.refuseEmpty(this.node);
    this.host.refresh(this.node);
    return true;
  }
}

/** A view of a pool that never runs out. */
export class InfinitePool extends PoolView<InfiniteRecord> {
  readonly kind = "infinite";

  /** The pool that it is a part of; undefined for a root. */
  get parent(): InfinitePool | undefined {
    const { parent } = this.node;
    return parent === undefined ? undefined : (this.host.viewOf(parent) as InfinitePool);
  }

  /** The pools that it splits into, in order of registration. */
  get subpools(): InfinitePool[] {
    return [...this.node.children.values()].map((child) => this.host.viewOf(child) as InfinitePool);
  }

  /** The pool's records in list order, with mass. Cost: O(records). */
  override get records(): InfiniteRecord[] {
    const { records, masses, root } = this.node;
    return Array.from(records, (record, i) => ({ id: root.ids[record], mass: masses[i] }));
  }
}
