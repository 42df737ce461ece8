import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasProgram, Redis, rollmill, Shared, WorkerProcess } from "./cluster.mjs";
import { canMakeHosts, Host } from "./hosts.mjs";
import { SOME } from "./jobs.mjs";

// under CI, all of it must be there
const isSkipped = !(canMakeHosts() && hasProgram("redis-server")) && process.env.CI === undefined;

test.skipIf(isSkipped)(
  "two hosts with one folder finish a job, though one of them is cut off",
  async () => {
    const [shared, redis] = [new Shared(), new Redis("0.0.0.0")];
    const hosts = [new Host(1), new Host(2)];
    const workers: WorkerProcess[] = [];
    onTestFinished(async () => {
      await Promise.all(workers.map((worker) => worker.end()));
      for (const host of hosts) host.remove();
      await redis.stop();
      shared.remove();
    });
    await redis.start();
    const here = join(shared.root, "here");
    await rollmill("job", "start", shared.spec("some", SOME), here, "--seed", "moria", "--threads", "2", "--yes");
    for (const { server, inside } of hosts) {
      workers.push(new WorkerProcess({ address: ["--redis", redis.urlFrom(server)], root: shared.root, inside }));
    }
    const [cut, other] = workers;
    await Promise.all(workers.map((worker) => worker.ready()));
    const halfWay = cut.line(/^begun: task .*cells/, 10);
    const spec = shared.spec("some", SOME);
    const flags = ["--seed", "moria", "--redis", redis.url, "--wait", "--yes"];
    const finished = rollmill("job", "submit", spec, join(shared.root, "there"), ...flags);
    await halfWay;
    hosts[0].cut();
    await finished;
    expect(shared.digest("there")).toBe(shared.digest("here"));
    expect(other.lines.filter((line) => line.startsWith("begun: task")).length).toBeGreaterThan(0);

    // the host that was cut off works again when its cable is mended
    hosts[0].mend();
    await other.end();
    const again = cut.line(/^begun: task .*again/);
    await rollmill("job", "submit", spec, join(shared.root, "again"), ...flags);
    expect(await again).toBeDefined();
    expect(shared.digest("again")).toBe(shared.digest("here"));
  },
  180_000,
);
