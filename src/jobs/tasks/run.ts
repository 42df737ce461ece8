import { failOnErrors, type Issue, RollmillError } from "../../errors/index.js";
import type { Phase, PhaseKind } from "../types.js";
import { bulkColumns, makeBatch } from "./bulk.js";
import { makeSector } from "./cells.js";
import type { TaskContext } from "./context.js";
import { mergeSector } from "./merge.js";
import { drawOrdered } from "./ordered.js";
import { walkShard } from "./walk.js";

const TASKS: Readonly<Record<PhaseKind, (context: TaskContext, phase: Phase, k: number) => void>> = {
  walk: (context, { layer }, k) => walkShard(context, layer, k),
  merge: (context, { layer }, k) => mergeSector(context, layer, k),
  cells: (context, _, k) => makeSector(context, k),
  ordered: (context) => drawOrdered(context),
  bulk: (context, _, k) => makeBatch(context, k),
};

/** The bytes of the part depend only on the manifest: two threads that run the same task write the same bytes. */
export function runTask(context: TaskContext, phase: Phase, k: number): void {
  context.freeFor(phase.kind);
  TASKS[phase.kind](context, phase, k);
}

/** Opens all sources. An invalid option would else be found only when its phase runs, perhaps after hours. */
export function checkSources(context: TaskContext): void {
  const issues: Issue[] = [];
  const check = (open: () => void) => {
    try {
      open();
    } catch (cause) {
      if (!(cause instanceof RollmillError)) throw cause;
      issues.push(...cause.issues);
    }
  };
  check(() => context.world.ordered());
  for (const part of context.job.manifest.bulk.keys()) {
    check(() => bulkColumns(context, part, { from: 0, count: 0 }).next());
  }
  failOnErrors(issues);
}
