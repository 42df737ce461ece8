import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { CODE_HASH } from "../../../src/jobs/codeHash.js";
import { putControl } from "../../../src/jobs/folder/control.js";
import { whileHolding } from "../../../src/jobs/folder/locks.js";
import { FolderStore } from "../../../src/jobs/folder/store.js";
import { createJob, resumeJob } from "../../../src/jobs/index.js";
import { newSlots } from "../../../src/jobs/queue/slots.js";
import { controlMark, isElsewhere, isOver } from "../../../src/jobs/queue/tickets.js";
import { codeOf, rejectionOf } from "../../refusal.js";
import { FEW } from "./jobs.mjs";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rollmill-slots-")));
const folder = join(root, "few");
await createJob(folder, FEW as never, { seed: 1 });
const store = new FolderStore(folder);
putControl(store, { desired: "queue", generation: 7 });
const SUBMISSION = { job: "few", generation: 7, code: CODE_HASH, control: controlMark(folder) };

const slots = newSlots({ root, threads: 1, maxMemory: 2 ** 26, nice: false });
afterAll(async () => {
  await slots.close();
  rmSync(root, { recursive: true });
});
const open = () => slots.during(SUBMISSION, async (slot) => (await slot.job).name);

test("a slot whose job could not be opened is not used again", async () => {
  const [manifest, away] = [join(folder, "manifest.json"), join(root, "away.json")];
  renameSync(manifest, away);
  mkdirSync(manifest);
  // two tasks that wait for the same slot, and the next attempt
  const failed = await Promise.all([open(), open()].map(rejectionOf));
  failed.push(await rejectionOf(open()));
  expect(failed.map(({ code }) => code)).toEqual(["file.read", "file.read", "file.read"]);
  rmSync(manifest, { recursive: true });
  renameSync(away, manifest);
  expect(await open()).toBe("few");
  expect(await open()).toBe("few");
});

describe("a worker that does not have the folder of a submission (audit 4b)", () => {
  const code = async (more: object) =>
    (await slots.during({ ...SUBMISSION, ...more }, async () => undefined).catch((cause) => cause))?.code;

  test.each([
    ["another folder", { job: "nothing" }, "queue.root"],
    ["a submission that the folder does not have yet", { generation: 8 }, "queue.root"],
    ["a copy of the folder", { control: "1 2" }, "queue.root"],
    ["another build", { code: "0".repeat(64) }, "job.version"],
  ])("refuses its tickets: %s", async (_, more, expected) => {
    expect(await code(more)).toBe(expected);
    // the slot of the job that the worker has goes on
    expect(await open()).toBe("few");
  });

  test("either the number of the file or its time is enough", async () => {
    const [ino, time] = SUBMISSION.control.split(" ");
    expect(await code({ control: `1 ${time}` })).toBeUndefined();
    expect(await code({ control: `${ino} 2` })).toBeUndefined();
  });

  test("a task that runs when the folder goes away is not done", async () => {
    const away = join(root, "away");
    const ended = slots.during({ ...SUBMISSION }, async (slot) => {
      await slot.job;
      renameSync(folder, away);
      await vi.waitUntil(() => slot.over.aborted, { timeout: 300_000 });
      return isElsewhere(slot.over.reason);
    });
    expect(await ended).toBe(true);
    renameSync(away, folder);
    expect(await open()).toBe("few");
  });

  test("a submission is over when the request changes, and its number stays", async () => {
    expect(isOver(folder, SUBMISSION)).toBe(false);
    putControl(store, { desired: "pause" });
    expect(isOver(folder, SUBMISSION)).toBe(true);
    expect(isOver(folder, { ...SUBMISSION, generation: 6 })).toBe(true);
    expect(codeOf(() => isOver(folder, { ...SUBMISSION, generation: 8 }))).toBe("queue.root");
  });
});

describe("locks of workers that were killed (audit 4b)", () => {
  const leave = (name: string) => {
    const lock = join(folder, `worker-${name}.lock`);
    mkdirSync(lock);
    const process = { host: hostname(), space: readlinkSync("/proc/self/ns/pid"), pid: 2 ** 30, started: "1" };
    writeFileSync(join(lock, "owner.json"), JSON.stringify({ id: name, ...process, since: "" }));
  };
  const locks = () => readdirSync(folder).filter((name) => name.startsWith("worker-"));

  test.skipIf(process.platform !== "linux")(
    "are removed by the next worker and by the next run, others stay",
    async () => {
      await whileHolding(folder, "worker-alive.lock", async () => {
        leave("killed");
        putControl(store, { desired: "queue", generation: 9 });
        const submission = { ...SUBMISSION, generation: 9, control: controlMark(folder) };
        await slots.during(submission, async (slot) => void (await slot.job));
        expect(locks()).toContain("worker-alive.lock");
        expect(locks()).not.toContain("worker-killed.lock");
        leave("killed");
        const stop = new AbortController();
        const onProgress = () => stop.abort(new Error("enough"));
        await expect(resumeJob(folder, { signal: stop.signal, onProgress, threads: 1 })).rejects.toThrow("enough");
        expect(locks()).toContain("worker-alive.lock");
        expect(locks()).not.toContain("worker-killed.lock");
      });
    },
  );
});
