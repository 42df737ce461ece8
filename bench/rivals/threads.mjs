// Rivals that count weighted picks on several cores: rand of Rust in threads, and numpy in processes.

import { execFile, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rival } from "./c.mjs";

const RUST = fileURLToPath(new URL("./rust/", import.meta.url));
const BUILT = fileURLToPath(new URL("../../build/bench/rust/", import.meta.url));
const NUMPY = fileURLToPath(new URL("./picks.py", import.meta.url));
/** The crates of Debian's packages librust-rand-dev and librust-rand-distr-dev, so that nothing is downloaded. */
const CRATES = "/usr/share/cargo/registry";
const DEBIAN = ['source.crates-io.replace-with="debian"', `source.debian.directory="${CRATES}"`];
/** Time of a turn, whose five samples are long beside the start of a thread. */
const SECONDS = 1;
/** From this number of weights on, rand's alias table is faster than its binary search. */
const MANY_WEIGHTS = 64;

/** The contenders that count picks from `weights`. Those that this machine lacks are left out with a notice. */
export async function threadedPicks(weights, threads, notice) {
  const list = weights.length < MANY_WEIGHTS ? "index" : "alias";
  const rust = await rustProgram(notice);
  const programs = {
    ...(rust && { rust: [rust, list] }),
    ...(hasNumpy(notice) && { numpy: ["python3", NUMPY, "choice"], "numpy sort": ["python3", NUMPY, "sort"] }),
  };
  const load = [threads, weights.length, ...weights].join(" ");
  return Promise.all(
    Object.entries(programs).map(async ([name, command]) => {
      const contender = await rival(command, load, { name });
      return { ...contender, reference: name === "numpy sort", time: () => contender.time(SECONDS) };
    }),
  );
}

/** Compiles rust/, and returns the path of the program, or undefined with a notice. */
async function rustProgram(notice) {
  // cargo writes its lock file beside the sources
  cpSync(RUST, BUILT, { recursive: true, preserveTimestamps: true });
  const env = { ...process.env, RUSTFLAGS: "-C target-cpu=native" };
  try {
    await promisify(execFile)(
      "cargo",
      ["build", "--release", "--offline", "--config", DEBIAN[0], "--config", DEBIAN[1]],
      { cwd: BUILT, env },
    );
  } catch (error) {
    const needs = "cargo, and the packages librust-rand-dev and librust-rand-distr-dev of Debian";
    notice(`rust is left out. It needs ${needs}: ${(error.stderr || error.message).trim().split("\n").at(-1)}`);
    return undefined;
  }
  return join(BUILT, "target/release/picks");
}

/** Whether python3 has numpy. If not, it says so. */
export function hasNumpy(notice) {
  const isThere = spawnSync("python3", ["-c", "import numpy"]).status === 0;
  if (!isThere) notice("numpy is left out: python3 with numpy is not installed.");
  return isThere;
}
