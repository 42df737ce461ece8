import type { Column, IntegerColumn } from "./columns.js";

/** Made objects, as `makeMany` of a maker of objects answers them. */
export interface ObjectSource<Naming = unknown> {
  /** Index of the first. */
  readonly from: number;
  readonly length: number;
  /** By object: an index into the vocabulary of the same name. */
  readonly kind: Uint16Array;
  readonly artifact: Uint16Array;
  readonly theme: Uint16Array;
  readonly affixLevel: Uint16Array;
  /** The same, as many an object as there is room for in all of them: 0 behind the last. */
  readonly affixes: Uint16Array;
  readonly slots: Uint16Array;
  readonly toHit: Int16Array;
  readonly toDam: Int16Array;
  readonly toAc: Int16Array;
  readonly ac: Uint16Array;
  readonly dice: Uint16Array;
  readonly sides: Uint16Array;
  readonly weight: Uint16Array;
  /** As many an object as there are {@link pvalNames}. */
  readonly pvals: Int16Array;
  readonly pvalNames: readonly string[];
  /** Names by index, tval's by that of the kind; "" is none. */
  readonly vocabulary: Readonly<
    Record<"kind" | "tval" | "artifact" | "theme" | "affixes" | "affixLevel", readonly string[]>
  >;
  /** What object k is drawn in; undefined for nothing. */
  colour(k: number): string | undefined;
  /** What object k is called, k from 0. */
  name(k: number, naming?: Naming): string;
  /** The flags without a value of object k. */
  flagsOf(k: number): readonly string[];
}

/** The affixes of an object, each a column. */
const AFFIXES = 8;

/**
 * Objects as columns: index, name, kind, tval, colour, artifact, theme, affix_1 … affix_8 and affix_level, null where there is none; slots,
 * to_hit, to_dam, to_ac, ac, dice, sides and weight (tenths of a pound); the flags without a value, with "|" between them;
 * and a column for each flag with a value, 0 where the object lacks it. A flag that has the name of a column before it is
 * called `flag.<name>`.
 *
 * Cost: composes every name, some 2.5 µs an object; numbers are the objects' own arrays. For files write batches of them
 * (`csvChunks`, `parquetChunks`): names are then there for one batch at a time.
 *
 * @param naming - How the objects are called, as their `name` takes it.
 */
export function objectColumns<Naming>(objects: ObjectSource<Naming>, naming?: Naming): Column[] {
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
    ...[integerColumn("to_hit", objects.toHit), integerColumn("to_dam", objects.toDam)],
    ...[integerColumn("to_ac", objects.toAc), integerColumn("ac", objects.ac)],
    ...[integerColumn("dice", objects.dice), integerColumn("sides", objects.sides)],
    integerColumn("weight", objects.weight),
    { kind: "text", name: "flags", values: flags },
  ];
  const taken = new Set(columns.map(({ name }) => name));
  const pvals = objects.pvalNames.map((name, place) =>
    integerColumn(taken.has(name) ? `flag.${name}` : name, strided(objects.pvals, place, length)),
  );
  return [...columns, ...pvals];
}

/** Words by index; "" becomes nothing. */
function wordColumn(name: string, vocabulary: readonly string[], indices: Uint16Array): Column {
  return { kind: "word", name, words: vocabulary.map((word, i) => (i === 0 && word === "" ? null : word)), indices };
}

/** What each object is drawn in: the colours in the order in which they come, behind none. */
function colourColumn(objects: Pick<ObjectSource, "length" | "colour">): Column {
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

/** Every object's number at a place, of numbers that each object has as many of as the others. */
function strided<T extends Int16Array | Uint16Array>(values: T, place: number, length: number): T {
  const stride = length === 0 ? 0 : values.length / length;
  const own = values.slice(0, length) as T;
  for (let k = 0; k < length; k++) own[k] = values[k * stride + place];
  return own;
}
