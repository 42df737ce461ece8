// The subjects of the bench, in the order in which they run. To add a subject, write a file like the others and add it
// here.

import { engines } from "./engines.mjs";
import { exports } from "./exports.mjs";
import { fill } from "./fill.mjs";
import { instruments } from "./instruments.mjs";
import { jobs } from "./jobs.mjs";
import { objects } from "./objects.mjs";
import { picks } from "./picks.mjs";
import { pools } from "./pools.mjs";
import { recipes } from "./recipes.mjs";
import { rolls } from "./rolls.mjs";
import { rooflines } from "./rooflines.mjs";
import { steps } from "./steps.mjs";
import { threads } from "./threads.mjs";
import { worlds } from "./worlds.mjs";

/**
 * A subject is {name, unit, cases}. A case is {name, open(notice)}, and has its own unit if it differs. open() prepares the inputs and returns {law, draws,
 * contenders}. If something that the case needs is absent, it passes a message to `notice` and returns null.
 */
export const SUBJECTS = [
  picks,
  rolls,
  steps,
  pools,
  recipes,
  objects,
  worlds,
  rooflines,
  exports,
  jobs,
  threads,
  instruments,
  engines,
  fill,
];
