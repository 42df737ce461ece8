const WINDOW_MS = 30_000;
const MIN_MS = 100;

interface Sample {
  readonly atMs: number;
  readonly share: number;
  readonly phase: string;
  readonly amount: number;
}

interface JobSpeed {
  /** Work per second in the current phase. Undefined if there is too little progress. */
  readonly rate: number | undefined;
  /** The remaining time. Undefined if there is too little progress. */
  readonly seconds: number | undefined;
}

/** Measures the speed of a job over the last 30 seconds. So earlier pauses and slower phases have no effect. */
export class JobWindow {
  readonly #samples: Sample[] = [];

  add(atMs: number, { phase, amount, share }: Omit<Sample, "atMs">): void {
    this.#samples.push({ atMs, phase, amount, share });
    // keeps one sample that is older than the window, so that the samples span the whole window
    while (this.#samples.length > 2 && this.#samples[1].atMs <= atMs - WINDOW_MS) this.#samples.shift();
  }

  /** `nowMs` must not be earlier than the last sample. */
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
  return amount > 0 && ms >= MIN_MS ? (amount / ms) * 1000 : undefined;
}
