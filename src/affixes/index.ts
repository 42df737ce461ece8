export type { NumberChange, ObjectChanges, ValueChange } from "./changes.js";
export { checkObjectFiles } from "./check.js";
export { type AffixDescription, describeObject, describeText, type ObjectDescription } from "./describe.js";
export { objectColour, objectName } from "./names.js";
export { checkNaming, type Naming, type SyntheticName } from "./naming.js";
export { FILE_NAMES, LEVELS, type ParsedObjects, type ParseObjectOptions, parseObjectFiles } from "./parse.js";
export { type ObjectRow, objectRow } from "./rows.js";
