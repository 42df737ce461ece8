import type { Address, Kernel } from "../../kernel/index.js";
import { CHUNK_SIDE } from "../../kernel/layout.js";
import { sourceAt, sourcesUsedBy } from "../../walks/compile.js";
import type { FieldRange, WalkPlan } from "../../walks/index.js";
import { CellMap } from "../../walks/kernel/scatter.js";
import { chunkIn, createValues, type KernelValues, storeValues } from "../../walks/kernel/slope.js";
import { placeKey } from "../../walks/map/chunk.js";
import { type RegionRange, singles } from "../../walks/rectangles.js";

/**
 * A field that layers read, chunk by chunk. For each range, a map has one visit on every cell of the range. For slopes,
 * the values themselves are stored.
 */
export class KernelField {
  readonly #kernel: Kernel;
  readonly #purpose: string;
  readonly #values: Address | undefined;
  readonly #ranges: ReadonlyMap<number, { readonly range: FieldRange; readonly map: CellMap }>;
  readonly #chunks = new Set<number>();

  /** `sources` are the numbers of the field and its ranges, as far as layers read them. */
  constructor(kernel: Kernel, plan: WalkPlan, { name, sources }: { name: string; sources: readonly number[] }) {
    this.#kernel = kernel;
    this.#purpose = `the field ${name}`;
    const read = sources.map((source) => ({ source, range: sourceAt(plan, source).range }));
    const isRead = read.some(({ range }) => range === undefined);
    this.#values = isRead ? createValues(kernel, this.#purpose) : undefined;
    this.#ranges = new Map(
      read.flatMap(({ source, range }) => {
        const setup = { kernel, name, firstVisits: false, isNarrow: true, tileSide: CHUNK_SIDE };
        return range === undefined ? [] : [[source, { range, map: new CellMap(setup) }] as const];
      }),
    );
  }

  /** Returns the address of the map of a range, or of the values for the field itself. */
  addressOf(source: number): Address {
    const address = this.#ranges.get(source)?.map.address ?? this.#values;
    if (address === undefined) throw new Error("no layer reads this source");
    return address;
  }

  hasChunk(i: number, j: number): boolean {
    return this.#chunks.has(placeKey(i, j));
  }

  /** Takes the values of chunks that it does not have yet, and of the cells around them. */
  store(chunks: RegionRange, values: KernelValues): void {
    for (const chunk of singles(chunks)) {
      this.#storeChunk(chunk, values);
      this.#chunks.add(placeKey(chunk.i0, chunk.j0));
    }
  }

  #storeChunk(chunk: RegionRange, from: KernelValues): void {
    const kernel = this.#kernel;
    if (this.#values !== undefined) storeValues(kernel, { values: this.#values, purpose: this.#purpose }, chunk, from);
    const first = chunkIn(from, chunk);
    for (const { range, map } of this.#ranges.values()) {
      const { least, most } = range;
      const isDone = kernel.call((exports) =>
        exports.storeRange(map.address, chunk.i0, chunk.j0, first, from.rowBytes, least, most - least),
      );
      if (!isDone) kernel.outOfMemory(this.#purpose);
    }
  }
}

/** Returns a {@link KernelField} for each field that layers read. */
export function openFields(kernel: Kernel, plan: WalkPlan): ReadonlyMap<number, KernelField> {
  const sources = new Map<number, Set<number>>();
  for (const source of plan.layers.flatMap(sourcesUsedBy)) {
    const { field } = sourceAt(plan, source);
    if (field !== undefined) sources.set(field, (sources.get(field) ?? new Set()).add(source));
  }
  return new Map(
    Array.from(sources, ([field, read]) => {
      return [field, new KernelField(kernel, plan, { name: plan.fields[field], sources: [...read] })] as const;
    }),
  );
}
