// Serves loot over HTTP. Each player has a fork, so the loot of a player depends on nobody else: not on the order of
// requests, and not on the process that answers. The server listens on this machine only.
// Run: node examples/server.mjs [--players N] [--requests N] [--listen SECONDS] [--port PORT]
//
// Without --listen, the program sends requests to itself, prints how many a second it answered, and stops. With it, the
// server waits for your requests, and stops after that time:
//
//     curl http://127.0.0.1:8080/players/7/loot        the next item of player 7
//     curl http://127.0.0.1:8080/players/7/loot/3      item 3 of player 7

import { Agent, createServer, request } from "node:http";
import { parseArgs } from "node:util";
import { createMill } from "rollmill";
import { approximate, refuse, runProgram } from "./program.mjs";

const SEED = "moria";
/** Number of requests that wait for an answer at the same time. */
const CLIENTS = 32;
const PATH = /^\/players\/(\d{1,15})\/loot(?:\/(\d{1,13}))?$/;
const NUMBERS = { players: 100_000, requests: 20_000, listen: 0, port: 0 };

/** Returns a function from a path to its response: {status, body}. */
function lootOf(mill) {
  const weapons = mill.recipe("weapon");
  return (path) => {
    const [, player, index] = PATH.exec(path) ?? [];
    if (player === undefined)
      return { status: 404, body: { error: "expected /players/ID/loot or /players/ID/loot/K" } };
    const fork = weapons.fork(Number(player));
    const at = index === undefined ? fork.next : Number(index);
    try {
      // who knows the seed can compute every item, so it stays on the server
      const { requests: _, seed: __, ...item } = index === undefined ? fork.make() : fork.make({ at });
      return { status: 200, body: { player: Number(player), at, ...item } };
    } catch (cause) {
      // such as an index above 2^42 − 1
      return { status: 400, body: { error: cause.code, message: cause.message } };
    }
  };
}

/** Starts the server on the loopback address. */
async function serve(answer, port) {
  const server = createServer(({ url }, response) => {
    const { status, body } = answer(url);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((cause) => refuse("argument.range", `cannot listen: ${cause.message}`, { cause }));
  return server;
}

/** Requests the next item of one random player after another, and returns the responses with their times. */
async function load(port, { players, requests }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const chosen = createMill({ seed: "load" }).stream("players").words(requests);
  const answers = [];
  let sent = 0;
  const client = async () => {
    while (sent < requests) {
      const player = chosen[sent++] % players;
      const startedAt = performance.now();
      const body = await get({ agent, port, path: `/players/${player}/loot` });
      answers.push({ item: JSON.parse(body), milliseconds: performance.now() - startedAt });
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
  return { answers, seconds: (performance.now() - startedAt) / 1000 };
}

function get(options) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", ...options }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        body += part;
      });
      response.once("end", () => resolve(body));
    });
    sent.once("error", reject);
    sent.end();
  });
}

/** Counts the answers that another mill with the same seed gives for the same players and indices. */
function equalAnswers(answers) {
  const answer = lootOf(createMill({ seed: SEED }));
  return answers.filter(({ item }) => {
    const { body } = answer(`/players/${item.player}/loot/${item.at}`);
    return JSON.stringify(body) === JSON.stringify(item);
  }).length;
}

async function measure(mill, port, options) {
  const { answers, seconds } = await load(port, options);
  const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const [middle, late] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)].toFixed(2));
  const rate = approximate(answers.length / seconds);
  console.log(
    `${answers.length} requests in ${seconds.toFixed(2)} s, ${rate} a second; half within ${middle} ms, 99 % within ${late} ms`,
  );
  console.log(`${equalAnswers(answers)} answers equal those of another mill with the same seed`);

  const answer = lootOf(mill);
  const startedAt = performance.now();
  for (let player = 0; player < options.players; player++) answer(`/players/${player}/loot`);
  const each = ((performance.now() - startedAt) * 1000) / options.players;
  console.log(`${options.players} players without HTTP: ${each.toFixed(1)} microseconds an item`);
  console.log(`snapshot of all players: ${approximate(mill.snapshot().length)} bytes`);
}

function readArguments() {
  const options = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: "string" }]));
  const { values } = parseArgs({ options });
  return Object.fromEntries(
    Object.entries(NUMBERS).map(([name, usual]) => {
      const text = values[name] ?? String(usual);
      if (!/^\d{1,9}$/.test(text)) refuse("argument.range", `--${name} ${text}: expected an integer of 0 or more`);
      return [name, Number(text)];
    }),
  );
}

await runProgram(async () => {
  const options = readArguments();
  if (options.players === 0 || options.requests === 0)
    refuse("argument.range", "expected at least one player and one request");
  const mill = createMill({ seed: SEED });
  const server = await serve(lootOf(mill), options.port);
  const { port } = server.address();
  try {
    if (options.listen === 0) return await measure(mill, port, options);
    console.log(`http://127.0.0.1:${port}/players/7/loot for ${options.listen} s`);
    await new Promise((resolve) => setTimeout(resolve, options.listen * 1000));
  } finally {
    server.closeAllConnections();
    server.close();
    mill.dispose();
  }
});
