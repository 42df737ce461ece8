import { readFields } from "../../errors/index.js";
import { checkInteger, checkText, readList } from "../../spec/index.js";
import { checkCells, checkChoice } from "../checks.js";
import { type Rgb, readColor } from "../pictures/colors.js";
import { MARK_SHAPES, type MarkShape } from "../pictures/marks.js";
import { type CellLayout, hasOddR } from "./mapSource.js";

export const MAX_KINDS = 256;
const MAX_CELLS = 2 ** 28;
const LIMIT = 2 ** 31;

/** A terrain in a picture. */
export interface TerrainKind {
  /** The name in the legend, which shows 16 characters. The legend omits a terrain with the name "". */
  readonly name: string;
  readonly color: Rgb;
}

/** The terrain of a pixel that shows several cells: their most common terrain, or their first terrain in `terrains`. */
export type TerrainPool = "common" | "first";

export const TERRAIN_POOLS = ["common", "first"] as const;

function readKind(path: string, given: unknown): TerrainKind {
  const { name, color } = readFields(path, given as TerrainKind, ["name", "color"]);
  checkText(`${path}.name`, name);
  return { name, color: readColor(`${path}.color`, color) };
}

export function readKinds(given: unknown, most: number): TerrainKind[] {
  return readList("terrains", given, { of: "terrains", most }).map((kind, i) => readKind(`terrains[${i}]`, kind));
}

/** Marks of one kind in a picture. */
export interface TerrainMarks extends TerrainKind {
  /** The cells of the marks. Marks outside the map are not drawn. */
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  /** The form of the marks. Default for kinds 0, 1, 2 …: dot, diamond, square, triangle, plus, wedge, cross, dot … */
  readonly shape?: MarkShape | undefined;
}

/** A rectangle of cells with terrain. */
export interface TerrainMap extends CellLayout {
  /** The first row and the first column. */
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  /** The terrain of each cell, row by row: an index into `terrains`. A greater number shows the background. */
  readonly terrain: Uint8Array;
  /** At most 256 terrains. */
  readonly terrains: readonly TerrainKind[];
  /** Numbers such as visits, one for each cell. The higher the number, the darker the cell. */
  readonly darken?: Uint32Array | undefined;
  /** Like `darken`, but makes cells lighter. In a cell with both, the smaller effect is subtracted from the greater. */
  readonly lighten?: Uint32Array | undefined;
  /** At most 256 kinds. Later kinds are drawn over earlier kinds. */
  readonly marks?: readonly TerrainMarks[] | undefined;
}

type CheckedMarks = TerrainMarks & { readonly shape: MarkShape };

export interface CheckedMap extends Omit<TerrainMap, "coordinates" | "marks" | "darken" | "lighten"> {
  readonly isOddR: boolean;
  readonly darken: Uint32Array | undefined;
  readonly lighten: Uint32Array | undefined;
  readonly marks: readonly CheckedMarks[];
}

export function readMap(given: TerrainMap): CheckedMap {
  const map = readFields("the map", given, ["row0", "col0", "rows", "cols", "terrain", "terrains"]);
  const { row0, col0, rows, cols, terrain } = map;
  const { darken, lighten, marks = [] } = given;
  checkInteger("row0", row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", col0, -LIMIT, LIMIT - 1);
  checkInteger("rows", rows, 1, MAX_CELLS);
  checkInteger("cols", cols, 1, Math.floor(MAX_CELLS / rows));
  checkCells("terrain", terrain, "Uint8Array", rows * cols);
  for (const [name, numbers] of Object.entries({ darken, lighten })) {
    if (numbers !== undefined) checkCells(name, numbers, "Uint32Array", rows * cols);
  }
  const terrains = readKinds(map.terrains, MAX_KINDS);
  const kinds = readList("marks", marks, { of: "kinds of marks", most: MAX_KINDS });
  const read = kinds.map((kind, i) => marksIn(readMarks(kind as TerrainMarks, i), map));
  return { row0, col0, rows, cols, isOddR: hasOddR(given), terrain, terrains, darken, lighten, marks: read };
}

function readMarks(given: TerrainMarks, i: number): CheckedMarks {
  const path = `marks[${i}]`;
  const kind = readKind(path, given);
  const { rows, cols, shape = MARK_SHAPES[i % MARK_SHAPES.length] } = given;
  checkCells(`${path}.rows`, rows, "Int32Array");
  checkCells(`${path}.cols`, cols, "Int32Array", rows.length);
  checkChoice("shape", shape, MARK_SHAPES);
  return { ...kind, rows, cols, shape };
}

function marksIn(marks: CheckedMarks, map: Pick<TerrainMap, "row0" | "col0" | "rows" | "cols">): CheckedMarks {
  const inside: number[] = [];
  for (let k = 0; k < marks.rows.length; k++) {
    const [r, c] = [marks.rows[k] - map.row0, marks.cols[k] - map.col0];
    if (r >= 0 && r < map.rows && c >= 0 && c < map.cols) inside.push(k);
  }
  if (inside.length === marks.rows.length) return marks;
  const rows = Int32Array.from(inside, (k) => marks.rows[k]);
  const cols = Int32Array.from(inside, (k) => marks.cols[k]);
  return { ...marks, rows, cols };
}
