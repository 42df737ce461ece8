import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CONTROL, readControl } from "../../src/jobs/folder/control.js";
import { isBetween } from "../../src/jobs/folder/limits.js";
import { putChecked } from "../../src/jobs/folder/store.js";
import { createJob, type Job, type JobProgress } from "../../src/jobs/index.js";
import { ASK_MS, type Machine, Throttle } from "../../src/jobs/runner/throttle.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { randomFrom } from "./kills.mjs";
import { SMALL } from "./samples.js";

const MINUTE = 60_000;

/** A machine whose clock and load the test sets. Every running task uses a core. */
class FakeMachine implements Machine {
  cores = 2;
  now = 0;
  used = 0;
  average = 0;
  date = new Date(2026, 10, 26, 12, 0);
  nowMs = () => this.now;
  usedMs = () => this.used;
  load = () => this.average;
  localTime = () => this.date;
}

/** Runs tasks of random lengths on threads for some minutes; returns the processor time of each 20 milliseconds. */
function simulate(
  { cores, threads, load, longestMs, minutes }: Readonly<Record<string, number>>,
  random: () => number,
) {
  const machine = new FakeMachine();
  machine.cores = cores;
  const throttle = new Throttle(threads, machine);
  throttle.look({ load });
  const ends = Array<number>(threads).fill(0);
  const used: number[] = [];
  for (; machine.now < minutes * MINUTE; machine.now += ASK_MS) {
    for (const [t, end] of ends.entries()) {
      throttle.running = ends.filter((other) => other > machine.now).length;
      if (end <= machine.now && throttle.mayBegin()) ends[t] = machine.now + Math.ceil(random() * longestMs);
    }
    used.push(ends.filter((end) => end > machine.now).length * ASK_MS);
    machine.used += used.at(-1) as number;
  }
  return used;
}

describe("the limit of the load", () => {
  test("is kept within 5 points in every minute, whatever the tasks, threads and cores", () => {
    for (let seed = 0; seed < (IS_SOAK ? 500 : 60); seed++) {
      const random = randomFrom(seed);
      const pick = (most: number) => 1 + Math.floor(random() * most);
      const sample = { cores: pick(8), threads: pick(8), load: pick(100) / 100, longestMs: pick(4000), minutes: 5 };
      const used = simulate(sample, random);
      const wanted = Math.min(sample.threads, sample.load * sample.cores) / sample.cores;
      const perMinute = MINUTE / ASK_MS;
      for (let from = perMinute / 2; from + perMinute <= used.length; from += 500) {
        const sum = used.slice(from, from + perMinute).reduce((a, b) => a + b, 0);
        expect(Math.abs(sum / MINUTE / sample.cores - wanted), JSON.stringify(sample)).toBeLessThan(0.05);
      }
    }
  });

  test("does not hold back a job without a limit, and says what it is", () => {
    const used = simulate({ cores: 2, threads: 3, load: 1, longestMs: 500, minutes: 1 }, randomFrom(1));
    expect(new Set(used)).toEqual(new Set([3 * ASK_MS]));
    const throttle = new Throttle(2, new FakeMachine());
    expect(throttle.reason).toBeUndefined();
    throttle.look({ load: 0.125 });
    expect(throttle.reason).toBe("pauses: at most 12.5% of the cores");
  });
});

describe("the hours", () => {
  const text = (minute: number) => new Date(2026, 0, 5, 0, minute).toTimeString().slice(0, 5);

  test("contain each minute from the first to the one before the last, over midnight too", () => {
    const random = randomFrom(7);
    for (let n = 0; n < 50; n++) {
      const [from, to] = [0, 1].map(() => Math.floor(random() * 1440));
      if (from === to) continue;
      const inside = new Set<number>();
      for (let minute = from; minute !== to; minute = (minute + 1) % 1440) inside.add(minute);
      for (let minute = 0; minute < 1440; minute += 7) {
        const clock = new Date(2026, 0, 5, 0, minute, 59);
        expect(isBetween(`${text(from)}-${text(to)}`, clock)).toBe(inside.has(minute));
      }
    }
  });
});

describe("a wait", () => {
  test("begins and ends with the hours and with the load of other programs, and is told once", () => {
    const machine = new FakeMachine();
    const throttle = new Throttle(2, machine);
    const told: (string | undefined)[] = [];
    throttle.onWait.push((reason) => told.push(reason));
    const limits = { between: "22:00-06:00", pauseAbove: 1 };
    const look = (seconds: number) => {
      for (let n = 0; n < seconds; n++, machine.now += 1000) throttle.look(limits);
    };
    look(20);
    expect(throttle.mayBegin()).toBe(false);
    machine.date = new Date(2026, 10, 26, 22, 0);
    look(20);
    expect(throttle.mayBegin()).toBe(true);
    machine.average = 3;
    look(20);
    expect(throttle.mayBegin()).toBe(false);
    machine.average = 0.5;
    look(20);
    machine.date = new Date(2026, 10, 27, 6, 0);
    look(1);
    expect(told).toEqual([
      "waits until 22:00: works only between 22:00-06:00",
      undefined,
      "waits: the load of other programs is 3.0, above 1",
      undefined,
      "waits until 22:00: works only between 22:00-06:00",
    ]);
  });

  test("does not begin because of the own tasks", () => {
    const machine = new FakeMachine();
    const throttle = new Throttle(2, machine);
    throttle.running = 2;
    for (let seconds = 0; seconds < 600; seconds += 5, machine.now += 5000) {
      throttle.look({ pauseAbove: 0.5 });
      expect(throttle.mayBegin()).toBe(true);
      machine.average = machine.average * Math.exp(-5 / 60) + 2 * (1 - Math.exp(-5 / 60));
    }
  });

  test("ends at once when the signal is aborted", async () => {
    const throttle = new Throttle(1, new FakeMachine());
    throttle.look({ between: "22:00-06:00" });
    const stop = new AbortController();
    const waiting = throttle.untilFree(stop.signal);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

const ISLE = {
  name: "isle",
  world: { name: "isle", layers: [{ name: "land", preset: "five-ways", walkers: 9, steps: 100 }] },
} as const;

function newJob(): Promise<Job> {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-throttle-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return createJob(join(folder, "job"), ISLE, { seed: "moria" });
}

afterEach(() => {
  vi.useRealTimers();
});

async function until(isReached: () => boolean): Promise<void> {
  for (let looks = 0; looks < 400 && !isReached(); looks++) await wait(5);
  expect(isReached()).toBe(true);
}

describe("a job", () => {
  test("waits until its hours begin, or until its limits change, and says why; the digest is the same", async () => {
    const wanted = await (await newJob()).run(SMALL);
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 10, 26, 12, 0) });
    const ends: ((job: Job) => void)[] = [
      () => vi.setSystemTime(new Date(2026, 10, 26, 23, 0)),
      (job) => job.set({ between: null }),
    ];
    for (const end of ends) {
      vi.setSystemTime(new Date(2026, 10, 26, 12, 0));
      const job = await newJob();
      const seen: JobProgress[] = [];
      const running = job.run({ ...SMALL, between: "22:00-06:00", onProgress: (progress) => seen.push(progress) });
      await until(() => job.status().waits !== undefined);
      expect(job.status()).toMatchObject({ state: "running", share: 0, limits: { between: "22:00-06:00" } });
      expect(job.status().waits).toMatch(/^waits until 22:00/);
      expect(seen.at(-1)?.waits).toBe(job.status().waits);
      end(job);
      expect((await running)?.digest).toBe(wanted?.digest);
      expect(job.status().waits).toBeUndefined();
      expect(seen.at(-1)?.waits).toBeUndefined();
    }
  });

  test("logs the time left, where the status finds it; damaged lines and those of an earlier run do not count", async () => {
    const job = await newJob();
    const log = (line: object | string) => {
      appendFileSync(join(job.folder, "events.ndjson"), `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
      return job.status().seconds;
    };
    const told: unknown[] = [];
    const onProgress = ({ seconds }: JobProgress) => {
      if (seconds === undefined) expect(job.status().seconds).toBeUndefined();
      if (seconds === undefined || told.length > 0) return;
      told.push(
        job.status().seconds,
        log({ event: "left", seconds: 7 }),
        log("{"),
        log({ event: "other", seconds: 8 }),
      );
      expect(told).toEqual([Math.round(seconds), 7, 7, 7]);
      for (const damaged of ["7", -1, null]) expect(log({ event: "left", seconds: damaged })).toBeUndefined();
      expect(log('{"event":"left","seconds":1e999}')).toBeUndefined();
      expect([log({ event: "left", seconds: 9 }), log({ event: "run" })]).toEqual([9, undefined]);
      log({ event: "left", seconds: 9 });
    };
    await job.run({ ...SMALL, onProgress });
    expect([told.length, job.status().seconds]).toEqual([4, undefined]);
  });

  test("that waits is paused or aborted at once, and keeps its limits", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 10, 26, 12, 0) });
    const job = await newJob();
    const stop = new AbortController();
    const running = job.run({ ...SMALL, between: "22:00-06:00", signal: stop.signal });
    await until(() => job.status().waits !== undefined);
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    // also before the run has its lock
    const again = job.run(SMALL);
    job.pause();
    expect(await again).toBeUndefined();
    expect(job.status().phases[0].done).toBe(0);
    expect(readControl(job.opened.store)).toEqual({ desired: "pause", limits: { between: "22:00-06:00" } });
  });

  test("keeps the limits that a call does not change, and refuses impossible ones", async () => {
    const job = await newJob();
    job.set({ load: 0.5, between: "22:00-06:00" });
    job.set({ load: null, pauseAbove: 2 });
    expect(job.status().limits).toEqual({ between: "22:00-06:00", pauseAbove: 2 });
    const limits = [
      ...[0, 0.001, 1.1, -1, Number.NaN, "50%"].map((load) => ({ load })),
      ...["", "22:00", "6:00-22:00", "22:00-22:00", "24:00-06:00", "22:60-06:00", "22:00-06:00 ", 5].map((between) => ({
        between,
      })),
      ...[0, -1, Number.POSITIVE_INFINITY, "2"].map((pauseAbove) => ({ pauseAbove })),
    ];
    for (const one of limits) {
      expect(
        codeOf(() => job.set(one as never)),
        JSON.stringify(one),
      ).toBe("argument.range");
      await expect(job.run({ ...SMALL, ...one } as never)).rejects.toMatchObject({ code: "argument.range" });
    }
    expect(codeOf(() => job.set({ threads: 2 } as never))).toBe("argument.option");
    expect(job.state).toBe("stopped");
    for (const one of [...limits, { threads: 2 }, 5, [], null]) {
      putChecked(job.opened.store, CONTROL, { desired: "run", limits: one });
      expect(job.verify().map(({ file }) => file)).toEqual([CONTROL]);
      expect(job.status().limits).toEqual({});
    }
  });
});
