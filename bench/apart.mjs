// A contender in a process of its own. Once a WebAssembly memory has grown, V8 checks at every access to a typed array whether
// its buffer is detached, for the rest of the process: beside a mill, a rival of typed arrays takes nearly twice the time.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROCESS = fileURLToPath(new URL("./apartProcess.mjs", import.meta.url));

/** The contender that export `open` of `module` (a URL) returns for the arguments `given` (JSON), checked and timed there. */
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
