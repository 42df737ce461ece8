import { cleanUpOnSignals } from "../files/temporaries.js";
import { main } from "./main.js";
import { processIo } from "./processIo.js";
import { FAILED, note } from "./shared/io.js";

/** Runs the command of this process. */
export function runProcess(): void {
  const io = processIo();
  cleanUpOnSignals();
  // `main` reports failed writes; without these listeners, a failed write would also end the process with a stack trace
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  let isDone = false;
  process.once("beforeExit", () => {
    if (isDone) return;
    note(io, "the command cannot finish, because a script module never finishes loading");
    process.exitCode = FAILED;
  });
  void main(process.argv.slice(2), io).then((code) => {
    isDone = true;
    process.exitCode = code;
  });
}
