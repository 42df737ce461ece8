export {
  checkFlag,
  checkFunction,
  checkInteger,
  checkPath,
  checkText,
  copyList,
  isObject,
  readEntries,
  readList,
  readOptions,
  refuseArgument,
} from "./arguments.js";
export { arrayType } from "./arrayType.js";
export { fileNameFlaw, fileNameKey, filePathFlaw, isBlank } from "./names.js";
export { checkParsed, isParsed, type Parsed, seal, specOf } from "./parsed.js";
export {
  Field,
  Fields,
  type ListBounds,
  type NumberBounds,
  SpecReader,
  type SpecReaderOptions,
  textFlaw,
} from "./reader.js";
export { isSame } from "./same.js";
export {
  ANYTHING,
  choice,
  FLAG,
  type InputOf,
  integer,
  list,
  lookUp,
  namedValues,
  nameOf,
  number,
  type OptionalShape,
  oneKey,
  optional,
  REFERENCE,
  type RecordShape,
  record,
  type Shape,
  type SpecOf,
  shape,
  TEXT,
  text,
  unread,
  type Values,
  variants,
} from "./shapes.js";
