import { tvalWord } from "../parse/tvals.js";
import type { MadeObject, ObjectFiles } from "../types.js";
import { plainName } from "./kindNames.js";
import { objectColour, objectName } from "./names.js";
import type { Naming } from "./naming.js";

/** An object as a row of plain values, for JSON and CSV. */
export interface ObjectRow {
  readonly index: number;
  readonly name: string;
  /** The kind's name, without the marks of article and plural. */
  readonly kind: string;
  /** The kind's type: "sword". Kinds of two types may have one name. */
  readonly tval: string;
  /** What it is drawn in: see {@link objectColour}; null where neither an affix nor the kind has a colour. */
  readonly colour: string | null;
  readonly artifact: string | null;
  readonly theme: string | null;
  /** Names, in the order in which they came; one may come again. */
  readonly affixes: readonly string[];
  /** Affixes up to this level could come; null for an artifact that was made at once. */
  readonly affixLevel: string | null;
  readonly toHit: number;
  readonly toDam: number;
  readonly toAc: number;
  /** Base armour class. */
  readonly ac: number;
  readonly dice: number;
  readonly sides: number;
  /** Tenths of a pound. */
  readonly weight: number;
  /** Flags without a value, in the order of the flag list. */
  readonly flags: readonly string[];
  /** Flags with a value, never 0, in the order of the flag list. */
  readonly pvals: Readonly<Record<string, number>>;
}

/**
 * An object as a row of plain values. Cost: that of {@link objectName}.
 *
 * @param naming - As {@link checkNaming} leaves it: it is not checked again for every row.
 */
export function objectRow(object: MadeObject, { levels }: Pick<ObjectFiles, "levels">, naming?: Naming): ObjectRow {
  const { index, kind, artifact, theme, affixes, affixLevel } = object;
  const { toHit, toDam, toAc, ac, dice, sides, weight, flags, pvals } = object;
  return {
    index,
    name: objectName(object, naming),
    kind: plainName(kind.name),
    tval: tvalWord(kind.tval),
    colour: objectColour(object) ?? null,
    artifact: artifact?.name ?? null,
    theme: theme?.name ?? null,
    affixes: affixes.map(({ name }) => name),
    affixLevel: levels[affixLevel] ?? null,
    toHit,
    toDam,
    toAc,
    ac,
    dice,
    sides,
    weight,
    flags: [...flags],
    pvals: { ...pvals },
  };
}
