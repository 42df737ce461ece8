export { checkObjectFiles } from "./check.js";
export { compileObjects } from "./compile.js";
export type { Claim } from "./kernelObjects.js";
export { ObjectMaker } from "./maker.js";
export { type Making, Objects } from "./objects.js";
export type { MakeObjectsOptions, ObjectLimit, ObjectOptions, ObjectScores } from "./options.js";
export { FILE_NAMES, LEVELS, type ParsedObjects, type ParseObjectOptions, parseObjectFiles } from "./parse.js";
export { digestOf, type ObjectState, parseObjectState } from "./state.js";
export type * from "./types.js";
