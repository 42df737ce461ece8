import type { Command } from "commander";
import { openJob } from "../jobs/index.js";
import { withExamples } from "./examples.js";
import { type Io, note, pathIn } from "./io.js";
import { memoryOption } from "./jobFolder.js";
import { countOf } from "./options.js";
import { shellWord } from "./shellWord.js";

interface WorkFlags {
  readonly task: number;
  readonly phase?: string;
  readonly maxMemory?: number;
}

export function addJobWork(job: Command, io: Io): void {
  withExamples(job.command("work"), io, 'job work isle --phase "walk land" --task 0')
    .argument("<dir>", "the folder of the job")
    .description("do one task, for schedulers with array jobs; many processes and machines may do this at once")
    .requiredOption("--task <k>", "the number of the task in its phase, from 0", countOf(0, Number.MAX_SAFE_INTEGER))
    .option("--phase <name>", 'the phase, such as cells or "walk land" (default: the first one that is not finished)')
    .addOption(memoryOption("the process (default: 1g)"))
    .action((folder: string, flags: WorkFlags) => work(io, folder, flags));
}

async function work(io: Io, folder: string, { task, phase, maxMemory }: WorkFlags): Promise<void> {
  const job = await openJob(pathIn(io, folder));
  const isFinished = job.work({ task, phase, maxMemory });
  if (isFinished) note(io, `the job is finished; see it with: rollmill job status ${shellWord(folder)}`);
  else note(io, `task ${task} is done`);
}
