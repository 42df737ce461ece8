import { type ConditionSpec, NO_TERRAIN, type PlacementSpec, type WorldSpec } from "../../src/worlds/types.js";
import { BelowTemplate } from "./below.js";
import { forkTwin, type StreamWords, streamWords, type TwinKey } from "./words.js";

/** A cell that a layer visited. */
export interface TwinVisit {
  readonly row: number;
  readonly col: number;
  readonly visits: number;
  readonly firstVisit: number;
}

/** Whether a chance holds, and the number of extra words that it read. */
interface Drawn {
  readonly holds: boolean;
  readonly used: number;
}

const below32 = new BelowTemplate(32);

/** Terrain and placements by their definitions, cell by cell: nothing is shared with the kernel. */
export class TerrainTwin {
  readonly #spec: WorldSpec;
  readonly #layers: readonly (readonly TwinVisit[])[];
  readonly #key: TwinKey;
  readonly #words = new Map<string, StreamWords>();
  readonly #terrains = new Map<string, number>();
  readonly #priorities = new Map<string, number | undefined>();

  constructor(spec: WorldSpec, layers: readonly (readonly TwinVisit[])[], key: TwinKey) {
    this.#spec = spec;
    this.#layers = layers;
    this.#key = key;
  }

  /** Number of steps between two cells. */
  distance([rowA, colA]: readonly [number, number], [rowB, colB]: readonly [number, number]): number {
    const rows = rowB - rowA;
    const cols = this.#axial(rowB, colB) - this.#axial(rowA, colA);
    return Math.max(Math.abs(rows), Math.abs(cols), Math.abs(rows + cols));
  }

  terrainAt(row: number, col: number): number {
    const place = `${row} ${col}`;
    const known = this.#terrains.get(place);
    if (known !== undefined) return known;
    const terrain = this.#decide(row, col);
    this.#terrains.set(place, terrain);
    return terrain;
  }

  /** Whether a placement of a kind stands at a cell. */
  stands(kind: PlacementSpec, row: number, col: number): boolean {
    const own = this.#priority(kind, row, col);
    if (own === undefined || kind.distance === 0) return own !== undefined;
    const { distance: d } = kind;
    for (let r = row - d; r <= row + d; r++) {
      for (let c = col - d; c <= col + d; c++) {
        if ((r === row && c === col) || this.distance([row, col], [r, c]) > d) continue;
        const other = this.#priority(kind, r, c);
        if (other === undefined) continue;
        if (other < own || (other === own && (r < row || (r === row && c < col)))) return false;
      }
    }
    return true;
  }

  /** The word of a cell in the stream of a placement. */
  wordOfKind(name: string, row: number, col: number): number {
    return this.#wordsOf("placements", name).word(...addressOf(row, col));
  }

  /** The first extra word of a cell in the stream of a placement. */
  priorityOf(name: string, row: number, col: number): number {
    return this.#wordsOf("placements", name).extra(...addressOf(row, col), 0);
  }

  /** The word of a cell in the stream of a chance. */
  wordOfChance(terrain: string, number: number, row: number, col: number): number {
    return this.#wordsOf("terrain", terrain, number).word(...addressOf(row, col));
  }

  #decide(row: number, col: number): number {
    if (this.#isOutside(row, col)) return NO_TERRAIN;
    const { rules, terrains } = this.#spec;
    if (rules.length === 0) return 0;
    const rule = rules.find(
      ({ terrain, when }) => when === undefined || this.#holds(when, terrains[terrain].name, row, col),
    );
    return rule?.terrain ?? NO_TERRAIN;
  }

  #holds(condition: ConditionSpec, terrain: string, row: number, col: number): boolean {
    const holds = (one: ConditionSpec) => this.#holds(one, terrain, row, col);
    switch (condition.kind) {
      case "visits": {
        const visits = this.#visit(condition.layer, row, col)?.visits ?? 0;
        return visits >= condition.least && visits <= condition.most;
      }
      case "firstVisit": {
        const step = this.#visit(condition.layer, row, col)?.firstVisit;
        return step !== undefined && step >= condition.least && step <= condition.most;
      }
      case "within":
        return this.#layers[condition.layer].some(
          (visit) => this.distance([row, col], [visit.row, visit.col]) <= condition.distance,
        );
      case "field":
        throw new Error("this twin has no fields");
      case "chance":
        return this.#draw(this.#wordsOf("terrain", terrain, condition.number), condition.chance, row, col).holds;
      case "not":
        return !holds(condition.of);
      case "all":
        return condition.of.every(holds);
      case "any":
        return condition.of.some(holds);
    }
  }

  #visit(layer: number, row: number, col: number): TwinVisit | undefined {
    return this.#layers[layer].find((visit) => visit.row === row && visit.col === col);
  }

  /** The priority of a candidate; undefined for a cell that is not a candidate. */
  #priority(kind: PlacementSpec, row: number, col: number): number | undefined {
    const place = `${kind.name} ${row} ${col}`;
    if (!this.#priorities.has(place)) this.#priorities.set(place, this.#consider(kind, row, col));
    return this.#priorities.get(place);
  }

  #consider(kind: PlacementSpec, row: number, col: number): number | undefined {
    if (this.#isOutside(row, col)) return undefined;
    if (this.#spec.rules.length > 0 && !kind.terrains.includes(this.terrainAt(row, col))) return undefined;
    const words = this.#wordsOf("placements", kind.name);
    const { holds, used } = this.#draw(words, kind.density, row, col);
    return holds ? words.extra(...addressOf(row, col), used) : undefined;
  }

  #draw(words: StreamWords, share: { numerator: bigint; denominator: bigint }, row: number, col: number): Drawn {
    const [part, whole] = [Number(share.numerator), Number(share.denominator)];
    if (part === 0 || part === whole) return { holds: part !== 0, used: 0 };
    let used = 0;
    const value = below32.below(words.word(...addressOf(row, col)), whole, (i) => {
      used = Math.max(used, i + 1);
      return words.extra(...addressOf(row, col), i);
    });
    return { holds: value < part, used };
  }

  #wordsOf(stage: string, name: string, number?: number): StreamWords {
    const path = `${stage} ${name} ${number}`;
    const known = this.#words.get(path);
    if (known !== undefined) return known;
    const key = forkTwin(forkTwin(this.#key, stage), name);
    const words = streamWords(number === undefined ? key : forkTwin(key, BigInt(number)));
    this.#words.set(path, words);
    return words;
  }

  #axial(row: number, col: number): number {
    const { grid } = this.#spec.walk;
    return grid.kind === "bounded" && grid.coordinates === "odd-r" ? col - Math.floor(row / 2) : col;
  }

  #isOutside(row: number, col: number): boolean {
    const { grid } = this.#spec.walk;
    if (grid.kind === "unbounded") return (row | 0) !== row || (col | 0) !== col;
    return row < 0 || col < 0 || row >= grid.rows || col >= grid.cols;
  }
}

/** The plane and the index of a cell's word: each block has the words of 16 rows and 64 columns, row by row. */
export function addressOf(row: number, col: number): [plane: number, index: number] {
  const block = Math.floor(col / 64) + 2 ** 25;
  return [Math.floor(row / 16) >>> 0, 1024 * block + 64 * (row & 15) + (col & 63)];
}
