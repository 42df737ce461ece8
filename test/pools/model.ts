// The model of pools: plain lists and bigint fractions, and every total summed again for every draw. It draws by the
// independent port. A path with stars is the list of all matching pools, with the masses of a record added up.
import { aliasPick, buildAlias, type Key, prefixPick } from "../independent/port.mjs";

export type Id = string;
type Ratio = readonly [n: bigint, d: bigint];
/** A mass as a user writes it: an integer, a decimal with one digit, or a fraction. */
export type ModelMass = number | string;
/** A place of copies. */
export type Place = "stock" | "discards" | "out";

/** The copies of a record. */
interface Copies {
  full: number;
  stock: number;
  discards: number;
}

interface Entry {
  readonly id: Id;
  /** Undefined after the record was removed: it keeps its place. */
  mass: ModelMass | undefined;
}

/** One root of a model, its pools by path, and the draws of its family. */
export class Model {
  next = 0;
  /** The additions to pools that did not list the record before. A snapshot does not contain them. */
  readonly added: { readonly path: string; readonly id: Id; readonly mass: ModelMass; readonly quantity?: number }[] =
    [];
  readonly pools = new Map<string, Entry[]>();
  readonly copies = new Map<Id, Copies>();
  readonly isFinite: boolean;
  readonly #key: Key;
  readonly #refill: boolean;

  constructor(key: Key, { finite, refill }: { finite: boolean; refill: boolean }) {
    this.#key = key;
    this.isFinite = finite;
    this.#refill = refill;
  }

  /** The pools that a path names, in order of registration. */
  #matching(path: string): Entry[][] {
    const parts = path.split(".");
    return [...this.pools].flatMap(([known, list]) => {
      const names = known.split(".");
      return names.length === parts.length && names.every((name, i) => ["*", name].includes(parts[i])) ? [list] : [];
    });
  }

  /** The list of a path: each record with its mass, as integers in the right proportions, and the sum as a ratio. */
  list(path: string): { id: Id; mass: bigint; exact: Ratio }[] {
    const sums = new Map<Id, ModelMass[]>();
    for (const { id, mass } of this.#matching(path).flat()) {
      if (mass !== undefined) sums.set(id, [...(sums.get(id) ?? []), mass]);
    }
    const rows = [...sums].map(([id, masses]) => ({ id, masses, exact: masses.map(ratioOf).reduce(add) }));
    const isByRatio = path.includes("*") || rows.some(({ masses }) => typeof masses[0] === "string");
    const scale = isByRatio
      ? rows.map(({ exact: [n, d] }) => (n === 0n ? 1n : d)).reduce(lcm, 1n)
      : 10n ** BigInt(Math.max(0, ...rows.map(({ masses }) => String(masses[0]).split(".")[1]?.length ?? 0)));
    return rows.map(({ id, exact }) => ({ id, exact, mass: (exact[0] * scale) / exact[1] }));
  }

  /** The weights of a list now, or in full stock. */
  #weights(path: string, place: "stock" | "full" = "stock"): number[] {
    return this.list(path).map(({ id, mass }) => Number(mass) * (this.isFinite ? this.#of(id)[place] : 1));
  }

  /** How many draws a path can give before it is exhausted. */
  drawable(path: string): number {
    return this.list(path).reduce((sum, { id, mass }) => sum + (mass > 0n ? this.#of(id).stock : 0), 0);
  }

  /** One draw; the code of the error if nothing can be drawn. */
  draw(path: string): { id: Id } | { code: string } {
    const list = this.list(path);
    if (list.length === 0) return { code: "pool.empty" };
    if (sum(this.#weights(path)) === 0) {
      if (!this.#refill) return { code: "pool.exhausted" };
      if (sum(this.#weights(path, "full")) === 0) return { code: "pool.weightless" };
      this.restock(path);
    }
    const weights = this.#weights(path);
    const index = this.next++;
    if (!this.isFinite) return { id: list[aliasPick(this.#key, 0, index, buildAlias(weights))].id };
    const { id } = list[prefixPick(this.#key, 0, index, weights)];
    this.#of(id).stock--;
    return { id };
  }

  /** Several draws; fewer from a root that does not refill. */
  drawMany(path: string, n: number): { ids: Id[] } | { code: string } {
    const most = this.isFinite && !this.#refill ? Math.min(n, this.drawable(path)) : n;
    const drawn = Array.from({ length: most }, () => this.draw(path));
    const failed = drawn.find((one) => "code" in one);
    return failed !== undefined && "code" in failed
      ? failed
      : { ids: drawn.flatMap((one) => ("id" in one ? [one.id] : [])) };
  }

  /** As {@link draw}, but changes nothing. */
  peek(path: string): { id: Id } | { code: string } {
    const before = { next: this.next, copies: structuredClone([...this.copies]) };
    const drawn = this.draw(path);
    this.next = before.next;
    for (const [id, row] of before.copies) this.copies.set(id, row);
    return drawn;
  }

  /** The odds of the next draw, as texts. */
  odds(path: string): { odds: [id: Id, probability: string][] } | { code: string } {
    const drawn = this.peek(path);
    if ("code" in drawn) return drawn;
    const place = this.isFinite && sum(this.#weights(path)) === 0 ? "full" : "stock";
    const weights = this.#weights(path, place).map(BigInt);
    const total = weights.reduce((all, weight) => all + weight, 0n);
    return { odds: this.list(path).map(({ id }, i) => [id, textOf([weights[i], total])]) };
  }

  restock(path: string): undefined {
    for (const { id } of this.list(path)) Object.assign(this.#of(id), { stock: this.#of(id).full, discards: 0 });
  }

  reshuffle(path: string): undefined {
    for (const { id } of this.list(path)) this.#move(id, "discards", "stock", this.#of(id).discards);
  }

  /** Moves copies from a place to another; undefined is outside. The code of the error if there are too few. */
  move(
    path: string,
    id: Id,
    [from, to, copies = 1]: readonly [from: Place | undefined, to: Place | undefined, copies?: number],
  ): string | undefined {
    if (!this.list(path).some((entry) => entry.id === id)) return "pool.unknown-id";
    if (!this.isFinite) return "pool.infinite";
    if (from !== undefined && this.count(id, from) < copies) return "pool.full";
    this.#move(id, from, to, copies);
    return undefined;
  }

  #move(id: Id, from: Place | undefined, to: Place | undefined, copies: number): void {
    const row = this.#of(id);
    if (from === undefined) row.full += copies;
    else if (from !== "out") row[from] -= copies;
    if (to === undefined) row.full -= copies;
    else if (to !== "out") row[to] += copies;
  }

  count(id: Id, place: Place): number {
    const { full, stock, discards } = this.#of(id);
    return { stock, discards, out: full - stock - discards }[place];
  }

  /** Changes a mass, or removes a record, in every pool of a path that lists it. */
  change(path: string, id: Id, mass: ModelMass | undefined): string | undefined {
    const lists = mass === undefined && !path.includes(".") ? [...this.pools.values()] : this.#matching(path);
    const entries = lists.flat().filter((entry) => entry.id === id && entry.mass !== undefined);
    for (const entry of entries) entry.mass = mass;
    return entries.length === 0 ? "pool.unknown-id" : undefined;
  }

  /** Adds a record to every pool of a path, and to the root if it lacks the record. */
  add(path: string, id: Id, { mass, quantity }: { mass: ModelMass; quantity: number }): string | undefined {
    const lists = this.#matching(path);
    if (lists.some((list) => list.some((entry) => entry.id === id && entry.mass !== undefined)))
      return "pool.duplicate";
    const [[, top]] = this.pools;
    const isNew = !this.copies.has(id);
    for (const [known, list] of this.pools) {
      if (!lists.includes(list) || list.some((entry) => entry.id === id)) continue;
      this.added.push({ path: known, id, mass, ...(isNew && this.isFinite ? { quantity } : {}) });
    }
    if (isNew) this.copies.set(id, { full: quantity, stock: quantity, discards: 0 });
    for (const list of new Set([top, ...lists])) {
      const known = list.find((entry) => entry.id === id);
      if (known === undefined) list.push({ id, mass });
      else known.mass ??= mass;
    }
    return undefined;
  }

  #of(id: Id): Copies {
    const found = this.copies.get(id);
    if (found === undefined) throw new Error(`the model has no record ${id}`);
    return found;
  }
}

/** The text of a ratio. */
export function textOf([n, d]: Ratio): string {
  const divisor = gcd(n, d);
  return `${n / divisor}/${d / divisor}`;
}

export function ratioOf(mass: ModelMass): Ratio {
  if (typeof mass === "string") return reduced(...(mass.split("/").map(BigInt) as [bigint, bigint]));
  const [whole, tail = ""] = String(mass).split(".");
  return reduced(BigInt(whole + tail), 10n ** BigInt(tail.length));
}

function add([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return reduced(a * d + c * b, b * d);
}

function reduced(n: bigint, d: bigint): Ratio {
  const divisor = gcd(n, d);
  return [n / divisor, d / divisor];
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a || 1n : gcd(b, a % b);
}

function lcm(a: bigint, b: bigint): bigint {
  return (a / gcd(a, b)) * b;
}

function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}
