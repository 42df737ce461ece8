import type { RootInput } from "./parse.js";
import type { RecordId } from "./types.js";

/** The types of the ids in a family, by root. */
export type FamilyIds = Readonly<Record<string, RecordId>>;

type IdOf<Input> = Input extends RecordId
  ? Input
  : Input extends { readonly id: infer Id extends RecordId } | readonly [infer Id extends RecordId, ...unknown[]]
    ? Id
    : never;

// a root lists all records of its subpools
type IdsIn<Input> = Input extends { readonly records: readonly (infer Entry)[] }
  ? IdOf<Entry>
  : RootInput extends Input
    ? RecordId
    : never;

type RootOf<Path extends string> = Path extends `${infer Root}.${string}` ? Root : Path;

type RuleIds<Rule, Root> = Rule extends { readonly path: infer Path extends string }
  ? Root extends RootOf<Path>
    ? IdsIn<Rule>
    : never
  : never;

/**
 * The types of the ids in a family, by root: a union if the family is written as a literal. A root that is registered
 * later can have any ids.
 */
export type IdsOf<Input> = Input extends { readonly roots: infer Roots }
  ? string extends keyof Roots
    ? FamilyIds
    : {
        readonly [Root in keyof Roots]:
          | IdsIn<Roots[Root]>
          | (Input extends { readonly rules: readonly (infer Rule)[] } ? RuleIds<Rule, Root> : never);
      } & FamilyIds
  : FamilyIds;

/** The type of the ids in the pool that a path names. */
export type IdAt<Ids extends FamilyIds, Path extends string> = Ids[RootOf<Path>];
