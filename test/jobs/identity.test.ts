import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createJob, exportJob, type Job, type JobInput, type JobResult, openJob } from "../../src/jobs/index.js";
import { refusalOf } from "../refusal.js";
import { finished, MIXED, NOW, newFolder, SEED, SMALL } from "./samples.js";

const root = mkdtempSync(join(tmpdir(), "rollmill-identity-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const INPUT: JobInput = { ...MIXED, bulk: ["a", "b"].map((name) => ({ name, count: 9, table: "loot" })) };
/** Some parts of the job, and for each a part of another task with the same sections. */
const PARTS = [
  ["parts/walk/0/0.part", "parts/walk/0/1.part"],
  ["parts/layer/0/-1_-1.part", "parts/layer/0/0_0.part"],
  ["parts/cells/-1_-1.part", "parts/cells/0_0.part"],
  ["parts/bulk/a/0.part", "parts/bulk/b/0.part"],
] as const;

let job: Job;
let whole: JobResult;
/** A finished job that differs only in its seed. */
let other: Job;
beforeAll(async () => {
  job = await createJob(join(root, "job"), INPUT, { seed: SEED, now: NOW });
  other = await createJob(join(root, "other"), INPUT, { seed: "another", now: NOW });
  whole = await finished(job.run(SMALL));
  await finished(other.run(SMALL));
});

/** Replaces a file of the job until the test ends. */
function replace(name: string, by: string): void {
  const path = join(job.folder, name);
  const before = readFileSync(path);
  copyFileSync(by, path);
  onTestFinished(() => writeFileSync(path, before));
}

/** The cases: the name of a part, and the path of the file that is copied to this name. */
const cases = () =>
  PARTS.flatMap(([name, neighbour]) => [
    ["another job", name, () => join(other.folder, name)] as const,
    ["another task", name, () => join(job.folder, neighbour)] as const,
  ]);

describe("a part of another job or of another task (audit 2)", () => {
  test.each(cases())("of %s: verify finds it at %s", (_, name, path) => {
    replace(name, path());
    const where = { file: `${job.folder}/${name}` };
    expect(job.verify()).toMatchObject([{ file: name, issue: { code: "job.damaged", where } }]);
  });

  test.each(cases())("of %s: a resumed job makes %s again", async (_, name, path) => {
    const folder = newFolder();
    cpSync(job.folder, folder, { recursive: true });
    rmSync(join(folder, "result.json"));
    copyFileSync(path(), join(folder, name));
    const copy = await openJob(folder);
    expect(copy.verify().map(({ file }) => file)).toEqual([name]);
    expect(await finished(copy.run(SMALL))).toEqual(whole);
    expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(job.folder, name)));
    expect(copy.verify()).toEqual([]);
  });

  test("of a finished job is not exported", async () => {
    const [name, neighbour] = PARTS[2];
    for (const path of [join(other.folder, name), join(job.folder, neighbour)]) {
      replace(name, path);
      const where = { file: `${job.folder}/${name}` };
      await expect(exportJob(job, "csv")).rejects.toMatchObject({ code: "job.damaged", issues: [{ where }] });
      expect(existsSync(join(job.folder, "exports/placements.csv"))).toBe(false);
    }
  });
});

test("the result of another job is refused, and repaired (audit 2)", async () => {
  replace("result.json", join(other.folder, "result.json"));
  const { code, issues } = refusalOf(() => job.result);
  expect([code, issues[0].where.file]).toEqual(["job.damaged", `${job.folder}/result.json`]);
  await expect(job.run(SMALL)).rejects.toMatchObject({ code: "job.damaged" });
  expect(job.verify({ repair: true }).map(({ file }) => file)).toEqual(["result.json"]);
  expect(await finished(job.run(SMALL))).toEqual(whole);
});
