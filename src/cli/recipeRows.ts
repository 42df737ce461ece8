import type { Items } from "../index.js";

/** Rows joined before they are handed on. */
const ROWS_PER_PIECE = 2 ** 12;

/** A line an item: its name, a tab, and the stats that are not 0. */
export function* textLines(batches: Iterable<Items>): Generator<string, void> {
  yield* pieces(batches, (items) => {
    const stats = Object.keys(items.stats);
    return (k) => {
      const parts = stats.filter((stat) => items.stats[stat][k] !== 0).map((stat) => `${stat} ${items.stat(stat, k)}`);
      return `${items.name(k)}\t${parts.join(", ")}\n`;
    };
  });
}

/** A JSON object a line. */
export function* jsonLines(batches: Iterable<Items>): Generator<string, void> {
  yield* pieces(batches, (items) => (k) => `${JSON.stringify(items.row(k))}\n`);
}

/** One JSON array, a line an item. */
export function* jsonDocument(batches: Iterable<Items>): Generator<string, void> {
  let before = "[";
  const rows = pieces(batches, (items) => (k) => {
    const row = `${before}${JSON.stringify(items.row(k))}`;
    before = ",\n";
    return row;
  });
  yield* rows;
  yield before === "[" ? "[]\n" : "]\n";
}

function* pieces(batches: Iterable<Items>, writerOf: (items: Items) => (k: number) => string): Generator<string, void> {
  for (const items of batches) {
    const row = writerOf(items);
    for (let from = 0; from < items.length; from += ROWS_PER_PIECE) {
      let piece = "";
      for (let k = from; k < Math.min(items.length, from + ROWS_PER_PIECE); k++) piece += row(k);
      yield piece;
    }
  }
}
