// `rollmill/compat`: the forms of the sources' Lua and VBA, over Rollmill's own calls.

export { type ClosedDirections, DirectionTensor } from "./directionTensor.js";
export {
  addToSubpool,
  createPool,
  drawFromPool,
  exhaust,
  type FiniteRootInput,
  getRandom,
  type InfiniteRootInput,
  InfPool,
  InfRecord,
  Pool,
  type PoolConfig,
  Record,
} from "./dungeonHopper.js";
