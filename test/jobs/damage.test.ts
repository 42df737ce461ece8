import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createJob, type Job, type JobResult, openJob } from "../../src/jobs/index.js";
import { codeOf, refusalOf } from "../refusal.js";
import { randomFrom } from "./kills.mjs";
import { finished, MIXED, newJob, SEED, SMALL } from "./samples.js";

const root = mkdtempSync(join(tmpdir(), "rollmill-damage-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let job: Job;
let whole: JobResult;
/** Every file of the finished job by name, but the log, which is for people. */
let files: ReadonlyMap<string, Buffer>;
beforeAll(async () => {
  job = await createJob(join(root, "job"), MIXED, { seed: SEED });
  whole = await finished(job.run(SMALL));
  const names = readdirSync(job.folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(job.folder, name)).isFile() && name !== "events.ndjson");
  files = new Map(names.map((name) => [name, readFileSync(join(job.folder, name))]));
});

/** Writes other bytes to a file of the job until the test ends. */
function spoil(name: string, bytes: Buffer): void {
  writeFileSync(join(job.folder, name), bytes);
  onTestFinished(() => restore(name));
}

function restore(name: string): void {
  writeFileSync(join(job.folder, name), files.get(name) ?? Buffer.alloc(0));
}

/** The names of the files that verify finds. */
const found = () => job.verify().map(({ file }) => file);

describe("verify", () => {
  test("finds nothing in a job that nobody damaged", () => {
    expect(files.size).toBeGreaterThan(20);
    expect(found()).toEqual([]);
  });

  test("finds a changed byte at 200 random places, by the name of the file", () => {
    const random = randomFrom(11);
    const names = [...files.keys()];
    for (let round = 0; round < 200; round++) {
      const name = names[round % names.length];
      const bytes = Buffer.from(files.get(name) ?? []);
      const at = Math.floor(random() * bytes.length);
      bytes[at] ^= 1 << Math.floor(random() * 8);
      writeFileSync(join(job.folder, name), bytes);
      expect(found(), `byte ${at} of ${name}`).toEqual([name]);
      restore(name);
    }
    expect(found()).toEqual([]);
  });

  test.each([0, 1, 43, 44, 45, 0.5, -1])("finds a part that was cut to %s", (length) => {
    const [name] = [...files.keys()].filter((one) => one.startsWith("parts/cells/"));
    const { size } = statSync(join(job.folder, name));
    truncateSync(join(job.folder, name), length < 0 ? size + length : length < 1 ? Math.floor(size * length) : length);
    onTestFinished(() => restore(name));
    expect(found()).toEqual([name]);
  });

  test("finds a part with bytes at its end, and a part that is another one", () => {
    const [one, other] = [...files.keys()].filter((name) => name.startsWith("parts/cells/"));
    spoil(one, Buffer.concat([files.get(one) ?? Buffer.alloc(0), Buffer.from("x")]));
    expect(found()).toEqual([one]);
    spoil(one, files.get(other) ?? Buffer.alloc(0));
    expect(found()).toEqual([one]);
  });

  test("finds a missing part, and says where it is", () => {
    const [name] = [...files.keys()].filter((one) => one.startsWith("parts/cells/"));
    rmSync(join(job.folder, name));
    onTestFinished(() => restore(name));
    const [{ file, issue }] = job.verify();
    expect([file, issue.code, issue.where.file]).toEqual([name, "job.damaged", `${job.folder}/${name}`]);
  });

  test("is a long call: it can be aborted, and reports progress", () => {
    expect(() => job.verify({ signal: AbortSignal.abort(new Error("no")) })).toThrow("no");
    const seen: number[] = [];
    job.verify({ onProgress: ({ done, total }) => seen.push(done / total) });
    expect(seen.every((share) => share <= 1)).toBe(true);
    expect(codeOf(() => job.verify({ repair: 1 as never }))).toBe("argument.type");
  });
});

describe("repair", () => {
  const kinds = ["parts/walk/", "parts/layer/", "parts/cells/", "result.json", "control.json"];

  test.each(kinds)("makes a damaged file again: %s", async (kind) => {
    const name = [...files.keys()].find((one) => one.startsWith(kind)) ?? "";
    const bytes = Buffer.from(files.get(name) ?? []);
    bytes[bytes.length >> 1] ^= 4;
    writeFileSync(join(job.folder, name), bytes);
    expect(job.verify({ repair: true }).map(({ file }) => file)).toEqual([name]);
    expect(job.status().state).not.toBe("finished");
    expect(await finished(job.run(SMALL))).toEqual(whole);
    expect(readFileSync(join(job.folder, name))).toEqual(files.get(name));
    expect(found()).toEqual([]);
  });

  test("makes everything again but the manifest, if all parts are gone", async () => {
    for (const name of files.keys()) if (name !== "manifest.json") rmSync(join(job.folder, name));
    expect(await finished(job.run(SMALL))).toEqual(whole);
    for (const [name, bytes] of files) expect(readFileSync(join(job.folder, name)), name).toEqual(bytes);
  });

  test("of a job on which a process works is refused, and deletes nothing", async () => {
    const other = await newJob(MIXED);
    const part = join(other.folder, "parts/walk/0/0.part");
    const stop = new AbortController();
    const codes: unknown[] = [];
    const onProgress = () => {
      if (codes.length > 0 || !existsSync(part)) return;
      writeFileSync(part, "damaged");
      codes.push(codeOf(() => other.verify({ repair: true })));
      codes.push(other.verify().map(({ file }) => file));
      stop.abort();
    };
    await expect(other.run({ ...SMALL, onProgress, signal: stop.signal })).rejects.toThrow();
    expect(codes).toEqual(["file.busy", ["parts/walk/0/0.part"]]);
    expect(other.verify({ repair: true }).map(({ file }) => file)).toEqual(["parts/walk/0/0.part"]);
  });
});

describe("run", () => {
  test("makes parts again whose heads are damaged, also in a job that is not finished", async () => {
    const other = await newJob(MIXED);
    const stop = new AbortController();
    const running = other.run({
      ...SMALL,
      signal: stop.signal,
      onProgress: ({ phase }) => phase === "cells" && stop.abort(),
    });
    await expect(running).rejects.toThrow();
    for (const name of ["parts/walk/0/0.part", "parts/walk/0/1.part"])
      writeFileSync(join(other.folder, name), "damaged");
    rmSync(join(other.folder, "parts/layer/0/-1_-1.part"), { force: true });
    expect((await finished(other.run(SMALL))).digest).toBe(whole.digest);
  });

  test("names a part whose section is damaged when it reads it", async () => {
    const other = await newJob(MIXED);
    const stop = new AbortController();
    const running = other.run({
      ...SMALL,
      signal: stop.signal,
      onProgress: ({ phase }) => phase === "merge land" && stop.abort(),
    });
    await expect(running).rejects.toThrow();
    const path = join(other.folder, "parts/walk/0/0.part");
    const bytes = readFileSync(path);
    bytes[20] ^= 1;
    writeFileSync(path, bytes);
    await expect(other.run(SMALL)).rejects.toMatchObject({ code: "job.damaged", issues: [{ where: { file: path } }] });
    expect(other.verify({ repair: true }).map(({ file }) => file)).toEqual(["parts/walk/0/0.part"]);
    expect((await finished(other.run(SMALL))).digest).toBe(whole.digest);
  });
});

describe("a manifest", () => {
  test("that is damaged is named, and cannot be repaired", async () => {
    const bytes = Buffer.from(files.get("manifest.json") ?? []);
    bytes[bytes.length - 9] ^= 1;
    spoil("manifest.json", bytes);
    await expect(openJob(job.folder)).rejects.toMatchObject({
      code: "job.damaged",
      issues: [{ where: { file: `${job.folder}/manifest.json` }, message: expect.stringContaining("backup") }],
    });
    expect(job.verify({ repair: true }).map(({ file }) => file)).toEqual(["manifest.json"]);
    expect(statSync(join(job.folder, "manifest.json")).isFile()).toBe(true);
  });
});

test("a status of a damaged result is an error that names it", () => {
  spoil("result.json", Buffer.from("{}"));
  expect(refusalOf(() => job.status()).issues[0].where.file).toBe(`${job.folder}/result.json`);
});
