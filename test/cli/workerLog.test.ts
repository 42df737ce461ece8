import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WorkerEvent } from "../../src/bullmq/index.js";
import { workerLog } from "../../src/cli/job/queue.js";
import type { Io } from "../../src/cli/shared/io.js";
import { error, RollmillError } from "../../src/errors/index.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const STEP = { ticket: "a step of isle", isTask: false };
const TASK = { ticket: "task 1 of isle", isTask: true };

/** Starts a log. Returns it with the texts that it writes. */
function newLog() {
  const lines: string[] = [];
  const output = { write: (line: string) => lines.push(line) };
  const io = { stdin: Readable.from([]), stdout: output, stderr: output } as unknown as Io;
  return { log: workerLog(io, { verbose: true }), lines };
}

test("an event has one line, whatever a ticket or an error says (audit 4b)", () => {
  const { log, lines } = newLog();
  const forged = "isle\nfailed: a step of other\r\u001b[2J\u2028";
  const cause = new RollmillError([error("queue.root", { problem: forged, where: { file: forged } })]);
  log.add({ kind: "begun", ticket: forged, isTask: true });
  log.add({ kind: "failed", ticket: forged, isTask: true, cause, isLast: true });
  log.add({ kind: "refused", ticket: forged, isTask: true, cause });
  log.add({ kind: "lost", id: forged });
  log.add({ kind: "error", cause: new Error(forged) });
  log.stop();
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line).toMatch(/^[^\p{Control}\u2028]*\n$/u);
});

test("an error that many tickets have is printed once (audit 4b)", () => {
  const { log, lines } = newLog();
  const causeOf = (problem: string) => new RollmillError([error("queue.root", { problem })]);
  for (let n = 0; n < 9; n++) {
    for (const problem of ["one", "two"]) log.add({ kind: "refused", ...TASK, cause: causeOf(problem) });
  }
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(31_000);
  lines.length = 0;
  log.add({ kind: "refused", ...TASK, cause: causeOf("one") });
  expect(lines).toHaveLength(1);
  log.stop();
});

test("counts tasks only, and a task runs until it ends in any way", () => {
  const lines: string[] = [];
  const output = { write: (line: string) => lines.push(line) };
  const log = workerLog({ stdin: Readable.from([]), stdout: output, stderr: output } as unknown as Io, {
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
