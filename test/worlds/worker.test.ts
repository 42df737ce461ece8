import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

const { cases } = JSON.parse(readFileSync(new URL("../golden/worlds.json", import.meta.url), "utf8"));
const { spec, gives } = cases["the endless world"];
const folder = new URL("../../", import.meta.url).href;

/** Opens the endless world in a worker thread, and posts a digest. */
const PROGRAM = `
  import { existsSync, readFileSync } from "node:fs";
  import { parentPort, workerData } from "node:worker_threads";
  const { createMill } = await import(workerData.folder + "dist/index.js");
  const { loadWorld } = await import(workerData.folder + "dist/worlds/index.js");
  const read = (path) => {
    const place = new URL(path === "endless.json" ? "test/golden/endlessWorld.json" : "examples/" + path, workerData.folder);
    return existsSync(place) ? readFileSync(place, "utf8") : undefined;
  };
  const { spec } = await loadWorld("endless.json", read);
  const world = createMill({ seed: workerData.seed }).world(workerData.name, spec);
  const [row0, col0, rows, cols] = workerData.window;
  parentPort.postMessage(world.digest({ row0, col0, rows, cols }));
`;

test("a worker thread has the digest of the endless world that is frozen", async () => {
  const url = new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`);
  const worker = new Worker(url, { workerData: { ...spec, folder } });
  const [digest] = await once(worker, "message");
  expect(digest).toBe(gives.digest);
});
