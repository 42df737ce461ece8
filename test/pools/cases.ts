import fc from "fast-check";
import { exhaust } from "../../src/compat/index.js";
import type { PoolFamily, PoolsInput } from "../../src/pools/index.js";

/** A subpool's list: places in the root's list, with a mass of its own or the root's. */
interface Listing {
  readonly places: readonly number[];
  readonly mass: number | undefined;
}

const listing: fc.Arbitrary<Listing> = fc.record({
  places: fc.uniqueArray(fc.nat(11), { maxLength: 8 }),
  mass: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
});

/** A root with subpools to a depth of 2, the same names everywhere. Some records weigh nothing or have no stock. */
export const specs: fc.Arbitrary<PoolsInput> = fc
  .record({
    kind: fc.constantFrom("finite" as const, "finite" as const, "infinite" as const),
    records: fc.array(fc.tuple(fc.constantFrom(0, 1, 2, 3, 0.5, 7), fc.nat(4)), { minLength: 1, maxLength: 12 }),
    lists: fc.array(fc.tuple(listing, fc.array(listing, { minLength: 2, maxLength: 2 })), { maxLength: 3 }),
  })
  .map(({ kind, records, lists }) => {
    const listed = ({ places, mass }: Listing) =>
      places
        .filter((place) => place < records.length)
        .map((place) => (mass === undefined ? idOf(place) : { id: idOf(place), mass }));
    const subpools = lists.map(([own, inner], i) => [
      `s${i}`,
      {
        records: listed(own),
        subpools: Object.fromEntries(inner.map((each, j) => [`t${j}`, { records: listed(each) }])),
      },
    ]);
    const declared = records.map(([mass, quantity], i) =>
      kind === "infinite" ? { id: idOf(i), mass } : { id: idOf(i), mass, quantity },
    );
    return { roots: { i: { kind, records: declared, subpools: Object.fromEntries(subpools) } } };
  });

/** Ids of both kinds; 1 and "1" are two records. */
const idOf = (place: number) => (place % 2 === 0 ? place / 2 : String((place - 1) / 2));

/** Operations on a family, in order: draws from pools (by number), and other changes of quantities. */
export const operations = fc.array(
  fc.record({
    what: fc.constantFrom("draw", "draw", "many", "return", "exhaust", "restock", "add"),
    pool: fc.nat(),
    count: fc.integer({ min: 1, max: 40 }),
  }),
  { maxLength: 25 },
);

/** The path of every pool of a family that can give a record. */
export function drawable(pools: PoolFamily): string[] {
  const paths = (path: string): string[] => [path, ...pools.pool(path).subpools.flatMap((child) => paths(child.path))];
  return paths("i").filter((path) => {
    try {
      return pools.pool(path).odds().odds.length > 0;
    } catch {
      return false;
    }
  });
}

/** One operation and the ids that it drew or returned. */
export type Step = { readonly what: string; readonly path: string; readonly ids: readonly (string | number)[] };

/** Runs one operation; undefined if it changed nothing. */
export function apply(
  pools: PoolFamily,
  { what, pool, count }: { readonly what: string; readonly pool: number; readonly count: number },
): Step | undefined {
  const paths = drawable(pools);
  if (paths.length === 0) return undefined;
  const path = paths[pool % paths.length];
  const view = pools.pool(path);
  if (what === "draw") return { what, path, ids: [pools.pool(path).draw()] };
  if (what === "many") return { what, path, ids: [...pools.pool(path).drawMany(count)] };
  if (what === "add" && view.parent !== undefined)
    pools.addToSubpool(path, `new${pool}-${count}-${pools.next}`, { mass: count });
  if (view.kind === "infinite") return undefined;
  if (what === "exhaust") return exhaust(view) ? { what: "restock", path, ids: [] } : undefined;
  if (what === "restock") pools.pool(path).restock();
  if (what === "return") {
    const out = view.records.find(({ id }) => pools.pool("i").quantity(id, "out") > 0);
    if (out === undefined) return undefined;
    pools.pool("i").return(out.id);
    return { what, path, ids: [out.id] };
  }
  return { what, path, ids: [] };
}
