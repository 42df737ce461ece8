import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Test files that need a process of their own: they replace globals, load a module anew, fill gigabytes of memory, or
 * start programs that share a file with them, or catch signals. Also the longest files, because these begin first: of
 * the others, the smallest file begins last, however long it takes.
 */
const OWN = [
  "test/{browser,files,readers,site,workbench}/**/*.test.ts",
  "test/architecture/addingASystem.test.ts",
  "test/bench/contenders.test.ts",
  "test/fuzz/doubling.test.ts",
  "test/kernel/{fullCounts,memory,parts,scalar}.test.ts",
  "test/laws/calls.test.ts",
  "test/{docs,mill}.test.ts",
  "test/jobs/{failing,kills,opening}.test.ts",
  "test/jobs/queue/{cluster,hosts,root,strangers,worker}.test.ts",
  "test/objects/statistics.test.ts",
  "test/walks/{layerParts,scatter}.test.ts",
];

/**
 * Test files that take long, and whose subject has other tests: statistics of many results, twins with many cases,
 * killed processes, whole programs. `npm test` leaves them out. `npm run test:long` runs only them, and `npm run
 * test:all` runs all tests.
 */
export const LONG: readonly string[] = [
  "test/architecture.test.ts",
  "test/architecture/addingASystem.test.ts",
  "test/bench/contenders.test.ts",
  "test/bench/inputs.test.ts",
  "test/bench/jobs.test.ts",
  "test/bench/main.test.ts",
  "test/bench/objectBodies.test.ts",
  "test/bench/worlds.test.ts",
  "test/browser/browser.test.ts",
  "test/browser/engines.test.ts",
  "test/browser/guide.test.ts",
  "test/browser/phaser.test.ts",
  "test/browser/report.test.ts",
  "test/browser/threads.test.ts",
  "test/browser/tileViewer.test.ts",
  "test/cli/examples.test.ts",
  "test/cli/job.test.ts",
  "test/cli/objectMake.test.ts",
  "test/cli/outputs.test.ts",
  "test/cli/recipeMake.test.ts",
  "test/cli/recipeTables.test.ts",
  "test/cli/smoke.test.ts",
  "test/docs.test.ts",
  "test/examples/armory.test.ts",
  "test/examples/explorer.test.ts",
  "test/examples/server.test.ts",
  "test/examples/world.test.ts",
  "test/files/lock.test.ts",
  "test/formats/columnsCsv.test.ts",
  "test/formats/pictureFrame.test.ts",
  "test/formats/svgLines.test.ts",
  "test/formats/twoda.test.ts",
  "test/fuzz/doubling.test.ts",
  "test/hostile/hostile.test.ts",
  "test/independent/port.test.ts",
  "test/independent/portContents.test.ts",
  "test/independent/portEgos.test.ts",
  "test/independent/portLands.test.ts",
  "test/independent/portObjects.test.ts",
  "test/independent/portOrdered.test.ts",
  "test/independent/portWalks.test.ts",
  "test/instruments/bounds.test.ts",
  "test/instruments/brute.test.ts",
  "test/instruments/collect.test.ts",
  "test/instruments/explain.test.ts",
  "test/instruments/explainObjects.test.ts",
  "test/instruments/kernel.test.ts",
  "test/instruments/search.test.ts",
  "test/jobs/builds.test.ts",
  "test/jobs/bulk.test.ts",
  "test/jobs/codeHash.test.ts",
  "test/jobs/damage.test.ts",
  "test/jobs/digest.test.ts",
  "test/jobs/exports.test.ts",
  "test/jobs/failing.test.ts",
  "test/jobs/fullDisk.test.ts",
  "test/jobs/further.test.ts",
  "test/jobs/identity.test.ts",
  "test/jobs/kills.test.ts",
  "test/jobs/leftovers.test.ts",
  "test/jobs/ordered.test.ts",
  "test/jobs/queue/cluster.test.ts",
  "test/jobs/queue/hosts.test.ts",
  "test/jobs/queue/lostLock.test.ts",
  "test/jobs/queue/strangers.test.ts",
  "test/jobs/queue/worker.test.ts",
  "test/jobs/start.test.ts",
  "test/jobs/strangeFolders.test.ts",
  "test/jobs/threads.test.ts",
  "test/jobs/together.test.ts",
  "test/kernel/below.test.ts",
  "test/laws/calls.test.ts",
  "test/objects/bounds.test.ts",
  "test/objects/ends.test.ts",
  "test/objects/fuzz.test.ts",
  "test/objects/gamedataFuzz.test.ts",
  "test/objects/impossible.test.ts",
  "test/objects/kernelTwin.test.ts",
  "test/objects/kernelTwinReal.test.ts",
  "test/objects/limits.test.ts",
  "test/objects/mBonus.test.ts",
  "test/objects/maker.test.ts",
  "test/objects/nameColumn.test.ts",
  "test/objects/obtainable.test.ts",
  "test/objects/oddsWhole.test.ts",
  "test/objects/oddsWholeCounts.test.ts",
  "test/objects/open.test.ts",
  "test/objects/parse.test.ts",
  "test/objects/saved.test.ts",
  "test/objects/statistics.test.ts",
  "test/objects/stock.test.ts",
  "test/objects/strangers.test.ts",
  "test/objects/tally.test.ts",
  "test/plans/hosts.test.ts",
  "test/pools/guess.test.ts",
  "test/pools/laws.test.ts",
  "test/pools/model.test.ts",
  "test/pools/odds.test.ts",
  "test/pools/twin.test.ts",
  "test/readers/duckdb.test.ts",
  "test/recipes/oddsTwin.test.ts",
  "test/recipes/open.test.ts",
  "test/recipes/php.test.ts",
  "test/recipes/twin.test.ts",
  "test/recipes/weights.test.ts",
  "test/recipes/wordCsv.test.ts",
  "test/schemas/schemas.test.ts",
  "test/wordstores/experimental.test.ts",
  "test/wordstores/files.test.ts",
  "test/wordstores/hostile.test.ts",
  "test/wordstores/malformed.test.ts",
  "test/wordstores/messages.test.ts",
  "test/wordstores/names.test.ts",
  "test/wordstores/proposals.test.ts",
  "test/wordstores/roundTrip.test.ts",
  "test/wordstores/schema.test.ts",
  "test/wordstores/sqliteLocks.test.ts",
  "test/wordstores/stalled.test.ts",
  "test/wordstores/strangeFolders.test.ts",
  "test/wordstores/unreachable.test.ts",
  "test/wordstores/weapons.test.ts",
  "test/wordstores/wordChanges.test.ts",
  "test/statistics/independence.test.ts",
  "test/statistics/keys.test.ts",
  "test/tables/kernel.test.ts",
  "test/tables/oddsWork.test.ts",
  "test/tables/realTables.test.ts",
  "test/tables/rolling.test.ts",
  "test/tables/statistics.test.ts",
  "test/threads/laws.test.ts",
  "test/walks/chunkSums.test.ts",
  "test/walks/kernel.test.ts",
  "test/walks/kernelFar.test.ts",
  "test/walks/memory.test.ts",
  "test/walks/oddR.test.ts",
  "test/walks/open.test.ts",
  "test/walks/outputs.test.ts",
  "test/walks/layerParts.test.ts",
  "test/walks/saved.test.ts",
  "test/walks/scatter.test.ts",
  "test/walks/split.test.ts",
  "test/walks/statistics.test.ts",
  "test/walks/until.test.ts",
  "test/weighted/alias.test.ts",
  "test/weighted/kernel.test.ts",
  "test/workbench/complete.test.ts",
  "test/workbench/items.test.ts",
  "test/workbench/firefox.test.ts",
  "test/workbench/jobs.test.ts",
  "test/workbench/odds.test.ts",
  "test/workbench/takeAway.test.ts",
  "test/workbench/forge.test.ts",
  "test/workbench/workbench.test.ts",
  "test/workbench/world.test.ts",
  "test/worlds/hostile.test.ts",
  "test/worlds/laws.test.ts",
  "test/worlds/pathLaws.test.ts",
  "test/worlds/paths.test.ts",
  "test/worlds/relations.test.ts",
  "test/worlds/slope.test.ts",
  "test/worlds/stamps.test.ts",
  "test/worlds/statistics.test.ts",
  "test/worlds/terrain.test.ts",
  "test/worlds/together.test.ts",
  "test/worlds/twin.test.ts",
  "test/worlds/upright.test.ts",
  "test/worlds/world.test.ts",
];

/**
 * Test files that are neither quick nor long, because `.ci/run` runs them in steps of their own: the first counts
 * frames, so it needs a core, and the second needs the site of `npm run docs:site`. `npm run test:all` runs them too.
 */
export const APART: readonly string[] = ["test/browser/walk.test.ts", "test/site/site.test.ts"];

/** Returns the test files that a mode leaves out: `quick` leaves out the long tests, and `long` leaves out all others. */
function leftOut(mode: string): readonly string[] {
  if (mode === "quick") return [...LONG, ...APART];
  if (mode !== "long") return [];
  const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".test.ts"));
  return files.map((path) => `test/${path.replaceAll("\\", "/")}`).filter((path) => !LONG.includes(path));
}

/**
 * Returns the number of workers. The default leaves one core free: on two cores, the tests would take twice as long. Many
 * long tests wait for processes, so they have one worker more.
 */
function workersFor(mode: string): number {
  return availableParallelism() + (mode === "long" ? 1 : 0);
}

export default defineConfig(({ mode }) => ({
  test: {
    // these limits only end tests that hang: no test depends on how fast the machine is, or how busy
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // processes, not threads: a test may fill gigabytes of a kernel's memory
    pool: "forks",
    globalSetup: ["test/temporaryFolder.ts"],
    setupFiles: ["test/typedArrays.ts"],
    // the tests make many short-lived objects: a larger young generation is collected less often
    execArgv: ["--max-semi-space-size=64"],
    // each project has its number of workers: Vitest reads this file again for a project, always in the mode "test"
    projects: [
      {
        extends: true,
        test: { name: "own", maxWorkers: workersFor(mode), include: OWN, exclude: [...leftOut(mode)] },
      },
      // to load the library once in each process, not in each file, saves CPU time
      {
        extends: true,
        test: {
          name: "shared",
          maxWorkers: workersFor(mode),
          include: ["test/**/*.test.ts"],
          exclude: [...OWN, "**/node_modules/**", ...leftOut(mode)],
          isolate: false,
        },
      },
    ],
  },
}));
