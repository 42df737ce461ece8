import { error, fail, failOnErrors } from "../errors/index.js";
import { readOptions, refuseArgument, SpecReader, specOf } from "../spec/index.js";
import { type CellRectangle, isInside } from "../walks/rectangles.js";
import { removeExport } from "./exports/exportJob.js";
import { logEvent, putControl } from "./folder/control.js";
import { isWorkedOn, RUNNER, whileHolding } from "./folder/locks.js";
import { MANIFEST, type OpenedJob, ORDERS, openedOf, refuseOtherBuild } from "./folder/manifest.js";
import { RESULT } from "./folder/result.js";
import { putChecked } from "./folder/store.js";
import { type Job, openJob } from "./job.js";
import { misfits } from "./plan/load.js";
import { EXTENT, type RectangleInput } from "./plan/parse.js";
import { resultParts } from "./plan/phases.js";
import type { SectorOrder } from "./types.js";

/** Options of {@link extendJob}. Each default leaves the job as it is. */
export interface ExtendOptions {
  /** The new cells of the job. They must contain all of its present cells. */
  readonly extent?: RectangleInput | undefined;
  /** The order in which the missing sectors are made. It does not change the result. */
  readonly order?: SectorOrder | undefined;
}

/**
 * Enlarges the extent of a job, also of a finished job. Returns the job; {@link Job.run} then makes the missing cells.
 * Sectors of 1,024 × 1,024 cells that were complete stay as they are. The result of the job is deleted, and so are the
 * exports that the job asks for: the next run makes them again. The digest is that of a new job with this extent. Call
 * {@link openJob} again for other objects of the job.
 *
 * @throws RollmillError `job.spec` if the extent does not contain the present one, leaves the grid or is too large, and
 * for a job whose extent is `reached`; `file.busy` if a process works on the job; the errors of {@link openJob};
 * `job.version` if another build of Rollmill started the job; `argument.type`, `argument.option`; `file.write`.
 */
export async function extendJob(folder: string, given: ExtendOptions): Promise<Job> {
  const { extent, order } = readOptions("extendJob", given, ["extent", "order"]);
  if (order !== undefined && !ORDERS.includes(order)) refuseArgument("order", order, ORDERS.join(" or "));
  const job = await openJob(folder);
  const { opened } = job;
  refuseOtherBuild(opened);
  const manifest = {
    ...opened.manifest,
    ...(extent !== undefined && { extent: grownExtent(opened, extent) }),
    ...(order !== undefined && { order }),
  };
  if (isWorkedOn(folder)) {
    const remedy = "Pause the job first, with `rollmill job pause`";
    fail(error("file.busy", { problem: "a process works on the job", remedy, where: { file: folder } }));
  }
  await whileHolding(folder, RUNNER, async () => {
    const { store, spec } = opened;
    // the workers of a queue know only the old extent: this ends their submission
    putControl(store, { desired: "run" });
    // a job without its result is not finished: if this process is killed here, the next run goes on
    store.remove(RESULT);
    for (const kind of manifest.exports) removeExport(job, kind);
    // first the parts: to the new manifest, they would be damaged
    removeOther(opened, openedOf(store, manifest, spec));
    putChecked(store, MANIFEST, manifest);
  });
  logEvent(opened.store, "extended", { extent, order });
  return openJob(folder);
}

function grownExtent({ manifest, spec }: OpenedJob, given: RectangleInput): CellRectangle {
  const reader = new SpecReader({ noun: "extent", code: "job.spec" });
  const { extent } = specOf(reader.run(given, (root) => ({ extent: EXTENT.read(reader, root) })));
  const where = { path: "extent" };
  const before = manifest.extent;
  if (typeof extent !== "object") return fail(error("job.spec", { problem: "not a rectangle", got: given, where }));
  if (before === "reached") {
    const problem = "this job has all cells that its walkers reached, so it has no extent that can grow";
    const remedy = "Start a job with a rectangle as its extent, and with --from and the folder of this job";
    return fail(error("job.spec", { problem, remedy, where }));
  }
  failOnErrors([...misfits({ ...manifest, extent }, spec)]);
  if (isInside(before, extent)) return extent;
  const { row0, col0, rows, cols } = before;
  const expected = `an extent with rows ${row0} to ${row0 + rows - 1} and columns ${col0} to ${col0 + cols - 1}`;
  return fail(
    error("job.spec", {
      problem: "the extent does not contain all cells that the job has",
      got: JSON.stringify(extent),
      expected,
      where,
    }),
  );
}

/** Removes the parts that have other keys now: sectors at the old edge, and contents of one stock. */
function removeOther(before: OpenedJob, now: OpenedJob): void {
  const { extent } = before.manifest;
  if (extent === "reached") return;
  for (const name of resultParts(before, extent)) {
    if (before.keys?.part(name) !== now.keys?.part(name)) before.store.remove(name);
  }
}
