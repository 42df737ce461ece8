// Runs a contender in a separate process. Once a WebAssembly memory has grown, V8 checks at every access to a typed
// array whether the array's buffer is detached, until the process ends. In the same process as a mill, a rival that
// uses typed arrays would take nearly twice the time.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROCESS = fileURLToPath(new URL("./apartProcess.mjs", import.meta.url));

/**
 * A contender that is checked and timed in a separate process. There, the exported function `open` of `module` (a URL)
 * is called with the arguments `given` (JSON values) and returns the contender.
 */
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
