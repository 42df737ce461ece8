import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { RollmillError } from "../../src/errors/index.js";
import { putPart } from "../../src/jobs/folder/part.js";
import { checkedText, FolderStore } from "../../src/jobs/folder/store.js";
import { createJob, exportJob, type Job, type JobResult, openJob, startJob } from "../../src/jobs/index.js";
import { codeOf, refusalOf, rejectionOf } from "../refusal.js";
import { finished, SEED, SMALL } from "./samples.js";
import { type Prepared, prepare, runCase } from "./strangeFolders.mjs";

// a disk in memory flushes at once
const place = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const root = realpathSync(mkdtempSync(join(place, "rollmill-strange-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let prepared: Prepared;
beforeAll(async () => {
  prepared = await prepare({ createJob, openJob, exportJob, main, RollmillError }, root);
});

describe("strange folders (audit 1, audit 3, audit 21)", () => {
  test("every call on 40 of them ends in a result or an error with a code, and leaves other folders alone", async () => {
    for (let k = 0; k < 40; k++) expect(await runCase(prepared, { seed: 1, k }), `case ${k}`).toBeUndefined();
  });
});

/** A finished job, and a folder outside it with a file. */
interface Scene {
  readonly job: Job;
  readonly outside: string;
  readonly at: (name: string) => string;
}

const WORLD = {
  layers: [{ name: "land", preset: "uniform", walkers: 9, steps: 30 }],
  terrain: [{ terrain: "land" }],
} as const;

const WHOLE = join(root, "whole");

async function newScene(): Promise<Scene & { readonly result: JobResult }> {
  const place = mkdtempSync(join(root, "scene-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const outside = join(place, "outside");
  mkdirSync(join(outside, "0"), { recursive: true });
  writeFileSync(join(outside, "victim"), "victim");
  if (!existsSync(WHOLE)) await startJob(WHOLE, { world: WORLD }, { ...SMALL, seed: SEED });
  cpSync(WHOLE, join(place, "job"), { recursive: true });
  const job = await openJob(join(place, "job"));
  const files = { ...job.opened, store: new FolderStore(outside) };
  putPart(files, "0/0.part", [{ name: "0_0", bytes: new Uint8Array(9) }], () => ({ steps: 1 }));
  return { job, outside, at: (name) => join(job.folder, name), result: job.result ?? expect.unreachable() };
}

/** Changes a checked file, with a correct checksum. */
function reseal({ at }: Scene, name: string, change: object): void {
  const { sha256: _, ...value } = JSON.parse(readFileSync(at(name), "utf8"));
  writeFileSync(at(name), checkedText({ ...value, ...change }));
}

const placeOf = ({ issues: [{ code, where }] }: RollmillError) => ({ code, ...where });

describe("names and links that lead out of a job (audit 1)", () => {
  test.each(["../outside/victim", "/etc/hostname", "parts/../../outside/victim", "manifest.json", "exports/x"])(
    "verify --repair does not touch a file that a result names: %s",
    async (name) => {
      const scene = await newScene();
      reseal(scene, "result.json", { parts: { ...scene.result.parts, [name]: "0".repeat(64) } });
      const [{ file, issue }, ...rest] = scene.job.verify({ repair: true });
      expect([file, issue.code, rest]).toEqual(["result.json", "job.damaged", []]);
      expect(readFileSync(join(scene.outside, "victim"), "utf8")).toBe("victim");
      expect(existsSync(scene.at("manifest.json"))).toBe(true);
      expect(await finished(scene.job.run(SMALL))).toEqual(scene.result);
    },
  );

  test.each(["../outside/victim", "parts/walk/0/1.part", "parts/walk/0/0-1-1.part", "parts/walk/0/00-1-0.part"])(
    "a part whose further part has an impossible name is damaged: %s",
    async (name) => {
      const scene = await newScene();
      const meta = { steps: 0, further: [name] };
      putPart(scene.job.opened, "parts/walk/0/0.part", [], () => meta);
      expect(scene.job.verify({ repair: true }).map(({ file }) => file)).toEqual(["parts/walk/0/0.part"]);
      expect(existsSync(join(scene.outside, "victim"))).toBe(true);
      expect((await finished(scene.job.run(SMALL))).digest).toBe(scene.result.digest);
    },
  );

  test("a file in the folder of parts that the job does not have is not read, and clean leaves it", async () => {
    const { job, at } = await newScene();
    const others = ["parts/x.part", "parts/walk/0/99.part", "parts/walk/1/0.part", "parts/layer/0/0_00.part"];
    for (const name of others) {
      mkdirSync(join(at(name), ".."), { recursive: true });
      writeFileSync(at(name), "mine");
    }
    expect(job.verify({ repair: true })).toEqual([]);
    expect(job.clean()).toBeGreaterThan(0);
    expect(others.every((name) => existsSync(at(name)))).toBe(true);
  });

  test.each(["parts", "parts/walk", "parts/walk/0"])("clean and cancel do not follow a link: %s", async (name) => {
    const { job, at, outside } = await newScene();
    rmSync(at(name), { recursive: true });
    symlinkSync(outside, at(name));
    const deeper = codeOf(() => job.clean());
    expect(deeper).toBe(name === "parts" ? "job.damaged" : undefined);
    expect(codeOf(() => job.verify({ repair: true }))).toBe(undefined);
    await job.cancel();
    expect(existsSync(at("parts"))).toBe(false);
    expect(readdirSync(outside).sort()).toEqual(["0", "victim"]);
    expect(readdirSync(join(outside, "0"))).toEqual(["0.part"]);
  });

  test("a run writes nothing through a link, and names it", async () => {
    const { job, at, outside } = await newScene();
    rmSync(at("result.json"));
    rmSync(at("parts/cells"), { recursive: true });
    symlinkSync(outside, at("parts/cells"));
    expect(placeOf(await rejectionOf(job.run(SMALL)))).toEqual({ code: "job.damaged", file: at("parts/cells") });
    expect(readdirSync(outside).sort()).toEqual(["0", "victim"]);
  });

  test.each(["..", "../x", "parts/../../x", "/x", "a//b", "", ".", "a\\..\\b", "C:/x", "a\0"])(
    "the store refuses the name %j",
    (name) => {
      const store = new FolderStore(join(root, "store"));
      for (const call of [() => store.get(name), () => store.put(name, []), () => store.remove(name)]) {
        expect(codeOf(call)).toBe("job.damaged");
      }
      expect(existsSync(join(root, "store"))).toBe(false);
    },
  );

  test("the log is not written to a file with another name", async () => {
    const { job, at, outside } = await newScene();
    rmSync(at("events.ndjson"));
    linkSync(join(outside, "victim"), at("events.ndjson"));
    job.pause();
    expect(readFileSync(join(outside, "victim"), "utf8")).toBe("victim");
  });
});

describe("a manifest, control.json or lock from a stranger (audit 3)", () => {
  test.each([
    [{ shards: { land: 4e9 } }, "shards.land"],
    [{ shards: { land: -1 } }, "shards.land"],
    [{ shards: { land: 10 } }, "shards.land"],
    [{ shards: {} }, "shards.land"],
    [{ shards: null }, "shards"],
    [{ name: null }, "name"],
    [{ world: 5 }, "world"],
    [{ seed: {} }, "seed"],
    [{ now: "noon" }, "now"],
    [{ files: [] }, "files"],
    [{ main: "__proto__" }, "main"],
    [{ extent: { row0: 0, col0: 0, rows: 2 ** 31, cols: 2 ** 31 } }, "extent"],
    [{ extent: "grid" }, "extent"],
    [{ visits: ["sea"] }, "visits[0]"],
    [{ bulk: [{ name: "b", kind: "table", source: "x", count: 1, options: {} }] }, "bulk[0].table"],
    [{ bulk: [{ name: "b", kind: "recipe", source: "x", count: 2 ** 42, options: {} }] }, "bulk"],
    [{ bulk: { length: 1 } }, "bulk"],
    [{ exports: ["exe"] }, "exports[0]"],
    [{ order: 7 }, "order"],
    [{ more: 1 }, "more"],
  ])("a manifest with %j is refused when it is opened", async (change, path) => {
    const scene = await newScene();
    reseal(scene, "manifest.json", change);
    expect(placeOf(await rejectionOf(openJob(scene.job.folder)))).toMatchObject({ code: "job.damaged", path });
  });

  test.each([{ desired: "sleep" }, { generation: -1 }, { generation: 1e300 }, { failure: [] }])(
    "control.json with %j counts as damaged, and the job can be run",
    async (change) => {
      const scene = await newScene();
      reseal(scene, "control.json", change);
      expect(scene.job.verify().map(({ file }) => file)).toEqual(["control.json"]);
      expect(scene.job.status().state).toBe("finished");
    },
  );

  // Windows has no pipes that are files
  test.skipIf(process.platform === "win32").each([
    ["manifest.json", "file.read"],
    ["result.json", "file.read"],
    ["control.json", "file.read"],
    ["parts/cells/0_0.part", undefined],
    ["events.ndjson", undefined],
    ["runner.lock/owner.json", undefined],
  ])("a pipe in place of %s does not wait for ever", async (name, code) => {
    const { job, at } = await newScene();
    rmSync(at(name), { force: true });
    mkdirSync(join(at(name), ".."), { recursive: true });
    execFileSync("mkfifo", [at(name)]);
    const opened = await openJob(job.folder).catch((cause: RollmillError) => cause);
    expect(opened instanceof RollmillError ? opened.code : codeOf(() => opened.status())).toBe(code);
  });

  test("a file that is too large is refused before it is read", async () => {
    const { job, at } = await newScene();
    execFileSync("truncate", ["-s", "1T", at("manifest.json")]);
    expect((await rejectionOf(openJob(job.folder))).code).toBe("file.read");
    execFileSync("truncate", ["-s", "1T", at("parts/walk/0/0.part")]);
    expect(job.verify().map(({ file }) => file)).toContain("parts/walk/0/0.part");
  });
});

describe("links in exports (audit 21)", () => {
  test.each([
    ["exports/preview.png", "png"],
    ["exports/tiles/0", "tiles"],
    ["exports/map.zarr/terrain/c", "zarr"],
    ["exports", "csv"],
  ] as const)("an export does not write through %s", async (name, kind) => {
    const { job, at, outside } = await newScene();
    mkdirSync(join(at(name), ".."), { recursive: true });
    symlinkSync(name.endsWith(".png") ? join(outside, "victim") : outside, at(name));
    expect(placeOf(await rejectionOf(exportJob(job, kind)))).toEqual({ code: "job.damaged", file: at(name) });
    expect(job.status().exports.every(({ done }) => !done)).toBe(true);
    expect(readFileSync(join(outside, "victim"), "utf8")).toBe("victim");
    expect(readdirSync(outside).sort()).toEqual(["0", "victim"]);
  });
});

describe("a result or a head from a stranger (audit 21)", () => {
  test.each([
    [{ totals: null }, "totals"],
    [{ totals: { cells: 1, steps: 1, terrain: {}, placements: {} } }, "totals.terrain.land"],
    [{ extent: null }, "extent"],
    [{ extent: { row0: 0, col0: 0, rows: 2 ** 31, cols: 2 ** 31 } }, "extent"],
    [{ extent: { row0: 0.5, col0: 0, rows: -1, cols: 1 } }, "extent.row0"],
    [{ digest: "x" }, "digest"],
    [{ parts: {} }, "parts.parts/cells/-1_-1.part"],
    [{ bulk: [] }, "bulk"],
  ])("a result with %j is damaged", async (change, path) => {
    const scene = await newScene();
    reseal(scene, "result.json", change);
    expect(placeOf(refusalOf(() => scene.job.status()))).toMatchObject({ code: "job.damaged", path });
    expect((await rejectionOf(exportJob(scene.job, "report"))).code).toBe("job.damaged");
    expect(scene.job.verify().map(({ file }) => file)).toEqual(["result.json"]);
  });

  test.each(["[]", "{}", "null", "5"])("a result that is only %s is damaged", async (text) => {
    const { job, at } = await newScene();
    writeFileSync(at("result.json"), checkedText(JSON.parse(text) ?? {}));
    expect(codeOf(() => job.status())).toBe("job.damaged");
  });

  test.each([
    ["parts/walk/0/0.part", { steps: -1, further: [] }, "0_0"],
    ["parts/walk/0/0.part", { steps: 1, further: null }, "0_0"],
    ["parts/walk/0/0.part", { steps: 1, further: [] }, "0_1e9"],
    ["parts/walk/0/0.part", null, "0_0"],
    ["parts/layer/0/0_0.part", { bounds: [1, 2, 3] }, "chunks"],
    ["parts/layer/0/0_0.part", { bounds: [4, 0, 3, 0] }, "chunks"],
    ["parts/cells/0_0.part", { rows: 1e9 }, "terrain"],
    ["parts/cells/0_0.part", [], "terrain"],
  ])("a head of %s with %j is damaged, and is made again", async (name, meta, section) => {
    const { job, result } = await newScene();
    putPart(job.opened, name, [{ name: section, bytes: new Uint8Array(4) }], () => meta as object);
    expect(job.verify({ repair: true }).map(({ file }) => file)).toEqual([name]);
    expect((await finished(job.run(SMALL))).digest).toBe(result.digest);
  });
});

describe("a part that is a link (audit 4)", () => {
  test("is not done: status says so, and a run replaces the link by a part", async () => {
    const { job, at, outside, result } = await newScene();
    const part = readFileSync(at("parts/walk/0/0.part"));
    writeFileSync(join(outside, "copy"), part);
    rmSync(at("result.json"));
    rmSync(at("parts/walk/0/0.part"));
    symlinkSync(join(outside, "copy"), at("parts/walk/0/0.part"));
    expect(job.status().phases[0]).toMatchObject({ name: "walk land", done: 7, tasks: 8 });
    const begun: number[] = [];
    await job.run({ ...SMALL, onProgress: ({ phase, done }) => phase === "walk land" && begun.push(done) });
    expect(begun).toEqual([7, 8]);
    expect(job.result?.digest).toBe(result.digest);
    expect(readFileSync(join(outside, "copy"))).toEqual(part);
  });
});
