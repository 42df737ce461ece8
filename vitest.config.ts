import { defineConfig } from "vitest/config";

/**
 * Test files that need a process of their own: they replace globals, load a module anew, fill gigabytes of memory, or
 * start programs that share a file with them, or catch signals.
 */
const OWN = [
  "test/{browser,files,readers,sql}/**/*.test.ts",
  "test/bench/contenders.test.ts",
  "test/kernel/{fullCounts,memory}.test.ts",
  "test/{docs,mill}.test.ts",
];

export default defineConfig({
  test: {
    // proofs by enumeration take seconds, on a busy machine some more
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // processes, not threads: a test may fill gigabytes of a kernel's memory
    pool: "forks",
    // the tests make many short-lived objects: a larger young generation is collected less often
    execArgv: ["--max-semi-space-size=64"],
    projects: [
      { extends: true, test: { name: "own", include: OWN } },
      // to load the library once in each process, not in each file, saves CPU time
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...OWN, "**/node_modules/**"],
          isolate: false,
        },
      },
    ],
  },
});
