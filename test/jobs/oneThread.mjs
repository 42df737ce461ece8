// Does what `rollmill job start`, `resume` and `extend` do, but without a thread for tasks, so that kills.mjs can count the
// calls of each thread. The command uses such a thread, which a signal can stop in the middle of a task.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { extendJob, loadJob, openJob, startJob } from "../../dist/jobs/index.js";

const text = { type: "string" };
const options = { seed: text, from: text, extent: text, threads: text, yes: { type: "boolean" } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [, verb, first, second] = positionals;

if (verb === "start") {
  const { spec } = await loadJob(first, (path) => readFile(path, "utf8"));
  await startJob(second, spec, { seed: values.seed, from: values.from, threads: 1 });
} else {
  const job = verb === "extend" ? await extendJob(first, { extent: rectangleOf(values.extent) }) : await openJob(first);
  await job.run({ threads: 1 });
}

function rectangleOf(corners) {
  const [row0, col0, row1, col1] = corners.split(",").map(Number);
  return { row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
}
