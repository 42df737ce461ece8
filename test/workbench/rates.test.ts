// A token bucket for each client, and one for all.
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { clientOf, Rates } from "../../src/cli/workbench/rates.js";

describe("rates", () => {
  let now = 0;
  const rates = () => new Rates({ each: { burst: 2, perSecond: 0.1 }, all: { burst: 3, perSecond: 1 } }, () => now);

  test("a client has its burst, and then one token every ten seconds", () => {
    now = 100;
    const limits = rates();
    expect([1, 2, 3].map(() => limits.take("a"))).toEqual([0, 0, 10]);
    now += 4;
    expect(limits.take("a")).toBe(6);
    now += 6;
    expect([limits.take("a"), limits.take("a")]).toEqual([0, 10]);
    now += 1000;
    expect([1, 2, 3].map(() => limits.take("a"))).toEqual([0, 0, 10]);
  });

  test("all clients together have a burst, and a refused request takes nothing of it", () => {
    const limits = rates();
    expect(["a", "a", "a", "a", "b", "c"].map((client) => limits.take(client))).toEqual([0, 0, 10, 10, 0, 1]);
    now += 1;
    expect(["b", "c"].map((client) => limits.take(client))).toEqual([0, 1]);
  });

  test("a million clients need no more memory than ten thousand", () => {
    const limits = new Rates({ each: { burst: 1, perSecond: 1 }, all: { burst: 1e9, perSecond: 1 } }, () => 0);
    expect(limits.take("first")).toBe(0);
    for (let client = 0; client < 9000; client++) limits.take(`${client}`);
    expect(limits.take("first")).toBe(1);
    for (let client = 9000; client < 12_000; client++) limits.take(`${client}`);
    // forgotten
    expect(limits.take("first")).toBe(0);
  });
});

const requestOf = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

test.each([
  ["127.0.0.1", undefined, false, "127.0.0.1"],
  ["127.0.0.1", "203.0.113.7", false, "127.0.0.1"],
  ["127.0.0.1", "203.0.113.7", true, "203.0.113.7"],
  ["127.0.0.1", "198.51.100.1, 203.0.113.7", true, "203.0.113.7"],
  ["127.0.0.1", "::ffff:203.0.113.7", true, "203.0.113.7"],
  ["127.0.0.1", "2001:db8:1:2:3:4:5:6", true, "2001:db8:1:2"],
  ["127.0.0.1", "2001:db8:1:2:9::", true, "2001:db8:1:2"],
  ["127.0.0.1", "2001:db8::1", true, "2001:db8:0:0"],
  ["127.0.0.1", "2001:db8::1:2:3:4:5", true, "2001:db8:0:1"],
  ["127.0.0.1", "x".repeat(9000), true, "unknown"],
  ["127.0.0.1", undefined, true, "unknown"],
])("from %s, X-Forwarded-For %s, behind a proxy: %s", (address, forwarded, isBehindProxy, client) => {
  expect(clientOf(requestOf(address, forwarded), isBehindProxy)).toBe(client);
});
