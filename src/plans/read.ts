import { reasonOf } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { loadPlanKernel, PLAN_STATUS, type PlanKernel } from "../kernel/plans.js";
import { readOptions, refuseArgument } from "../spec/index.js";
import { PLAN_KINDS, type PlanEntry } from "./types.js";

/**
 * Checks a plan file as a host does when it opens the file, and returns what it says about its nouns. The labels are
 * JSON of the file: treat them as input.
 *
 * @param options - `file` names the file in messages.
 * @throws RollmillError `plan.invalid` for damage; `plan.version` for a file of another version; `kernel.memory`,
 * `kernel.unsupported`; `argument.type`, `argument.option`.
 */
export async function readPlan(
  bytes: Uint8Array,
  options: { readonly file?: string | undefined } = {},
): Promise<PlanEntry[]> {
  const { file } = readOptions("readPlan", options, ["file"]);
  return (await loadPlan(bytes, file)).entries;
}

/** Loads a plan file into a kernel of its own. Throws what {@link readPlan} throws. */
export async function loadPlan(
  bytes: Uint8Array,
  file: string | undefined,
): Promise<{ readonly kernel: PlanKernel; readonly entries: PlanEntry[] }> {
  if (!(bytes instanceof Uint8Array)) refuseArgument("bytes", bytes, "the bytes of a plan file, a Uint8Array");
  const kernel = await loadPlanKernel();
  const status = kernel.open(bytes);
  const where = { file };
  const remedy = "Bake the file again with `rollmill bake`";
  if (status === PLAN_STATUS.MEMORY) {
    const problem = "the nouns of the plan file need too much memory";
    fail(error("kernel.memory", { problem, got: `${bytes.length} bytes`, where }));
  }
  if (status === PLAN_STATUS.VERSION) {
    const problem = "the plan file has another version of the format or of the stream";
    fail(error("plan.version", { problem, expected: "format 1, stream 2", remedy, where }));
  }
  const refuse = (problem: string, cause?: unknown) => fail(error("plan.invalid", { problem, remedy, where }), cause);
  if (status !== PLAN_STATUS.OK) refuse(`not a valid plan file: damaged at byte ${kernel.exports.failedAt() >>> 0}`);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const entries = kernel.heads().map(({ kind, name, labels }, i) => {
    try {
      return {
        kind: PLAN_KINDS[kind - 1],
        name: decoder.decode(name),
        labels: JSON.parse(decoder.decode(labels)),
      };
    } catch (cause) {
      return refuse(`the name or the labels of noun ${i} are not valid (${reasonOf(cause)})`, cause);
    }
  });
  return { kernel, entries };
}
