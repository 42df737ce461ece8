import {
  type Field,
  type InputOf,
  integer,
  list,
  lookUp,
  optional,
  REFERENCE,
  record,
  type SpecReader,
  TEXT,
} from "../../spec/index.js";
import { MAX_REALM_DISTANCE, type PlacementSpec, type RealmSpec } from "../types.js";

const MAX_REALMS = 16;

export const REALM = record({
  /** The name, unique: 1 to 256 characters. */
  name: TEXT,
  /** The name of the kind of placements that are the seats. */
  of: REFERENCE,
  /** Greatest distance from a cell to its seat, 1 … 256 steps. */
  within: integer({ least: 1, most: MAX_REALM_DISTANCE }),
});
/** Divides the cells among the placements of a kind: each cell belongs to the realm of the nearest placement. */
export interface RealmInput extends InputOf<typeof REALM> {}
export const REALMS = list(REALM, { most: MAX_REALMS, of: "realms" });

export function readRealms(reader: SpecReader, at: Field, placements: readonly PlacementSpec[]): RealmSpec[] {
  const kinds = new Map(placements.map(({ name }) => [name, name]));
  const unknown = { problem: "no kind of placement has this name", none: 'a name in "placements" of the world' };
  const names = new Set<string>();
  return optional(REALMS, [])
    .read(reader, at)
    .map(({ name, of, within }, r) => {
      if (names.has(name) && name !== "") {
        const finding = { got: name, expected: "a name that no other realms have" };
        reader.report(at.part(r, "name"), { problem: "two entries have the same name", ...finding });
      }
      names.add(name);
      return { name, of: lookUp(reader, of, { known: kinds, ...unknown }) ?? "", within };
    });
}
