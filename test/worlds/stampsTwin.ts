import { createMill } from "../../src/index.js";
import type { StampInput, WorldInput } from "../../src/worlds/index.js";
import { addressOf } from "../oracle/terrainTwin.js";
import { forkTwin, streamKey, streamWords } from "../oracle/words.js";
import { gridBounds, isOddR } from "./hexes.js";
import { below, pick } from "./words.js";

/**
 * Stamps by their definition: every stamp of a wide window is compared with every other one, as sets of cells. The cells
 * before stamps come from the library.
 */

interface TwinCell {
  readonly row: number;
  readonly col: number;
  readonly terrain: string | undefined;
  readonly on: readonly string[] | undefined;
  readonly kinds: readonly string[];
}
interface TwinStamp {
  readonly cells: readonly TwinCell[];
  readonly order: readonly number[];
}
export interface StampedCells {
  readonly terrain: Map<string, string | undefined>;
  /** "kind row,col", sorted. */
  readonly placements: readonly string[];
  readonly laid: number;
  readonly left: number;
}

type Rect = Readonly<Record<"row0" | "col0" | "rows" | "cols", number>>;
const keyOf = (row: number, col: number) => `${row},${col}`;

export class StampsTwin {
  readonly #input: WorldInput;
  readonly #setup: { readonly seed: string; readonly name: string };
  readonly #isOddR: boolean;
  readonly #tags = new Map<string, readonly string[]>();

  constructor(input: WorldInput, setup: { readonly seed: string; readonly name: string }) {
    this.#input = input;
    this.#setup = setup;
    this.#isOddR = isOddR(input.grid ?? { kind: "unbounded" });
    const laid = (input.paths ?? []).flatMap(({ covers = {}, ...path }) => [path, ...Object.values(covers)]);
    for (const { terrain, tags = [] } of [...(input.terrain ?? []), ...laid])
      if (!this.#tags.has(terrain)) this.#tags.set(terrain, tags);
    for (const { legend = {} } of Object.values(input.stamps ?? {})) {
      for (const sign of Object.values(legend)) {
        const { terrain, tags = [] } = typeof sign === "string" ? { terrain: sign } : (sign ?? {});
        if (terrain !== undefined && !this.#tags.has(terrain)) this.#tags.set(terrain, tags);
      }
    }
  }

  /** The finished cells of a window, from the cells up to `margin` rows and columns around it. */
  window(cells: Rect, margin: number): StampedCells {
    const wide = this.#wide(cells, margin);
    const { stamps: _, ...bare } = this.#input;
    const placements = (this.#input.placements ?? []).map(({ stamps: _, turns: __, ...kind }) => kind);
    const base = createMill({ seed: this.#setup.seed })
      .world(this.#setup.name, { ...bare, placements })
      .window(wide);
    const terrain = new Map<string, string | undefined>();
    for (let r = 0; r < wide.rows; r++) {
      for (let c = 0; c < wide.cols; c++) {
        const [row, col] = [wide.row0 + r, wide.col0 + c];
        terrain.set(keyOf(row, col), base.terrainAt(row, col)?.name);
      }
    }
    const fitting = [...base.placements].flatMap((one) => this.#stampOf(one, terrain) ?? []);
    const standing = fitting.filter((one) => !fitting.some((other) => isBefore(other, one) && overlaps(other, one)));
    const placed = new Set([...base.placements].map(({ kind, row, col }) => `${kind} ${keyOf(row, col)}`));
    for (const stamp of standing) for (const cell of stamp.cells) this.#lay(cell, terrain, placed);
    const isInside = (text: string) => {
      const [row, col] = (text.split(" ").at(-1) ?? "").split(",").map(Number);
      return row >= cells.row0 && row < cells.row0 + cells.rows && col >= cells.col0 && col < cells.col0 + cells.cols;
    };
    return {
      terrain: new Map([...terrain].filter(([key]) => isInside(key))),
      placements: [...placed].filter(isInside).sort(),
      laid: standing.length,
      left: fitting.length - standing.length,
    };
  }

  #wide({ row0, col0, rows, cols }: Rect, margin: number): Rect {
    const { grid } = this.#input;
    const wide = gridBounds(grid ?? { kind: "unbounded" });
    const [top, left] = [Math.max(wide.row, row0 - margin), Math.max(wide.col, col0 - margin)];
    const end = Math.min(wide.row + wide.rows, row0 + rows + margin);
    const right = Math.min(wide.col + wide.cols, col0 + cols + margin);
    return { row0: top, col0: left, rows: end - top, cols: right - left };
  }

  #stampOf(
    { kind, row, col }: { kind: string; row: number; col: number },
    terrain: ReadonlyMap<string, string | undefined>,
  ): TwinStamp | undefined {
    const number = (this.#input.placements ?? []).findIndex(({ name }) => name === kind);
    const { stamps, turns = false } = this.#input.placements?.[number] ?? {};
    if (stamps === undefined) return undefined;
    const key = forkTwin(forkTwin(streamKey(this.#setup.seed, this.#setup.name), "stamps"), kind);
    const words = streamWords(key);
    const [plane, index] = addressOf(row, col);
    let extra = -1;
    const next = () => (++extra === 0 ? words.word(plane, index) : words.extra(plane, index, extra - 1));

    const name = Object.keys(stamps)[pick(Object.values(stamps), next)];
    const turn = turns ? below(6, next) : 0;
    const order = [next(), row, col, number];
    const stamp = this.#input.stamps?.[name] ?? {};
    const cells = this.#cellsOf(stamp, turn, row, col);
    const isFit = cells.every((cell) => {
      const found = terrain.get(keyOf(cell.row, cell.col));
      return found !== undefined && (stamp.fits === undefined || this.#isOneOf(found, stamp.fits));
    });
    return isFit ? { cells, order } : undefined;
  }

  #cellsOf(
    { map = [], legend = {}, anchor, places = [] }: StampInput,
    turn: number,
    row: number,
    col: number,
  ): TwinCell[] {
    const rows = map.map((line) => (typeof line === "string" ? [...line] : line));
    const width = Math.max(...rows.map((line) => line.length));
    const [ar, ac] = anchor ?? [Math.floor(rows.length / 2), Math.floor(width / 2)];
    const center = cubeOf(ar, ac, true);
    const at = cubeOf(row, col, this.#isOddR);
    return rows.flatMap((line, r) =>
      line.flatMap((sign, c): TwinCell[] => {
        const known = Object.hasOwn(legend, sign) ? legend[sign] : this.#tags.has(sign) ? sign : null;
        if (known === null) return [];
        const { terrain, on, place } = typeof known === "string" ? { terrain: known } : known;
        let cube = cubeOf(r, c, true).map((one, i) => one - center[i]);
        // a sixth of a turn clockwise, in cube coordinates
        for (let t = 0; t < turn; t++) cube = [-cube[2], -cube[0], -cube[1]];
        const [x, , z] = cube.map((one, i) => one + at[i]);
        const more = places.filter((one) => one[0] === r && one[1] === c).map((one) => one[2]);
        const kinds = [...(place === undefined ? [] : [place]), ...more];
        return [{ row: z, col: this.#isOddR ? x + (z - (Math.abs(z) % 2)) / 2 : x, terrain, on, kinds }];
      }),
    );
  }

  #lay(
    { row, col, terrain: laid, on, kinds }: TwinCell,
    terrain: Map<string, string | undefined>,
    placed: Set<string>,
  ) {
    const key = keyOf(row, col);
    if (on !== undefined && !this.#isOneOf(terrain.get(key) ?? "", on)) return;
    if (laid !== undefined) terrain.set(key, laid);
    for (const kind of kinds) placed.add(`${kind} ${key}`);
  }

  #isOneOf(terrain: string, names: readonly string[]): boolean {
    return names.includes(terrain) || names.some((name) => this.#tags.get(terrain)?.includes(name) === true);
  }
}

/** Cube coordinates [x, y, z] of a cell: x grows to the east, z down. */
function cubeOf(row: number, col: number, isOddR: boolean): number[] {
  const x = isOddR ? col - (row - (Math.abs(row) % 2)) / 2 : col;
  return [x, -x - row, row];
}

function isBefore(a: TwinStamp, b: TwinStamp): boolean {
  for (const [i, one] of a.order.entries()) if (one !== b.order[i]) return one < b.order[i];
  return false;
}

function overlaps(a: TwinStamp, b: TwinStamp): boolean {
  // for speed: a map of at most 5 rows is never higher than this, in any turn
  if (Math.abs(a.order[1] - b.order[1]) > 24) return false;
  const cells = new Set(a.cells.map(({ row, col }) => keyOf(row, col)));
  return b.cells.some(({ row, col }) => cells.has(keyOf(row, col)));
}
