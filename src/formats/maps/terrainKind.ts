import { readFields } from "../../errors/index.js";
import { checkText, readList } from "../../spec/index.js";
import { type Rgb, readColor } from "../pictures/colors.js";

/** A terrain in a picture. */
export interface TerrainKind {
  /** The name in the legend, which shows its first 16 characters. A terrain without a name ("") is not in it. */
  readonly name: string;
  readonly color: Rgb;
}

/** The terrain of a pixel for several cells: their most common one, or the one that comes first in `terrains`. */
export type TerrainPool = "common" | "first";

export const TERRAIN_POOLS = ["common", "first"] as const;

export function readKind(path: string, given: unknown): TerrainKind {
  const { name, color } = readFields(path, given as TerrainKind, ["name", "color"]);
  checkText(`${path}.name`, name);
  return { name, color: readColor(`${path}.color`, color) };
}

export function readKinds(given: unknown, most: number): TerrainKind[] {
  return readList("terrains", given, { of: "terrains", most }).map((kind, i) => readKind(`terrains[${i}]`, kind));
}
