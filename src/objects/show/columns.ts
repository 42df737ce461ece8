import type { Column, IntegerValues, WordColumn } from "../../formats/tables/columns.js";
import type { ObjectPlan } from "../compile.js";
import type { FlagBits } from "../law/flagBits.js";
import { MOST_AFFIXES } from "../law/slots.js";
import { type NamedObjects, nameColumn } from "./nameColumn.js";
import { objectColour } from "./names.js";
import type { Naming } from "./naming.js";
import { EMPTY, Sequences } from "./sequences.js";

/** The fields of `MadeObjects` that columns depend on. `MadeObjects` documents them. */
interface ObjectArrays extends NamedObjects {
  readonly from: number;
  readonly slots: Uint16Array;
  readonly weight: Uint16Array;
  readonly vocabulary: Readonly<
    Record<"kind" | "tval" | "artifact" | "theme" | "affixes" | "affixLevel", readonly string[]>
  >;
}

/** Returns the columns that `MadeObjects.columns` documents. The naming comes from `checkedNaming`. */
export function objectColumns(objects: ObjectArrays, plan: ObjectPlan, naming: Naming): Column[] {
  const { from, length, vocabulary } = objects;
  const columns: Column[] = [
    integerColumn(
      "index",
      Uint32Array.from({ length }, (_, k) => from + k),
    ),
    nameColumn(objects, plan, naming),
    wordColumn("kind", vocabulary.kind, objects.kind),
    wordColumn("tval", vocabulary.tval, objects.kind),
    colourColumn(objects, plan),
    wordColumn("artifact", vocabulary.artifact, objects.artifact),
    wordColumn("theme", vocabulary.theme, objects.theme),
    ...transposed(objects.affixes, length, MOST_AFFIXES).map((affixes, place) =>
      wordColumn(`affix_${place + 1}`, vocabulary.affixes, affixes),
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
    flagColumn(objects, plan.bits),
  ];
  const taken = new Set(columns.map(({ name }) => name));
  const { pvalNames } = plan.bits;
  const values = transposed(objects.pvals, objects.length, pvalNames.length);
  const pvals = pvalNames.map((name, place) => integerColumn(taken.has(name) ? `flag.${name}` : name, values[place]));
  return [...columns, ...pvals];
}

/** Returns a column of words. If word 0 is empty, it becomes null. */
function wordColumn(name: string, vocabulary: readonly string[], indices: Uint16Array): WordColumn {
  return { kind: "word", name, words: vocabulary.map((word, i) => (i === 0 && word === "" ? null : word)), indices };
}

function colourColumn({ length, kind, affixes, affixCount }: ObjectArrays, { files }: ObjectPlan): WordColumn {
  const words: (string | null)[] = [null];
  const indexOf = (colour: string | undefined) => {
    if (colour === undefined) return 0;
    return words.includes(colour) ? words.indexOf(colour) : words.push(colour) - 1;
  };
  const ofKind = files.kinds.map((own) => indexOf(objectColour({ kind: own, affixes: [] })));
  const ofAffix = [0, ...files.affixes.map(({ colour }) => indexOf(colour))];
  const indices = new Uint32Array(length);
  for (let k = 0; k < length; k++) {
    let place = k * MOST_AFFIXES + affixCount[k] - 1;
    while (place >= k * MOST_AFFIXES && ofAffix[affixes[place]] === 0) place--;
    indices[k] = place >= k * MOST_AFFIXES ? ofAffix[affixes[place]] : ofKind[kind[k]];
  }
  return { kind: "word", name: "colour", words, indices };
}

/** Returns the column of the flags without a value. A word is a whole list of flags. */
function flagColumn({ length, flags }: ObjectArrays, bits: FlagBits): WordColumn {
  const words: string[] = [];
  const known: number[] = [];
  const sequences = new Sequences();
  const indices = new Uint32Array(length);
  for (let k = 0; k < length; k++) {
    let sequence = EMPTY;
    for (let word = 0; word < bits.words; word++) sequence = sequences.add(sequence, flags[k * bits.words + word]);
    known[sequence] ??= words.push(bits.namesIn(flags, k * bits.words).join("|")) - 1;
    indices[k] = known[sequence];
  }
  return { kind: "word", name: "flags", words, indices };
}

function integerColumn(name: string, values: IntegerValues): Column {
  return { kind: "integer", name, values };
}

/** Splits `stride` numbers per object into as many arrays. */
function transposed<T extends Int16Array | Uint16Array>(values: T, length: number, stride: number): T[] {
  return Array.from({ length: stride }, (_, place) => {
    // `slice` makes an array of the right type and length
    const own = values.slice(0, length) as T;
    for (let k = 0, i = place; k < length; k++, i += stride) own[k] = values[i];
    return own;
  });
}
