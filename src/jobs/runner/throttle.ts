import { availableParallelism, loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { isBetween, type StoredLimits } from "../folder/limits.js";
import { LOAD_MS, otherLoad } from "./load.js";

/** After a refusal, runners ask again at this interval. */
export const ASK_MS = 20;
/** A job that used less than its share may use so much of the rest later: as much as its share of this time. */
const SPARED_MS = 500;

/** What the limits look at. Tests pass another machine. */
export interface Machine {
  readonly cores: number;
  /** The time of a clock that is never set, in milliseconds. */
  nowMs(): number;
  /** The processor time that this process has used, in milliseconds. */
  usedMs(): number;
  /** Average number of running threads of the machine in the last minute. */
  load(): number;
  localTime(): Date;
}

/** Returns the processor time that this process has used, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const THIS_MACHINE: Machine = {
  cores: availableParallelism(),
  nowMs: () => performance.now(),
  usedMs: processorMs,
  load: () => loadavg()[0],
  localTime: () => new Date(),
};

/**
 * Decides when a runner may begin a task, so that a job keeps its limits. All waits are between tasks: a task that has
 * begun is never slowed down.
 *
 * For the limit `load`, the process may use `load × cores` of processor time in each unit of time. So at most
 * ⌈load × cores⌉ tasks run at once, and no task begins while more was used than allowed until then.
 */
export class Throttle {
  /** Number of tasks that run now. The runner sets it. */
  running = 0;
  /** These are called when the job begins to wait, with the reason, and when it goes on, with undefined. */
  readonly onWait: ((reason: string | undefined) => void)[] = [];
  #limits: StoredLimits = {};
  readonly threads: number;
  readonly #machine: Machine;
  readonly #other: ReturnType<typeof otherLoad>;
  #otherLoad = 0;
  #sampledMs = Number.NEGATIVE_INFINITY;
  #nowMs: number;
  #usedMs: number;
  /** Processor time that the job may use before it must pause. */
  #spareMs = 0;
  #waits: string | undefined;

  constructor(threads: number, machine: Machine = THIS_MACHINE) {
    this.threads = threads;
    this.#machine = machine;
    this.#other = otherLoad(threads, () => machine.load());
    [this.#nowMs, this.#usedMs] = [machine.nowMs(), machine.usedMs()];
  }

  /** How many tasks run at once, on average. */
  get atOnce(): number {
    const { load = 1 } = this.#limits;
    return load === 1 ? this.threads : Math.min(this.threads, load * this.#machine.cores);
  }

  /** What holds the job back now, for people. Undefined if nothing does. */
  get reason(): string | undefined {
    const { load = 1 } = this.#limits;
    return this.#waits ?? (load < 1 ? `pauses: at most ${Number((100 * load).toFixed(2))}% of the cores` : undefined);
  }

  /** Follows the clock, the load of the machine, and changes of the limits. Call it several times a second. */
  look(limits: StoredLimits): void {
    this.#limits = limits;
    const nowMs = this.#machine.nowMs();
    if (nowMs - this.#sampledMs >= LOAD_MS) {
      this.#otherLoad = this.#other(nowMs, this.running);
      this.#sampledMs = nowMs;
    }
    const before = this.#waits;
    this.#waits = this.#waitReason();
    if ((before === undefined) === (this.#waits === undefined)) return;
    for (const tell of this.onWait) tell(this.#waits);
  }

  mayBegin(): boolean {
    const { load = 1 } = this.#limits;
    const cores = load * this.#machine.cores;
    const [nowMs, usedMs] = [this.#machine.nowMs(), this.#machine.usedMs()];
    this.#spareMs += cores * (nowMs - this.#nowMs) - (usedMs - this.#usedMs);
    this.#spareMs = Math.min(this.#spareMs, cores * SPARED_MS);
    [this.#nowMs, this.#usedMs] = [nowMs, usedMs];
    if (this.#waits !== undefined) return false;
    return load === 1 || (this.running < cores && this.#spareMs >= 0);
  }

  /** Returns when a task may begin. Throws the reason of an aborted signal at once. */
  async untilFree(signal: AbortSignal | undefined): Promise<void> {
    while (!this.mayBegin()) {
      await delay(ASK_MS, undefined, { signal }).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }

  #waitReason(): string | undefined {
    const { between, pauseAbove } = this.#limits;
    if (between !== undefined && !isBetween(between, this.#machine.localTime())) {
      return `waits until ${between.slice(0, 5)}: works only between ${between}`;
    }
    if (pauseAbove === undefined || this.#otherLoad <= pauseAbove) return undefined;
    return `waits: the load of other programs is ${this.#otherLoad.toFixed(1)}, above ${pauseAbove}`;
  }
}
