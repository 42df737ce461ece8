// `rollmill/compat`: the calls of two older programs, implemented by Rollmill's calls. The programs are Dungeon Hopper
// (Lua) and the drunken-walk study (VBA).

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
