// A cluster on one machine: a Redis of its own, and workers as processes of their own, which can be killed. The tests of
// queues and `npm run soak:cluster` use it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
export const BIN = join(PACKAGE, "dist/cli/bin.js");
// `require`, because the test runner would transform what is imported
const { main } = createRequire(import.meta.url)(join(PACKAGE, "dist/cli/main.js"));
/** A worker counts as lost after this many seconds: the settings of tests. */
export const LOST_AFTER = 3;

/** Whether this machine has a program. */
export function hasProgram(name) {
  try {
    execFileSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Returns a port that nothing listens on now. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** A Redis with an append-only file. It can be killed, and started again with what it has written. */
export class Redis {
  #folder = mkdtempSync(join(tmpdir(), "rollmill-redis-"));
  #port = 0;
  #bind;
  #process;

  /** @param bind - The address that it listens on. */
  constructor(bind = "127.0.0.1") {
    this.#bind = bind;
  }

  get url() {
    return this.urlFrom("127.0.0.1");
  }

  /** Its address for a host that reaches it at another address. */
  urlFrom(address) {
    return `redis://${address}:${this.#port}`;
  }

  /** Starts it, and waits until it answers. */
  async start() {
    if (this.#port === 0) this.#port = await freePort();
    const flags = ["--port", String(this.#port), "--bind", this.#bind, "--dir", this.#folder, "--save", ""];
    const safe = ["--appendonly", "yes", "--maxmemory-policy", "noeviction", "--protected-mode", "no"];
    this.#process = spawn("redis-server", [...flags, ...safe], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface(this.#process.stdout)) {
      if (line.includes("Ready to accept connections")) break;
    }
    // what nobody reads would stop the server when the pipe is full
    this.#process.stdout.resume();
  }

  /** Kills it at once, as a failure of the machine does. */
  async kill() {
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }

  async stop() {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A worker in a process of its own. */
export class WorkerProcess {
  /** All lines that it has printed. */
  lines = [];
  #process;
  #listeners = new Set();
  #ended;

  /**
   * @param address - The flags that say where the queue is, such as ["--redis", url].
   * @param bin - The command line of a build: see {@link otherBuild}.
   * @param inside - The words of a command that runs the worker somewhere else, such as ["ip", "netns", "exec", "a"].
   */
  constructor({ address, root, threads = 2, lostAfter = LOST_AFTER, inside = [], more = [], bin = BIN }) {
    const flags = ["--root", root, "--threads", String(threads), "--lost-after", String(lostAfter), "--verbose"];
    const [program, ...words] = [...inside, process.execPath, bin, "job", "worker", ...address, ...flags, ...more];
    this.#process = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"] });
    this.#ended = once(this.#process, "close");
    createInterface(this.#process.stderr).on("line", (line) => {
      this.lines.push(line);
      for (const listener of this.#listeners) listener(line);
    });
  }

  /** Waits for the n-th line from now on that matches, and returns it. Undefined if the process ends first. */
  async line(pattern, n = 1) {
    let seen = 0;
    let listener;
    const found = new Promise((resolve) => {
      listener = (line) => pattern.test(line) && ++seen === n && resolve(line);
      this.#listeners.add(listener);
    });
    try {
      return await Promise.race([found, this.#ended.then(() => undefined)]);
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Waits until it takes tasks. */
  async ready() {
    if (this.lines.some((line) => line.startsWith("ready:"))) return;
    if ((await this.line(/^ready:/)) === undefined) throw new Error(`the worker ended: ${this.lines.join("\n")}`);
  }

  /** Ends it with a signal. Returns its exit code, or null if the signal killed it. */
  async end(signal = "SIGKILL") {
    this.#process.kill(signal);
    const [code] = await this.#ended;
    return code;
  }
}

/**
 * Copies the built library, and changes a text in all its files: another build of Rollmill.
 *
 * @param pattern - a regular expression with the flag g.
 * @returns the path of the command line of the other build, and a function that removes it.
 */
export function otherBuild(pattern, other) {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-build-"));
  const dist = join(folder, "dist");
  cpSync(join(PACKAGE, "dist"), dist, { recursive: true });
  cpSync(join(PACKAGE, "package.json"), join(folder, "package.json"));
  symlinkSync(join(PACKAGE, "node_modules"), join(folder, "node_modules"));
  let changed = 0;
  // the bundler writes a constant into each file that uses it
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const code = readFileSync(join(dist, file), "utf8");
    const replaced = code.replaceAll(pattern, other);
    if (replaced === code) continue;
    writeFileSync(join(dist, file), replaced);
    changed++;
  }
  if (changed === 0) throw new Error(`no file of dist has the text ${pattern}`);
  return { bin: join(dist, "cli/bin.js"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a command of rollmill in this process, and returns what it prints. */
export async function rollmill(...words) {
  const printed = { stdout: "", stderr: "" };
  const into = (name) =>
    new Writable({
      write(chunk, _, done) {
        printed[name] += chunk;
        done();
      },
    });
  const io = {
    stdin: Readable.from([]),
    stdout: into("stdout"),
    stderr: into("stderr"),
    importModule: (url) => import(url),
  };
  const code = await main(words, io);
  if (code !== 0) throw new Error(`rollmill ${words.join(" ")} ends with ${code}: ${printed.stderr}`);
  return printed;
}

/** A folder that all workers share, with the files of jobs. */
export class Shared {
  root = mkdtempSync(join(tmpdir(), "rollmill-cluster-"));

  /** Writes the spec of a job; returns its path. */
  spec(name, job) {
    const path = join(this.root, `${name}.json`);
    writeFileSync(path, JSON.stringify(job));
    return path;
  }

  /** The digest of a finished job. */
  digest(name) {
    return JSON.parse(readFileSync(join(this.root, name, "result.json"), "utf8")).digest;
  }

  folder(name) {
    mkdirSync(this.root, { recursive: true });
    return join(this.root, name);
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/**
 * Keeps some workers at a queue until a job is finished. Kills one of them each time that it has begun some tasks, and
 * starts another one instead.
 *
 * @param done - Resolves when the job is finished.
 * @param kills - The number of kills: then the workers live.
 * @returns the number of kills.
 */
export async function killWhile(done, { kills, workers, settings, random, onKill = () => undefined }) {
  let killed = 0;
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  const all = new Set();
  const live = async () => {
    while (!isDone) {
      const worker = new WorkerProcess(settings);
      all.add(worker);
      if (killed >= kills) return;
      // the first tasks of a worker are killed as often as later ones
      const line = await Promise.race([worker.line(/^begun: task/, 1 + Math.floor(random() * 8)), ended]);
      if (isDone || killed >= kills) return;
      if (line === undefined) throw new Error(`a worker ended by itself:\n${worker.lines.join("\n")}`);
      const n = ++killed;
      all.delete(worker);
      await worker.end();
      await onKill(n);
    }
  };
  try {
    await Promise.all([ended, ...Array.from({ length: workers }, live)]);
  } finally {
    await Promise.all([...all].map((worker) => worker.end()));
  }
  return killed;
}
