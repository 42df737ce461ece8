import { readFields } from "../../errors/index.js";
import { checkInteger, checkText, readList } from "../../spec/index.js";
import { checkCells, checkChoice, checkLength } from "../checks.js";
import { type Rgb, readColor } from "../pictures/colors.js";
import { ALL_SHAPES, MARK_SHAPES, type MarkShape } from "../pictures/marks.js";
import { type CellLayout, hasOddR } from "./mapSource.js";

export const MAX_KINDS = 256;
const MAX_CELLS = 2 ** 28;
const LIMIT = 2 ** 31;
const MAX_TAGS = 64;
const MAX_TEXT_SIZE = 4;

/** A terrain in a picture. */
export interface TerrainKind {
  /** The name in the legend, which shows 16 characters. The legend omits a terrain with the name "". */
  readonly name: string;
  readonly color: Rgb;
  /** Tags such as "forest" or "water", by which a theme knows what to draw. Default: none; the name counts too. */
  readonly tags?: readonly string[] | undefined;
}

/** The terrain of a pixel that shows several cells: their most common terrain, or their first terrain in `terrains`. */
export type TerrainPool = "common" | "first";

export const TERRAIN_POOLS = ["common", "first"] as const;

function readKind(path: string, given: unknown): TerrainKind {
  const { name, color } = readFields(path, given as TerrainKind, ["name", "color"]);
  checkText(`${path}.name`, name);
  const tags = readList(`${path}.tags`, (given as TerrainKind).tags ?? [], { of: "tags", most: MAX_TAGS });
  for (const tag of tags) checkText(`${path}.tags`, tag);
  return { name, color: readColor(`${path}.color`, color), tags: tags as string[] };
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
  /** A name for each mark, which a theme writes beside it; "" for none. Default: no names. */
  readonly texts?: readonly string[] | undefined;
  /** The size of the names, 1 … 4: of all, or of each one. Larger names are placed first. Default 1. */
  readonly textSize?: number | Uint8Array | undefined;
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
  /** The height of each cell. A theme lights slopes that face the north-west. */
  readonly heights?: Uint16Array | undefined;
  /** The depth of the water in each cell: 0 is shallow. Default: a theme uses the distance from the coast. */
  readonly depths?: Uint16Array | undefined;
  /** The realm of each cell, such as the index of its capital; 2³² − 1 for none. A theme draws the borders. */
  readonly realms?: Uint32Array | undefined;
  /** For a theme: this many outer rows and columns on each side are not shown, but change what is near. Default 0. */
  readonly margin?: number | undefined;
}

interface CheckedMarks extends Omit<TerrainMarks, "textSize"> {
  readonly shape: MarkShape;
  /** The size of each name. */
  readonly textSizes: Uint8Array;
}

type Numbers = "darken" | "lighten" | "heights" | "depths" | "realms";

export interface CheckedMap
  extends Omit<TerrainMap, "coordinates" | "marks" | Numbers>,
    Readonly<Pick<TerrainMap, Numbers>> {
  readonly isOddR: boolean;
  readonly margin: number;
  readonly marks: readonly CheckedMarks[];
}

export function readMap(given: TerrainMap): CheckedMap {
  const map = readFields("the map", given, ["row0", "col0", "rows", "cols", "terrain", "terrains"]);
  const { row0, col0, rows, cols, terrain } = map;
  const { darken, lighten, heights, depths, realms, marks = [], margin = 0 } = given;
  checkInteger("row0", row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", col0, -LIMIT, LIMIT - 1);
  checkInteger("rows", rows, 1, MAX_CELLS);
  checkInteger("cols", cols, 1, Math.floor(MAX_CELLS / rows));
  checkCells("terrain", terrain, "Uint8Array", rows * cols);
  for (const [name, numbers] of Object.entries({ darken, lighten, realms })) {
    if (numbers !== undefined) checkCells(name, numbers, "Uint32Array", rows * cols);
  }
  for (const [name, numbers] of Object.entries({ heights, depths })) {
    if (numbers !== undefined) checkCells(name, numbers, "Uint16Array", rows * cols);
  }
  checkInteger("margin", margin, 0, Math.floor((Math.min(rows, cols) - 1) / 2));
  const terrains = readKinds(map.terrains, MAX_KINDS);
  const kinds = readList("marks", marks, { of: "kinds of marks", most: MAX_KINDS });
  const read = kinds.map((kind, i) => marksIn(readMarks(kind as TerrainMarks, i), map));
  const numbers = { darken, lighten, heights, depths, realms };
  return { row0, col0, rows, cols, margin, isOddR: hasOddR(given), terrain, terrains, ...numbers, marks: read };
}

function readMarks(given: TerrainMarks, i: number): CheckedMarks {
  const path = `marks[${i}]`;
  const kind = readKind(path, given);
  const { rows, cols, shape = MARK_SHAPES[i % MARK_SHAPES.length], texts, textSize = 1 } = given;
  checkCells(`${path}.rows`, rows, "Int32Array");
  checkCells(`${path}.cols`, cols, "Int32Array", rows.length);
  checkChoice("shape", shape, ALL_SHAPES);
  const textSizes = readTextSizes(`${path}.textSize`, textSize, rows.length);
  if (texts === undefined) return { ...kind, rows, cols, shape, textSizes };
  const read = readList(`${path}.texts`, texts, { of: "texts" });
  checkLength(`${path}.texts`, read.length, rows.length);
  for (const text of read) checkText(`${path}.texts`, text);
  return { ...kind, rows, cols, shape, texts: read as string[], textSizes };
}

function readTextSizes(path: string, given: number | Uint8Array, length: number): Uint8Array {
  if (typeof given === "object") checkCells(path, given, "Uint8Array", length);
  const sizes = typeof given === "object" ? given : [given];
  for (const size of sizes) checkInteger(path, size, 1, MAX_TEXT_SIZE);
  return typeof given === "object" ? given : new Uint8Array(length).fill(given);
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
  const textSizes = Uint8Array.from(inside, (k) => marks.textSizes[k]);
  return { ...marks, rows, cols, textSizes, texts: marks.texts && inside.map((k) => marks.texts?.[k] ?? "") };
}
