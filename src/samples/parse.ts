import { type Field, type Parsed, readOptions, SpecReader } from "../spec/index.js";
import type { ItemsInput, SamplerSpec, ShuffleOptions } from "./types.js";

/** Maximum number of items to draw from. */
export const MAX_ITEMS = 10_000_000;

/**
 * Reads the items of a sampler: a list of any values, or a number n. The number stands for the items 0 … n − 1.
 *
 * Cost: O(n).
 *
 * Error cases:
 * - `argument.range`: an empty list, or a number outside 1 … 10 million.
 * - `argument.type`: neither a list nor a number, or a list of more than 10 million items.
 */
export function parseItems<const Item>(
  input: ItemsInput<Item>,
  options: ShuffleOptions = {},
): Parsed<SamplerSpec<Item>> {
  const { file } = readOptions("parseItems", options, ["file"]);
  const reader = new SpecReader({ noun: "sample", code: "argument.type", file });
  return reader.run(input, (root) => {
    // the casts are safe: the items are those of the input, or numbers if the input is a number
    if (typeof input !== "number") return { items: values(reader, root) as readonly Item[] };
    const length = reader.integer(root, { least: 1, most: MAX_ITEMS, code: "argument.range" });
    return { items: (reader.errors > 0 ? [] : Array.from({ length }, (_, i) => i)) as unknown as readonly Item[] };
  });
}

function values(reader: SpecReader, root: Field): readonly unknown[] {
  const before = reader.errors;
  const items = reader.list(root, { most: MAX_ITEMS, of: "items" });
  const none = { problem: "the list has no items", expected: `1 to ${MAX_ITEMS} items` };
  if (items.length === 0 && reader.errors === before) reader.report(root, none, "argument.range");
  return items.map(({ value }) => value);
}
