import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { startWorker } from "../../../src/bullmq/index.js";
import { shownUrl, withoutPasswords } from "../../../src/jobs/queue/shownUrl.js";
import { rollmill } from "../../cli/rollmill.js";
import { rejectionOf } from "../../refusal.js";

/** URLs with the password s3cret, mistyped in one place. */
const MISTYPED = [
  "redis:user:s3cret@host:6379",
  "redis:/user:s3cret@host",
  "redis//:s3cret@host",
  "user:s3cret@host:6379",
  ":s3cret@host",
  "s3cret",
  "redis://:s3cret",
  "redis://user:1/s3cret@host",
  "redis://user:s3cret/x@host",
  "redis://user:s3cret?x@host",
  "redis://user:1#s3cret@host",
  "redis://user:s3cret@host:99999",
  "redis://user:s3cret%zz@host",
  "redis://host/0/x:s3cret%40host",
  "postgres:/u:s3cret@host/db",
  "postgres:u:s3cret@host/db",
  "redis ://:s3cret@host",
];

describe("a password in the URL of a queue (audit 4b, audit 22)", () => {
  test.each(MISTYPED)("is not shown if the URL has a mistake: %s", async (url) => {
    expect(shownUrl(url)).not.toContain("s3cret");
    for (const address of [{ redis: url }, { postgres: url }]) {
      const refused = await rejectionOf(startWorker({ root: ".", ...address }));
      expect(refused.code).toBe("argument.type");
      expect(inspect(refused, { depth: 9, showHidden: true })).not.toContain("s3cret");
    }
  });

  test("is not shown if the URL is right, and the user is", () => {
    expect(shownUrl("redis://anna:s3cret@host:6379/2?password=s3cret")).toBe("redis://anna:***@host:6379/2");
    expect(shownUrl("redis://:s3cret@host")).toBe("redis://:***@host");
    // a password without its colon is in the place of the user
    expect(shownUrl("rediss://s3cret@host")).toBe("rediss://***@host");
    expect(shownUrl("postgres://anna@host/db?sslmode=verify-full")).toBe("postgres://anna@host/db");
    expect(shownUrl("redis://127.0.0.1:6379/0")).toBe("redis://127.0.0.1:6379/0");
  });

  test("is not in the error of a server that does not answer", async () => {
    const postgres = "postgres://anna:s3cret@127.0.0.1:9/db?password=s3cret";
    const refused = await rejectionOf(startWorker({ root: ".", postgres }));
    expect(refused.code).toBe("queue.connect");
    expect(refused.message).toContain("postgres://anna:***@127.0.0.1:9/db");
    expect(inspect(refused, { depth: 9, showHidden: true })).not.toContain("s3cret");
  });

  test.each([
    ["job", "worker", "--root", ".", "--redi=redis://:s3cret@host"],
    ["job", "worker", "--root", ".", "redis://:s3cret@host"],
    ["job", "worker", "--root", ".", "--redis", "redis://host", "--prefix", "redis://:s3cret@host"],
    ["job", "submit", "a", "b", "redis://:s3cret@host"],
    ["job", "submit", "a", "b", `redis://${"user".repeat(20)}:s3cret@host`],
    ["job", "status", "redis://:s3cret@host"],
    ["job", "status", ".", "postgres://anna:s3cret@host/db"],
    ["job", "status", "redis://:s3cret and more@host"],
    ["redis://:s3cret@host"],
  ])("is not shown by a command that is mistyped: %j", async (...words) => {
    const { code, stderr, stdout } = await rollmill(words);
    expect(code).not.toBe(0);
    expect(stderr + stdout).not.toContain("s3cret");
  });

  test("is found in any text in linear time", () => {
    expect(withoutPasswords('got "REDIS://u:s3cret@h", a\n@ b')).toBe('got "REDIS://***@h", a\n@ b');
    expect(withoutPasswords('got "redis://u:s3c…"')).not.toContain("s3c");
    const cpu = process.cpuUsage();
    withoutPasswords(`${"redis:".repeat(1_000_000)}@`);
    expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(5);
  });
});
