// The fuzzer: calls the built package with hostile arguments, and reports every call that ends neither in a result nor in
// an error of the library, that does not end, or that kills its process.
//
//   node test/fuzz/main.mjs [--seed S] [--cases N] [--from K] [--case K] [--exhaust | --texts] [--workers W]
//
// Without --seed, a random seed is chosen and printed. --case runs one case, to repeat a failure. --exhaust runs every
// call with every hostile value in every place once, in place of random cases. --texts opens texts of every format with
// repeated, nested and long parts; each may take 5 s of CPU time and 1 GiB. The exit code is 1 if a case failed.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { run, showCase } from "./run.mjs";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    cases: { type: "string", default: "10000" },
    from: { type: "string", default: "0" },
    case: { type: "string" },
    exhaust: { type: "boolean", default: false },
    texts: { type: "boolean", default: false },
    workers: { type: "string", default: String(availableParallelism()) },
  },
});
const seed = Number(options.seed);
const kind = options.exhaust ? "exhaust" : options.texts ? "texts" : "random";
const from = Number(options.case ?? options.from);
// a child knows how many cases there are
const count = options.exhaust ? Number.MAX_SAFE_INTEGER : Number(options.cases);
const to = options.case === undefined ? count : from + 1;

console.log(`seed ${seed}, ${kind} cases from ${from}`);
const started = performance.now();
const onFailure = ({ k, name, stack, code = showCase({ kind, seed, k }) }) => {
  const repeat = `--seed ${seed} --case ${k}${kind === "random" ? "" : ` --${kind}`}`;
  console.log(
    `\n${name}\n  ${stack.split("\n").slice(0, 6).join("\n  ")}\n  arguments: ${code}\n  repeat: npm run soak:fuzz -- ${repeat}`,
  );
};
const workers = Math.min(Number(options.workers), to - from);
const failures = await run({ kind, seed, from, to, workers, onFailure });
const times = failures.reduce((sum, failure) => sum + failure.times, 0);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`${times} failures, ${failures.length} of them different, in ${seconds} s`);
process.exitCode = failures.length > 0 ? 1 : 0;
