import type { PlacementInput } from "../../src/worlds/index.js";
import { forkTwin, type TwinKey } from "../oracle/words.js";
import { distance, type Grid, isInGrid, type Pair, rowsWithin } from "./hexes.js";
import { below, CellWords, lowestTerms, pick } from "./words.js";

/** Placements by definition (docs/determinism.md), one cell at a time. */

const FACINGS = ["NW", "NE", "E", "SE", "SW", "W"] as const;

type Holds = (row: number, col: number) => boolean;
type Disc = NonNullable<PlacementInput["least"]>;

interface Scope {
  readonly grid: Grid;
  readonly world: TwinKey;
  /** Whether a kind can stand on the terrain of a cell of the grid. */
  readonly isOn: (kind: PlacementInput) => Holds;
  /** The condition `where` of a kind. */
  readonly whereOf: (kind: PlacementInput) => Holds;
}

/** A kind that knows for each cell whether it stands there. */
export interface KindTwin {
  stands(row: number, col: number): boolean;
  /** The size and the facing of a placement; undefined if its kind has none. */
  traits(row: number, col: number): { readonly size: string | undefined; readonly facing: string | undefined };
}

/** Returns a twin for each kind, in order. */
export function kindsTwin(kinds: readonly PlacementInput[], scope: Scope): readonly KindTwin[] {
  const earlier = new Map<string, OneKind>();
  for (const kind of kinds) earlier.set(kind.name, new OneKind(kind, new Map(earlier), scope));
  return [...earlier.values()];
}

class OneKind implements KindTwin {
  readonly #kind: PlacementInput;
  readonly #earlier: ReadonlyMap<string, OneKind>;
  readonly #grid: Grid;
  readonly #isOn: Holds;
  readonly #where: Holds;
  readonly #wordsOf: (id?: string) => CellWords;
  readonly #words: CellWords;
  readonly #candidates = new Map<string, number | undefined>();
  readonly #thinned = new Map<string, boolean>();
  readonly #known = new Map<string, boolean>();
  #removed: ReadonlySet<string> | undefined;
  #added: ReadonlySet<string> | undefined;

  constructor(kind: PlacementInput, earlier: ReadonlyMap<string, OneKind>, { grid, world, isOn, whereOf }: Scope) {
    this.#kind = kind;
    this.#earlier = earlier;
    this.#grid = grid;
    this.#isOn = isOn(kind);
    this.#where = whereOf(kind);
    const key = forkTwin(forkTwin(world, "placements"), kind.name);
    this.#wordsOf = (id) => new CellWords(id === undefined ? key : forkTwin(key, id));
    this.#words = this.#wordsOf();
  }

  stands(row: number, col: number): boolean {
    return memo(this.#known, `${row} ${col}`, () => {
      if (this.#beforeLeast(row, col)) return true;
      // a disc can be far away, so it is decided only for its own cells
      if (!this.#isIn(this.#kind.least, [row, col])) return false;
      this.#added ??= this.#addedByLeast();
      return this.#added.has(`${row} ${col}`);
    });
  }

  traits(row: number, col: number) {
    const { sizes, facing } = this.#kind;
    const weights = Object.values(sizes ?? {});
    return {
      size: sizes && Object.keys(sizes)[pick(weights, this.#wordsOf("size").at(row, col))],
      facing: facing === true ? FACINGS[below(6, this.#wordsOf("facing").at(row, col))] : undefined,
    };
  }

  #beforeLeast(row: number, col: number): boolean {
    if (!this.#isByHand(row, col) && !this.#isThinned(row, col)) return false;
    if (!this.#isIn(this.#kind.most, [row, col])) return true;
    this.#removed ??= this.#removedByMost();
    return !this.#removed.has(`${row} ${col}`);
  }

  #isIn(disc: Omit<Disc, "count"> | undefined, cell: Pair): boolean {
    return disc !== undefined && distance(this.#grid, disc.of ?? [0, 0], cell) <= disc.within;
  }

  #isByHand(row: number, col: number): boolean {
    return this.#kind.at?.some((cell) => cell[0] === row && cell[1] === col) === true;
  }

  #isThinned(row: number, col: number): boolean {
    return memo(this.#thinned, `${row} ${col}`, () => {
      const own = this.#priority(row, col);
      const { distance: most = 0 } = this.#kind;
      if (own === undefined || most === 0) return own !== undefined;
      return this.#cellsWithin([row, col], most).every(([r, c]) => {
        const other = this.#priority(r, c);
        return other === undefined || compare([own, row, col], [other, r, c]) <= 0;
      });
    });
  }

  /** The priority of a candidate; undefined if the cell is no candidate. */
  #priority(row: number, col: number): number | undefined {
    return memo(this.#candidates, `${row} ${col}`, () => {
      const [k, n] = lowestTerms(this.#kind.density ?? 0);
      if (k === 0) return undefined;
      const next = this.#words.at(row, col);
      if (below(n, next) >= k) return undefined;
      return this.#isAllowed(row, col) ? next() : undefined;
    });
  }

  #isAllowed(row: number, col: number): boolean {
    const { near, apart, alone, at = [], distance: least = 0 } = this.#kind;
    if (!isInGrid(this.#grid, row, col) || !this.#isOn(row, col) || !this.#where(row, col)) return false;
    if (at.some((cell) => distance(this.#grid, cell, [row, col]) <= least)) return false;
    if (alone === true && [...this.#earlier.values()].some((kind) => kind.stands(row, col))) return false;
    if (near !== undefined && !this.#hasWithin(near.kind, [row, col], near.within)) return false;
    return apart === undefined || !this.#hasWithin(apart.kind, [row, col], apart.distance);
  }

  #hasWithin(name: string, cell: Pair, steps: number): boolean {
    const kind = this.#earlier.get(name) as OneKind;
    return this.#cellsWithin(cell, steps).some((other) => kind.stands(...other));
  }

  #removedByMost(): ReadonlySet<string> {
    const { most } = this.#kind;
    if (most === undefined) return new Set();
    const inDisc = this.#disc(most);
    const byHand = inDisc.filter((cell) => this.#isByHand(...cell));
    const others = inDisc.filter((cell) => !this.#isByHand(...cell) && this.#isThinned(...cell));
    const keyOf = (cell: Pair) => [this.#priority(...cell) ?? 0, ...cell];
    others.sort((a, b) => compare(keyOf(a), keyOf(b)));
    return new Set(others.slice(Math.max(0, most.count - byHand.length)).map(nameOf));
  }

  #addedByLeast(): ReadonlySet<string> {
    const { least, distance: apart = 0 } = this.#kind;
    if (least === undefined) return new Set();
    const inDisc = this.#disc(least);
    const standing = inDisc.filter((cell) => this.#beforeLeast(...cell));
    const ranks = this.#wordsOf("least");
    const rankOf = ([row, col]: Pair) => {
      const next = ranks.at(row, col);
      next();
      return next();
    };
    const ranked = inDisc.filter((cell) => this.#isAllowed(...cell)).map((cell) => [rankOf(cell), ...cell] as const);
    const added: Pair[] = [];
    for (const [, row, col] of ranked.sort(compare)) {
      if (standing.length + added.length >= least.count) break;
      const others = this.#cellsWithin([row, col], apart).filter((cell) => this.#beforeLeast(...cell));
      const isFree = added.every((cell) => distance(this.#grid, cell, [row, col]) > apart);
      if (others.length === 0 && isFree) added.push([row, col]);
    }
    return new Set(added.map(nameOf));
  }

  #disc({ within, of = [0, 0] }: Pick<Disc, "within" | "of">): Pair[] {
    return this.#cellsWithin(of, within);
  }

  /** The cells of the grid within a distance, by row, then column. */
  #cellsWithin(cell: Pair, steps: number): Pair[] {
    const cells: Pair[] = [];
    for (const { row, from, to } of rowsWithin(this.#grid, cell, steps)) {
      for (let col = from; col <= to; col++) if (isInGrid(this.#grid, row, col)) cells.push([row, col]);
    }
    return cells;
  }
}

function nameOf([row, col]: Pair): string {
  return `${row} ${col}`;
}

function memo<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as Value;
  const made = make();
  known.set(key, made);
  return made;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i < 0 ? 0 : a[i] - b[i];
}
