// Loaded before a command with --import. Kills the process at step number KILL_AT of those that change the disk.
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const at = Number(process.env.KILL_AT);
let steps = 0;

function step() {
  steps++;
  if (steps === at) process.kill(process.pid, "SIGKILL");
}

for (const name of ["mkdir", "rename", "rm", "rmdir", "writeFile"]) {
  const call = fs[name];
  fs[name] = async (...args) => {
    step();
    return call(...args);
  };
}
const { open } = fs;
fs.open = async (...args) => {
  const file = await open(...args);
  const sync = file.sync.bind(file);
  file.sync = async () => {
    step();
    return sync();
  };
  return file;
};
syncBuiltinESMExports();
