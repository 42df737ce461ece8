import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as bullmq from "bullmq";
import { expect, onTestFinished, test } from "vitest";
import type { WorkerEvent } from "../../../src/bullmq/index.js";
import { CODE_HASH } from "../../../src/jobs/codeHash.js";
import { putControl } from "../../../src/jobs/folder/control.js";
import { FolderStore } from "../../../src/jobs/folder/store.js";
import { createJob } from "../../../src/jobs/index.js";
import { controlMark } from "../../../src/jobs/queue/tickets.js";
import { LONG } from "./jobs.mjs";

// threads run JavaScript only
const { QueueWorker } = (await import(
  new URL("../../../build/modules/jobs/queue/worker.js", import.meta.url).href
)) as typeof import("../../../src/jobs/queue/worker.js");

type Process = (ticket: object, token: string, signal: AbortSignal) => Promise<unknown>;

/** What BullMQ does for a queue: it hands out tickets, and cancels those that the worker names. */
class FakeWorker extends EventEmitter {
  readonly process: Process;
  readonly #stops = new Map<string, AbortController>();

  constructor(process: Process) {
    super();
    this.process = process;
  }

  hand(ticket: { readonly id: string }): Promise<unknown> {
    const stop = new AbortController();
    this.#stops.set(ticket.id, stop);
    return this.process(ticket, "token", stop.signal);
  }

  cancelJob(id: string, reason: string): boolean {
    this.#stops.get(id)?.abort(new Error(reason));
    return true;
  }

  async close(): Promise<void> {}
}

test("a worker cancels the task of a ticket whose lock it has lost, and no other task (audit 22)", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rollmill-lost-")));
  const folder = join(root, "long");
  await createJob(folder, LONG as never, { seed: 1 });
  putControl(new FolderStore(folder), { desired: "queue", generation: 7 });
  const control = controlMark(folder);
  const workers = new Map<string, FakeWorker>();
  const queues = {
    place: "nowhere",
    bullmq,
    queue: () => ({}),
    worker: (name: string, process: Process) => {
      const worker = new FakeWorker(process);
      workers.set(name, worker);
      return worker;
    },
    close: async () => undefined,
    abandon: () => undefined,
  };
  const events: WorkerEvent[] = [];
  const limits = { threads: 1, maxMemory: 2 ** 28, nice: false };
  const onEvent = (event: WorkerEvent) => void events.push(event);
  const settings = { ...limits, root, pauseAbove: undefined, lostAfter: 2000, onEvent };
  const worker = new QueueWorker(queues as never, {} as never, settings);
  onTestFinished(async () => {
    await worker.close({ grace: 0 });
    rmSync(root, { recursive: true });
  });
  const tasks = [...workers].find(([name]) => name.endsWith("tasks"))?.[1];
  if (tasks === undefined) throw new Error("the worker takes no tasks");
  const ticketOf = (k: number) => ({
    id: `${k}`,
    queueName: "rollmill-tasks",
    attemptsMade: 0,
    opts: {},
    data: { job: "long", generation: 7, code: CODE_HASH, control, phase: "walk land", k },
  });
  const lost = tasks.hand(ticketOf(0)).catch((cause: unknown) => cause);
  const kept = tasks.hand(ticketOf(1));
  const isRunning = () => readdirSync(folder).some((name) => name.startsWith("worker-"));
  await expect.poll(isRunning).toBe(true);
  tasks.emit("lockRenewalFailed", ["0"]);
  expect(await lost).toMatchObject({ message: "another worker has the task" });
  expect(events.map(({ kind }) => kind)).toEqual(["ready", "begun", "begun", "taken"]);
  expect(await kept).toBe("done");
  expect([0, 1].map((k) => existsSync(join(folder, `parts/walk/0/${k}.part`)))).toEqual([false, true]);
});
