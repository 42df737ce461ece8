import { checkParsed } from "../spec/index.js";
import { ownObject } from "./make/saved.js";
import { describeObject, type ObjectDescription, type ObjectRow, objectRow } from "./show/describe.js";
import { objectColour, objectName } from "./show/names.js";
import { checkedNaming, type Naming } from "./show/naming.js";
import type { MadeObject, ObjectFiles } from "./types.js";

/**
 * Returns the name of an object, such as "a Keen Ashen Longsword of the Ferry (2d5) (+7,+9)" or "the Kris 'Oar' (3d3)
 * (+5,+6)". A name has these parts:
 *
 * - The article: "the" for an artifact. Other objects have "a" or "an" if the name of their kind begins with "& ".
 * - The kind's name, then an artifact's own name. A theme's name stands before or after the kind's name, and no affix is
 *   shown on this side. On a side without a theme, `naming` selects the affixes that are shown.
 * - The dice, for weapons except bows, and for objects with the flag SHOW_DICE.
 * - (to-hit,to-dam), unless both are 0. With the flag SHOW_MODS, they are always shown.
 * - [armour class,to-ac], unless both are 0. Without an armour class, only [to-ac].
 * - The values of flags: `<+2>` if all are equal, else `<+2 STR, -1 SPEED>`.
 *
 * Cost: O(flags + affixes × `T` lines); with synthetic names, also O(names × their affixes).
 *
 * @param files - The files of the maker: `maker.files`.
 * @param object - An object that a maker made or loaded, or a copy of one with changed numbers.
 * @throws RollmillError `argument.type`, `argument.option`, `object.name` for an invalid naming; `argument.type` for
 * anything but files and an object; `object.saved` if the object is damaged, or has a record that the files lack.
 */
export function nameOf(files: ObjectFiles, object: MadeObject, naming: Naming = {}): string {
  return objectName(checkedObject(files, object), checkedNaming(naming, files));
}

/**
 * Returns an object as a row of plain values, for JSON and CSV.
 *
 * @throws The errors of {@link nameOf}.
 */
export function rowOf(files: ObjectFiles, object: MadeObject, naming?: Naming): ObjectRow {
  return objectRow(checkedObject(files, object), files, naming);
}

/**
 * Describes an object: its name, the descriptions in the files, and all differences from its kind.
 *
 * @throws The errors of {@link nameOf}.
 */
export function descriptionOf(files: ObjectFiles, object: MadeObject, naming?: Naming): ObjectDescription {
  return describeObject(checkedObject(files, object), files, naming);
}

/**
 * Returns the colour of the last affix that has a colour, else the colour of the kind, else undefined.
 *
 * @throws RollmillError `argument.type`, `object.saved` as in {@link nameOf}.
 */
export function colourOf(files: ObjectFiles, object: MadeObject): string | undefined {
  return objectColour(checkedObject(files, object));
}

function checkedObject(files: ObjectFiles, object: MadeObject): MadeObject {
  checkParsed("objects", { name: "files", value: files, parser: "parseObjects" });
  return ownObject(object, files);
}
