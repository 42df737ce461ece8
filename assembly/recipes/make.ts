// Recipes. Item k is made step by step: decision d of step s reads word k of plane 16·s + d.
//
// A plan is a program and its tables (recipes/layout.ts). The program runs over spans of 2,048 items. An op reads a
// list or a mask of items, and the words of a plane up to the word of the last of these items. Then the op fills a
// column, or splits the items in two.

import { Status } from "../core/layout";
import { allocate, allocateZeroed, mark, release } from "../core/memory";
import { SPAN_BLOCKS, SPAN_WORDS } from "../core/words";
import { COLUMN_BYTES, GROUP_BYTES, OpCode, RecipeHead, RecipeOp, RecipePlanHead } from "./layout";
import { run } from "./program";
import { BUFFER_BYTES, LIST_BYTES, openCall, openSpan } from "./span";
import { clampStats } from "./sums";

/** Creates a recipe without a plan: its head, its columns and its stats. Returns 0 if memory runs out. */
export function createRecipe(columns: u32, groups: u32): usize {
  const before = mark();
  const at = allocateZeroed(offsetof<RecipeHead>());
  const columnsAt = allocateZeroed(<usize>columns * COLUMN_BYTES);
  const statsAt = allocate(<usize>groups * GROUP_BYTES);
  if (!at || !columnsAt || !statsAt) {
    release(before);
    return 0;
  }
  const recipe = changetype<RecipeHead>(at);
  recipe.columns = <u32>columnsAt;
  recipe.stats = <u32>statsAt;
  return at;
}

/**
 * Makes room for a plan of `bytes` bytes whose program uses `lists` lists. The caller then writes the plan. If the old
 * room is too small, allocates a new one, at least twice as large. So the new room and all earlier rooms together take
 * at most twice the memory of the new room.
 */
export function reservePlan(at: usize, bytes: u32, lists: u32): Status {
  const recipe = changetype<RecipeHead>(at);
  if (bytes > recipe.planBytes) {
    const room = max(bytes, 2 * recipe.planBytes);
    const plan = allocate(room);
    if (!plan) return Status.OUT_OF_MEMORY;
    recipe.plan = <u32>plan;
    recipe.planBytes = room;
  }
  if (lists > recipe.lists) {
    const room = max(lists, 2 * recipe.lists);
    // zeroed, because the count of an unused list must be 0
    const buffers = allocateZeroed(BUFFER_BYTES + <usize>room * LIST_BYTES);
    if (!buffers) return Status.OUT_OF_MEMORY;
    recipe.buffers = <u32>buffers;
    recipe.lists = room;
  }
  return Status.OK;
}

/** Makes `count` items. The first reads word `offset` < 1024 in `block`. offset + count must be ≤ ITEM_BATCH. */
export function makeItems(at: usize, block: u32, offset: u32, count: u32): void {
  const recipe = changetype<RecipeHead>(at);
  const plan: usize = recipe.plan;
  const program = plan + <usize>changetype<RecipePlanHead>(plan).program;
  openCall(recipe.columns, recipe.stats, recipe.buffers);
  for (let done: u32 = 0; done < count; ) {
    const end = min(SPAN_WORDS, offset + (count - done));
    openSpan(block, offset, end, done);
    for (let op = program; changetype<RecipeOp>(op).code != OpCode.END; ) op = run(plan, op);
    clampStats(plan);
    done += end - offset;
    offset = 0;
    block += SPAN_BLOCKS;
  }
}
