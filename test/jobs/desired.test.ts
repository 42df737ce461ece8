import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isDesired, putControl } from "../../src/jobs/folder/control.js";
import { FolderStore } from "../../src/jobs/folder/store.js";
import { whileDesired } from "../../src/jobs/runner/running.js";
import { codeOf } from "../refusal.js";

const REQUEST = { desired: "queue", generation: 5 } as const;
const EVERY_MS = 100;

let store: FolderStore;
beforeEach(() => {
  vi.useFakeTimers();
  store = new FolderStore(mkdtempSync(join(tmpdir(), "rollmill-desired-")));
  putControl(store, REQUEST);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(store.place, { recursive: true });
});

/** Lets the next look find a file that cannot be read. */
function failOnce(): void {
  vi.spyOn(FolderStore.prototype, "read").mockImplementationOnce(() => {
    // a folder in place of a file
    return new FolderStore(dirname(store.place)).get(basename(store.place));
  });
}

describe("a request", () => {
  test("is still the same until the request or its generation changes, whatever failed before", () => {
    putControl(store, { ...REQUEST, failure: "once" });
    expect(isDesired(store, REQUEST)).toBe(true);
    for (const other of [{ desired: "queue", generation: 6 }, { desired: "pause" }] as const) {
      putControl(store, other);
      expect(isDesired(store, REQUEST)).toBe(false);
    }
    failOnce();
    expect(codeOf(() => isDesired(store, REQUEST))).toBe("file.read");
  });

  test("is looked at at once, and again after a look that failed, until the work ends", async () => {
    failOnce();
    await whileDesired(store, REQUEST, undefined, async (stop) => {
      failOnce();
      vi.advanceTimersByTime(EVERY_MS);
      expect(stop.aborted).toBe(false);
      putControl(store, { desired: "pause" });
      vi.advanceTimersByTime(EVERY_MS);
      expect(stop.aborted).toBe(true);
    });
    expect(vi.getTimerCount()).toBe(0);
    await whileDesired(store, REQUEST, undefined, async (stop) => expect(stop.aborted).toBe(true));
  });

  test("that cannot be read for a moment does not end the work, nor the process", async () => {
    const work = async (stop: AbortSignal) => {
      failOnce();
      vi.advanceTimersByTime(EVERY_MS);
      expect(stop.aborted).toBe(false);
      putControl(store, { desired: "pause" });
      vi.advanceTimersByTime(EVERY_MS);
      stop.throwIfAborted();
      return "not stopped";
    };
    expect(await whileDesired(store, REQUEST, undefined, work)).toBeUndefined();
  });
});
