// Runs commands on word folders from strangers (strangeFolders.mjs): `npm run soak:words`. Each command must end with an
// exit code and without a raw stack, in 5 s of CPU time and 1 GiB, and must not touch files that are not its own. A
// command that finds the folder locked waits for 5 s, which take no CPU time.
//
//   node test/wordstores/soak.mjs [--seed S] [--cases N] [--case K]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { canaryOf, flawOf, makeCase } from "./strangeFolders.mjs";

const CPU_MS = 5_000;
/** After this time a command counts as hanging, even on a busy machine. */
const HANG_MS = 120_000;
const MEMORY_BYTES = 2 ** 30;
/** Number of child processes. Most of them wait for locks. */
const CHILDREN = 8;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "3000" },
    case: { type: "string" },
    child: { type: "string" },
  },
});
const seed = Number(values.seed);
const from = Number(values.case ?? 0);
const to = values.case === undefined ? Number(values.cases) : from + 1;
if (values.child === undefined) await watch();
else await runCases(values.child);

/** Runs all cases in child processes. Kills a child and starts it again if a command does not end. */
async function watch() {
  const root = mkdtempSync(join(tmpdir(), "rollmill-soak-"));
  const found = { commands: 0, failures: 0, cpuMs: 0, wallMs: 0, codes: {}, bytes: 0 };
  try {
    const each = Math.ceil((to - from) / CHILDREN);
    const starts = Array.from({ length: CHILDREN }, (_, i) => from + i * each);
    await Promise.all(
      starts.map(async (start) => {
        const end = Math.min(to, start + each);
        for (let next = start; next < end; ) next = await runChild(root, [next, end], found);
      }),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  console.log(JSON.stringify({ seed, cases: to - from, ...found }));
  process.exitCode = found.failures > 0 ? 1 : 0;
}

/** Returns the number of the case after the last case of the child. */
function runChild(root, [first, end], found) {
  const args = [fileURLToPath(import.meta.url), "--child", root, "--seed", seed, "--case", first, "--cases", end];
  const child = spawn(process.execPath, args.map(String), { stdio: ["ignore", "pipe", "inherit"] });
  let [last, timer] = [{ k: first, args: ["start"] }, undefined];
  const fail = (why) => {
    found.failures++;
    console.log(`case ${last.k}: ${last.args.join(" ")}\n  ${why}`);
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { k, args, cpuMs, wallMs, code, flaw, bytes } = JSON.parse(line);
    clearTimeout(timer);
    if (cpuMs === undefined) {
      last = { k, args };
      timer = setTimeout(() => child.kill("SIGKILL"), HANG_MS);
      return;
    }
    found.commands++;
    found.codes[code] = (found.codes[code] ?? 0) + 1;
    found.bytes = Math.max(found.bytes, bytes);
    found.cpuMs = Math.max(found.cpuMs, cpuMs);
    found.wallMs = Math.max(found.wallMs, wallMs);
    if (cpuMs > CPU_MS) fail(`${cpuMs} ms of CPU time`);
    if (bytes > MEMORY_BYTES) fail(`${bytes} bytes of memory`);
    if (flaw !== undefined) fail(flaw);
  });
  return new Promise((done) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code !== 0) fail(signal === "SIGKILL" ? "does not end" : `exit code ${code} of the process`);
      done(code === 0 ? end : last.k + 1);
    });
  });
}

/** Runs cases one after the other, and writes a line before and after each command. */
async function runCases(root) {
  const { main } = await import("../../dist/cli/main.js");
  const last = values.case === undefined ? to : Number(values.cases);
  for (let k = from; k < last; k++) {
    const cwd = join(root, String(k));
    mkdirSync(cwd);
    const commands = makeCase(cwd, seed, k);
    const before = canaryOf(cwd);
    for (const args of commands) {
      write({ k, args });
      const [started, cpuBefore] = [performance.now(), process.cpuUsage()];
      const end = await run(main, args, cwd);
      const wallMs = Math.round(performance.now() - started);
      const { user, system } = process.cpuUsage(cpuBefore);
      const flaw = flawOf(end) ?? (canaryOf(cwd) === before ? undefined : "a file that is not its own has changed");
      const bytes = process.memoryUsage.rss();
      write({ k, args, cpuMs: Math.round((user + system) / 1000), wallMs, code: end.code, flaw, bytes });
    }
    rmSync(cwd, { recursive: true, force: true });
  }
}

async function run(main, args, cwd) {
  const texts = ["", ""];
  const [stdout, stderr] = texts.map(
    (_, i) =>
      new Writable({
        write(chunk, _encoding, done) {
          texts[i] += chunk;
          done();
        },
      }),
  );
  const code = await main(args, { stdin: Readable.from([]), stdout, stderr, cwd, importModule: (url) => import(url) });
  return { code, stderr: texts[1] };
}

function write(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
