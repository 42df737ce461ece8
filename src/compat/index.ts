// `rollmill/compat`: the calls of two older programs, implemented by Rollmill's calls. The programs are Dungeon Hopper
// (Lua) and the drunken-walk study (VBA).

export { type ClosedDirections, DirectionTensor } from "./directionTensor.js";
export type { FiniteRootInput, InfiniteRootInput, PoolConfig } from "./dungeonHopper.js";
export {
  addToSubpool,
  createPool,
  drawFromPool,
  exhaust,
  getRandom,
  InfPool,
  InfRecord,
  Pool,
  Record,
} from "./dungeonHopper.js";
