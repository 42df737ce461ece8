// The process that apart.mjs starts for a contender. Arguments: the URL of a module, the name of the exported function
// that opens the contender, and the arguments of this function as JSON.

import { turn } from "./harness.mjs";

const [module, open, given] = process.argv.slice(2);
const opened = import(module).then((exports) => exports[open](...JSON.parse(given)));
const jobs = {
  sample: (contender, draws) => contender.sample(draws),
  time: (contender, seconds) => turn(contender, seconds),
};

process.on("disconnect", () => process.exit());
process.on("message", async (message) => {
  try {
    process.send({ answer: await jobs[message.job](await opened, message.with) });
  } catch (error) {
    process.send({ error: error.message });
  }
});
