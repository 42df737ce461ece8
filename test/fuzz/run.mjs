// Runs cases in child processes, with a limit of time for each case and of memory for each process. A case that hangs or
// kills its process is a failure like any other: its child is started again after it.
import { execFile, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { removeJobs } from "../hostile/jobs.mjs";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));
const CASE_MS = 60_000;
const START_MS = 30_000;
/** Maximum resident memory of a process, in bytes. Texts need less memory than calls, which may make many results. */
const MEMORY_BYTES = { random: 2 ** 31, exhaust: 2 ** 31, texts: 2 ** 30 };
const NO_END = `no end after ${CASE_MS} ms`;
const TOO_LARGE = "the process takes too much memory";
/** The reasons for which a process is killed during a case. */
const KILLED = new Set([NO_END, TOO_LARGE]);
const HEAP_MIB = 512;
const WATCH_MS = 250;

/** Maximum number of different failures: then the run ends. */
const MOST = 200;

/**
 * Runs the cases from … to − 1 on several processes.
 *
 * @returns the failures, each with the number of its case, its name and a stack or a reason. Failures of one call at one
 * place of the code are listed once; `times` is their number.
 */
export async function run({ kind, seed, from, to, workers, onFailure = () => undefined }) {
  const failures = new Map();
  await Promise.all(
    Array.from({ length: workers }, (_, i) => work({ kind, seed, to, workers, onFailure }, from + i, failures)),
  );
  return [...failures.values()];
}

/** Runs every case from `first` on, in steps of `workers`, in one process after another. */
async function work(range, first, failures) {
  for (let next = first; next < range.to && failures.size < MOST; ) {
    const { last, reason } = await runChild(range, next, failures);
    if (reason === undefined) return;
    // A busy machine can stall a process for seconds, and memory can be left over from thousands of earlier cases. So a
    // case that was killed counts only if it is also killed alone, in a new process.
    const alone = KILLED.has(reason)
      ? await runChild({ ...range, workers: 1, to: last.k + 1 }, last.k, failures)
      : { reason };
    if (alone.reason !== undefined) add(range, failures, { ...last, stack: reason });
    next = last.k + range.workers;
  }
}

/** Returns the arguments of a case as code, for a case that hung or killed its process. */
export function showCase({ kind, seed, k }) {
  const flags = ["--expose-gc", CHILD, kind, seed, k, 1, k + 1, "show"].map(String);
  const { pid, stdout } = spawnSync(process.execPath, flags, { encoding: "utf8", timeout: CASE_MS });
  removeJobs(pid);
  const line = stdout.split("\n").find((one) => one.startsWith("args "));
  return line === undefined ? "not known" : JSON.parse(line.slice("args ".length));
}

function add({ onFailure }, failures, failure) {
  // the message may have the value in it, the lines after it are the place
  const lines = failure.stack.split("\n");
  const place = lines
    .filter((line) => line.startsWith("    at "))
    .slice(0, 2)
    .join("");
  const call = failure.name.replace(/^case \d+: /, "").replace(/ with .*/s, "");
  const key = `${call} ${place === "" ? lines[0] : place}`;
  const known = failures.get(key);
  if (known === undefined) {
    failures.set(key, { ...failure, times: 1 });
    onFailure(failure);
  } else known.times++;
}

/** Runs one process until it is done, dies or is killed. Returns its last case and why it ended early. */
function runChild(range, from, failures) {
  const { kind, seed, to, workers } = range;
  const flags = ["--expose-gc", `--max-old-space-size=${HEAP_MIB}`, CHILD, kind, seed, from, workers, to].map(String);
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "ignore"] });
  let last = { k: from, name: "the start of the process" };
  let [isDone, reason] = [false, undefined];
  const kill = (why) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(kill, START_MS, `did not start in ${START_MS} ms`);
  const watch = setInterval(async () => {
    const bytes = await residentBytes(child.pid);
    if (bytes > MEMORY_BYTES[kind]) kill(TOO_LARGE);
  }, WATCH_MS);
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line === "done") isDone = true;
    else if (line.startsWith("failed ")) add(range, failures, { k: last.k, ...JSON.parse(line.slice(7)) });
    else {
      const [, k, name] = /^case (\d+) (.*)$/s.exec(line);
      last = { k: Number(k), name };
    }
    clearTimeout(timer);
    if (failures.size >= MOST) kill("too many failures");
    else timer = setTimeout(kill, CASE_MS, NO_END);
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      clearInterval(watch);
      removeJobs(child.pid);
      resolve({ last, reason: isDone ? undefined : (reason ?? `the process died: ${signal ?? `exit code ${code}`}`) });
    });
  });
}

/** The resident memory of a process in bytes; 0 if it has ended. */
function residentBytes(pid) {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (_, stdout) =>
      resolve(1024 * (Number.parseInt(stdout, 10) || 0)),
    );
  });
}
