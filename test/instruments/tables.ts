import { createMill, type Table, type TableObject } from "../../src/index.js";

type Column = { result: string | null; weight: number | { script: number } } | { jump: number; weight: number };

/** A table of 1 to 5 rows with circles, dead rows, columns of weight 0 and, if wanted, scripts 0 … 4. */
export function anyTable(random: (limit: number) => number, { scripts = false } = {}): TableObject {
  const rows = 1 + random(5);
  const weight = () => (scripts && random(3) === 0 ? { script: random(5) } : random(5));
  const column = (): Column =>
    random(2) === 0
      ? { result: [..."abc", null][random(4)], weight: weight() }
      : ({ jump: random(rows), weight: weight() } as Column);
  return { rows: Array.from({ length: rows }, () => ({ columns: Array.from({ length: random(5) }, column) })) };
}

const mill = createMill({ seed: 1 });
let opened = 0;

export function open(source: TableObject | string, options = {}): Table<string, unknown> {
  return mill.table(`t${opened++}`, source, options) as Table<string, unknown>;
}
