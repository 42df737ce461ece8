import { Option } from "commander";

/** Flags that say where a queue is. */
export interface QueueFlags {
  readonly redis?: string;
  readonly postgres?: string;
  readonly prefix?: string;
}

/** The options of {@link QueueFlags}. A password is safer in the environment: everybody can see the words of a command. */
export function queueOptions(): readonly Option[] {
  return [
    new Option("--redis <url>", "the queue is in this Redis or Valkey, such as redis://:password@host:6379")
      .env("ROLLMILL_REDIS")
      .conflicts("postgres"),
    new Option("--postgres <url>", "the queue is in this PostgreSQL, such as postgres://user:password@host/db").env(
      "ROLLMILL_POSTGRES",
    ),
    new Option("--prefix <name>", "begins all names of the queue, so that several queues share a server").default(
      "rollmill",
    ),
  ];
}

/** Returns where the queue is. */
export function addressOf({ redis, postgres, prefix }: QueueFlags): QueueFlags {
  return {
    ...(redis !== undefined && { redis }),
    ...(postgres !== undefined && { postgres }),
    ...(prefix && { prefix }),
  };
}

/** Writes the flags of an address for messages, without a password. */
export function addressText({ redis, postgres }: QueueFlags): string {
  const [flag, url] = redis === undefined ? ["--postgres", postgres] : ["--redis", redis];
  return `${flag} ${(url ?? "URL").replace(/\/\/[^/]*@/, "//…@")}`;
}
