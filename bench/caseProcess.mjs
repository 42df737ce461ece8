// Runs one case in a separate process for its parent (cases.mjs), so that neither V8's optimised code nor the memory of
// one case affects the next case. Arguments: subject, case, rounds, seconds, and "idle" to wait until the core is idle.

import { openProbe } from "./alone.mjs";
import { measure } from "./harness.mjs";
import { SUBJECTS } from "./subjects/index.mjs";

const [subjectName, caseName, rounds, seconds, idle] = process.argv.slice(2);
const notice = (text) => process.send({ notice: text });
const progress = (text) => process.send({ progress: text });

/** Sends the last message to the parent and exits. The C programs end too, because their stdin closes. */
function end(message, exitCode) {
  process.send(message, () => process.exit(exitCode));
}

try {
  const { cases } = SUBJECTS.find(({ name }) => name === subjectName);
  const opened = await cases.find(({ name }) => name === caseName).open(notice);
  const isAlone = idle ? await openProbe() : undefined;
  const settings = { rounds: Number(rounds), seconds: Number(seconds), notice, progress, isAlone };
  end({ rows: opened && (await measure(opened, settings)) }, 0);
} catch (error) {
  end({ error: error.stack }, 1);
}
