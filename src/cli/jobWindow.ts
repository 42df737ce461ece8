/** The rate and the remaining time are those of this last time, in milliseconds. */
const WINDOW_MS = 30_000;
/** A shorter time gives no rate, in milliseconds. */
const LEAST_MS = 100;

/** What a job had done at a time. */
interface Sample {
  readonly atMs: number;
  readonly share: number;
  readonly phase: string;
  readonly amount: number;
}

/** The speed of a job in the last 30 seconds. */
interface JobSpeed {
  /** Amount for each second in the phase that runs; undefined if too little has been done. */
  readonly rate: number | undefined;
  /** The remaining time in seconds; undefined if too little has been done. */
  readonly seconds: number | undefined;
}

/** Measures the speed of a job over the last 30 seconds. So an earlier pause or slower phase does not count. */
export class JobWindow {
  readonly #samples: Sample[] = [];

  /** Adds what the job has done at a time in milliseconds. */
  add(atMs: number, { phase, amount, share }: Omit<Sample, "atMs">): void {
    this.#samples.push({ atMs, phase, amount, share });
    // keeps one sample that is older than the window, so that the window is full
    while (this.#samples.length > 2 && this.#samples[1].atMs <= atMs - WINDOW_MS) this.#samples.shift();
  }

  /** Returns the speed at a time in milliseconds, which is not before the last sample. */
  speed(nowMs: number): JobSpeed {
    const last = this.#samples.at(-1);
    const first = this.#samples.find(({ phase }) => phase === last?.phase);
    if (last === undefined || first === undefined) return { rate: undefined, seconds: undefined };
    const [oldest] = this.#samples;
    const rate = perSecond(last.amount - first.amount, nowMs - first.atMs);
    const shareRate = perSecond(last.share - oldest.share, nowMs - oldest.atMs);
    return { rate, seconds: shareRate === undefined ? undefined : (1 - last.share) / shareRate };
  }
}

function perSecond(amount: number, ms: number): number | undefined {
  return amount > 0 && ms >= LEAST_MS ? (amount / ms) * 1000 : undefined;
}
