import { forkKey, type StreamKey } from "../../address.js";
import { addressOfCell, firstAbove, Words } from "../../calls/index.js";
import { type Fraction, ONE } from "../../fractions.js";
import { type Address, type Kernel, NO_ADDRESS, Status, within } from "../../kernel/index.js";
import { BAND_ROWS, PlacedCell, PlacementKind, PlacementRelation, TERRAIN_CODES } from "../../kernel/layout.js";
import { DIRECTIONS } from "../../walks/directions.js";
import { type CellRectangle, isInside } from "../../walks/rectangles.js";
import { canStand, type KindArea, relationsOf } from "../areas.js";
import { adjusted, cellsAt, indicesIn, type PlacedCells, type StandingCells } from "../standing.js";
import { NO_TERRAIN, type PlacementSpec, type WorldPlan } from "../types.js";
import type { Buffers } from "./buffers.js";

/** Size of a priority. */
const WORD_BYTES = 4;
/** The bits of a row of candidates are read 8 bytes at a time, so a read can go past their end. */
const BITS_MARGIN = 8;
const CELL_WORDS = PlacedCell.bytes / WORD_BYTES;

export const NONE: StandingCells = { rows: new Int32Array(0), cols: new Int32Array(0), terrains: new Uint8Array(0) };

/** Cells in the kernel whose terrain is known. */
export interface PlacementArea {
  readonly at: Address;
  readonly bandStrideBytes: number;
}

/** A search for the cells on which a kind can stand. */
interface Search {
  readonly kind: PlacementSpec;
  readonly key: StreamKey;
  readonly density: Fraction;
  readonly distance: number;
  /** Whether the result has priorities. */
  readonly isRanked: boolean;
  readonly known: CellRectangle;
  readonly area: PlacementArea;
  readonly relations: readonly WrittenRelation[];
}

/** A relation to a list of cells in the kernel. */
interface WrittenRelation {
  readonly cells: Address;
  readonly count: number;
  readonly distance: number;
  readonly isNear: boolean;
}

/** Finds the placements of all kinds, in the memory of a KernelTerrain. */
export class KernelPlacements {
  readonly #kernel: Kernel;
  readonly #plan: WorldPlan;
  readonly #buffers: Buffers;
  readonly #key: StreamKey;

  constructor(kernel: Kernel, plan: WorldPlan, buffers: Buffers, key: StreamKey) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#buffers = buffers;
    this.#key = forkKey(key, "placements");
  }

  /**
   * Returns the placements in `cells`, by kind. `limited` returns the area in which kind k is searched, if its cells
   * are limited by `where`. `known` returns the placements of kind k in its known cells, if they are stored.
   */
  find(
    cells: CellRectangle,
    areas: readonly KindArea[],
    area: PlacementArea,
    {
      limited,
      known: knownOf,
    }: {
      readonly limited: (k: number, cells: CellRectangle) => PlacementArea | undefined;
      readonly known: (k: number) => PlacedCells | undefined;
    },
  ): PlacedCells[] {
    const found: PlacedCells[] = [];
    for (const [k, kind] of this.#plan.spec.placements.entries()) {
      const { known, searched } = areas[k];
      const search = () => this.#standing(k, { known, area: limited(k, searched) ?? area, found });
      found.push(canStand(kind) ? (knownOf(k) ?? search()) : NONE);
    }
    return found.map((all, k) => (isInside(areas[k].known, cells) ? all : placedIn(all, cells)));
  }

  #standing(
    k: number,
    { found, ...where }: Pick<Search, "known" | "area"> & { readonly found: readonly PlacedCells[] },
  ): PlacedCells {
    const kind = this.#plan.spec.placements[k];
    const { density, distance } = kind;
    const key = forkKey(this.#key, kind.name);
    const search = { ...where, kind, relations: this.#relations(k, found) };
    const thinned = this.#search({ ...search, key, density, distance, isRanked: kind.most !== undefined });
    // with the density 1, every cell is a candidate, and its priority is the first extra word of its address
    const all = { ...search, key: forkKey(key, "least"), density: ONE, distance: 0, isRanked: true };
    const ranked = (known: CellRectangle) => this.#search({ ...all, known });
    return adjusted(kind, thinned, { grid: this.#plan.spec.grid, known: where.known, ranked });
  }

  /** Writes the cells of the kinds to which a kind has relations, and those of its own that were placed by hand. */
  #relations(k: number, found: readonly PlacedCells[]): WrittenRelation[] {
    const kind = this.#plan.spec.placements[k];
    const others = relationsOf(kind, k).map(({ kind: earlier, ...relation }) => ({
      ...relation,
      list: found[earlier],
    }));
    const own = { list: cellsAt(kind.at), distance: kind.distance, isNear: false };
    return [...others, own]
      .filter(({ list, isNear }) => isNear || list.rows.length > 0)
      .map(({ list, ...relation }, i) => ({ ...relation, ...this.#writeCells(`related cells ${i}`, list) }));
  }

  #writeCells(purpose: string, { rows, cols }: PlacedCells): Pick<WrittenRelation, "cells" | "count"> {
    const count = rows.length;
    const cells = this.#buffers.take(purpose, count * PlacedCell.bytes);
    const words = this.#kernel.i32(cells, count * CELL_WORDS);
    for (let i = 0; i < count; i++) words.set([rows[i], cols[i]], i * CELL_WORDS);
    return { cells, count };
  }

  #search(search: Search): PlacedCells {
    if (search.density.numerator === 0n) return NONE;
    const kernel = this.#kernel;
    const kind = this.#writeKind(search);
    const before = kernel.call((exports) => exports.mark());
    const status = kernel.runStreams((exports) => exports.findPlacements(search.area.at, kind));
    if (status !== Status.OK) {
      kernel.call((exports) => exports.release(before));
      kernel.outOfMemory(`placements of world ${this.#plan.name}`);
    }
    const { standing, count } = kernel.read(kind, PlacementKind);
    const words = kernel.i32(standing, count * CELL_WORDS);
    const [rows, cols] = [new Int32Array(count), new Int32Array(count)];
    for (let i = 0; i < count; i++) {
      rows[i] = words[CELL_WORDS * i];
      cols[i] = words[CELL_WORDS * i + 1];
    }
    const priorities = search.isRanked ? Uint32Array.from(rows, (_, i) => words[CELL_WORDS * i + 2]) : undefined;
    kernel.call((exports) => exports.release(before));
    return { rows, cols, priorities };
  }

  /** Adds the sizes and facings to placements of kind k. */
  withTraits(k: number, standing: StandingCells): StandingCells {
    const { name, sizes, facing } = this.#plan.spec.placements[k];
    if (sizes === undefined && !facing) return standing;
    const { rows, cols } = standing;
    const key = forkKey(this.#key, name);
    const draws = (id: string, total: number) => {
      const own = forkKey(key, id);
      const drawn = (row: number, k: number) =>
        new Words(this.#kernel, own, addressOfCell([row, cols[k]])).below(total);
      return Array.from(rows, drawn);
    };
    const weights = sizes?.map(({ weight }) => weight) ?? [];
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return {
      ...standing,
      sizes: sizes && Uint8Array.from(draws("size", total), (drawn) => firstAbove(weights, drawn)),
      facings: facing ? Uint8Array.from(draws("facing", DIRECTIONS.length)) : undefined,
    };
  }

  // kinds are searched one after another, so all of them share these buffers
  #writeKind({ kind, key, density, distance, isRanked, known, area, relations }: Search): Address {
    const buffers = this.#buffers;
    const table = buffers.take("terrains", TERRAIN_CODES);
    this.#kernel.u8(table, TERRAIN_CODES).set(this.#terrainsOf(kind));
    const ringRows = 2 ** Math.ceil(Math.log2(BAND_ROWS + 2 * distance));
    const bits = buffers.take("bits", ringRows * (area.bandStrideBytes / 8 + BITS_MARGIN));
    const list = buffers.take("relations", relations.length * PlacementRelation.bytes);
    for (const [i, { isNear, ...relation }] of relations.entries()) {
      const to = within(list, i * PlacementRelation.bytes);
      this.#kernel.write(to, PlacementRelation, { ...relation, isNear: Number(isNear) });
    }
    const ringBytes = ringRows * area.bandStrideBytes * WORD_BYTES;
    const at = buffers.take("kind", PlacementKind.bytes);
    this.#kernel.write(at, PlacementKind, {
      ...placeOf(known),
      distance,
      share: buffers.writeShare("density", key, density),
      terrains: table,
      bits,
      priorities: distance > 0 || isRanked ? buffers.take("priorities", ringBytes) : NO_ADDRESS,
      ringRows,
      relations: list,
      relationCount: relations.length,
      standing: NO_ADDRESS,
      count: 0,
    });
    return at;
  }

  /** Returns a byte for each terrain: 1 if the kind can stand on it. Without rules, it can stand on all cells. */
  #terrainsOf({ terrains }: PlacementSpec): Uint8Array {
    const table = new Uint8Array(TERRAIN_CODES).fill(Number(this.#plan.spec.rules.length === 0));
    for (const terrain of terrains) table[terrain] = 1;
    table[NO_TERRAIN] = 0;
    return table;
  }
}

function placedIn(all: PlacedCells, cells: CellRectangle): PlacedCells {
  const indices = indicesIn(all, cells);
  const [rows, cols] = [new Int32Array(indices.length), new Int32Array(indices.length)];
  // `Int32Array.from` would take as long as the search for the placements
  for (let i = 0; i < indices.length; i++) {
    rows[i] = all.rows[indices[i]];
    cols[i] = all.cols[indices[i]];
  }
  return { rows, cols };
}

export function placeOf({ row0: row, col0: col, rows, cols }: CellRectangle) {
  return { row, col, rows, cols };
}
