import { Columns } from "../calls/index.js";
import type { Column } from "../formats/tables/columns.js";
import type { MadeObject } from "../objects/index.js";
import type { IdAt, IdsOf } from "../pools/index.js";
import type { ItemContent, StatOf } from "../recipes/index.js";
import type { RollOf } from "../tables/index.js";
import type { RegionContents } from "./contents.js";
import type { StandingCells } from "./kernel/terrain.js";

/** A thing that was placed on a cell. */
export interface Placement<Kind extends string = string, Content = unknown> {
  readonly row: number;
  readonly col: number;
  readonly kind: Kind;
  /**
   * A result of the table, an item, an object, or the id of a record. Undefined if the kind has no content, if the
   * window was made without contents, or if only a job makes this content.
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
  readonly #parts: readonly PlacementPart[];
  /** The index of the first placement of each part. The last element is the number of placements. */
  readonly #starts: Uint32Array;

  /** @internal */
  constructor(parts: readonly PlacementPart[], names: readonly Place["kind"][]) {
    const starts = new Uint32Array(parts.length + 1);
    for (const [p, { rows }] of parts.entries()) starts[p + 1] = starts[p] + rows.length;
    const length = starts[parts.length];
    super({ length, from: 0 });
    this.names = names;
    this.rows = new Int32Array(length);
    this.cols = new Int32Array(length);
    this.kinds = new Uint8Array(length);
    this.terrains = new Uint8Array(length);
    for (const [p, { kind, rows, cols, terrains }] of parts.entries()) {
      this.rows.set(rows, starts[p]);
      this.cols.set(cols, starts[p]);
      this.kinds.fill(kind, starts[p], starts[p + 1]);
      this.terrains.set(terrains, starts[p]);
    }
    this.#parts = parts;
    this.#starts = starts;
  }

  /** @internal */
  protected override compose(k: number): Place {
    const place = { row: this.rows[k], col: this.cols[k], kind: this.names[this.kinds[k]] };
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

/** Returns columns for a table file. A content is a text; "" if there is no content. */
export function placementColumns(
  { rows, cols, kinds, names }: Record<"rows" | "cols", Int32Array> & { kinds: Uint8Array; names: readonly string[] },
  contents: readonly string[],
): Column[] {
  return [
    { kind: "integer", name: "row", values: rows },
    { kind: "integer", name: "col", values: cols },
    { kind: "word", name: "kind", words: names, indices: kinds },
    { kind: "text", name: "content", values: contents },
  ];
}

type SourceIn<Input, List extends string, Name> = Name extends string
  ? Input extends { readonly [Key in List]: { readonly [Key in Name]: infer Source } }
    ? Source
    : unknown
  : unknown;

type ItemOf<Source> = Source extends { readonly recipe: infer Recipe } ? ItemOf<Recipe> : ItemContent<StatOf<Source>>;

type ContentOf<Input, Content> = Content extends { readonly table: infer Name }
  ? RollOf<SourceIn<Input, "tables", Name>>
  : Content extends { readonly recipe: infer Name }
    ? ItemOf<SourceIn<Input, "recipes", Name>>
    : Content extends { readonly objects: string }
      ? MadeObject
      : Content extends { readonly pools: infer Name; readonly pool: infer Path extends string }
        ? IdAt<IdsOf<SourceIn<Input, "pools", Name>>, Path>
        : unknown;

type PlacementIn<Input, Kind> = Kind extends { readonly name: infer Name extends string }
  ? Placement<
      Name,
      Kind extends { readonly content: infer Content }
        ? ContentOf<Input, Content>
        : "content" extends keyof Kind
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
