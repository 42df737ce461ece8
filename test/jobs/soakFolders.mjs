// Calls everything on 10,000 strange folders of jobs, in child processes: `npm run soak:folders`.
//
//   node test/jobs/soakFolders.mjs [--seed S] [--cases N] [--from K]
import { fork } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepare, runCase } from "./strangeFolders.mjs";

/** A child does this many cases. A case without an answer for this time hangs. */
const CASES = 250;
const MAX_MS = 60_000;
const MAX_BYTES = 2 ** 30;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "10000" },
    from: { type: "string", default: "0" },
  },
});
const seed = Number(values.seed);
if (process.send === undefined) await runAll(Number(values.from), Number(values.cases));
else await runHere(Number(values.from), Number(values.cases));

async function runAll(first, cases) {
  let [failures, memory] = [0, 0];
  const fail = (k, flaw) => {
    failures++;
    console.log(`case ${k}: ${flaw}\n  repeat: npm run soak:folders -- --seed ${seed} --from ${k} --cases 1`);
  };
  for (let from = first; from < first + cases; ) {
    const end = await runChild({ from, cases: Math.min(CASES, first + cases - from), fail });
    memory = Math.max(memory, end.memory);
    if (end.hung !== undefined) fail(end.next, `no end: ${end.hung}`);
    from = end.next + (end.hung === undefined ? 0 : 1);
    console.log(`${from - first} folders, ${failures} failures, at most ${Math.round(memory / 2 ** 20)} MiB`);
  }
  if (memory > MAX_BYTES) fail(first, "more than 1 GiB of memory");
  process.exitCode = failures > 0 ? 1 : 0;
}

/** Runs some cases in a child. `next` is the first case that it did not finish. */
function runChild({ from, cases, fail }) {
  return new Promise((resolve) => {
    const args = ["--seed", String(seed), "--from", String(from), "--cases", String(cases)];
    const child = fork(fileURLToPath(import.meta.url), args, { silent: true });
    let [next, memory, doing, errors] = [from, 0, [], ""];
    const wait = () => setTimeout(() => child.kill("SIGKILL"), MAX_MS);
    let timer = wait();
    child.stderr.on("data", (text) => {
      errors += text;
    });
    child.on("message", (message) => {
      clearTimeout(timer);
      timer = wait();
      if (message.doing !== undefined) doing = message.doing;
      else {
        if (message.flaw !== undefined) fail(message.k, message.flaw);
        next = message.k + 1;
        memory = message.memory;
      }
    });
    child.on("exit", () => {
      clearTimeout(timer);
      resolve({ next, memory, hung: next < from + cases ? `${doing.join(" · ")} ${errors}` : undefined });
    });
  });
}

async function runHere(from, cases) {
  const load = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
  const [jobs, main, cli] = await Promise.all(["jobs/index.js", "index.js", "cli/main.js"].map(load));
  // a disk in memory flushes at once
  const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "rollmill-folders-"));
  try {
    const prepared = await prepare({ ...jobs, ...main, ...cli }, root);
    for (let k = from; k < from + cases; k++) {
      const flaw = await runCase(prepared, { seed, k, onCall: (doing) => process.send({ doing }) });
      process.send({ k, flaw, memory: process.resourceUsage().maxRSS * 1024 });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
    process.disconnect();
  }
}
