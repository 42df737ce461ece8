// Preloaded by kills.mjs. strace counts the calls of each thread on its own, and kills at the n-th call of the thread
// that gets there first. So one thread begins with many calls that fail and change nothing: no other thread gets as far.
import fs from "node:fs";

const NONE = "/nonexistent/file";
const NO_FILE = 2 ** 30;
const BYTE = Buffer.alloc(1);
const CALLS = {
  write: ["write", NO_FILE, BYTE],
  pwrite64: ["write", NO_FILE, BYTE, 0, 1, 0],
  fsync: ["fsync", NO_FILE],
  rename: ["rename", NONE, NONE],
  mkdir: ["mkdir", NONE],
  openat: ["open", NONE, "r"],
  unlink: ["unlink", NONE],
  rmdir: ["rmdir", NONE],
};

const { PADDED_CALL, PADDED_THREAD, PADDING } = process.env;
if (PADDED_CALL !== undefined) {
  const [name, ...given] = CALLS[PADDED_CALL];
  for (let k = 0; k < Number(PADDING); k++) {
    if (PADDED_THREAD === "pool") await new Promise((resolve) => fs[name](...given, resolve));
    else failing(() => fs[`${name}Sync`](...given));
  }
}

function failing(call) {
  try {
    call();
  } catch {
    // it names a file that does not exist
  }
}
