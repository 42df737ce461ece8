// A contender in a process of its own. Where memory of WebAssembly has grown, V8 looks at every access to a typed array whether
// its buffer is gone, for the rest of the process: a rival of typed arrays takes nearly twice the time beside a mill.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROCESS = fileURLToPath(new URL("./apartProcess.mjs", import.meta.url));

/** The contender that `open`, an export of `module` (its URL), makes there of `given` (JSON): it is checked and timed there too. */
export function apart(name, module, open, ...given) {
  const child = fork(PROCESS, [module, open, JSON.stringify(given)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.unref();
  child.channel.unref();

  function ask(message) {
    return new Promise((resolve, reject) => {
      const isOver = (code) => reject(new Error(`${name} ended with ${code}.`));
      child.channel.ref();
      child.once("exit", isOver);
      child.once("message", ({ answer, error }) => {
        child.channel.unref();
        child.off("exit", isOver);
        if (error === undefined) resolve(answer);
        else reject(new Error(error));
      });
      child.send(message);
    });
  }

  return {
    name,
    sample: (draws) => ask({ job: "sample", with: draws }),
    time: (seconds) => ask({ job: "time", with: seconds }),
  };
}
