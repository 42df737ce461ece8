import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { putControl } from "../../../src/jobs/control.js";
import { createJob } from "../../../src/jobs/index.js";
import { Turns } from "../../../src/jobs/queue/turns.js";
import { FolderStore } from "../../../src/jobs/store/folderStore.js";
import { rejectionOf } from "../../refusal.js";
import { FEW } from "./jobs.mjs";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rollmill-turns-")));
const folder = join(root, "few");
await createJob(folder, FEW as never, { seed: 1 });
const SUBMISSION = { job: "few", generation: 7 };
putControl(new FolderStore(folder), { wish: "queue", generation: 7 });

const turns = new Turns({ root, threads: 1, maxMemory: 2 ** 26, nice: false });
afterAll(async () => {
  await turns.close();
  rmSync(root, { recursive: true });
});
const open = () => turns.during(SUBMISSION, async (turn) => (await turn.job).name);

test("a turn whose job could not be opened is not used again", async () => {
  const [manifest, away] = [join(folder, "manifest.json"), join(root, "away.json")];
  renameSync(manifest, away);
  mkdirSync(manifest);
  // two tasks that wait for the same turn, and the next attempt
  const failed = await Promise.all([open(), open()].map(rejectionOf));
  failed.push(await rejectionOf(open()));
  expect(failed.map(({ code }) => code)).toEqual(["file.read", "file.read", "file.read"]);
  rmSync(manifest, { recursive: true });
  renameSync(away, manifest);
  expect(await open()).toBe("few");
  expect(await open()).toBe("few");
});
