import { didYouMean } from "../../errors/index.js";
import {
  type Field,
  type InputOf,
  integer,
  list,
  lookUp,
  namedValues,
  optional,
  REFERENCE,
  record,
  type SpecReader,
  shape,
  TEXT,
  unread,
} from "../../spec/index.js";
import { textFlaw } from "../../spec/reader.js";
import { inOrder } from "../../walks/compile.js";
import { stepsOf } from "../../walks/hexes.js";
import { MAX_DISTANCE, type StampCell, type StampSpec, type TerrainSpec } from "../types.js";
import { TAGS, type TerrainList, terrainsOf } from "./terrains.js";
import { COLOR } from "./values.js";

const MAX_SIDE = 128;
const MAX_ENTRIES = 256;
const MAX_PLACES = 4096;
/** Signs of cells that do not belong to a stamp, unless the legend has them. */
const NOTHING: readonly unknown[] = ["", " "];

const SIGNS = list(
  shape<string, string>((reader, at) => readSign(reader, at), { type: "string", maxLength: MAX_ENTRIES }),
  { most: MAX_SIDE, of: "signs" },
);
/** A row of a map: a text with a sign for each character, or a list of signs. */
const ROW = shape<string | readonly string[], readonly string[]>(readRow, {
  anyOf: [{ type: "string", maxLength: MAX_SIDE }, SIGNS],
});

const REFERENCES = list(REFERENCE, { least: 1, most: MAX_ENTRIES, of: "terrains or tags" });
export const SIGN = record({
  /** The terrain that the stamp lays: a terrain of the world, or a new one. Default: the terrain stays. */
  terrain: optional(TEXT),
  /** The colour of a new terrain, as #rrggbb. Default: the index of the terrain selects a colour. */
  color: optional(COLOR),
  /** At most 64 tags of a new terrain. Default: no tags. */
  tags: optional(TAGS),
  /** Changes the cell only on these terrains, by name or tag. Default: all terrains. */
  on: optional(REFERENCES),
  /** A kind of placement that the stamp puts on the cell, unless one stands there. Default: none. */
  place: optional(REFERENCE),
});
/** What a sign of a map means. */
export interface SignInput extends InputOf<typeof SIGN> {}

const COORDINATE = integer({ least: 0, most: MAX_SIDE - 1 });
const CELL_OF_MAP = list(COORDINATE, { least: 2, most: 2, of: "coordinates" });
type PlaceInput = readonly [row: number, col: number, kind: string];
const PLACE_JSON = { type: "array", items: [COORDINATE, COORDINATE, { type: "string" }], minItems: 3, maxItems: 3 };

export const STAMP = record({
  /**
   * The map: 1 to 128 rows. A row is a text with one sign for each cell, or a list of signs. Odd rows, counted from 0,
   * lie half a cell further to the right than even rows. Required, or `file`.
   */
  map: optional(list(ROW, { least: 1, most: MAX_SIDE, of: "rows" })),
  /** Path of a file with the map: text, CSV, JSON or a map of Tiled. `loadWorld` reads it. Required, or `map`. */
  file: optional(TEXT),
  /**
   * What each sign means: the name of a terrain, null for a cell that does not belong to the stamp, or an object.
   * Without an entry, a sign is the name of a terrain, and an empty sign or a space means null.
   */
  legend: optional(
    namedValues(unread<string | null | SignInput>({ anyOf: [TEXT, { type: "null" }, SIGN] })),
    new Map(),
  ),
  /** The cell of the map that lies on the placement: [row, col], counted from 0. Default: the middle. */
  anchor: optional(CELL_OF_MAP),
  /** The terrains that the stamp may cover, by name or tag. On others, it is left out. Default: all terrains. */
  fits: optional(REFERENCES),
  /** At most 4,096 placements besides those of the legend: [row, col, kind], in cells of the map. Default: none. */
  places: optional(list(unread<PlaceInput>(PLACE_JSON), { most: MAX_PLACES, of: "places" }), []),
});
/** A small map that a placement lays on its cell and the cells around. */
export interface StampInput extends InputOf<typeof STAMP> {}
export const STAMPS = namedValues(STAMP, { flaw: textFlaw, json: TEXT.json });

interface Scope {
  readonly terrains: TerrainList;
  /** The names of the kinds of placements. */
  readonly kinds: readonly string[];
}
type Read = ReturnType<typeof STAMP.read>;

/** What a sign means: undefined for a cell that does not belong to the stamp. */
type Meaning = Omit<StampCell, "row" | "q"> | undefined;
/** A meaning before the terrains in `on` are known. */
interface Named {
  readonly terrain: number | undefined;
  readonly on: readonly Field[] | undefined;
  readonly kinds: readonly number[];
}

/** Reads the stamps, and adds the terrains that they lay to `terrains`. */
export function readStamps(reader: SpecReader, at: Field, scope: Scope): StampSpec[] {
  const given = [...optional(STAMPS, new Map<string, Read>()).read(reader, at)];
  if (given.length > 0 && scope.terrains.all.length === 0) {
    reader.report(at, { problem: "stamps need terrain", remedy: 'Add "terrain" to the world' });
    return [];
  }
  const legends = given.map(([, { legend }]) =>
    [...legend].map(([s, one]) => [s, readMeaning(reader, one, scope)] as const),
  );
  scope.terrains.check(at);
  const terrains = scope.terrains.all;
  // a sign of one stamp can name a terrain that a later stamp declares, so the maps are read last
  return given.map(([name, stamp], i) => {
    const named = (fields: readonly Field[] | undefined) => fields && terrainsNamed(reader, fields, terrains);
    const legend = new Map(legends[i].map(([sign, one]) => [sign, one && { ...one, on: named(one.on) }]));
    const cells = new StampReader(reader, { at: at.part(name), stamp, legend, terrains, kinds: scope.kinds }).cells();
    return { name, cells, fits: named(stamp.fits) };
  });
}

function terrainsNamed(reader: SpecReader, names: readonly Field[], terrains: readonly TerrainSpec[]): number[] {
  return inOrder(names.flatMap((one) => terrainsOf(reader, one, one.value, terrains)));
}

function readMeaning(reader: SpecReader, at: Field, scope: Scope): Named | undefined {
  if (at.value === null) return undefined;
  if (typeof at.value === "string") {
    const terrain = scope.terrains.indexOf(at, { terrain: TEXT.read(reader, at) });
    return { terrain, on: undefined, kinds: [] };
  }
  const { terrain, on, place, ...given } = SIGN.read(reader, at);
  if (terrain === undefined) {
    for (const key of Object.keys(given)) {
      reader.report(at.part(key), { problem: `a sign without "terrain" has "${key}"`, remedy: 'Add "terrain"' });
    }
  }
  const laid = terrain === undefined ? undefined : scope.terrains.indexOf(at, { terrain, ...given });
  return { terrain: laid, on, kinds: place === undefined ? [] : [readKind(reader, place, scope)] };
}

function readKind(reader: SpecReader, at: Field, { kinds }: Pick<Scope, "kinds">): number {
  const known = new Map(kinds.map((name, kind) => [name, kind]));
  const unknown = { problem: "no kind of placement has this name", none: "the name of a kind in `placements`" };
  return lookUp(reader, at, { known, ...unknown }) ?? 0;
}

interface StampSource extends Pick<Scope, "kinds"> {
  readonly at: Field;
  readonly stamp: Read;
  readonly legend: ReadonlyMap<string, Meaning>;
  readonly terrains: readonly TerrainSpec[];
}

class StampReader {
  readonly #reader: SpecReader;
  readonly #source: StampSource;
  readonly #names: readonly string[];
  /** The signs without a meaning that were reported. */
  readonly #unknown = new Set<string>();

  constructor(reader: SpecReader, source: StampSource) {
    this.#reader = reader;
    this.#source = source;
    this.#names = source.terrains.map(({ name }) => name);
  }

  /** Returns the cells of the map, relative to the anchor and in axial coordinates, by row, then column. */
  cells(): StampCell[] {
    const { map, file } = this.#source.stamp;
    if (map === undefined || file !== undefined) return this.#refuseWithoutMap();
    const cells = map.flatMap((row, r) => row.flatMap((sign, c) => this.#cell(sign, r, c) ?? []));
    if (cells.length === 0) return this.#refuseEmpty();
    this.#addPlaces(cells);
    const [row0, q0] = axial(...this.#anchor(map));
    const moved = cells.map(({ row, q, ...rest }) => ({ ...rest, row: row - row0, q: q - q0 }));
    const far = Math.max(...moved.map(({ row, q }) => stepsOf(row, q)));
    if (far > MAX_DISTANCE) {
      const problem = "a cell of the map is too far from the anchor";
      const expected = `at most ${MAX_DISTANCE} steps`;
      this.#report("map", { problem, got: far, expected, remedy: 'Use a smaller map, or another "anchor"' });
    }
    return moved;
  }

  #cell(sign: string, r: number, c: number): StampCell | undefined {
    const { legend } = this.#source;
    const meaning = legend.has(sign) ? legend.get(sign) : this.#terrainNamed(sign, r);
    const [row, q] = axial(r, c);
    return meaning && { row, q, ...meaning };
  }

  #terrainNamed(sign: string, row: number): Meaning {
    const terrain = this.#names.indexOf(sign);
    if (terrain >= 0) return { terrain, on: undefined, kinds: [] };
    if (NOTHING.includes(sign) || this.#unknown.has(sign)) return undefined;
    this.#unknown.add(sign);
    const expected = "a key of `legend`, or the name of a terrain";
    const hint = didYouMean(sign, [...this.#source.legend.keys(), ...this.#names]);
    const finding = { problem: "a sign of the map has no meaning", got: sign, expected, remedy: 'Add it to "legend"' };
    this.#reader.report(this.#source.at.part("map", row), { ...finding, ...(sign.length > 1 && hint) });
    return undefined;
  }

  #anchor(map: readonly (readonly string[])[]): readonly [number, number] {
    const width = Math.max(...map.map((row) => row.length));
    const { anchor: [row, col] = [map.length >> 1, width >> 1] } = this.#source.stamp;
    if (row >= map.length || col >= width) {
      const expected = `a row up to ${map.length - 1}, and a column up to ${width - 1}`;
      this.#report("anchor", { problem: "the anchor is not on the map", got: `[${row}, ${col}]`, expected });
    }
    return [row, col];
  }

  #addPlaces(cells: StampCell[]): void {
    const indexOf = new Map(cells.map(({ row, q }, k) => [`${row} ${q}`, k]));
    for (const at of this.#source.stamp.places) {
      const [row, col, kind] = this.#reader.list(at, { least: 3, most: 3, of: "a row, a column and a kind" });
      if (kind === undefined) continue;
      const [r, c] = [COORDINATE.read(this.#reader, row), COORDINATE.read(this.#reader, col)];
      const place = readKind(this.#reader, kind, this.#source);
      const k = indexOf.get(axial(r, c).join(" "));
      if (k !== undefined) cells[k] = { ...cells[k], kinds: inOrder([...cells[k].kinds, place]) };
      else
        this.#reader.report(at, {
          problem: "the place is not on the map",
          expected: "a cell that belongs to the stamp",
        });
    }
  }

  /** Reports a map without cells, unless an error explains it. */
  #refuseEmpty(): StampCell[] {
    const expected = "a sign that means a cell";
    if (this.#reader.errors === 0) this.#report("map", { problem: "the map has no cells", expected });
    return [];
  }

  #refuseWithoutMap(): StampCell[] {
    const { file } = this.#source.stamp;
    const problem = file === undefined ? "the stamp has no map" : "the file of the stamp was not read";
    const remedy = file === undefined ? 'Add "map" or "file"' : "Use loadWorld, which reads files";
    this.#report(file === undefined ? "map" : "file", { problem, remedy });
    return [];
  }

  #report(key: string, finding: Parameters<SpecReader["report"]>[1]): void {
    this.#reader.report(this.#source.at.part(key), finding);
  }
}

/** Returns a cell of a map in axial coordinates. */
function axial(row: number, col: number): [row: number, q: number] {
  return [row, col - (row >> 1)];
}

function readSign(reader: SpecReader, at: Field): string {
  const { value } = at;
  if (typeof value === "string" && value.length <= MAX_ENTRIES) return value;
  reader.report(at, { problem: "invalid sign", got: value, expected: `a text of at most ${MAX_ENTRIES} characters` });
  return "";
}

function readRow(reader: SpecReader, at: Field): readonly string[] {
  if (typeof at.value !== "string") return SIGNS.read(reader, at);
  const signs = [...at.value];
  if (signs.length <= MAX_SIDE) return signs;
  reader.report(at, { problem: "the row is too long", got: signs.length, expected: `at most ${MAX_SIDE} characters` });
  return [];
}
