import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { durationText, jobReporter, jobWindow, percentText } from "../../src/cli/job/progress.js";
import { addressText } from "../../src/cli/job/queue.js";
import { processIo } from "../../src/cli/processIo.js";
import type { Signal } from "../../src/cli/shared/io.js";
import { bytesOf, bytesText } from "../../src/cli/shared/options.js";
import { openJob } from "../../src/jobs/index.js";
import { BIN, dataOf, folderWith, type Outcome, rollmill, type Setup } from "./rollmill.js";

const WORLD = {
  layers: [{ name: "land", preset: "five-ways", walkers: 10, steps: 3000 }],
  terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
  placements: [{ name: "tree", density: "1/50" }],
};
const SPEC = { name: "isle", world: "world.json" };
/** A thousand short tasks: the first one ends soon, and the last one does not. */
const LONG = {
  name: "long",
  world: { layers: [{ name: "land", preset: "uniform", steps: 64, scatter: { walkers: 1 } }] },
  extent: { row0: 0, col0: 0, rows: 32_768, cols: 32_768 },
  visits: [],
};

function newCwd(): string {
  const cwd = folderWith({
    "job.json": JSON.stringify(SPEC),
    "world.json": JSON.stringify(WORLD),
    "long.json": JSON.stringify(LONG),
  });
  return cwd;
}

const run = (line: string, setup: Setup): Promise<Outcome> => rollmill(["job", ...line.split(" ")], setup);
const start = (cwd: string, more = "") => run(`start job.json out --seed moria --threads 1${more}`, { cwd });

describe("start", () => {
  test("prints where the exports are and which of them failed; resume tries these again", async () => {
    const cwd = folderWith({ "job.json": JSON.stringify({ ...SPEC, world: WORLD, exports: ["png", "csv"] }) });
    // a file cannot replace a folder
    mkdirSync(join(cwd, "out", "exports", "preview.png"), { recursive: true });
    const made = await start(cwd);
    expect(made.code, made.stderr).toBe(0);
    expect(made.stderr).toContain(
      "png failed: events.ndjson in out has the reason; rollmill job resume out tries again\n",
    );
    expect(made.stderr).toContain(`csv: ${join("out", "exports", "placements.csv")}\n`);
    rmSync(join(cwd, "out", "exports", "preview.png"), { recursive: true });
    const again = await run("resume out --threads 1", { cwd });
    expect([again.code, again.stdout]).toEqual([0, made.stdout]);
    expect(again.stderr).toContain(`png: ${join("out", "exports", "preview.png")}\n`);
  });

  test("and resume refuse more memory than the machine has, without --yes", async () => {
    const cwd = newCwd();
    const most = " --max-memory 999999g";
    expect((await start(cwd, most)).stderr).toContain("[job.space]");
    expect((await start(cwd, " --no-run")).code).toBe(0);
    expect((await run(`resume out --threads 1${most}`, { cwd })).stderr).toContain("[job.space]");
    expect((await run(`resume out --threads 1${most} --yes`, { cwd })).code).toBe(0);
  });

  test("and resume warn if the threads have too little memory for the maps around a sector", async () => {
    const land = { name: "land", preset: "uniform", steps: 3000, scatter: { walkers: 1 } };
    const extent = { row0: 0, col0: 0, rows: 4, cols: 4 };
    const cwd = folderWith({ "job.json": JSON.stringify({ world: { layers: [land] }, extent }) });
    const show = await run("show job.json", { cwd });
    expect(show.stdout).toMatch(/\nmemory\tabout \d+ MiB for each thread\n/);
    const little = await start(cwd, " --max-memory 64m");
    expect(little.code, little.stderr).toBe(0);
    expect(little.stderr).toMatch(/warning: each thread has 64 MiB, .* Use --max-memory \d+m\n/s);
    rmSync(join(cwd, "out"), { recursive: true });
    expect((await start(cwd)).stderr).not.toContain("warning");
  });

  test("prints the digest and the totals; status, resume and world window agree", async () => {
    const cwd = newCwd();
    const { code, stdout, stderr } = await start(cwd);
    expect(code, stderr).toBe(0);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(rows.map(([name]) => name)).toEqual([
      "digest",
      "world",
      "window",
      "cells",
      "steps",
      "terrain",
      "terrain",
      "placement",
    ]);
    expect(stderr).toMatch(
      /^job {2}isle\n(?:.*\n)*walk land: 8 of 8 tasks, .*\n(?:.*\n)*cells: (\d+) of \1 tasks, 100\.0% of the job/m,
    );
    expect(stderr).toMatch(/\d s: 30K steps \(.*\/s\), .* cells \(.*\/s\)\n/);
    expect(stderr).toContain("next: rollmill job verify out");
    expect(stderr).not.toContain("seed:");
    const window = rows[2][1].replaceAll(" ", ",");
    const made = await rollmill(["world", "window", "world.json", "--seed", "moria", "--window", window, "--digest"], {
      cwd,
    });
    expect(made.stdout).toContain(`digest\t${rows[1][1]}\n`);
    expect((await run("status out", { cwd })).stdout).toBe(`job\tisle\nseed\tmoria\nstate\tfinished\n${stdout}`);
    const again = await run("resume out --threads 1", { cwd });
    expect([again.code, again.stdout]).toEqual([0, stdout]);
    expect(again.stderr).toContain("finished already");
  });

  test("chooses a seed and prints it, takes that of the spec, or that of the command line", async () => {
    const cwd = newCwd();
    const chosen = await run("start job.json a --threads 1", { cwd });
    const [, seed] = /^seed: (\w+)$/m.exec(chosen.stderr) ?? [];
    expect((await openJob(join(cwd, "a"))).seed).toBe(seed);
    const again = await run(`start job.json b --threads 1 --seed ${seed} --order row --max-memory 64m`, { cwd });
    expect(again.stdout).toBe(chosen.stdout);
    writeFileSync(join(cwd, "seeded.json"), JSON.stringify({ world: WORLD, seed: 7 }));
    expect((await run("start seeded.json c --no-run", { cwd })).stderr).not.toContain("seed:");
    expect((await openJob(join(cwd, "c"))).seed).toBe("7");
  });

  test("in a folder with a job says what is there, and which command goes on", async () => {
    const cwd = newCwd();
    await start(cwd, " --no-run");
    const stopped = await start(cwd);
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toMatch(/"isle", stopped at 0\.0%.*rollmill job resume out.*\[job\.exists\]\n$/);
    await run("resume out --threads 1", { cwd });
    expect((await start(cwd)).stderr).toMatch(/"isle", finished\. .*rollmill job status out/);
  });

  test("checks disk and memory first, and --yes starts anyway", async () => {
    const cwd = newCwd();
    const refused = await start(cwd, " --max-memory 4096t");
    expect([refused.code, existsSync(join(cwd, "out"))]).toEqual([1, false]);
    expect(refused.stderr).toMatch(/--yes starts anyway.*\[job\.space\]/);
    expect((await start(cwd, " --max-memory 4096t --yes")).code).toBe(0);
  });

  test("and resume refuse too little memory for the threads before they write anything", async () => {
    const cwd = newCwd();
    const little = " --threads 8 --max-memory 64m";
    const refused = await start(cwd, little);
    expect(refused.stderr).toContain("[argument.range]");
    expect(existsSync(join(cwd, "out"))).toBe(false);
    await start(cwd, " --no-run");
    (await openJob(join(cwd, "out"))).pause();
    expect((await run(`resume out${little}`, { cwd })).stderr).toContain("[argument.range]");
    expect((await openJob(join(cwd, "out"))).status().state).toBe("paused");
  });

  test.each([
    ["start job.json out --max-memory 5", "cli.usage"],
    ["start job.json out --max-memory lots", "cli.usage"],
    ["start job.json out --threads 0", "cli.usage"],
    ["start job.json out --order spiral", "cli.usage"],
    ["start job.json", "cli.usage"],
    ["start absent.json out", "file.read"],
    ["start bad.json out", "job.spec"],
    ["start outside.json out", "job.spec"],
    ["resume absent", "job.missing"],
    ["status absent", "job.missing"],
    ["work absent --task 0", "job.missing"],
  ])("%s: exit 2 with %s", async (line, code) => {
    const cwd = newCwd();
    writeFileSync(join(cwd, "bad.json"), '{"world": 5}');
    writeFileSync(join(cwd, "outside.json"), '{"world": "../world.json"}');
    const found = await run(line, { cwd });
    expect([found.code, found.stdout]).toEqual([2, ""]);
    expect(found.stderr).toContain(`[${code}]`);
    expect(existsSync(join(cwd, "out"))).toBe(false);
  });
});

describe("a printed command (audit 4b)", () => {
  const NAME = `$(touch ran) \`touch ran\` it's "a" \\; touch ran #`;

  /** Returns the words that a shell passes to `rollmill`, for each printed command. Runs them in a shell. */
  function wordsOf(text: string, cwd: string): string[][] {
    const commands = [...text.matchAll(/rollmill (job .*?)(?:`,.*)?$/gm)].map(([, words]) => words);
    const script = commands.map((words) => `rollmill ${words}\necho`).join("\n");
    const printed = execFileSync("sh", ["-c", `rollmill() { printf '%s\\n' "$@"; }\n${script}`], { cwd });
    return printed
      .toString()
      .trimEnd()
      .split("\n\n")
      .map((words) => words.split("\n"));
  }

  test.runIf(process.platform !== "win32")("runs nothing but itself, whatever the names of folders", async () => {
    const world = { layers: [{ ...WORLD.layers[0], name: NAME }] };
    const cwd = folderWith({ "job.json": JSON.stringify({ world }) });
    const job = (...words: string[]) => rollmill(["job", ...words], { cwd });
    const texts = [
      (await job("start", "job.json", NAME, "--no-run", "--seed", "a")).stderr,
      (await job("start", "job.json", NAME)).stderr,
      (await job("status", NAME)).stderr,
      (await job("resume", NAME, "--threads", "1")).stderr,
    ];
    const words = texts.map((text) => wordsOf(text, cwd));
    expect(words).toEqual([
      [
        ["job", "resume", NAME],
        ["job", "work", NAME, "--phase", `walk ${NAME}`, "--task", "K"],
      ],
      [["job", "resume", NAME]],
      [["job", "resume", NAME]],
      [
        ["job", "verify", NAME],
        ["job", "clean", NAME],
      ],
    ]);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    const flags = { redis: `redis://h/${NAME}`, prefix: NAME };
    expect(wordsOf(`rollmill job worker ${addressText(flags)}`, cwd)[0].slice(-2)).toEqual(["--prefix", NAME]);
  });
});

describe("show", () => {
  test("prints phases and needs, as text and as JSON", async () => {
    const cwd = newCwd();
    const { stdout } = await run("show job.json", { cwd });
    expect(stdout).toMatch(
      /^job\tisle\ncells\t.*\nsteps\tabout 30K\ndisk\tabout .*\ntime\tabout .* for one thread\nphase\twalk land\t8 tasks\n/,
    );
    const data = dataOf((await run("show job.json --json", { cwd })).stdout);
    expect(data).toMatchObject({
      cells: null,
      steps: 30_000,
      phases: [{ name: "walk land", tasks: 8 }, { tasks: null }, { tasks: null }],
    });
  });
});

describe("pause, signals and status", () => {
  async function untilFirstPart(cwd: string): Promise<void> {
    const parts = join(cwd, "out/parts/cells");
    while (!existsSync(parts) || !readdirSync(parts).some((name) => name.endsWith(".part"))) await delay(5);
  }

  /** Starts a long job, and calls `act` when its first task is done. */
  async function whileRunning(
    cwd: string,
    act: (send: (signal: Signal) => void) => Promise<void>,
    setup: Setup = {},
  ): Promise<Outcome> {
    let send: (signal: Signal) => void = () => undefined;
    const signals = (listener: (signal: Signal) => void) => {
      send = listener;
      return () => undefined;
    };
    const running = run("start long.json out --seed a --threads 1", { cwd, signals, ...setup });
    await untilFirstPart(cwd);
    await act((signal) => send(signal));
    return running;
  }

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s pauses; the exit code is %i, and stderr says how to go on (audit 19)", async (signal, code) => {
    const cwd = newCwd();
    const ended = await whileRunning(cwd, async (send) => send(signal));
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toMatch(
      // without a terminal, progress is a line now and then
      /pausing; a second signal ends the process at once\n(?:.+\n)*paused at \d+\.\d%; to go on: rollmill job resume out\n$/,
    );
    const { state, phases } = (await openJob(join(cwd, "out"))).status();
    expect([state, Number(phases[0].done) > 0]).toEqual(["paused", true]);
  });

  test("pause of another command stops the run with exit 1; status follows", async () => {
    const cwd = newCwd();
    const ended = await whileRunning(cwd, async () => {
      expect((await run("status out", { cwd })).stdout).toMatch(
        /^job\tlong\nseed\ta\nstate\trunning\ndone\t\d+\.\d%\n(?:left\tabout .+\n)?phase\tcells\t\d+ of \d+ tasks\n/,
      );
      const watched = run("status out --watch", { cwd });
      const paused = await run("pause out", { cwd });
      expect(paused.stderr).toMatch(/^paused at .*rollmill job resume out\n$/);
      expect((await watched).stdout).toContain("state\tpaused");
    });
    expect([ended.code, ended.stderr.includes("to go on: rollmill job resume out")]).toEqual([1, true]);
    expect(dataOf((await run("status out --json", { cwd })).stdout)).toMatchObject({ state: "paused", result: null });
    expect((await run("pause out", { cwd })).stderr).toMatch(/^nobody works on the job: "long", paused at/);
  });

  test("cancel of another command stops the run and deletes the files", async () => {
    const cwd = newCwd();
    const ended = await whileRunning(cwd, async () => {
      expect((await run("cancel out --yes", { cwd })).code).toBe(0);
    });
    expect([ended.code, ended.stderr.includes("was cancelled by another process")]).toEqual([1, true]);
    expect(readdirSync(join(cwd, "out"))).toEqual([]);
  });

  test("verify --repair of a running job is refused", async () => {
    const cwd = newCwd();
    await whileRunning(cwd, async (send) => {
      const found = await run("verify out --repair", { cwd });
      expect([found.code, found.stderr.includes("[file.busy]")]).toEqual([1, true]);
      send("SIGINT");
    });
  });

  test("a terminal gets a bar with phase, percent and rate", async () => {
    const cwd = newCwd();
    const bar = /cells .*\d\.\d%.*left/s;
    let shown = "";
    const { stderr } = await whileRunning(
      cwd,
      async (send) => {
        while (!bar.test(shown)) await delay(20);
        send("SIGINT");
      },
      {
        terminal: true,
        onStderr: (text) => {
          shown = text;
        },
      },
    );
    expect(stderr).toMatch(bar);
  });

  test.runIf(process.platform !== "win32")("the built command pauses by a signal, and leaves no lock", async () => {
    const cwd = newCwd();
    const started = spawn(
      process.execPath,
      [BIN, "job", "start", "long.json", "out", "--seed", "a", "--threads", "1"],
      { cwd },
    );
    const ended = once(started, "close");
    await untilFirstPart(cwd);
    started.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(readdirSync(join(cwd, "out")).filter((name) => /lock|rollmill/.test(name))).toEqual([]);
  });
});

describe("cancel", () => {
  test("asks on a terminal, and needs --yes elsewhere", async () => {
    const cwd = newCwd();
    await start(cwd);
    const asked = { cwd, terminal: true, keyboard: true };
    const refused = await run("cancel out", { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Add --yes")]);
    for (const input of ["n\n", "", "\n", "maybe\n"]) {
      const kept = await run("cancel out", { ...asked, input });
      expect([kept.code, kept.stderr]).toEqual([0, expect.stringContaining("nothing is deleted")]);
    }
    expect(existsSync(join(cwd, "out/result.json"))).toBe(true);
    expect((await run("cancel out", { ...asked, input: "yes\n" })).stderr).toContain(
      'deleted the job "isle", finished',
    );
    expect(readdirSync(join(cwd, "out"))).toEqual([]);
  });
});

describe("verify and clean", () => {
  test("verify names each damaged file; --repair restores the digest", async () => {
    const cwd = newCwd();
    const { stdout } = await start(cwd);
    const digest = stdout.slice("digest\t".length, stdout.indexOf("\n"));
    const good = await run("verify out", { cwd });
    expect([good.code, good.stdout, good.stderr]).toEqual([0, "", `no file is damaged; digest ${digest}\n`]);
    const cells = readdirSync(join(cwd, "out/parts/cells")).sort();
    const path = join(cwd, "out/parts/cells", cells[0]);
    const bytes = readFileSync(path);
    bytes[99] ^= 1;
    writeFileSync(path, bytes);
    rmSync(join(cwd, "out/parts/cells", cells[1]));
    const bad = await run("verify out", { cwd });
    expect(bad.code).toBe(1);
    expect(bad.stdout.match(/^.*parts\/cells\/\S+: .*\[job\.damaged\]$/gm)).toHaveLength(2);
    expect(bad.stderr).toContain("rollmill job verify out --repair");
    const listed = await run("verify out --json", { cwd });
    expect([listed.code, dataOf(listed.stdout).length]).toEqual([1, 2]);
    const repaired = await run("verify out --repair --threads 1", { cwd });
    expect([repaired.code, repaired.stderr]).toEqual([
      0,
      expect.stringContaining(`the digest is restored: ${digest}\n`),
    ]);
    expect((await run("verify out", { cwd })).code).toBe(0);
  });

  test("repair of a job that is not finished says how to go on; a damaged result is made again", async () => {
    const cwd = newCwd();
    await start(cwd, " --no-run");
    await run("work out --task 3", { cwd });
    writeFileSync(join(cwd, "out/parts/walk/0/3.part"), "damaged");
    const repaired = await run("verify out --repair", { cwd });
    expect([repaired.code, repaired.stderr]).toEqual([0, expect.stringContaining("rollmill job resume out")]);
    const { stdout } = await run("resume out --threads 1", { cwd });
    writeFileSync(join(cwd, "out/result.json"), "damaged");
    expect((await run("status out", { cwd })).code).toBe(1);
    const again = await run("verify out --repair --threads 1", { cwd });
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("made again; the digest is ")]);
    expect((await run("resume out", { cwd })).stdout).toBe(stdout);
  });

  test("a damaged manifest is an error with a remedy", async () => {
    const cwd = newCwd();
    await start(cwd, " --no-run");
    writeFileSync(join(cwd, "out/manifest.json"), "{}");
    for (const line of ["verify out --repair", "status out", "resume out"]) {
      const found = await run(line, { cwd });
      expect([found.code, found.stderr]).toEqual([
        1,
        expect.stringMatching(/manifest\.json: .*backup.*\[job\.damaged\]/),
      ]);
    }
  });

  test("clean needs a finished job, and prints what it freed", async () => {
    const cwd = newCwd();
    await start(cwd, " --no-run");
    const early = await run("clean out", { cwd });
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("[job.task]")]);
    await run("resume out --threads 1", { cwd });
    const statusOf = async () => dataOf((await run("status out --json", { cwd })).stdout);
    const [walk, cells] = [
      { name: "walk land", done: 8, tasks: 8 },
      { name: "cells", done: 4, tasks: 4 },
    ];
    const status = await statusOf();
    expect(status).toMatchObject({ share: 1, phases: [walk, { name: "merge land", done: 4, tasks: 4 }, cells] });
    expect((await run("clean out", { cwd })).stderr).toMatch(/^deleted [\d.]+ KiB; /);
    // only the deleted parts tell how many tasks the merge had
    expect((await statusOf()).phases).toEqual([walk, { name: "merge land", done: null, tasks: null }, cells]);
    expect((await run("verify out", { cwd })).code).toBe(0);
  });
});

describe("work", () => {
  test("does one task; the last one finishes the job", async () => {
    const cwd = newCwd();
    const { stdout } = await start(cwd);
    await run("start job.json array --seed moria --no-run", { cwd });
    const outside = await run("work array --task 99", { cwd });
    expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining("[argument.range]")]);
    const early = await run("work array --phase cells --task 0", { cwd });
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("[job.task]")]);
    let last = "";
    for (const name of ["walk land", "merge land", "cells"]) {
      const { phases } = dataOf((await run("status array --json", { cwd })).stdout);
      const { tasks } = phases.find((phase: { name: string }) => phase.name === name);
      for (let k = tasks - 1; k >= 0; k--) {
        const done = await rollmill(
          ["job", "work", "array", "--phase", name, "--task", `${k}`, "--max-memory", "64m"],
          { cwd },
        );
        expect(done.code, done.stderr).toBe(0);
        last = done.stderr;
      }
    }
    expect(last).toBe("the job is finished; see it with: rollmill job status array\n");
    expect((await run("resume array", { cwd })).stdout).toBe(stdout);
  });
});

describe("texts", () => {
  test("sizes in bytes are read and printed", () => {
    const read = bytesOf(2 ** 20);
    const sizes = {
      "256m": 2 ** 28,
      "1.5G": 3 * 2 ** 29,
      "2GiB": 2 ** 31,
      "1 mb": 2 ** 20,
      "1048576": 2 ** 20,
      "1t": 2 ** 40,
    };
    for (const [text, bytes] of Object.entries(sizes)) expect(read(text), text).toBe(bytes);
    for (const text of ["", "m", "-1m", "1e9", "1x", "1k", "0x10", "9999999t", "1.0000001m"])
      expect(() => read(text), text).toThrow("256m");
    expect([0, 1000, 2 ** 20, 1.5 * 2 ** 30, 2 ** 50].map(bytesText)).toEqual([
      "0 bytes",
      "1000 bytes",
      "1 MiB",
      "1.5 GiB",
      "1020 TiB",
    ]);
  });

  test("percents round down, and times have two units", () => {
    expect([0, 0.99999, 1, 0.4321].map(percentText)).toEqual(["0.0", "99.9", "100.0", "43.2"]);
    expect([0.4, 59, 60, 190, 7500].map(durationText)).toEqual(["0 s", "59 s", "1 min 0 s", "3 min 10 s", "2 h 5 min"]);
  });

  test("rate and remaining time are those of the last 30 seconds", () => {
    const window = jobWindow();
    expect(window.speed(0)).toEqual({ rate: undefined, seconds: undefined });
    // 10 a second for a minute, then 1 a second for half a minute
    for (let s = 0; s <= 60; s++) window.add(s * 1000, { phase: "walk", amount: s * 10, share: s / 1000 });
    expect(window.speed(60_000)).toEqual({ rate: expect.closeTo(10), seconds: expect.closeTo(940) });
    for (let s = 61; s <= 90; s++)
      window.add(s * 1000, { phase: "walk", amount: 600 + s - 60, share: 0.06 + (s - 60) / 10_000 });
    expect(window.speed(90_000)).toEqual({ rate: expect.closeTo(1), seconds: expect.closeTo(9370) });
    // another phase has its own rate; a task that takes long makes both slower
    window.add(91_000, { phase: "cells", amount: 0, share: 0.0631 });
    expect(window.speed(91_000).rate).toBeUndefined();
    expect(window.speed(121_000).seconds).toBeGreaterThan(9370);
  });

  test("without a terminal, a line appears every 30 seconds, and at the end of each phase", () => {
    let nowMs = 0;
    const lines: string[] = [];
    const stderr = { write: (text: string) => lines.push(text) };
    const io = { ...processIo(), stderr } as unknown as ReturnType<typeof processIo>;
    const { onProgress, stop } = jobReporter(io, () => nowMs);
    for (let done = 0; done <= 100; done++, nowMs += 1000) {
      onProgress({
        phase: "cells",
        done,
        tasks: 100,
        amount: done * 50,
        total: 5000,
        unit: "cells",
        share: done / 100,
        seconds: undefined,
        waits: undefined,
      });
    }
    expect(lines.map((line) => line.split(",")[0])).toEqual([
      "cells: 30 of 100 tasks",
      "cells: 60 of 100 tasks",
      "cells: 90 of 100 tasks",
      "cells: 100 of 100 tasks",
    ]);
    expect(lines[0]).toBe("cells: 30 of 100 tasks, 30.0% of the job, 50 cells/s, about 1 min 10 s left\n");
    expect(stop()).toEqual({ seconds: 101, amounts: { cells: 5000 } });
  });
});
