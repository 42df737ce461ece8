import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { JobFolder } from "./jobFolder.js";

const job = new JobFolder("server.mjs");

test("answers its own requests, as another mill with the same seed does, and stops", async () => {
  const { code, stdout, stderr } = await job.run("--players", "50", "--requests", "300");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^300 requests in .* s, .* a second; half within .* ms, 99 % within .* ms$/m);
  expect(stdout).toMatch(/^300 answers equal those of another mill with the same seed$/m);
  expect(stdout).toMatch(/^50 players without HTTP: .* microseconds an item$/m);
  expect(stdout).toMatch(/^snapshot of all players: .* bytes$/m);
});

test("--listen serves each player the items of the player's fork, on the loopback address, and stops by itself", async () => {
  const program = fileURLToPath(new URL("../../examples/server.mjs", import.meta.url));
  const server = spawn(process.execPath, [program, "--listen", "3"], { timeout: 500_000 });
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  const [, base] = /^(http:\/\/127\.0\.0\.1:\d+)\/players\/7\/loot for 3 s$/.exec(line) ?? [];
  const ask = async (path: string) => {
    const response = await fetch(`${base}${path}`);
    return { status: response.status, body: await response.json() };
  };
  const weapons = createMill({ seed: "moria" }).recipe("weapon");
  const item = (player: number, at: number) => {
    const { requests: _, seed: __, ...row } = weapons.fork(player).make({ at });
    return { status: 200, body: { player, at, ...row } };
  };
  expect(await ask("/players/7/loot")).toEqual(item(7, 0));
  expect(await ask("/players/8/loot")).toEqual(item(8, 0));
  expect(await ask("/players/7/loot")).toEqual(item(7, 1));
  expect(await ask("/players/7/loot/4398046511103")).toEqual(item(7, 2 ** 42 - 1));
  expect(await ask("/players/7/loot/4398046511104")).toMatchObject({ status: 400, body: { error: "argument.range" } });
  expect(await ask("/players/x/loot")).toMatchObject({ status: 404 });
  expect(await once(server, "close")).toEqual([0, null]);
});

test.each(["--players=-1", "--players=0", "--requests=many"])("%s is refused", async (argument) => {
  expect(await job.run(argument)).toMatchObject({ code: 2, stdout: "" });
});
