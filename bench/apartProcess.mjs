// The other side of apart.mjs. Arguments: a module's URL, and the name of its export that opens the contender.

import { turn } from "./harness.mjs";

const [module, open] = process.argv.slice(2);
const opened = import(module).then((exports) => exports[open]());
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
