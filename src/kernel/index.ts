export { type Address, type KernelExports, within } from "./exports.js";
export { compileKernel, type KernelSource } from "./instantiate.js";
export { Kernel, type Key } from "./kernel.js";
// recipes
export {
  BATCH_RESULTS,
  BLOCK_WORDS,
  ClearOp,
  COLUMN_BYTES,
  ConditionOp,
  ConditionOutcome,
  FRACTION_BITS,
  GROUP_BYTES,
  ITEM_BATCH,
  ItemPart,
  LaterAdder,
  ListOp,
  MASKED_VALUES,
  MergeOp,
  NARROW_LANES,
  NO_PLACE,
  OpCode,
  PickOp,
  PickOtherOp,
  PickSwingingOp,
  RecipeHead,
  RecipeOp,
  RecipePlanHead,
  ROLL_SIDES,
  ROW_BYTES,
  SelectOp,
  SetOp,
  SHORT_ROW_BYTES,
  StatAdder,
  StatClamp,
  StatCondition,
  StatGroup,
  Status,
  SwingSet,
  WIDE_COLUMN_BYTES,
  WIDE_LANES,
} from "./layout.js";
export { PlanImage } from "./planImage.js";
export { Resident } from "./resident.js";
export type { Layout, Views } from "./views.js";
