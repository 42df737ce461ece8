import { failOnErrors, type Issue, RollmillError } from "../../errors/index.js";
import { bulkColumns } from "./bulk.js";
import type { TaskContext } from "./context.js";

/**
 * Opens all sources with their options, and makes nothing. Otherwise an invalid option would be found only when the
 * phases `ordered` and `bulk` run, perhaps after hours. Throws all errors, with paths such as `bulk[0]`.
 */
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
