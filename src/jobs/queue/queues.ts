import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionOptions, Processor, Queue, Job as Ticket, Worker, WorkerOptions } from "bullmq";
import { error, fail, messageOf } from "../../errors/index.js";
import { readOptions, refuseArgument } from "../../spec/index.js";
import { isServerUrl, shownUrl } from "./shownUrl.js";

/** The database of the queue. Needs exactly one of `redis` and `postgres`. `redis` can also name a Valkey server. */
export interface QueueAddress {
  /** URL, such as `redis://user:password@host:6379/0`; `rediss://` encrypts (TLS). */
  readonly redis?: string | undefined;
  /** URL, such as `postgres://user:password@host:5432/database`; `?sslmode=verify-full` encrypts (TLS). */
  readonly postgres?: string | undefined;
  /** Prefix of all keys in Redis; schema in PostgreSQL. Lets several queues share a server. Default `rollmill`. */
  readonly prefix?: string | undefined;
}

const PREFIX = "rollmill";
/** The names of schemas that PostgreSQL accepts without quotes. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
/** The wait between two attempts to reach a Redis that does not answer. */
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2000;
/** The longest wait for the first answer. Later, a worker waits for ever. */
const CONNECT_MS = 5000;

export type Queues = Awaited<ReturnType<typeof loadQueues>>;

/** Throws `argument.type` for a malformed address; `queue.connect` if a package is missing. */
export async function loadQueues(given: QueueAddress) {
  const read = readOptions("the address of a queue", given, ["redis", "postgres", "prefix"]);
  const { redis, postgres, prefix = PREFIX } = read;
  if ((redis === undefined) === (postgres === undefined)) {
    const expected = 'the URL of a server in either "redis" or "postgres"';
    fail(error("argument.type", { problem: "the queue needs one address", expected }));
  }
  if (redis !== undefined) checkUrl("redis", redis, /^rediss?:$/);
  if (postgres !== undefined) checkUrl("postgres", postgres, /^postgres(ql)?:$/);
  if (!(typeof prefix === "string" && NAME.test(prefix))) {
    refuseArgument("prefix", prefix, "a name of at most 63 letters, digits and _, which does not begin with a digit");
  }
  const driver = redis === undefined ? "pg" : "ioredis";
  const bullmq: typeof import("bullmq") = await load(driver, () => import("bullmq"));
  await load<unknown>(driver, () => (redis === undefined ? import("pg") : import("ioredis")));
  const url = redis ?? postgres ?? "";
  const opened: Queue[] = [];
  let isAbandoned = false;
  // after null, the client makes no further attempt to connect
  const retryStrategy = (n: number) => (isAbandoned ? null : Math.min(n * FIRST_RETRY_MS, MAX_RETRY_MS));
  const connection: ConnectionOptions =
    redis === undefined ? { connectionString: url, schema: prefix, migrate: true } : { url, retryStrategy };
  const backend = (redis === undefined ? bullmq.createPostgresBackend : undefined) as never;

  function queue(name: string): Queue {
    const made = new bullmq.Queue(name, { connection, prefix }, backend);
    // without a listener, an error of the connection would end the process
    made.on("error", () => undefined);
    opened.push(made);
    return made;
  }

  return {
    /** The URL without its password, for messages. */
    place: shownUrl(url),
    bullmq,
    queue,
    worker(name: string, processor: Processor, settings: Omit<WorkerOptions, "connection">): Worker {
      return new bullmq.Worker(name, processor, { ...settings, connection, prefix }, backend);
    },
    /**
     * Puts a ticket at the end of its queue, after at most `delayMs`. Returns the error that a processor must throw.
     */
    async giveBack(ticket: Ticket, token: string, delayMs: number): Promise<Error> {
      // `moveToWait` would put a ticket first in Redis. `moveToDelayed` would put it in its old place in PostgreSQL
      if (redis === undefined) {
        await ticket.moveToWait(token);
        return new bullmq.WaitingError();
      }
      await ticket.moveToDelayed(Date.now() + delayMs, token);
      return new bullmq.DelayedError();
    },
    /** Returns a queue whose database answers. Throws `queue.connect` if it does not answer within 5 seconds. */
    async ready(name: string): Promise<Queue> {
      const made = queue(name);
      let last = new Error(`no answer within ${CONNECT_MS / 1000} s`);
      made.on("error", (cause) => {
        last = cause;
      });
      const late = delay(CONNECT_MS, undefined, { ref: false }).then(() => Promise.reject(last));
      try {
        await Promise.race([made.waitUntilReady(), late]);
        return made;
      } catch (cause) {
        const remedy = "Check the address and the password, and whether the server runs. Then try again";
        const problem = `the queue cannot be used (${messageOf(cause)})`;
        return fail(error("queue.connect", { problem, got: shownUrl(url), remedy }), cause);
      }
    },
    /** Ends the attempts to reach the database. */
    abandon(): void {
      isAbandoned = true;
    },
    async close(): Promise<void> {
      await Promise.allSettled(opened.map((one) => one.close()));
    },
  };
}

export async function withQueues<T>(address: QueueAddress, work: (queues: Queues) => Promise<T>): Promise<T> {
  const queues = await loadQueues(address);
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
    return fail(error("queue.connect", { problem, remedy }), cause);
  }
}
