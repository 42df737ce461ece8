import { shownUrl } from "../../jobs/queue/shownUrl.js";
import { type Flags, option, shellWord } from "../command.js";

const PREFIX = "rollmill";

/**
 * For an address with a password, an environment variable is safer than an option, because other users of the machine can
 * see the options of a command.
 */
export const QUEUE = [
  option("--redis <url>", "the Redis or Valkey of the queue, such as redis://:password@host:6379")
    .env("ROLLMILL_REDIS")
    .conflicts("postgres"),
  option("--postgres <url>", "the PostgreSQL of the queue, such as postgres://user:password@host/db").env(
    "ROLLMILL_POSTGRES",
  ),
  option("--prefix <name>", "begins all names of the queue, so that several queues share a server").default(PREFIX),
] as const;
type QueueFlags = Partial<Flags<typeof QUEUE>>;

export function addressOf({ redis, postgres, prefix }: QueueFlags) {
  return {
    ...(redis !== undefined && { redis }),
    ...(postgres !== undefined && { postgres }),
    ...(prefix && { prefix }),
  };
}

/** Returns the flags of an address as a user types them, without the password. */
export function addressText({ redis, postgres, prefix = PREFIX }: QueueFlags): string {
  const [flag, url] = redis === undefined ? ["--postgres", postgres] : ["--redis", redis];
  const address = `${flag} ${url === undefined ? "URL" : shellWord(shownUrl(url))}`;
  return prefix === PREFIX ? address : `${address} --prefix ${shellWord(prefix)}`;
}
