import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // processes, not threads: a test may fill gigabytes of a kernel's memory, and each file gives its own back
    pool: "forks",
    // proofs by enumeration take seconds, on a busy machine some more
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
