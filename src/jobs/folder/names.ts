import { fileNameFlaw, fileNameKey } from "../../spec/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { Sector } from "../types.js";

/** Cells have coordinates from −2³¹ to 2³¹ − 1. */
const LIMIT = 2 ** 31;
const WHOLE = /^(?:0|[1-9]\d*)$/;
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

export const ORDERED_PART = "parts/ordered.part";

export function shardPart(layer: number, k: number): string {
  return `parts/walk/${layer}/${k}.part`;
}

export function isShardPart(name: string): boolean {
  return name.startsWith("parts/walk/");
}

/** A part of a map that did not fit into memory. Processes with different limits cut the map at different places. */
export function furtherPart(layer: number, k: number, { maxMemory, n }: { maxMemory: number; n: number }): string {
  return `parts/walk/${layer}/${k}-${maxMemory}-${n}.part`;
}

/** `shard` is the name of the shard's last part. */
export function isFurtherPart(shard: string, n: number | string, name: unknown): boolean {
  const stem = `${shard.slice(0, -".part".length)}-`;
  if (typeof name !== "string" || !name.startsWith(stem)) return false;
  const [limit, ...rest] = name.slice(stem.length).split("-");
  return WHOLE.test(limit) && rest.join("-") === `${n}.part`;
}

export function layerPart(layer: number, sector: Sector): string {
  return `parts/layer/${layer}/${sectorName(sector)}.part`;
}

export function cellsPart(sector: Sector): string {
  return `parts/cells/${sectorName(sector)}.part`;
}

export function bulkPart(name: string, batch: number): string {
  return `parts/bulk/${folderNameOf(name)}/${batch}.part`;
}

/** Such as `0_-1` for i = 0 and j = −1. */
export function sectorName({ i, j }: Sector): string {
  return `${i}_${j}`;
}

export function isSectorName(name: string): boolean {
  const numbers = name.split("_");
  const isInside = (text: string) => INTEGER.test(text) && Math.abs(Number(text)) <= LIMIT / SECTOR_SIDE;
  return numbers.length === 2 && numbers.every(isInside);
}

export function sectorNamed(name: string): Sector {
  const [i, j] = name.split("_").map(Number);
  return { i, j };
}

/** Files beside such folders: the parts of `parts/bulk`, and the head of the Zarr group `visits`. */
const OWN_FILES = /^(?:\d+\.part|zarr\.json)$/i;

/** The folder of a bulk part, and of a layer of a Zarr export. */
export function folderNameOf(name: string): string {
  return encodeURIComponent(name);
}

/** Returns undefined for a valid new name, and adds it to `taken`. With other names, the job would fail at its end. */
export function folderNameFlaw(
  name: string,
  taken: Map<string, string>,
): { readonly problem: string; readonly got: string; readonly expected: string } | undefined {
  const folder = folderNameOf(name);
  const flaw = OWN_FILES.test(folder) ? "a name that no file of a job has" : fileNameFlaw(folder);
  if (flaw !== undefined) {
    const expected = folder === name ? flaw : `${flaw}, after percent-encoding`;
    return { problem: "the name cannot be the name of a folder", got: name, expected };
  }
  const key = fileNameKey(folder);
  const other = taken.get(key);
  taken.set(key, name);
  if (other === undefined) return undefined;
  const problem = other === name ? "two entries have this name" : "two names lead to the same folder on some systems";
  return { problem, got: name, expected: `a name that differs from ${JSON.stringify(other)} by more than case` };
}
