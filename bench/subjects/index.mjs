// The subjects of the bench, in the order in which they run. A new one is a file like its siblings and a line here.

import { fill } from "./fill.mjs";
import { objects } from "./objects.mjs";
import { picks } from "./picks.mjs";
import { pools } from "./pools.mjs";
import { recipes } from "./recipes.mjs";
import { rolls } from "./rolls.mjs";
import { steps } from "./steps.mjs";

/**
 * A subject is {name, unit, cases}; a case is {name, open(notice)}, which prepares its inputs and returns
 * {law, draws, contenders}, or null where something it needs is absent (and a notice has said so).
 */
export const SUBJECTS = [picks, rolls, steps, pools, recipes, objects, fill];
