import { error, fail } from "../errors/index.js";
import type { ThemeName } from "../formats/index.js";
import { checkInteger, checkText, readList, readOptions } from "../spec/index.js";
import { indicesOf } from "./indices.js";
import { FIELD_MOST, MAX_PLACEMENTS, type PlacementSpec, type WorldSpec } from "./types.js";

/** A field that makes water dark. */
export interface PictureDepth {
  /** The name of the field. */
  readonly field: string;
  /** The value of the deepest water, 0 … 65,535. Default 0. */
  readonly deepest?: number | undefined;
  /** The value of the shallowest water, 0 … 65,535, another than `deepest`. Default 32,768. */
  readonly shallowest?: number | undefined;
}

/** The names beside the placements of one kind. */
export interface PictureLabels {
  readonly kind: string;
  /**
   * Where the content has the name: the names of fields with dots between them, such as "name". The value is a text, a
   * number, or an object that has a text `name`. Default: the content itself.
   */
  readonly text?: string | undefined;
  /**
   * The size of the letters, 1 … 4. Larger names are placed first. If the kind has `sizes`, an object such as
   * `{ village: 1, town: 3 }` can map them to sizes of letters: places of other sizes have no name. Default 1.
   */
  readonly size?: number | Readonly<Record<string, number>> | undefined;
}

type DepthOfField = Readonly<Record<"deepest" | "shallowest", number> & { field: string }>;
/** The size of the letters of a placement, by the index of its own size; 0 for no name. */
type LetterSize = (size: number) => number;
type LabelsOfKind = Readonly<{ kind: string; text: string; letterSize: LetterSize }>;

/** What only a theme draws, with every default filled in. */
export interface ThemedParts {
  readonly light: string | undefined;
  readonly realms: string | undefined;
  readonly depth: DepthOfField | undefined;
  readonly labels: readonly LabelsOfKind[];
}

const MAX_SIZE = 4;
const USUAL_SHALLOWEST = 2 ** 15;

export function isThemed(theme: ThemeName | undefined): boolean {
  return theme !== undefined && theme !== "plain";
}

/** Reads the options that need a theme. The window checks the names of fields and realms. */
export function readThemedParts(
  spec: WorldSpec,
  { light, depth, labels, realms }: { readonly [Part in keyof ThemedParts]?: unknown },
  theme: ThemeName | undefined,
): ThemedParts {
  const given = Object.entries({ light, depth, labels, realms }).find(([, value]) => value !== undefined);
  if (given !== undefined && !isThemed(theme)) {
    const expected = 'the option "theme" set to atlas, parchment or night';
    fail(error("argument.range", { problem: `the theme "plain" does not draw "${given[0]}"`, expected }));
  }
  if (light !== undefined) checkText("light", light);
  if (realms !== undefined) checkText("realms", realms);
  const kinds = labels === undefined ? [] : readList("labels", Array.isArray(labels) ? labels : [labels], LABELS);
  return {
    light: light as string | undefined,
    realms: realms as string | undefined,
    depth: depth === undefined ? undefined : readDepth(depth as PictureDepth),
    labels: kinds.map((one, i) => readLabels(spec, one as PictureLabels, `labels[${i}]`)),
  };
}

const LABELS = { of: "labels", most: MAX_PLACEMENTS };

function readDepth(given: PictureDepth): DepthOfField {
  const { field, deepest = 0, shallowest = USUAL_SHALLOWEST } = readOptions('the option "depth"', given, DEPTH_KEYS);
  checkText("depth.field", field);
  checkInteger("depth.deepest", deepest, 0, FIELD_MOST);
  checkInteger("depth.shallowest", shallowest, 0, FIELD_MOST);
  if (deepest !== shallowest) return { field, deepest, shallowest };
  const expected = "two different values";
  return fail(error("argument.range", { problem: "the deepest value is also the shallowest", got: deepest, expected }));
}

const DEPTH_KEYS = ["field", "deepest", "shallowest"];

function readLabels({ placements }: WorldSpec, given: PictureLabels, path: string): LabelsOfKind {
  const { kind, text = "", size = 1 } = readOptions(path, given, ["kind", "text", "size"]);
  checkText(`${path}.text`, text);
  const known = placements.map(({ name }) => name);
  const [index] = indicesOf([kind], { known, problem: "no kind of placement has this name" });
  refuseUnknownContent(`${path}.text`, text, placements[index]);
  const sizes = (placements[index].sizes ?? []).map(({ name }) => name);
  return { kind, text, letterSize: readLetterSize(`${path}.size`, size, sizes) };
}

/** Refuses a text that begins with a name that none of several contents has. */
function refuseUnknownContent(path: string, text: string, { contents }: PlacementSpec): void {
  const known = contents.flatMap(({ name }) => name ?? []);
  if (known.length === 0 || text === "") return;
  indicesOf([text.split(".")[0]], { known, problem: `invalid ${path}: the kind has no content with this name` });
}

function readLetterSize(path: string, given: NonNullable<PictureLabels["size"]>, sizes: string[]): LetterSize {
  if (typeof given !== "object" || given === null) {
    checkInteger(path, given, 1, MAX_SIZE);
    return () => given;
  }
  const letters = new Array<number>(sizes.length).fill(0);
  for (const [name, size] of Object.entries(given)) {
    checkInteger(`${path}.${name}`, size, 1, MAX_SIZE);
    const [index] = indicesOf([name], { known: sizes, problem: `invalid ${path}: the kind has no such size` });
    letters[index] = size;
  }
  return (size) => letters[size] ?? 0;
}

/** Returns a function that maps the values of the field to depths: 0 is shallow, and FIELD_MOST is deep. */
export function depthOf({ deepest, shallowest }: DepthOfField): (value: number) => number {
  return (value) => {
    const share = (shallowest - value) / (shallowest - deepest);
    return Math.floor(FIELD_MOST * Math.max(0, Math.min(1, share)));
  };
}

/**
 * Returns the number of a realm. It depends only on the seat's cell, so that all parts of a picture agree. Seats of
 * neighbouring cells are at most 2 · 256 + 1 steps apart, so 15 bits of the row and 16 of the column tell them apart.
 */
export function realmNumber(row: number, col: number): number {
  return ((row & 0x7fff) << 16) | (col & 0xffff);
}

/** Returns the text at a place of a content, or "". */
export function textOf(content: unknown, place: string): string {
  const part = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);
  const found = place === "" ? content : place.split(".").reduce(part, content);
  const named = isRecord(found) ? found.name : found;
  return typeof named === "string" || typeof named === "number" ? `${named}` : "";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
