import { type Command, Option } from "commander";
import { shownUrl } from "../../jobs/queue/shownUrl.js";
import { shellWord } from "../shared/shellWord.js";

const PREFIX = "rollmill";

export interface QueueFlags {
  readonly redis?: string;
  readonly postgres?: string;
  readonly prefix?: string;
}

/**
 * For an address with a password, an environment variable is safer than an option, because other users of the machine can
 * see the options of a command.
 */
export function addQueueOptions(command: Command): Command {
  const redis = new Option("--redis <url>", "the Redis or Valkey of the queue, such as redis://:password@host:6379");
  const postgres = new Option(
    "--postgres <url>",
    "the PostgreSQL of the queue, such as postgres://user:password@host/db",
  );
  return command
    .addOption(redis.env("ROLLMILL_REDIS").conflicts("postgres"))
    .addOption(postgres.env("ROLLMILL_POSTGRES"))
    .option("--prefix <name>", "begins all names of the queue, so that several queues share a server", PREFIX);
}

export function addressOf({ redis, postgres, prefix }: QueueFlags): QueueFlags {
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
