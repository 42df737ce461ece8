import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionOptions, Processor, Queue, Job as Ticket, Worker, WorkerOptions } from "bullmq";
import { error, fail, messageOf, RollmillError } from "../../errors/index.js";
import { readOptions, refuseArgument } from "../../spec/index.js";
import { isServerUrl, shownUrl } from "./shownUrl.js";

/** The database with the queue. Exactly one of `redis` and `postgres` must be given. `redis` can also be a Valkey. */
export interface QueueAddress {
  /** Such as `redis://user:password@host:6379/0`; `rediss://` encrypts (TLS). */
  readonly redis?: string | undefined;
  /** Such as `postgres://user:password@host:5432/database`; `?sslmode=verify-full` encrypts (TLS). */
  readonly postgres?: string | undefined;
  /** The begin of all keys in Redis, and the schema in PostgreSQL: queues can share a server. Default `rollmill`. */
  readonly prefix?: string | undefined;
}

const PREFIX = "rollmill";
/** PostgreSQL accepts these names of schemas without quotes. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
/** Between two attempts to reach a Redis that does not answer. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2000;
/** A worker that has started waits for ever. */
const CONNECT_MS = 5000;

type BullMq = typeof import("bullmq");

export class Queues {
  /** Without the password, for messages. */
  readonly place: string;
  readonly bullmq: BullMq;
  readonly #connection: ConnectionOptions;
  readonly #backend: unknown;
  readonly #prefix: string;
  readonly #opened: Queue[] = [];
  #isAbandoned = false;

  private constructor(bullmq: BullMq, { redis, postgres, prefix = PREFIX }: QueueAddress) {
    this.bullmq = bullmq;
    this.#prefix = prefix;
    const url = redis ?? postgres ?? "";
    this.place = shownUrl(url);
    this.#connection =
      redis === undefined
        ? { connectionString: url, schema: prefix, migrate: true }
        : // null: no more attempts
          {
            url,
            retryStrategy: (n: number) => (this.#isAbandoned ? null : Math.min(n * FIRST_RETRY_MS, MAX_RETRY_MS)),
          };
    this.#backend = redis === undefined ? bullmq.createPostgresBackend : undefined;
  }

  /** Throws `argument.type` for a malformed address; `queue.connect` if a package is missing. */
  static async load(given: QueueAddress): Promise<Queues> {
    const { redis, postgres, prefix } = readOptions("the address of a queue", given, ["redis", "postgres", "prefix"]);
    if ((redis === undefined) === (postgres === undefined)) {
      const expected = "either redis or postgres: the URL of a server";
      fail(error("argument.type", { problem: "the queue needs one address", expected }));
    }
    if (redis !== undefined) checkUrl("redis", redis, /^rediss?:$/);
    if (postgres !== undefined) checkUrl("postgres", postgres, /^postgres(ql)?:$/);
    if (prefix !== undefined && !(typeof prefix === "string" && NAME.test(prefix))) {
      refuseArgument("prefix", prefix, "a name of at most 63 letters, digits and _, which does not begin with a digit");
    }
    const driver = redis === undefined ? "pg" : "ioredis";
    const bullmq = await load(driver, () => import("bullmq"));
    await load<unknown>(driver, () => (redis === undefined ? import("pg") : import("ioredis")));
    return new Queues(bullmq, { redis, postgres, prefix });
  }

  queue(name: string): Queue {
    const queue = new this.bullmq.Queue(
      name,
      { connection: this.#connection, prefix: this.#prefix },
      this.#backend as never,
    );
    // without a listener, an error of the connection would end the process
    queue.on("error", () => undefined);
    this.#opened.push(queue);
    return queue;
  }

  /** The caller must close the worker. */
  worker(name: string, processor: Processor, settings: Omit<WorkerOptions, "connection">): Worker {
    return new this.bullmq.Worker(
      name,
      processor,
      { ...settings, connection: this.#connection, prefix: this.#prefix },
      this.#backend as never,
    );
  }

  /** Puts a ticket at the end of its queue, after at most `delayMs`. Returns the error that a processor must throw. */
  async giveBack(ticket: Ticket, token: string, delayMs: number): Promise<Error> {
    const { DelayedError, WaitingError } = this.bullmq;
    // in PostgreSQL, a delayed ticket returns to its old place. In Redis, `moveToWait` would make it the first ticket
    if (this.#backend !== undefined) {
      await ticket.moveToWait(token);
      return new WaitingError();
    }
    await ticket.moveToDelayed(Date.now() + delayMs, token);
    return new DelayedError();
  }

  /** Returns a queue whose database answers. Throws `queue.connect` if it does not answer within 5 seconds. */
  async ready(name: string): Promise<Queue> {
    const queue = this.queue(name);
    let last = new Error(`no answer within ${CONNECT_MS / 1000} s`);
    queue.on("error", (cause) => {
      last = cause;
    });
    const late = delay(CONNECT_MS, undefined, { ref: false }).then(() => Promise.reject(last));
    try {
      await Promise.race([queue.waitUntilReady(), late]);
      return queue;
    } catch (cause) {
      const remedy = "Check the address and the password, and whether the server runs. Then try again";
      const problem = `the queue cannot be used (${messageOf(cause)})`;
      throw new RollmillError([error("queue.connect", { problem, got: this.place, remedy })], { cause });
    }
  }

  /** Makes no more attempts to reach the database. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#opened.map((queue) => queue.close()));
  }
}

/** Closes the queues at the end. */
export async function withQueues<T>(address: QueueAddress, work: (queues: Queues) => Promise<T>): Promise<T> {
  const queues = await Queues.load(address);
  try {
    return await work(queues);
  } finally {
    await queues.close();
  }
}

function checkUrl(name: string, url: unknown, protocol: RegExp): void {
  if (typeof url === "string" && isServerUrl(url) && protocol.test(new URL(url).protocol)) return;
  const expected = name === "redis" ? "redis://host:port or rediss://host:port" : "postgres://host:port/database";
  const got = typeof url === "string" ? shownUrl(url) : url;
  const remedy = "Write characters such as @, :, /, ? and # of a password as %40, %3A, %2F, %3F and %23";
  fail(error("argument.type", { problem: `"${name}" is not the URL of a server`, got, expected, remedy }));
}

async function load<T>(driver: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const remedy = `Run: npm install bullmq ${driver}`;
    const problem = `the packages for queues are not installed (${messageOf(cause)})`;
    throw new RollmillError([error("queue.connect", { problem, remedy })], { cause });
  }
}
