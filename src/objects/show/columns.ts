import type { Column, IntegerColumn } from "../../formats/columns.js";
import type { Objects } from "../make/objects.js";
import type { Naming } from "./naming.js";

/** Columns for affixes: the most affixes of an object. */
const AFFIXES = 8;

/**
 * Objects as columns for files:
 *
 * - words, null if the object has none: name, kind, tval, colour, artifact, theme, affix_1 … affix_8, affix_level;
 * - numbers: index, slots, to_hit, to_dam, to_ac, ac, dice, sides, weight (tenths of a pound);
 * - flags: the flags without a value, separated by "|";
 * - one column for each flag with a value, 0 if the object lacks the flag. A flag with the name of an earlier column
 *   becomes `flag.<name>`.
 *
 * Cost: composes every name; numbers are the objects' own arrays. For large files write batches (`csvChunks`,
 * `parquetChunks`), so that only the names of one batch are in memory.
 *
 * @param naming - the naming options of {@link Objects.name}.
 */
export function objectColumns(objects: Objects, naming?: Naming): Column[] {
  const { from, length, vocabulary } = objects;
  const index = Uint32Array.from({ length }, (_, k) => from + k);
  const names = Array.from({ length }, (_, k) => objects.name(k, naming));
  const flags = Array.from({ length }, (_, k) => objects.flagsOf(k).join("|"));
  const columns: Column[] = [
    { kind: "integer", name: "index", values: index },
    { kind: "text", name: "name", values: names },
    wordColumn("kind", vocabulary.kind, objects.kind),
    wordColumn("tval", vocabulary.tval, objects.kind),
    colourColumn(objects),
    wordColumn("artifact", vocabulary.artifact, objects.artifact),
    wordColumn("theme", vocabulary.theme, objects.theme),
    ...Array.from({ length: AFFIXES }, (_, place) =>
      wordColumn(`affix_${place + 1}`, vocabulary.affixes, strided(objects.affixes, place, length)),
    ),
    wordColumn("affix_level", vocabulary.affixLevel, objects.affixLevel),
    integerColumn("slots", objects.slots),
    integerColumn("to_hit", objects.toHit),
    integerColumn("to_dam", objects.toDam),
    integerColumn("to_ac", objects.toAc),
    integerColumn("ac", objects.ac),
    integerColumn("dice", objects.dice),
    integerColumn("sides", objects.sides),
    integerColumn("weight", objects.weight),
    { kind: "text", name: "flags", values: flags },
  ];
  const taken = new Set(columns.map(({ name }) => name));
  const pvals = objects.pvalNames.map((name, place) =>
    integerColumn(taken.has(name) ? `flag.${name}` : name, strided(objects.pvals, place, length)),
  );
  return [...columns, ...pvals];
}

/** A column of words by index. An empty first word becomes null. */
function wordColumn(name: string, vocabulary: readonly string[], indices: Uint16Array): Column {
  return { kind: "word", name, words: vocabulary.map((word, i) => (i === 0 && word === "" ? null : word)), indices };
}

/** The colours of the objects: null first, then in order of first use. */
function colourColumn(objects: Pick<Objects, "length" | "colour">): Column {
  const known = new Map<string | undefined, number>([[undefined, 0]]);
  const indices = new Uint32Array(objects.length);
  for (let k = 0; k < objects.length; k++) {
    const colour = objects.colour(k);
    const index = known.get(colour) ?? known.size;
    known.set(colour, index);
    indices[k] = index;
  }
  return { kind: "word", name: "colour", words: Array.from(known.keys(), (colour) => colour ?? null), indices };
}

function integerColumn(name: string, values: IntegerColumn["values"]): Column {
  return { kind: "integer", name, values };
}

/** Number `place` of every object, from an array with equally many numbers for each object. */
function strided<T extends Int16Array | Uint16Array>(values: T, place: number, length: number): T {
  const stride = length === 0 ? 0 : values.length / length;
  const own = values.slice(0, length) as T;
  for (let k = 0; k < length; k++) own[k] = values[k * stride + place];
  return own;
}
