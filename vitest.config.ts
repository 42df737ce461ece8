import { defineConfig } from "vitest/config";

/** Test files that need a process of their own: they replace globals, load a module anew, or start processes. */
const OWN = [
  "test/{architecture,bench,browser,cli,examples,kernel,sql,statistics}/**/*.test.ts",
  "test/{architecture,docs,mill,package}.test.ts",
];

export default defineConfig({
  test: {
    // proofs by enumeration take seconds, on a busy machine some more
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // processes, not threads: a test may fill gigabytes of a kernel's memory
    pool: "forks",
    projects: [
      { extends: true, test: { name: "own", include: OWN } },
      // to load the library once in each process, not in each file, saves a quarter of the CPU time
      {
        extends: true,
        test: { name: "shared", include: ["test/**/*.test.ts"], exclude: OWN, isolate: false },
      },
    ],
  },
});
