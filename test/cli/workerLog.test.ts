import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WorkerEvent } from "../../src/bullmq/index.js";
import type { Io } from "../../src/cli/io.js";
import { WorkerLog } from "../../src/cli/workerLog.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const STEP = { ticket: "a step of isle", isTask: false };
const TASK = { ticket: "task 1 of isle", isTask: true };

test("counts tasks only, and a task runs until it ends in any way", () => {
  const lines: string[] = [];
  const output = { write: (line: string) => lines.push(line) };
  const log = new WorkerLog({ stdin: Readable.from([]), stdout: output, stderr: output } as unknown as Io, {
    verbose: false,
  });
  const events: readonly WorkerEvent[] = [
    { kind: "begun", ...STEP },
    { kind: "waits", ...STEP },
    ...(["done", "taken", "skipped", "returned"] as const).flatMap(
      (kind) =>
        [
          { kind: "begun", ...TASK },
          { kind, ...TASK },
        ] as const,
    ),
    { kind: "begun", ...TASK },
    { kind: "failed", ...TASK, cause: new Error("disk"), isLast: false },
    { kind: "lost", id: "7" },
    { kind: "begun", ...STEP },
    { kind: "done", ...STEP },
    { kind: "begun", ...TASK },
    { kind: "begun", ...STEP },
  ];
  for (const event of events) log.add(event);
  lines.length = 0;
  vi.advanceTimersToNextTimer();
  log.stop();
  const numbers = lines.map((line) => (line.match(/\d+/g) ?? []).map(Number));
  // one task is done and one runs, and the last line has the tasks that are done
  expect(numbers).toEqual([[1, 1], [1]]);
});
