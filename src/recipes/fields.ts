// Objects with fields whose names only the recipe knows, for pages (see rowCode.ts) and for the contents of worlds. V8
// sets a field in a sixth of the time if its place in the code sets fields of this name only. So each field is set by a
// line of its own, and each kind of object has its own lines. If a process makes items of several recipes, these lines
// take as long as a loop.

import type { StatColumn } from "./kernel.js";

/** A column of words, ids or outcomes: entry k is an index into `words`. */
export interface WordColumn<T = unknown> {
  readonly name: string;
  readonly words: readonly (T | null)[];
  readonly indices: Uint16Array;
}

/** A column of a stat: entry k is the stat of item k, multiplied by `scale`. */
export interface ScaledColumn {
  readonly name: string;
  readonly values: StatColumn;
  readonly scale: number;
}

/** The columns of one kind of object. The first `direct` of them are set by a line of their own. */
export interface Columns<Column> {
  readonly columns: readonly Column[];
  readonly direct: number;
}

type Fields = Record<string, unknown>;

export const MOST_STATS = 16;
export const MOST_SLOTS = 8;
export const MOST_OUTCOMES = 4;

function StatFields(this: Fields, { columns, direct }: Columns<ScaledColumn>, k: number, name: string): void {
  this.name = name;
  if (direct > 0) this[columns[0].name] = valueAt(columns[0], k);
  if (direct > 1) this[columns[1].name] = valueAt(columns[1], k);
  if (direct > 2) this[columns[2].name] = valueAt(columns[2], k);
  if (direct > 3) this[columns[3].name] = valueAt(columns[3], k);
  if (direct > 4) this[columns[4].name] = valueAt(columns[4], k);
  if (direct > 5) this[columns[5].name] = valueAt(columns[5], k);
  if (direct > 6) this[columns[6].name] = valueAt(columns[6], k);
  if (direct > 7) this[columns[7].name] = valueAt(columns[7], k);
  if (direct > 8) this[columns[8].name] = valueAt(columns[8], k);
  if (direct > 9) this[columns[9].name] = valueAt(columns[9], k);
  if (direct > 10) this[columns[10].name] = valueAt(columns[10], k);
  if (direct > 11) this[columns[11].name] = valueAt(columns[11], k);
  if (direct > 12) this[columns[12].name] = valueAt(columns[12], k);
  if (direct > 13) this[columns[13].name] = valueAt(columns[13], k);
  if (direct > 14) this[columns[14].name] = valueAt(columns[14], k);
  if (direct > 15) this[columns[15].name] = valueAt(columns[15], k);
  for (let i = direct; i < columns.length; i++) define(this, columns[i].name, valueAt(columns[i], k));
}

function SlotFields(this: Fields, { columns, direct }: Columns<WordColumn>, k: number): void {
  if (direct > 0) this[columns[0].name] = wordAt(columns[0], k);
  if (direct > 1) this[columns[1].name] = wordAt(columns[1], k);
  if (direct > 2) this[columns[2].name] = wordAt(columns[2], k);
  if (direct > 3) this[columns[3].name] = wordAt(columns[3], k);
  if (direct > 4) this[columns[4].name] = wordAt(columns[4], k);
  if (direct > 5) this[columns[5].name] = wordAt(columns[5], k);
  if (direct > 6) this[columns[6].name] = wordAt(columns[6], k);
  if (direct > 7) this[columns[7].name] = wordAt(columns[7], k);
  for (let i = direct; i < columns.length; i++) define(this, columns[i].name, wordAt(columns[i], k));
}

function OutcomeFields(this: Fields, { columns, direct }: Columns<WordColumn>, k: number): void {
  if (direct > 0) this[columns[0].name] = wordAt(columns[0], k);
  if (direct > 1) this[columns[1].name] = wordAt(columns[1], k);
  if (direct > 2) this[columns[2].name] = wordAt(columns[2], k);
  if (direct > 3) this[columns[3].name] = wordAt(columns[3], k);
  for (let i = direct; i < columns.length; i++) define(this, columns[i].name, wordAt(columns[i], k));
}

// Divides by 1 too: with a branch, V8 does not know whether a field gets an integer or a fraction.
function valueAt({ values, scale }: ScaledColumn, k: number): number {
  return values[k] / scale;
}

function wordAt({ words, indices }: WordColumn, k: number): unknown {
  return words[indices[k]];
}

/** Sets a field of any name. An assignment to "__proto__" would set the prototype and create no field. */
function define(row: Fields, name: string, value: unknown): void {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, enumerable: true });
}

/** Lets `new` create plain objects. Unlike a literal, a constructor makes room for all fields at once. */
function plain<Arguments extends unknown[]>(fields: (this: Fields, ...given: Arguments) => void) {
  fields.prototype = Object.prototype;
  return fields as unknown as new (
    ...given: Arguments
  ) => Fields;
}

/** Creates an object with a name and stats. */
export const StatRow = plain(StatFields);
/** Creates an object with the word, or the id, of each slot. */
export const SlotRow = plain(SlotFields);
/** Creates an object with outcomes. */
export const OutcomeRow = plain(OutcomeFields);

/** @param most - The number of lines that the constructor has. */
export function columnsOf<Column extends { readonly name: string }>(
  columns: readonly Column[],
  most: number,
): Columns<Column> {
  const proto = columns.findIndex(({ name }) => name === "__proto__");
  return { columns, direct: Math.min(most, proto < 0 ? columns.length : proto) };
}
