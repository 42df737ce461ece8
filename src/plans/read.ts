import { reasonOf } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { loadPlanHeads, PLAN_STATUS } from "../kernel/plans.js";
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
  if (!(bytes instanceof Uint8Array)) refuseArgument("bytes", bytes, "the bytes of a plan file, a Uint8Array");
  const { status, at, nouns } = await loadPlanHeads(bytes);
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
  if (status !== PLAN_STATUS.OK) refuse(`not a valid plan file: damaged at byte ${at}`);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return nouns.map(({ kind, name, labels }, i) => {
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
}
