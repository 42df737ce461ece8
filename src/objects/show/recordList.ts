import { canBeDrawn } from "../law/kinds.js";
import { NO_TVAL, typeWord } from "../law/tvals.js";
import { merged } from "../odds/impossible.js";
import { plainName } from "../parse/nouns.js";
import type { DepthRange, ObjectFiles, ObjectPart } from "../types.js";

export interface ListedRecord {
  readonly sort: ObjectPart;
  readonly number: number;
  readonly name: string;
  /** The words of the types of objects that the record is for. */
  readonly types: readonly string[];
  /** The depths at which the record occurs by chance, such as "1 to 40". Empty if it never does. */
  readonly depths: readonly string[];
}

interface Placed extends Pick<ListedRecord, "sort" | "number" | "name"> {
  /** The depths for each type; undefined if the record never occurs there by chance. */
  readonly places: readonly { readonly tval: number; readonly depths: DepthRange | undefined }[];
}

/**
 * Lists the records of the files. The depths are those of the files: boosted slots, the draw for good objects, and
 * artifacts can reach greater depths. Cost: O(records and their lines).
 */
export function listRecords(
  files: ObjectFiles,
  { of, tval, level }: { of?: ObjectPart | undefined; tval?: number | undefined; level?: number | undefined },
): readonly ListedRecord[] {
  return placedRecords(files).flatMap(({ sort, number, name, places }) => {
    const own = places.filter((place) => (tval ?? place.tval) === place.tval);
    const depths = own.flatMap((place) => place.depths ?? []);
    const isHere = level === undefined || depths.some(({ least, most }) => least <= level && level <= most);
    if ((of ?? sort) !== sort || (tval !== undefined && own.length === 0) || !isHere) return [];
    const types = [...new Set(own.map((place) => typeWord(files, place.tval)))];
    return [{ sort, number, name, types, depths: merged(depths) }];
  });
}

function placedRecords({ rules, kinds, affixes, themes, artifacts }: ObjectFiles): readonly Placed[] {
  const real = kinds.filter(({ tval }) => tval !== NO_TVAL);
  return [
    ...real.map((kind): Placed => {
      const { number, fullName, tval, allocation } = kind;
      const depths = canBeDrawn(kind, { rules, quality: "normal" }) ? allocation : undefined;
      return { sort: "kind", number, name: plainName(fullName), places: [{ tval, depths }] };
    }),
    ...affixes.map(({ number, name, targets }): Placed => {
      const places = targets.map((line) => ({ tval: line.tval, depths: line.probability > 0 ? line : undefined }));
      return { sort: "affix", number, name, places };
    }),
    ...themes.map(({ number, name, targets }): Placed => {
      return { sort: "theme", number, name, places: targets.map((line) => ({ tval: line.tval, depths: line })) };
    }),
    ...artifacts.map(({ number, name, tval, allocations }): Placed => {
      // an artifact without lines has its type all the same
      const lines = [undefined, ...allocations.filter(({ probability }) => probability > 0)];
      return { sort: "artifact", number, name, places: lines.map((depths) => ({ tval, depths })) };
    }),
  ];
}
