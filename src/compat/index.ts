// `rollmill/compat`: calls in the forms of the sources that Rollmill's systems come from, over Rollmill's own calls.

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
