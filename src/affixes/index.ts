export { checkObjectFiles } from "./check.js";
export { FILE_NAMES, LEVELS, type ParsedObjects, type ParseObjectOptions, parseObjectFiles } from "./parse.js";
