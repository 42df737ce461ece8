// `rollmill/compat`: the calls of Dungeon Hopper's Lua and of the drunken-walk study's VBA, implemented by Rollmill's
// calls.

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
