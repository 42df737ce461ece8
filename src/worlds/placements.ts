import { Columns } from "../calls/index.js";
import type { Column } from "../formats/tables/columns.js";
import type { MadeObject } from "../objects/index.js";
import type { IdAt, IdsOf } from "../pools/index.js";
import type { ItemContent, StatOf } from "../recipes/index.js";
import type { DroppedOf, RollOf } from "../tables/index.js";
import { DIRECTIONS, type Direction } from "../walks/directions.js";
import type { RegionContents } from "./contents.js";
import type { StandingCells } from "./standing.js";
import type { PlacementSpec } from "./types.js";

/** In place of a size or of a facing, if the kind of a placement has none. */
export const NO_TRAIT = 255;

/** A thing that was placed on a cell. */
export interface Placement<Kind extends string = string, Content = unknown> {
  readonly row: number;
  readonly col: number;
  readonly kind: Kind;
  /** The name of its size. Absent if the kind has no `sizes`. */
  readonly size?: string | undefined;
  /** The direction that it faces. Absent if the kind has no `facing`. */
  readonly facing?: Direction | undefined;
  /**
   * A result of the table, a drop, an item, an object, or the id of a record. With `contents`: an object that maps
   * each name to its content. Undefined if the kind has no content, if the window was made without contents, or if only
   * a job makes the contents.
   */
  readonly content?: Content | undefined;
}

/** Placements of one kind in one region. */
export interface PlacementPart extends StandingCells {
  readonly kind: number;
  /** The index of each placement among all placements of this kind in the region. */
  readonly ranks: Uint32Array;
  readonly contents: RegionContents | undefined;
}

/**
 * A list of placements. Sorted by region of 256 × 256 cells (by i, then j), then by kind in the order of the spec, then
 * by row, then by column. `at(k)` and iteration return a {@link Placement}.
 */
export class Placements<Place extends Placement = Placement> extends Columns<Place> {
  readonly rows: Int32Array<ArrayBuffer>;
  readonly cols: Int32Array<ArrayBuffer>;
  /** The kind of each placement, as an index into {@link names}. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** @internal The terrain on which each placement was placed. */
  readonly terrains: Uint8Array<ArrayBuffer>;
  readonly names: readonly Place["kind"][];
  /** The size of each placement, as an index into the sizes of its kind; 255 if the kind has no sizes. */
  readonly sizes: Uint8Array<ArrayBuffer>;
  /** The direction that each placement faces, as an index into `DIRECTIONS`; 255 if the kind has no `facing`. */
  readonly facings: Uint8Array<ArrayBuffer>;
  readonly #specs: readonly PlacementSpec[];
  readonly #parts: readonly PlacementPart[];
  /** The index of the first placement of each part. The last element is the number of placements. */
  readonly #starts: Uint32Array;

  /** @internal */
  constructor(parts: readonly PlacementPart[], specs: readonly PlacementSpec[]) {
    const starts = new Uint32Array(parts.length + 1);
    for (const [p, { rows }] of parts.entries()) starts[p + 1] = starts[p] + rows.length;
    const length = starts[parts.length];
    super({ length, from: 0 });
    this.names = specs.map(({ name }) => name);
    this.#specs = specs;
    this.rows = new Int32Array(length);
    this.cols = new Int32Array(length);
    this.kinds = new Uint8Array(length);
    this.terrains = new Uint8Array(length);
    this.sizes = new Uint8Array(length).fill(NO_TRAIT);
    this.facings = new Uint8Array(length).fill(NO_TRAIT);
    for (const [p, { kind, rows, cols, terrains, sizes, facings }] of parts.entries()) {
      this.rows.set(rows, starts[p]);
      this.cols.set(cols, starts[p]);
      this.kinds.fill(kind, starts[p], starts[p + 1]);
      this.terrains.set(terrains, starts[p]);
      if (sizes !== undefined) this.sizes.set(sizes, starts[p]);
      if (facings !== undefined) this.facings.set(facings, starts[p]);
    }
    this.#parts = parts;
    this.#starts = starts;
  }

  /** @internal */
  protected override compose(k: number): Place {
    const kind = this.kinds[k];
    const traits = traitsOf(this.#specs[kind], this.sizes[k], this.facings[k]);
    const place = { row: this.rows[k], col: this.cols[k], kind: this.names[kind], ...traits };
    // the cast is safe: the type comes from the spec of the world
    return placementOf(place, this.contentOf(k)) as Place;
  }

  /** @internal The content of placement k. */
  contentOf(k: number): unknown {
    let [low, high] = [0, this.#parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle] <= k) low = middle;
      else high = middle - 1;
    }
    const { ranks, contents } = this.#parts[low];
    return contents?.at(ranks[k - this.#starts[low]]);
  }
}

export function placementOf(place: Omit<Placement, "content">, content: unknown): Placement {
  return content === undefined ? place : { ...place, content };
}

/** Returns the size and the facing of a placement, by their indices. Leaves out what its kind does not have. */
export function traitsOf(
  { sizes, facing: isFacing }: Pick<PlacementSpec, "sizes" | "facing">,
  size: number,
  facing: number,
): Pick<Placement, "size" | "facing"> {
  return { ...(sizes && { size: sizes[size].name }), ...(isFacing && { facing: DIRECTIONS[facing] }) };
}

/** Returns columns for a table file. A content is a text; "" if there is no content. */
export function placementColumns(
  { rows, cols, ...traits }: Pick<Placements, "rows" | "cols"> & Traits,
  specs: readonly PlacementSpec[],
  contents: readonly string[],
): Column[] {
  return [
    { kind: "integer", name: "row", values: rows },
    { kind: "integer", name: "col", values: cols },
    { kind: "word", name: "kind", words: specs.map(({ name }) => name), indices: traits.kinds },
    ...traitColumns(traits, specs),
    { kind: "text", name: "content", values: contents },
  ];
}

type Traits = Pick<Placements, "kinds" | "sizes" | "facings">;

/** Returns a column for sizes and one for facings, each only if a kind has them. */
function* traitColumns({ kinds, sizes, facings }: Traits, specs: readonly PlacementSpec[]): Generator<Column> {
  if (specs.some((kind) => kind.sizes !== undefined)) {
    const names = specs.map((kind) => kind.sizes?.map(({ name }) => name) ?? []);
    const words = [null, ...new Set(names.flat())];
    const indices = Uint32Array.from(sizes, (size, k) =>
      size === NO_TRAIT ? 0 : words.indexOf(names[kinds[k]][size]),
    );
    yield { kind: "word", name: "size", words, indices };
  }
  if (specs.some((kind) => kind.facing)) {
    const indices = Uint32Array.from(facings, (facing) => (facing === NO_TRAIT ? 0 : 1 + facing));
    yield { kind: "word", name: "facing", words: [null, ...DIRECTIONS], indices };
  }
}

type SourceIn<Input, List extends string, Name> = Name extends string
  ? Input extends { readonly [Key in List]: { readonly [Key in Name]: infer Source } }
    ? Source
    : unknown
  : unknown;

type ItemOf<Source> = Source extends { readonly recipe: infer Recipe } ? ItemOf<Recipe> : ItemContent<StatOf<Source>>;

/** The value of a key in a content, and its values in the entries of `on`. */
type Chosen<Content, Key extends string> =
  | ValueIn<Content, Key>
  | (Content extends { readonly on: infer On } ? ValueIn<On[keyof On], Key> : never);
type ValueIn<Fields, Key extends string> = Fields extends { readonly [K in Key]: infer Value } ? Value : never;

type RollIn<Input, Name> = Name extends string ? RollOf<SourceIn<Input, "tables", Name>> : unknown;
type DropIn<Input, Name> = Name extends string ? DroppedOf<SourceIn<Input, "drops", Name>>[] : unknown;
type ItemIn<Input, Name> = Name extends string ? ItemOf<SourceIn<Input, "recipes", Name>> : unknown;
type DrawIn<Input, Name, Path> = Path extends string ? IdAt<IdsOf<SourceIn<Input, "pools", Name>>, Path> : unknown;

type ContentOf<Input, Content> = Content extends { readonly table: unknown }
  ? RollIn<Input, Chosen<Content, "table">>
  : Content extends { readonly drops: unknown }
    ? DropIn<Input, Chosen<Content, "drops">>
    : Content extends { readonly recipe: unknown }
      ? ItemIn<Input, Chosen<Content, "recipe">>
      : Content extends { readonly objects: string }
        ? MadeObject
        : Content extends { readonly pools: infer Name }
          ? DrawIn<Input, Name, Chosen<Content, "pool">>
          : unknown;

/** Windows lack the contents that only a job makes. */
type ContentsOf<Input, Contents> = {
  readonly [Name in keyof Contents]:
    | ContentOf<Input, Contents[Name]>
    | (Contents[Name] extends { readonly stock: "world" } ? undefined : never);
};

type PlacementIn<Input, Kind> = Kind extends { readonly name: infer Name extends string }
  ? Placement<
      Name,
      Kind extends { readonly content: infer Content }
        ? ContentOf<Input, Content>
        : "content" extends keyof Kind
          ? unknown
          : Kind extends { readonly contents: infer Contents }
            ? ContentsOf<Input, Contents>
            : "contents" extends keyof Kind
              ? unknown
              : undefined
    >
  : never;

/**
 * The type of a world's placements. If the world is written as a literal, this is a union with a member for each kind:
 * its name, and the type of its content.
 */
export type PlacementOf<Input> = Input extends { readonly placements: readonly (infer Kind)[] }
  ? PlacementIn<Input, Kind>
  : Placement;
