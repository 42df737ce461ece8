// Limits how often clients ask.

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** A bucket has at most `burst` tokens, and gets `perSecond` new ones. A request takes one. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** More clients than these are forgotten, the oldest first. The limit for all of them still holds. */
const MAX_CLIENTS = 10_000;
const ALL = "";

/** A bucket for each client, and one for all of them together. */
export class Rates {
  readonly #each: Rate;
  readonly #all: Rate;
  readonly #seconds: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `seconds` is a clock. */
  constructor({ each, all }: Readonly<Record<"each" | "all", Rate>>, seconds: () => number) {
    this.#each = each;
    this.#all = all;
    this.#seconds = seconds;
  }

  /** Takes a token of the client, and one of all. Returns 0, or how many seconds to wait for them. */
  take(client: string): number {
    const [own, all] = [this.#filled(client, this.#each), this.#filled(ALL, this.#all)];
    const wait = Math.max((1 - own.tokens) / this.#each.perSecond, (1 - all.tokens) / this.#all.perSecond);
    if (wait > 0) return Math.ceil(wait);
    this.#put(client, own);
    this.#put(ALL, all);
    const oldest = this.#buckets.keys().next().value;
    if (this.#buckets.size > MAX_CLIENTS && oldest !== undefined) this.#buckets.delete(oldest);
    return 0;
  }

  #filled(client: string, { burst, perSecond }: Rate): Bucket {
    const at = this.#seconds();
    const { tokens, at: before } = this.#buckets.get(client) ?? { tokens: burst, at };
    return { tokens: Math.min(burst, tokens + (at - before) * perSecond), at };
  }

  /** The client becomes the newest. */
  #put(client: string, { tokens, at }: Bucket): void {
    this.#buckets.delete(client);
    this.#buckets.set(client, { tokens: tokens - 1, at });
  }
}

/**
 * A client is an IPv4 address, or an IPv6 network of 64 bits, which one household has. Behind a proxy, the proxy adds
 * the address of its client at the end of X-Forwarded-For. What comes before may be a lie of the client.
 */
export function clientOf({ socket, headers }: IncomingMessage, isBehindProxy: boolean): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .at(-1);
  const given = isBehindProxy ? forwarded?.trim() : socket.remoteAddress;
  const address = given?.replace(/^::ffff:(?=\d+\.)/i, "") ?? "";
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : "unknown";
  const [head, tail = []] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
