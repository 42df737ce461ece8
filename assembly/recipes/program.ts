// Runs the ops of a program. Each function runs one op and returns the address of the next op.

import { changeStat } from "./conditions";
import { clear, merge, pick, pickOther, pickSwinging, select, set } from "./decisions";
import {
  ClearOp,
  ConditionOp,
  ListOp,
  MergeOp,
  OpCode,
  PickOp,
  PickOtherOp,
  PickOtherWeightedOp,
  PickSwingingOp,
  PickWeightedOp,
  RecipeOp,
  SelectOp,
  SetOp,
} from "./layout";
import { listMasked, pickMasked, selectMasked, setMasked } from "./masks";
import { columnAt, countOf, setCount } from "./span";
import { sumStats } from "./sums";
import { pickOtherWeighted, pickSwingingWeighted, pickWeighted } from "./weights";

/** Runs the op at address `at` of a plan. */
export function run(plan: usize, at: usize): usize {
  const code = changetype<RecipeOp>(at).code;
  if (code == OpCode.SELECT_MASKED || code == OpCode.SELECT) return runSelect(at);
  if (code == OpCode.PICK_MASKED || code == OpCode.PICK) return runPick(plan, at);
  if (code == OpCode.SET_MASKED || code == OpCode.SET) return runSet(at);
  if (code == OpCode.LIST_MASKED) return runList(at);
  if (code == OpCode.PICK_OTHER) return runPickOther(plan, at);
  if (code == OpCode.PICK_SWINGING || code == OpCode.PICK_SWINGING_WEIGHTED) return runPickSwinging(plan, at);
  if (code == OpCode.PICK_WEIGHTED) return runPickWeighted(plan, at);
  if (code == OpCode.PICK_OTHER_WEIGHTED) return runPickOtherWeighted(plan, at);
  if (code == OpCode.CLEAR) return runClear(at);
  if (code == OpCode.MERGE) return runMerge(at);
  if (code == OpCode.CONDITION) return runCondition(plan, at);
  sumStats(plan);
  return at + offsetof<RecipeOp>();
}

function runSelect(at: usize): usize {
  const op = changetype<SelectOp>(at);
  if (op.code == OpCode.SELECT_MASKED) selectMasked(op.from, op.passed, op.failed, op.plane, op.fails);
  else if (countOf(op.from) != 0) select(op.from, op.passed, op.failed, op.plane, op.fails);
  else {
    setCount(op.passed, 0);
    setCount(op.failed, 0);
  }
  return at + offsetof<SelectOp>();
}

function runList(at: usize): usize {
  const op = changetype<ListOp>(at);
  listMasked(op.from, op.into);
  return at + offsetof<ListOp>();
}

function runPick(plan: usize, at: usize): usize {
  const op = changetype<PickOp>(at);
  const values = plan + <usize>op.values;
  if (op.code == OpCode.PICK_MASKED) pickMasked(op.from, op.column, op.plane, op.count, values);
  else if (countOf(op.from) != 0) pick(op.from, columnAt(op.column), op.plane, op.count, values);
  return at + offsetof<PickOp>();
}

function runPickOther(plan: usize, at: usize): usize {
  if (countOf(changetype<RecipeOp>(at).from) != 0) pickOther(changetype<PickOtherOp>(at), plan);
  return at + offsetof<PickOtherOp>();
}

function runPickSwinging(plan: usize, at: usize): usize {
  const op = changetype<PickSwingingOp>(at);
  if (countOf(op.from) != 0) {
    if (op.code == OpCode.PICK_SWINGING) pickSwinging(op, plan);
    else pickSwingingWeighted(op, plan);
  }
  return at + offsetof<PickSwingingOp>();
}

function runPickWeighted(plan: usize, at: usize): usize {
  if (countOf(changetype<RecipeOp>(at).from) != 0) pickWeighted(changetype<PickWeightedOp>(at), plan);
  return at + offsetof<PickWeightedOp>();
}

function runPickOtherWeighted(plan: usize, at: usize): usize {
  if (countOf(changetype<RecipeOp>(at).from) != 0) pickOtherWeighted(changetype<PickOtherWeightedOp>(at), plan);
  return at + offsetof<PickOtherWeightedOp>();
}

function runSet(at: usize): usize {
  const op = changetype<SetOp>(at);
  if (op.code == OpCode.SET_MASKED) setMasked(op.from, op.column, op.value);
  else if (countOf(op.from) != 0) set(op.from, op.column, op.value);
  return at + offsetof<SetOp>();
}

function runClear(at: usize): usize {
  clear(changetype<ClearOp>(at).column);
  return at + offsetof<ClearOp>();
}

function runMerge(at: usize): usize {
  const op = changetype<MergeOp>(at);
  merge(op.into, op.first, op.second, op.size);
  return at + offsetof<MergeOp>();
}

function runCondition(plan: usize, at: usize): usize {
  changeStat(changetype<ConditionOp>(at), plan);
  return at + offsetof<ConditionOp>();
}
