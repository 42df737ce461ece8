import type { MadeObject } from "../objects/index.js";
import type { IdAt, IdsOf } from "../pools/index.js";
import type { ItemContent, StatOf } from "../recipes/index.js";
import type { RollOf } from "../tables/index.js";
import type { Placement } from "./placements.js";

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
