import { error, messageOf, type PackedError, packError, RollmillError, unpackError } from "../errors/index.js";

/** A worker of Node or of a page, seen from the thread that started it. */
export interface Port {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Sets the listeners. `onDeath` gets the reason, and may be called several times. */
  listen(onMessage: (message: unknown) => void, onDeath: (cause: unknown) => void): void;
  /** Sets whether the worker keeps the process alive. Pages ignore it. */
  keepAlive(isNeeded: boolean): void;
  end(): Promise<unknown>;
}

/** The answer to a task. The first answer of a worker has no number: it says that the worker has started. */
export type Answer = { readonly number?: number } & ({ readonly made: unknown } | { readonly thrown: PackedError });

export interface Task {
  readonly number: number;
  readonly task: unknown;
}

/**
 * Gives tasks to workers. If a worker dies, its tasks fail with `thread.failed`, and the next task starts another worker
 * in its place.
 */
export class ThreadPool {
  readonly #start: () => Port;
  readonly #threads: Thread[];
  /** The tasks that every worker runs first. */
  readonly #setup: unknown[] = [];
  #isClosed = false;

  constructor(count: number, start: () => Port) {
    this.#start = start;
    this.#threads = Array.from({ length: count }, () => this.#newThread());
  }

  get size(): number {
    return this.#threads.length;
  }

  /** Waits until all workers have started. Throws RollmillError `thread.failed` if one cannot start. */
  async ready(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.started));
  }

  /** Runs a task in all workers, and also in those that start later. Its errors are ignored. */
  setUp(task: unknown): void {
    this.#checkOpen();
    this.#setup.push(task);
    // a worker that replaces a dead one runs it when it starts
    for (const thread of this.#threads) if (!thread.isDead) thread.run(task).catch(() => undefined);
  }

  /** Runs a task in the worker that has the fewest tasks, and returns what it made. */
  async run<Made>(task: unknown, transfer: readonly ArrayBuffer[] = []): Promise<Made> {
    this.#checkOpen();
    const tasks = this.#threads.map((thread) => thread.tasks);
    const i = tasks.indexOf(Math.min(...tasks));
    if (this.#threads[i].isDead) this.#threads[i] = this.#newThread();
    // the cast is safe: the caller knows what its tasks make
    return this.#threads[i].run(task, transfer) as Promise<Made>;
  }

  /** Ends all workers. Their tasks fail with `argument.disposed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.end(closed())));
  }

  #newThread(): Thread {
    const thread = newThread(this.#start());
    for (const task of this.#setup) thread.run(task).catch(() => undefined);
    return thread;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closed();
  }
}

type Thread = ReturnType<typeof newThread>;

interface Begun {
  readonly resolve: (made: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

function newThread(port: Port) {
  const begun = new Map<number, Begun>();
  let last = 0;
  const promised = (number: number) => {
    return new Promise((resolve, reject) => begun.set(number, { resolve, reject }));
  };
  const started = promised(0);
  started.catch(() => undefined);
  const thread = {
    started,
    isDead: false,
    get tasks(): number {
      return begun.size;
    },
    run(task: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
      const number = ++last;
      port.post({ number, task } satisfies Task, transfer);
      port.keepAlive(true);
      return promised(number);
    },
    async end(cause: unknown): Promise<void> {
      die(cause);
      await port.end();
    },
  };
  const die = (cause: unknown) => {
    if (thread.isDead) return;
    thread.isDead = true;
    for (const { reject } of begun.values()) reject(cause);
    begun.clear();
  };
  port.listen(
    (message) => {
      // its last answer would let the process end before the worker has ended
      if (thread.isDead) return;
      const answer = message as Answer;
      const task = begun.get(answer.number ?? 0);
      begun.delete(answer.number ?? 0);
      if (begun.size === 0) port.keepAlive(false);
      if ("thrown" in answer) task?.reject(unpackError(answer.thrown));
      else task?.resolve(answer.made);
    },
    (cause) => {
      die(
        new RollmillError(
          [error("thread.failed", { problem: `a thread died (${messageOf(cause)})`, remedy: REMEDY })],
          { cause },
        ),
      );
      void port.end();
    },
  );
  return thread;
}

const REMEDY =
  "Repeat the call: another thread takes the place of this one. If it fails again, use fewer threads, or make less in one call";

function closed(): RollmillError {
  return new RollmillError([
    error("argument.disposed", { problem: "the threads are closed", remedy: "Open them again" }),
  ]);
}

/** Packs what a task has thrown. */
export function packThrown(thrown: unknown): PackedError {
  return packError(thrown, ({ message }) =>
    error("thread.failed", { problem: `a thread failed (${message})`, remedy: "Report it as a bug" }),
  );
}
