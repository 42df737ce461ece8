import type { Command } from "commander";
import { type JobPlan, planJob } from "../../jobs/index.js";
import { withExamples } from "../examples.js";
import { printDocument } from "../shared/envelope.js";
import { type Io, print } from "../shared/io.js";
import { jsonOption } from "../shared/options.js";
import { planLines, readJob } from "./folder.js";

export function addJobShow(job: Command, io: Io): void {
  withExamples(job.command("show"), io, "job show {examples/job.json}")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("print the phases of a job and what it needs: tasks, cells, steps and disk")
    .addOption(jsonOption())
    .action((file: string, flags: { readonly json?: boolean }) => show(io, file, flags));
}

async function show(io: Io, file: string, { json }: { readonly json?: boolean }): Promise<void> {
  const plan = await planJob(await readJob(io, file));
  if (json) return printDocument(io, { command: "job show", seed: plan.seed ?? null, name: plan.name }, dataOf(plan));
  await print(io, `${planLines(plan).join("\n")}\n`);
}

function dataOf({ phases, needs: { cells, steps, disk, threadMemory } }: JobPlan): object {
  return {
    cells: cells ?? null,
    steps: Math.round(steps),
    disk: Math.round(disk),
    threadMemory: Math.round(threadMemory),
    phases: phases.map(({ name, tasks }) => ({ name, tasks: tasks ?? null })),
  };
}
